// Sides of constellations that keep their records in the same database.

import { isRoute, type OthersSide, type SideSource } from "../../ports/sides.ts";
import { sideRef } from "../../protocol/elsewhere.ts";
import type { ReadContext } from "../context.ts";
import { bundleOf, othersSides } from "./sides.sql.ts";

export function teamSides({ store }: Pick<ReadContext, "store">): SideSource {
  return {
    async others(repository, most) {
      const rows = await othersSides(store.db, store.constellation, repository, most);
      // A member could name another's ref as its own.
      return rows.filter(({ constellation, key, ref }) => ref === sideRef(constellation, key)).map(asSide);
    },
    async bundle(repository, { constellation, key }, most) {
      const longest = Math.ceil(most / 3) * 4;
      const content = await bundleOf(store.db, { constellation, key, repository, longest });
      return content === undefined ? undefined : Buffer.from(content, "base64");
    },
  };
}

function asSide(row: Awaited<ReturnType<typeof othersSides>>[number]): OthersSide {
  const { constellation, key, ref, commit_id: commit, route, detail, branch, agent, task, machine } = row;
  const words = { branch, agent, task, machine };
  const known = isRoute(route) ? route : "nowhere";
  return { constellation, key, ref, commit, route: known, detail, words, atMs: row.at_ms, heardMs: row.heard_ms };
}
