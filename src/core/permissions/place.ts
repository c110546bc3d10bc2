// Who asks and what is theirs: the agent's role, and the workspaces of the task it has in hand, as the database knows them. Nothing
// that an agent says of itself counts here but its name.

import { join } from "node:path";
import { rootAgent, watchdogAgent } from "../../protocol/agent-id.ts";
import type { Store } from "../../store/open.ts";
import { workInHand } from "./permissions.sql.ts";
import type { Place, PlaceFacts } from "./rule.ts";

export interface Grounds {
  readonly root: string;
  /** Where `constel` is for agents, beside their PATH. */
  readonly program: string;
}

/** One place for each workspace of the task in hand; one without a workspace when there is none. */
export async function placesOf(
  { db, constellation }: Pick<Store, "db" | "constellation">,
  agent: string,
  { root, program }: Grounds,
  facts: PlaceFacts,
): Promise<{ readonly task: string | null; readonly places: readonly Place[] }> {
  const role = agent === rootAgent ? "root" : agent === watchdogAgent ? "watchdog" : "clone";
  const { task, workspaces } = await workInHand(db, constellation, agent);
  // The brief lies beside the workspaces of its task.
  const own = task === null ? [] : [join(root, "workspaces", String(task))];
  const readable = [role === "clone" ? [join(root, "briefs"), join(root, "notes"), ...own] : [root]]
    .flat()
    .flatMap((path) => facts.resolve(path) ?? []);
  const about = { role, readable, program } as const;
  const places = workspaces.flatMap(({ path, branch }) => {
    const workspace = facts.resolve(path);
    return workspace === undefined ? [] : [{ ...about, workspace, branch }];
  });
  return { task: task === null ? null : String(task), places: places.length === 0 ? [about] : places };
}
