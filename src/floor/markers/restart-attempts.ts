// `restart-attempts-<agent>`: when the agent was restarted, one unix time a line, pruned on append.
//
// Watchdog and operator may append at the same moment, and pruning rewrites, so a plain rewrite could lose a line. Instead
// the pruner renames the file aside, reads it, appends what is still wanted to the new file of the old name, and only then
// removes the one aside. A line written before the rename is read by the pruner; a line written after it (through a file
// opened before) is missed by its own writer, who looks for it under the old name and appends it again; the pruner does
// the same with what it carries over. Each line is unique by its random fraction, so a line that is there twice counts once. A pruner that is killed leaves its file
// aside, where readers still count it and the next pruner carries it over.

import { Outage, systemCode } from "../../protocol/errors.ts";
import type { Random } from "../../ports/machine.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { markers } from "./markers.ts";
import { linesOf } from "./tally.ts";

/** A clock set back leaves times ahead of now; this much is skew, more is another time altogether. */
const skewMs = 5000;
const asideMark = ".aside-";
/** Each repeat needs another pruner to have come between; so many in a row mean something else is wrong. */
const mostAppends = 100;

export interface AttemptWindow {
  readonly nowMs: number;
  readonly windowMs: number;
  /** The present for an attempt of that time: a clock that jumped ahead forgets none of them. */
  readonly settledMs?: (atMs: number) => number;
}

/** Records an attempt now, prunes, and answers the attempts within the window, this one included, oldest first. */
export function addRestartAttempt(home: string, agent: string, window: AttemptWindow, random: Random): number[] {
  const name = nameOf(agent);
  using state = TrustedDirectory.open(home, inHome.state, { create: true });
  const line = uniqueTime(window.nowMs, random);
  appendSurely(state, name, [line]);
  prune(state, name, window, random);
  return timesWithin(allLines(state, name), window);
}

/** The attempts within the window, oldest first. Changes nothing. */
export function restartAttempts(home: string, agent: string, window: AttemptWindow): number[] {
  const name = nameOf(agent);
  try {
    using state = TrustedDirectory.open(home, inHome.state);
    return timesWithin(allLines(state, name), window);
  } catch (cause) {
    if (cause instanceof Outage && systemCode(cause.cause) === "ENOENT") return [];
    throw cause;
  }
}

export function clearRestartAttempts(home: string, agent: string): boolean {
  const name = nameOf(agent);
  using state = TrustedDirectory.open(home, inHome.state, { create: true });
  const aside = asides(state, name).map((other) => state.remove(other));
  return [state.remove(name), ...aside].some((was) => was);
}

function prune(state: TrustedDirectory, name: string, window: AttemptWindow, random: Random): void {
  const left = asides(state, name);
  const isStale = (line: string): boolean => timesWithin([line], window).length === 0;
  if (left.length === 0 && !linesIn(state, name).some(isStale)) return;
  const aside = `${name}${asideMark}${Buffer.from(random.bytes(8)).toString("hex")}`;
  try {
    state.moveTo(name, state, aside);
    left.push(aside);
  } catch (cause) {
    // Another pruner has just taken it aside: what is there is carried over all the same.
    if (systemCode(cause) !== "ENOENT") throw new Outage("prune", name, cause);
  }
  for (const old of left) {
    // Once each: two pruners may carry the same file over, and the next would carry what both left.
    const kept = new Set(linesIn(state, old).filter((line) => !isStale(line)));
    appendSurely(state, name, [...kept]);
    state.remove(old);
  }
}

/** Appends until the lines stand under the name: from then on any pruner reads them. */
function appendSurely(state: TrustedDirectory, name: string, lines: readonly string[]): void {
  for (let attempt = 0; attempt < mostAppends; attempt++) {
    const there = new Set(linesIn(state, name));
    const missing = lines.filter((line) => !there.has(line));
    if (missing.length === 0) return;
    state.append(name, `\n${missing.join("\n")}\n`, { sync: true });
  }
  throw new Outage("append to", name, new Error("other processes keep rewriting it"), { mayRetry: true });
}

/** The main file, those aside, and the main file again: a line on its way from one to the other is seen in either. */
function allLines(state: TrustedDirectory, name: string): string[] {
  const first = linesIn(state, name);
  const aside = asides(state, name).flatMap((other) => linesIn(state, other));
  return [...new Set([...first, ...aside, ...linesIn(state, name)])];
}

function timesWithin(lines: readonly string[], { nowMs, windowMs, settledMs = () => nowMs }: AttemptWindow): number[] {
  return lines
    .flatMap(millisecondsOf)
    .filter((atMs) => atMs > settledMs(atMs) - windowMs && atMs <= nowMs + skewMs)
    .sort((a, b) => a - b);
}

/** By its digits: as one number, nine decimals would round into the next millisecond. */
function millisecondsOf(line: string): number[] {
  const found = /^(\d{1,12})(?:\.(\d{1,9}))?$/.exec(line);
  return found === null ? [] : [Number(found[1]) * 1000 + Number((found[2] ?? "").padEnd(3, "0").slice(0, 3))];
}

function uniqueTime(nowMs: number, random: Random): string {
  const noise = random.bytes(3).reduce((sum, byte) => sum * 256 + byte, 0) % 1_000_000;
  const milliseconds = String(Math.floor(nowMs) % 1000).padStart(3, "0");
  return `${Math.floor(nowMs / 1000)}.${milliseconds}${String(noise).padStart(6, "0")}`;
}

/** Somebody may be in the middle of writing the last line: cut short it would pass for another attempt. */
const linesIn = (state: TrustedDirectory, name: string): string[] =>
  linesOf(
    state
      .read(name)
      ?.toString("utf8")
      .replace(/\.\d{0,8}$/, ".half written"),
  ).map((line) => line.trim());
const asides = (state: TrustedDirectory, name: string): string[] =>
  state.list().filter((other) => other.startsWith(name + asideMark));
const nameOf = markers.restartAttempts;
