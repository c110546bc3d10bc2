// Reads what join packets are made of, once for as many packets as are wanted: who is here and works where, what holds by decision, and what
// is pinned in memory.

import type { ReadContext } from "../context.ts";
import { list as listDecisions } from "../decisions/decision.ts";
import { pinnedMemories } from "../memory/memory.ts";
import { worktreeFinder } from "../notices/workers.ts";
import type { Scene } from "../notices/scene.ts";

type SceneTask = Scene["tasks"][number];

type Decision = Awaited<ReturnType<typeof listDecisions>>["decisions"][number];
type Memory = Awaited<ReturnType<typeof pinnedMemories>>[number];

export interface Place {
  readonly path: string;
  readonly branch: string | null;
  readonly repository: string;
  /** The repository's name. */
  readonly name: string;
}

/** Somebody who is here, with what they work on. */
export interface Present {
  readonly agent: string;
  readonly state: string;
  readonly places: readonly Place[];
  readonly tasks: readonly SceneTask[];
}

export interface JoinFacts {
  readonly claims: Scene["claims"];
  /** Those with work first, agent2 before agent10. */
  readonly crowd: readonly Present[];
  readonly byName: ReadonlyMap<string, Present>;
  readonly byRepository: ReadonlyMap<string, readonly Present[]>;
  readonly placeOf: (path: string) => Place | undefined;
  /** The newest first. */
  readonly decisions: readonly Decision[];
  readonly memories: readonly Memory[];
}

/** More decisions than these are looked up, not told. */
const mostDecisions = 200;

export async function readJoinFacts(context: ReadContext, scene: Scene): Promise<JoinFacts> {
  const { decisions } = await listDecisions(context, { states: ["active"], limit: mostDecisions });
  const memories = await pinnedMemories(context);
  return { ...peopleIn(scene), claims: scene.claims, decisions, memories };
}

function peopleIn(scene: Scene): Pick<JoinFacts, "crowd" | "byName" | "byRepository" | "placeOf"> {
  const placeAt = (path: string): Place | undefined => {
    const worktree = scene.worktrees.get(path);
    if (worktree === undefined) return undefined;
    const { branch, repository } = worktree;
    return { path, branch, repository, name: scene.repositories.get(repository) ?? repository };
  };
  const places = grouped(
    [...scene.workers].flatMap(([path, workers]) => {
      const place = placeAt(path);
      return place === undefined ? [] : workers.map(({ agent }) => [agent, place] as const);
    }),
  );
  const tasks = grouped(scene.tasks.map((task) => [task.agent, task] as const));
  const crowd = [...scene.index.agents]
    .map((agent): Present => ({
      agent,
      state: scene.agents.get(agent)?.seen ?? "unknown",
      places: places.get(agent) ?? [],
      tasks: tasks.get(agent) ?? [],
    }))
    .sort((a, b) => Number(isAtWork(b)) - Number(isAtWork(a)) || byNumber(a.agent, b.agent));
  const find = worktreeFinder([...scene.worktrees.keys()]);
  return {
    crowd,
    byName: new Map(crowd.map((one) => [one.agent, one])),
    byRepository: grouped(
      crowd.flatMap((one) => [...new Set(one.places.map(({ repository }) => repository))].map((name) => [name, one])),
    ),
    placeOf: (path) => placeAt(find(path) ?? ""),
  };
}

export const isAtWork = ({ places, tasks }: Present): boolean => places.length + tasks.length > 0;

function grouped<T>(pairs: Iterable<readonly [string, T]>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, one] of pairs) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

/** agent2 before agent10. */
function byNumber(a: string, b: string): number {
  const number = (agent: string): number => Number(/^agent(\d+)$/.exec(agent)?.[1] ?? Infinity);
  return number(a) === number(b) ? (a < b ? -1 : 1) : number(a) - number(b);
}
