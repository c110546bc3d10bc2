// The processes of this machine as they stand: who started whom, in which session, and since when. Read from /proc where
// there is one, else from `ps`. A process is known by its number and its start together, because numbers are used again.

import { readdirSync, readFileSync } from "node:fs";
import { Outage, systemCode } from "../../protocol/errors.ts";
import { type Mark, markOn } from "./limit-mark.ts";

export interface ProcessIdentity {
  readonly pid: number;
  /** The time it started, in the words of the source; only good for comparing. */
  readonly started: string;
}

export interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** 0 where the machine does not tell (macOS). */
  readonly session: number;
  /** The terminal that controls it, to be compared; empty when it has none. */
  readonly terminal: string;
  /** The name it gives itself. A process can change its own name, and nobody else's. */
  readonly name: string;
  /** Ended, and kept only until its parent asks for its status. */
  readonly zombie: boolean;
}

/** Every process the source shows. */
export interface ProcessTable {
  rows(): readonly ProcessRow[];
  /** One process, or undefined when there is none of this number. */
  row(pid: number): ProcessRow | undefined;
  /** Returns the variables it was started with, `NAME=value` each. None where they cannot be read. */
  environment(pid: number): readonly string[];
  /** The control group it is in, as the second version's hierarchy names it; undefined where there are none. */
  group(pid: number): string | undefined;
  /** Says which kind of program is or was above it (limit-mark.ts). */
  mark(pid: number): Mark | undefined;
}

/** Linux. */
export const procTable: ProcessTable = {
  rows() {
    const rows: ProcessRow[] = [];
    for (const entry of readdirSync("/proc")) {
      const row = /^\d+$/.test(entry) ? procTable.row(Number(entry)) : undefined;
      if (row !== undefined) rows.push(row);
    }
    return rows;
  },
  row(pid) {
    const stat = readProc(`/proc/${pid}/stat`);
    return stat === undefined ? undefined : parseStat(stat);
  },
  environment: (pid) => (readProc(`/proc/${pid}/environ`) ?? "").split("\0"),
  group: (pid) => /^0::(.*)$/m.exec(readProc(`/proc/${pid}/cgroup`) ?? "")?.[1],
  mark: markOn,
};

/** macOS and other systems without /proc. Environments are not told. */
export const psTable: ProcessTable = {
  rows: () => parsePs(ps(["-axo", psColumns])),
  row: (pid) => parsePs(ps(["-o", psColumns, "-p", String(pid)])).find((row) => row.pid === pid),
  environment: () => [],
  group: () => undefined,
  mark: () => undefined,
};

export const systemProcessTable: ProcessTable = process.platform === "linux" ? procTable : psTable;

/** All processes as they are at this moment, and what each was started with: read once, however often it is asked. */
export function tableAsItIs(table: ProcessTable = systemProcessTable): ProcessTable {
  const rows = table.rows();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const environments = new Map(rows.map(({ pid }) => [pid, table.environment(pid)]));
  return {
    rows: () => rows,
    row: (pid) => byPid.get(pid),
    environment: (pid) => environments.get(pid) ?? [],
    group: (pid) => table.group(pid),
    mark: (pid) => table.mark(pid),
  };
}

/** Mon Jan 2 15:04:05 2026 */
const wordsOfStart = 5;
const psColumns = "pid=,ppid=,pgid=,sess=,stat=,tty=,lstart=,ucomm=";

/** The name in the second field may hold anything, a closing bracket too; the fields after the last one are plain. */
export function parseStat(stat: string): ProcessRow | undefined {
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = rest[15];
  if (started === undefined) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
    terminal: rest[0] === "0" ? "" : (rest[0] ?? ""),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === "Z" || state === "X",
    started,
  };
}

export function parsePs(output: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of output.split("\n")) {
    const [pid, parent, group, session, state = "", terminal = "", ...rest] = line.trim().split(/\s+/);
    const started = rest.slice(0, wordsOfStart);
    if (started.length < wordsOfStart) continue;
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session) || 0,
      terminal: terminal.startsWith("?") ? "" : terminal,
      name: rest.slice(wordsOfStart).join(" "),
      zombie: state.startsWith("Z"),
      started: started.join(" "),
    });
  }
  return rows;
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    // It ended meanwhile, or is somebody else's.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(systemCode(cause) ?? "")) return undefined;
    throw new Outage("read", path, cause);
  }
}

function ps(args: readonly string[]): string {
  // Sorted and dated alike whatever the user's language is.
  const done = Bun.spawnSync(["/bin/ps", ...args], { env: { LC_ALL: "C", PATH: "/usr/bin:/bin" }, timeout: 10_000 });
  if (done.exitCode !== 0 && done.stdout.length === 0 && done.stderr.length > 0) {
    throw new Outage("list processes with", "ps", done.stderr.toString());
  }
  return done.stdout.toString();
}
