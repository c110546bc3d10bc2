// Runs a command that a repository names (a gate, a set-up, a command that makes a file anew) and says how it ended. It is
// other people's code, so it runs as nobody: nothing in its environment leads to this home or names an agent, `constel` called
// from it finds an empty home of its own, and every process it started has ended when the answer is given, also what left
// its process group; what escapes even that carries the mark of agents' processes, so that it is never taken for the owner's. HOME stays the user's, because tools keep their caches and toolchains there.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Enclose } from "../../ports/confinement.ts";
import type { Processes } from "../../ports/machine.ts";
import { systemClock } from "../clock/system-clock.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { markingWords } from "../process/limit-mark.ts";
import { reap } from "../process/reap.ts";
import { makeTemporaryDirectory } from "../process/temporary-directory.ts";

export interface CommandHost {
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Says how a command is confined. Given by callers that run what confined agents may have written. */
  readonly enclose?: Enclose | undefined;
}

export interface CommandWish {
  readonly command: string;
  readonly cwd: string;
  readonly deadlineMs: number;
  /** The additional variables that the command is given. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Runs below everything else on the machine. */
  readonly isPatient?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** `ended` by itself, with success or not; the others were ended by us, which says nothing about the command. */
export type CommandRun =
  | { readonly kind: "ended"; readonly isGood: boolean; readonly how: string; readonly printed: string }
  | { readonly kind: "late" | "stopped" | "endless"; readonly printed: string };

/** Between asking and insisting. */
const graceMs = 200;
const tailBytes = 8_000;
const runMark = "CONSTEL_RUN";

// Processes that the command left running in its own group are ended, else its output would never end either.
const script = `${markingWords()}exec 2>&1; trap '' TERM; ( trap - TERM; eval "$1" ); code=$?; kill -TERM -$$ 2>/dev/null; exit $code`;

export async function runCommand(host: CommandHost, wish: CommandWish): Promise<CommandRun> {
  if (isStopped(wish)) return { kind: "stopped", printed: "" };
  const scratch = makeTemporaryDirectory("constel-nobody-");
  const endAll = (): Promise<unknown> => reap({ mark: { [runMark]: scratch }, clock: systemClock, graceMs });
  // The group is ended by who runs it; one that fled from it would hold the output open for ever.
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void endAll();
  }, wish.deadlineMs);
  const stop = (): void => void endAll();
  wish.signal?.addEventListener("abort", stop, { once: true });
  try {
    const nice = wish.isPatient === true ? ["nice", "-n", "10"] : [];
    // Output of both kinds in the order it came, as a person would see it.
    const env = { ...nobodysEnvironment(host.environment, scratch), ...wish.variables, [runMark]: scratch };
    const shell = ["sh", "-c", script, "sh", wish.command] as const;
    const enclosed = (await host.enclose?.(shell, { cwd: wish.cwd, writes: [scratch], env, isApart: true })) ?? shell;
    const outcome = await host.processes.run([...nice, ...enclosed], {
      cwd: wish.cwd,
      env,
      deadlineMs: wish.deadlineMs,
      ...(wish.signal === undefined ? {} : { signal: wish.signal }),
    });
    const printed = new TextDecoder().decode(outcome.stdout.slice(-tailBytes)).trim();
    if (isStopped(wish)) return { kind: "stopped", printed };
    if (isLate || outcome.timedOut) return { kind: "late", printed };
    if (outcome.truncated) return { kind: "endless", printed };
    // Ended by a signal that was not ours: it did not succeed, whoever sent it.
    const how = outcome.code === null ? `was ended by ${outcome.signal}` : `ended with ${outcome.code}`;
    return { kind: "ended", isGood: outcome.code === 0, how, printed };
  } finally {
    clearTimeout(timer);
    wish.signal?.removeEventListener("abort", stop);
    await endAll();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const isStopped = ({ signal }: CommandWish): boolean => signal?.aborted === true;

// The variables that lead to a constellation, or say whose process this is. Keys of model providers stay: tests may need them.
const identities = /^(CONSTEL_|TMUX|CLAUDECODE$|CLAUDE_CODE_|CLAUDE_CONFIG_DIR$|CODEX_|OPENCODE|GEMINI_CLI)/;

export function nobodysEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  scratch: string,
): Record<string, string> {
  const kept = Object.entries(childEnvironment(from)).filter(([name]) => !identities.test(name));
  const home = join(scratch, "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return { ...Object.fromEntries(kept), CI: "1", CONSTEL_HOME: home, CONSTEL_ROOT: home, CONSTEL_AGENT: "nobody" };
}
