// Handles what ends a command from outside: Ctrl-C, SIGTERM, a terminal that is closed, a reader that has gone. A command that has something
// to take down asks for the signal and is given a while; any other is ended at once.

import { fstatSync, readFileSync } from "node:fs";
import { exitCodes } from "../../../protocol/exit-codes.ts";

/** The interval between looks at whether anybody still reads. Only a command that runs that long is ever looked at. */
const lookMs = 250;
/** The time that a command may take to end when nobody is there any more to insist. */
const patienceMs = 20_000;
const hangUp = 1;

export interface Endings {
  /** Catches the signals from the first call on. */
  readonly signal: () => AbortSignal;
  /** The reader has gone: ends the process, unless the command takes care of it itself. */
  readonly readerHasGone: () => void;
}

export function followEndings(): Endings {
  let controller: AbortController | undefined;
  const readerHasGone = (): void => {
    if (controller === undefined) process.exit(exitCodes.ok);
    endAll(controller, "nobody reads");
  };
  lookForReader(readerHasGone);
  return {
    readerHasGone,
    signal() {
      controller ??= catchSignals();
      return controller.signal;
    },
  };
}

/**
 * Nobody else has the signals caught: a handler runs between two turns of the event loop, and a command in the middle of a long
 * query or a call that is not answered could not be ended.
 */
function catchSignals(): AbortController {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort(signal));
  // Under `nohup` it is ignored, and stays so.
  if (!isIgnored(hangUp)) process.once("SIGHUP", () => endAll(controller, "SIGHUP"));
  return controller;
}

function endAll(controller: AbortController, why: string): void {
  if (controller.signal.aborted) return;
  controller.abort(why);
  setTimeout(() => process.exit(exitCodes.ok), patienceMs).unref();
}

function isIgnored(signal: number): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "0";
    return (BigInt(`0x${ignored}`) & (1n << BigInt(signal - 1))) !== 0n;
  } catch {
    return false; // no /proc: then it is as if nobody had asked for it
  }
}

/** A pipe tells that its other end is closed only to who writes, or asks. */
function lookForReader(gone: () => void): void {
  if (!isPipe(1)) return;
  const timer = setInterval(async () => {
    const { hasNoReader } = await import("../../../host/process/poll-pipe.ts");
    if (!hasNoReader(1)) return;
    clearInterval(timer);
    gone();
  }, lookMs);
  timer.unref();
}

function isPipe(fd: number): boolean {
  try {
    const status = fstatSync(fd);
    return status.isFIFO() || status.isSocket();
  } catch {
    return false; // closed
  }
}
