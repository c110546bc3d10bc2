// Finds out who asks and what is theirs: the agent's role, and the workspaces of the task it has in hand, as the database knows them or as
// the daemon wrote them down. Nothing that an agent says of itself counts here but its name.

import { join } from "node:path";
import { rootAgent, watchdogAgent } from "../../protocol/agent-id.ts";
import type { Store } from "../../store/open.ts";
import { allWorkInHand, workInHand } from "./permissions.sql.ts";
import type { Place, PlaceFacts } from "./rule.ts";

export interface Grounds {
  readonly root: string;
  /** The path of `constel` for agents, beside their PATH. */
  readonly program: string;
}

/** The task that an agent has in hand, with its workspaces. */
export interface WorkInHand {
  readonly task: number | string | null;
  readonly workspaces: readonly { readonly path: string; readonly branch: string }[];
}

export interface Places {
  readonly task: string | null;
  readonly places: readonly Place[];
}

/** As the database knows it. */
export async function placesOf(
  { db, constellation }: Pick<Store, "db" | "constellation">,
  agent: string,
  grounds: Grounds,
  facts: PlaceFacts,
): Promise<Places> {
  return placesIn(await workInHand(db, constellation, agent), agent, grounds, facts);
}

/** Of every agent that has a task in hand. */
export function allWork({
  db,
  constellation,
}: Pick<Store, "db" | "constellation">): Promise<ReadonlyMap<string, WorkInHand>> {
  return allWorkInHand(db, constellation);
}

/** One place for each workspace of the task in hand; one without a workspace when there is none. */
export function placesIn(
  { task, workspaces }: WorkInHand,
  agent: string,
  { root, program }: Grounds,
  facts: PlaceFacts,
): Places {
  const role = agent === rootAgent ? "root" : agent === watchdogAgent ? "watchdog" : "clone";
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
