// Runs a compiler on files that others wrote: with an environment that holds nothing of the caller's, below everything else on the
// machine, with a bound on the processor time and on the memory of all its processes together. Every process it started has ended when
// the answer is given, also what left its process group.

import type { Processes } from "../../ports/machine.ts";
import type { ToolOutcome, ToolRun } from "../../ports/toolchains.ts";
import { costOf, type Overrun, patienceMs, WorkBudget } from "../../ports/work-budget.ts";
import { systemClock } from "../clock/system-clock.ts";
import { reap } from "../process/reap.ts";
import { findTree } from "../process/tree.ts";
import type { Sandbox } from "./sandbox.ts";

export interface ToolHost {
  readonly processes: Processes;
  /** The directories that programs are found in. */
  readonly path: readonly string[];
  /** The program that puts others below everything else; undefined where there is none. */
  readonly nice: string | undefined;
  readonly memoryBytes: number;
  /** The sandbox that compilers run inside, where it works. */
  readonly sandbox?: Sandbox;
  /** All that it may write to inside. */
  readonly writes?: readonly string[];
}

const lookMs = 500;
const graceMs = 200;
const maxOutputBytes = 32 * 1024 * 1024;
const runMark = "CONSTEL_COMPILER";

export async function runTool(
  { processes, path, nice, memoryBytes, sandbox, writes = [] }: ToolHost,
  command: readonly string[],
  { home, cwd, variables, cpuMs, signal }: ToolRun & { readonly home: string },
): Promise<ToolOutcome> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return { kind: "stopped", cpuMs: 0 };
  if (cpuMs <= 0) return { kind: "late", cpuMs: 0 };
  const standing = cwd ?? "/";
  const lowered = [...(nice === undefined ? [] : [nice, "-n", "5"]), ...command];
  const isConfined = sandbox !== undefined && (await sandbox.problem()) === undefined;
  const whole = isConfined ? sandbox.around(lowered, { cwd: standing, writes: [home, ...writes] }) : lowered;
  const mark = { [runMark]: `${home} ${++runs}` };
  const stop = new AbortController();
  const work = new WorkBudget({ cpuMs, memoryBytes }, performance.now());
  let why: Overrun | undefined;
  const look = setInterval(() => {
    const pids = findTree({ mark }).map(({ pid }) => pid);
    why ??= work.overrun(costOf(pids), performance.now());
    if (why !== undefined) stop.abort(why);
  }, lookMs);
  try {
    const outcome = await processes.run(whole, {
      cwd: standing,
      env: { PATH: path.join(":"), HOME: home, TMPDIR: home, LC_ALL: "C", ...variables, ...mark },
      deadlineMs: patienceMs(cpuMs),
      maxOutputBytes,
      signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    });
    const used = { cpuMs: work.cpuMs };
    if (why !== undefined) return { kind: why, ...used };
    if (isStopped()) return { kind: "stopped", ...used };
    if (outcome.timedOut) return { kind: "still", ...used };
    if (outcome.truncated) return { kind: "endless", ...used };
    const { code, stderr } = outcome;
    return { kind: "ended", code, stdout: new TextDecoder().decode(outcome.stdout), stderr, ...used };
  } finally {
    clearInterval(look);
    await reap({ mark, clock: systemClock, graceMs });
  }
}

let runs = 0;
