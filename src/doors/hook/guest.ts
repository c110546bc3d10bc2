// Registers a session that a person started, at its first hook and at each start: which program, which session, which process,
// where. The same session of the same program has the same name whenever it comes back; two in one worktree have two. The daemon
// reads these files (daemon/guests/) and never starts, ends or restarts anything because of them.

import { existsSync } from "node:fs";
import { readOwnFile } from "../../files/descend.ts";
import type { Ancestor } from "../../host/process/ancestors.ts";
import type { HookRecord } from "../../ports/runtime.ts";

const longestFile = 16 * 1024;
/** The programs that may stand between the agent's program and its hook. */
const shells: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ash",
  "ksh",
  "fish",
  "busybox",
  "timeout",
  "env",
]);

/** The agent's name; undefined when it is nobody's business: there is no constellation here, or the session says too little. */
export async function register(
  home: string,
  runtime: string,
  record: HookRecord,
  { ownPid }: { readonly ownPid: string | undefined },
): Promise<string | undefined> {
  const { session, cwd, event } = record;
  if (session === "" || cwd === undefined || !cwd.startsWith("/") || !existsSync(home)) return undefined;
  const agent = guestName(runtime, session);
  const isKnown = readOwnFile(home, ["state", "guests"], `${agent}.json`, longestFile) !== undefined;
  // A session that starts again may be another process.
  if (isKnown && event !== "session-started" && event !== "session-ended") return agent;
  const { removeGuest, writeGuest } = await import("../../floor/guests/guest-files.ts");
  const { markHookSeen } = await import("../../floor/install/hook-seen.ts");
  if (event === "session-ended") removeGuest(home, agent);
  else {
    const { markOf } = await import("../../host/process/liveness.ts");
    const { ancestorsOf } = await import("../../host/process/ancestors.ts");
    const mark = markOf(agentProcess(ancestorsOf(process.ppid), runtime === "claude" ? Number(ownPid) : undefined));
    if (mark === undefined) return undefined;
    const { markDescendants } = await import("../../host/process/mark-descendants.ts");
    markDescendants(mark.pid);
    // Only who begins is greeted: one that comes back after another session of the same process (a subagent's) is not.
    const isUngreeted = event === "session-started" && !existsSync(`${home}/state/hear/${agent}/next.json`);
    const greeting = isUngreeted ? { isUngreeted } : {};
    const own = { session: session.slice(0, 200), process: mark, cwd, startedAt: record.at };
    writeGuest(home, { agent, runtime, ...own, ...greeting });
    markHookSeen(home, runtime, record.at);
  }
  return agent;
}

/** Twelve hex digits of a hash: no part of a name that somebody else chose becomes part of a path. */
function guestName(runtime: string, session: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(`${runtime}\0${session}`).digest("hex");
  return `agentg${hash.slice(0, 12)}`;
}

/**
 * The process of the agent program: the one it names itself, when that is an ancestor of ours (the variable is inherited by
 * whatever else is started inside), else the nearest ancestor that is no shell.
 */
function agentProcess(ancestors: readonly Ancestor[], named: number | undefined): number {
  if (named !== undefined && ancestors.some(({ pid }) => pid === named)) return named;
  return ancestors.find(({ name }) => !shells.has(name))?.pid ?? process.ppid;
}
