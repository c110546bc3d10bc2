// Every environment variable that constel reads. Nothing else in the program looks at the environment.

import { delimiter, isAbsolute } from "node:path";

export interface Env {
  /** The directory where constel keeps its state; else ~/.constel. */
  readonly CONSTEL_HOME?: string | undefined;
  /** The root directory; else found from the current directory. */
  readonly CONSTEL_ROOT?: string | undefined;
  /** The server that commands ask instead of this machine's daemon, where they can (`constel login`). */
  readonly CONSTEL_SERVER?: string | undefined;
  readonly HOME?: string | undefined;
  /** Set by constel for an agent it started: which one this is (`agent3`). */
  readonly CONSTEL_AGENT?: string | undefined;
  /** Set inside a confined agent's sandbox. It only spares a look at what is not there; the sandbox itself does the hiding. */
  readonly CONSTEL_CONFINED?: string | undefined;
  /** `yes`: this agent's program asks for nothing and has no sandbox of its own, so constel is asked before each use of a tool. */
  readonly CONSTEL_ASKS_FIRST?: string | undefined;
  /** `yes`: this agent has no hooks of its own, so those that `constel install` left in its program serve it. */
  readonly CONSTEL_INSTALLED_HOOKS?: string | undefined;
  /** The runtime of root and watchdog. */
  readonly AGENT_RUNTIME?: string | undefined;
  /** Any value switches colour off. */
  readonly NO_COLOR?: string | undefined;
  /** Set by Claude Code for its hooks: its own process. */
  readonly CLAUDE_PID?: string | undefined;
  /** The socket of a running ssh-agent, which may keep the owner's key. */
  readonly SSH_AUTH_SOCK?: string | undefined;
  readonly TERM?: string | undefined;
  readonly COLUMNS?: string | undefined;
  readonly LINES?: string | undefined;
  /** For fault tests only: the process ends itself with SIGKILL at the step of this name. */
  readonly CONSTEL_KILL_AT?: string | undefined;
  /** For fault tests only: questions about a repository that never end. */
  readonly CONSTEL_ENDLESS?: string | undefined;
  /** For tests only: an answer that is not what its operation declares is a bug. */
  readonly CONSTEL_CHECK_ANSWERS?: string | undefined;
}

/**
 * The PATH comes without what is relative to the current directory (`./node_modules/.bin`, an empty entry): we run in
 * directories that agents write, and must not take git or tmux from there.
 */
export function readEnv(): Env & Readonly<Record<string, string | undefined>> {
  const path = process.env["PATH"];
  if (path === undefined) return process.env;
  const absolute = path.split(delimiter).filter(isAbsolute);
  return { ...process.env, PATH: absolute.join(delimiter) };
}

/** For who looks at a few of them and starts no program with the rest: nothing is copied. */
export const variables = (): Env & Readonly<Record<string, string | undefined>> => process.env;

/**
 * Drops the variables that make Bun or Node run code that the caller names; nothing that we start may inherit them. bin/constel drops the
 * same.
 */
export function dropWhatInjectsCode(): void {
  for (const name in process.env) {
    const isBuns = name.startsWith("BUN_") && name !== "BUN_RUNTIME_TRANSPILER_CACHE_PATH";
    if (isBuns || name === "NODE_OPTIONS" || name === "NODE_PATH") delete process.env[name];
  }
}

/** Returns the directory where the caller stands. A directory that was deleted underneath it has no name; then it stands at the top. */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
