// The time that was seen to pass, kept in a home across processes and boots. One process works on one home, so the system's clock
// is told once which it is; before that, and where nothing can be read or written, the wall clock stands for itself.

import { bootId } from "./boot-id.ts";
import { existsSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { believe, type Moment, witness, type Witnessed } from "../../ports/witnessed-time.ts";

const file = "state/clock.json";
/** Within one boot the uptime tells what passed since, so this need not be often. */
const keepEveryMs = 600_000;

let home: string | undefined;
let known: Witnessed | undefined;
let kept: Witnessed | undefined;

export function keepTimeIn(where: string): void {
  if (home !== where) known = kept = undefined;
  home = where;
}

/** Looks at the clocks once more. */
export function witnessedNow(): Witnessed {
  if (home === undefined) return believe(thisMoment());
  known = witness(known ?? (kept = readKept(home)), thisMoment());
  keep(home, known);
  return known;
}

export function believeTheClock(): Witnessed {
  known = believe(thisMoment());
  kept = undefined;
  if (home !== undefined) keep(home, known);
  return known;
}

function keep(where: string, now: Witnessed): void {
  const isNews =
    kept === undefined ||
    kept.boot !== now.boot ||
    (kept.jump === undefined) !== (now.jump === undefined) ||
    kept.jump?.fromMs !== now.jump?.fromMs ||
    now.upMs - kept.upMs >= keepEveryMs;
  // A look makes no home where there is none.
  if (!isNews || !existsSync(join(where, "state"))) return;
  try {
    writeTrusted(where, file, `${JSON.stringify(now)}\n`);
    kept = now;
  } catch {
    // A full disk or a home that may only be read: it is kept in memory, and tried again.
  }
}

function readKept(where: string): Witnessed | undefined {
  try {
    const text = readTrusted(where, file)?.toString("utf8");
    const read = text === undefined ? undefined : (JSON.parse(text) as Witnessed);
    const isWhole = typeof read?.boot === "string" && [read.upMs, read.wallMs, read.reachedMs].every(Number.isFinite);
    return isWhole ? read : undefined;
  } catch {
    return undefined;
  }
}

function thisMoment(): Moment {
  // The kernel's own file counts time in which the machine was suspended.
  const seconds = Number(read("/proc/uptime")?.split(" ")[0] ?? uptime());
  return { boot: bootId(), upMs: Math.round(seconds * 1000), wallMs: Date.now() };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
