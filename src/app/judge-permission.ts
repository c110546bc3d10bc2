// Answers a permission request by the rules, with the places of the agent as the database has them. The daemon calls it, and
// `constel approvals check` does.

import { join } from "node:path";
import type { ReadContext } from "../core/context.ts";
import { placesOf } from "../core/permissions/place.ts";
import { placeFacts } from "../host/shell/place-facts.ts";
import type { AskedPermission, JudgedPermission } from "../protocol/permission.ts";
import { inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { commonRules, judgeByRules } from "./judge-by-rules.ts";
import { storeOptions } from "./store-options.ts";

type Places = Pick<Settings, "home" | "root">;

export async function judgeRequest(
  store: ReadContext["store"],
  { home, root }: Places,
  asked: AskedPermission,
): Promise<JudgedPermission> {
  const program = join(home, inHome.programs, "constel");
  const places = await placesOf(store, asked.agent, { root, program }, placeFacts);
  return judgeByRules(asked, places, () => commonRules(home, root));
}

/** With no daemon. The request is read only once this runs, because the quick program hands over before. */
export async function judgePermission(
  settings: Settings,
  request: () => Promise<AskedPermission>,
): Promise<JudgedPermission> {
  const options = storeOptions(settings);
  const asked = await request();
  const snapshot = await openSnapshot(options).catch(() => undefined);
  // Without its database nobody knows which workspace is whose; rules that name commands still answer.
  if (snapshot === undefined) return judgeWithoutStore(settings, asked);
  try {
    return await judgeRequest(
      { db: snapshot.db, dialect: snapshot.dialect, constellation: options.constellation },
      settings,
      asked,
    );
  } finally {
    await snapshot.close();
  }
}

function judgeWithoutStore({ home, root }: Places, asked: AskedPermission): JudgedPermission {
  const place = { role: "clone", readable: [], program: join(home, inHome.programs, "constel") } as const;
  return judgeByRules(asked, { task: null, places: [place] }, () => commonRules(home, root));
}
