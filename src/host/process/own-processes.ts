// Every process that works for one home, and the memory it has for itself: the daemon with all that it started, the ticker, and those that hold agents'
// programs or speak to them over MCP. An agent's own program is not ours. Pages that several share, such as the program's own, are divided among
// them where the system tells, so that the sum is what would be free without us.

import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { cloneOfQuick } from "../../ports/clone.ts";
import type { Clock } from "../../ports/machine.ts";
import type { OwnMemory } from "../../protocol/own-memory.ts";
import { type ProcessTable, systemProcessTable } from "./process-table.ts";

export interface OwnProcessesWish {
  readonly home: string;
  readonly daemonPid: number;
  /** The processes that read repositories. */
  readonly readers: readonly number[];
  /** Compilers that the daemon knows of. */
  readonly compilers: readonly number[];
}

export interface ProcessLook {
  readonly table: Pick<ProcessTable, "rows" | "environment">;
  words(pid: number): readonly string[];
  /** The file it runs; undefined when that cannot be read. */
  program(pid: number): string | undefined;
  bytes(pid: number): number;
}

type Kind = OwnMemory["parts"][number]["what"];

/** A look reads every process of the machine, some milliseconds: whoever asks again within this time is given the same answer. */
const keptMs = 2_000;

export function keptOwnMemory(
  clock: Pick<Clock, "monotonicMs">,
  measure: typeof ownMemory = ownMemory,
): (wish: OwnProcessesWish) => OwnMemory {
  let kept: { readonly atMs: number; readonly memory: OwnMemory } | undefined;
  return (wish) => {
    const nowMs = clock.monotonicMs();
    if (kept === undefined || nowMs - kept.atMs >= keptMs) kept = { atMs: nowMs, memory: measure(wish) };
    return kept.memory;
  };
}

/** The parts in a fixed order; those that nobody takes are left out. */
export function ownMemory(wish: OwnProcessesWish, look: ProcessLook = systemLook): OwnMemory {
  const found = ownProcesses(wish, look);
  const parts = kinds.flatMap((what) => {
    const pids = [...found].filter(([, kind]) => kind === what).map(([pid]) => pid);
    const bytes = pids.reduce((sum, pid) => sum + look.bytes(pid), 0);
    return pids.length === 0 ? [] : [{ what, processes: pids.length, bytes }];
  });
  return { bytes: parts.reduce((sum, one) => sum + one.bytes, 0), parts };
}

const kinds: readonly Kind[] = ["daemon", "reader", "compiler", "program", "holder", "ticker", "mcp", "other"];

function ownProcesses({ home, daemonPid, readers, compilers }: OwnProcessesWish, look: ProcessLook): Map<number, Kind> {
  const rows = look.table.rows().filter(({ zombie }) => !zombie);
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const found = new Map<number, Kind>([[daemonPid, "daemon"]]);
  const below = (pid: number, kind: Kind): void => {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.pid)) continue;
      const own = readers.includes(child.pid) ? "reader" : compilers.includes(child.pid) ? "compiler" : undefined;
      found.set(child.pid, own ?? kind);
      below(child.pid, (own ?? kind) === "compiler" ? "compiler" : "program");
    }
  };
  below(daemonPid, "program");
  const isOurs = ownProgram(daemonPid, look);
  for (const { pid } of rows) {
    if (found.has(pid) || !isOurs(pid) || !isOfHome(pid, home, look)) continue;
    found.set(pid, kindOf(look.words(pid)));
  }
  return found;
}

/** The same file as the daemon's, and where that is Bun itself, with our sources: agents run Bun too. */
function ownProgram(daemonPid: number, look: ProcessLook): (pid: number) => boolean {
  const quick = cloneOfQuick();
  const sources = quick === undefined ? Bun.main : join(quick, "src/main.ts");
  const daemon = look.program(daemonPid);
  const isWhole = daemon !== undefined && !look.words(daemonPid).includes(sources);
  return (pid) => {
    const program = look.program(pid);
    return program !== undefined && ((isWhole && program === daemon) || look.words(pid).includes(sources));
  };
}

function isOfHome(pid: number, home: string, look: ProcessLook): boolean {
  const words = look.words(pid);
  const at = words.indexOf("--home");
  if (at !== -1) return words[at + 1] === home;
  const variables = look.table.environment(pid);
  const valueOf = (name: string): string =>
    variables.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return (valueOf("CONSTEL_HOME") || join(valueOf("HOME"), ".constel")) === home;
}

function kindOf(words: readonly string[]): Kind {
  const has = (one: string, other: string): boolean =>
    words.some((word, at) => word === one && words[at + 1] === other);
  if (has("hook", "hold")) return "holder";
  if (has("watchdog", "ticker")) return "ticker";
  return words.includes("mcp") ? "mcp" : "other";
}

const systemLook: ProcessLook = {
  table: systemProcessTable,
  words: (pid) => readOr(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")) ?? [],
  program: (pid) => readOr(() => readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "")),
  bytes: (pid) => divided(pid) ?? resident(pid) ?? (pid === process.pid ? process.memoryUsage.rss() : 0),
};

/** What it has for itself, and its share of what it has with others. */
function divided(pid: number): number | undefined {
  const text = readOr(() => readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"));
  const kilobytes = /^Pss:\s+(\d+)/m.exec(text ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function resident(pid: number): number | undefined {
  const pages = readOr(() => readFileSync(`/proc/${pid}/statm`, "latin1"))?.split(" ")[1];
  return pages === undefined ? undefined : Number(pages) * 4096;
}

/** Undefined when it has ended meanwhile, is another account's, or the system does not say. */
function readOr<Found>(read: () => Found): Found | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
