// Runs a compiler on files that others wrote: with an environment that holds nothing of the caller's, below everything else on the
// machine, with a deadline and a bound on the memory of all its processes together. Every process it started has ended when
// the answer is given, also what left its process group.

import { readFileSync } from "node:fs";
import type { Processes } from "../../ports/machine.ts";
import type { ToolOutcome, ToolRun } from "../../ports/toolchains.ts";
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
  /** What compilers run inside, where it works. */
  readonly sandbox?: Sandbox;
  /** All that it may write to inside. */
  readonly writes?: readonly string[];
}

const lookMs = 500;
const graceMs = 200;
const maxOutputBytes = 32 * 1024 * 1024;
const pageBytes = 4096;
const runMark = "CONSTEL_COMPILER";

export async function runTool(
  { processes, path, nice, memoryBytes, sandbox, writes = [] }: ToolHost,
  command: readonly string[],
  { home, cwd, variables, deadlineMs, signal }: ToolRun & { readonly home: string },
): Promise<ToolOutcome> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return { kind: "stopped" };
  if (deadlineMs <= 0) return { kind: "late" };
  const standing = cwd ?? "/";
  const lowered = [...(nice === undefined ? [] : [nice, "-n", "5"]), ...command];
  const isConfined = sandbox !== undefined && (await sandbox.problem()) === undefined;
  const whole = isConfined ? sandbox.around(lowered, { cwd: standing, writes: [home, ...writes] }) : lowered;
  const mark = { [runMark]: `${home} ${++runs}` };
  const stop = new AbortController();
  let isLarge = false;
  const look = setInterval(() => {
    isLarge ||= memoryOf(mark) > memoryBytes;
    if (isLarge) stop.abort("too much memory");
  }, lookMs);
  try {
    const outcome = await processes.run(whole, {
      cwd: standing,
      env: { PATH: path.join(":"), HOME: home, TMPDIR: home, LC_ALL: "C", ...variables, ...mark },
      deadlineMs,
      maxOutputBytes,
      signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    });
    if (isLarge) return { kind: "large" };
    if (isStopped()) return { kind: "stopped" };
    if (outcome.timedOut) return { kind: "late" };
    if (outcome.truncated) return { kind: "endless" };
    const { code, stderr } = outcome;
    return { kind: "ended", code, stdout: new TextDecoder().decode(outcome.stdout), stderr };
  } finally {
    clearInterval(look);
    await reap({ mark, clock: systemClock, graceMs });
  }
}

let runs = 0;

/** What its processes hold in memory together; 0 where the machine does not tell. */
function memoryOf(mark: Readonly<Record<string, string>>): number {
  let pages = 0;
  for (const { pid } of findTree({ mark })) {
    try {
      pages += Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1] ?? 0);
    } catch {
      // it ended meanwhile, or there is no /proc
    }
  }
  return pages * pageBytes;
}
