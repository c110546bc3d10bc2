// Finds who works in which worktree: the one answer that routing, notices and join packets rest on. Pure.
//
// The workspace of a task is its agent's. Whoever's hooks told of an edit in a worktree works there, and so does a session that runs in it.
// An agent that constel started stands in the root directory whatever it works on, so that standing there says nothing: there only edits and
// tasks count.

export interface WorkFacts {
  readonly worktrees: readonly { readonly path: string; readonly agent: string | null }[];
  /** Workspaces of tasks that are being worked on. */
  readonly workspaces: readonly { readonly path: string; readonly agent: string; readonly task: number }[];
  /** The places where sessions stand: launch files, and the sessions that people started themselves. */
  readonly sessions: readonly { readonly agent: string; readonly cwd: string }[];
  /** Edits that hooks told of. */
  readonly edits: readonly { readonly agent: string; readonly worktree: string }[];
  /** Of agents that are known and not there: nobody would hear. */
  readonly isGone: (agent: string) => boolean;
  readonly root: string;
}

export interface Worker {
  readonly agent: string;
  /** The way we know it. */
  readonly because: string;
}

export type Workers = ReadonlyMap<string, readonly Worker[]>;

export function workersOf(facts: WorkFacts): Workers {
  const found = new Map<string, Map<string, string>>(facts.worktrees.map(({ path }) => [path, new Map()]));
  const find = worktreeFinder(facts.worktrees.map(({ path }) => path));
  const common = find(facts.root);
  const add = (path: string | undefined, agent: string, because: string): void => {
    if (path === undefined || facts.isGone(agent)) return;
    const here = found.get(path);
    if (here !== undefined && !here.has(agent)) here.set(agent, because);
  };
  const ofTasks = new Set<string>();
  for (const { path, agent, task } of facts.workspaces) {
    ofTasks.add(path);
    add(path, agent, `its task ${task} is done there`);
  }
  for (const { worktree, agent } of facts.edits) add(worktree, agent, "its hooks told of an edit there");
  for (const { agent, cwd } of facts.sessions) {
    const path = find(cwd);
    if (path !== common) add(path, agent, "its session runs there");
  }
  for (const { path, agent } of facts.worktrees) {
    // The last one that was seen there: in a task's workspace that may be whoever had the task before.
    if (agent !== null && path !== common && !ofTasks.has(path)) add(path, agent, "it was seen there");
  }
  return new Map(
    [...found]
      .filter(([, agents]) => agents.size > 0)
      .map(([path, agents]) => [path, [...agents].map(([agent, because]) => ({ agent, because }))]),
  );
}

/** The innermost worktree that a path is in. */
export function worktreeFinder(paths: readonly string[]): (path: string) => string | undefined {
  const known = new Set(paths);
  return (path) => {
    for (let at = path; at.length > 0; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      if (known.has(at)) return at;
    }
    return undefined;
  };
}
