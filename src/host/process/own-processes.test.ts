import { expect, test } from "bun:test";
import { keptOwnMemory, ownMemory, type ProcessLook } from "./own-processes.ts";
import type { ProcessRow } from "./process-table.ts";

interface Said {
  readonly pid: number;
  readonly parent: number;
  readonly program?: string;
  readonly words?: readonly string[];
  readonly environment?: readonly string[];
  readonly zombie?: boolean;
}

const home = "/homes/one";
const own = "/opt/constel";

function lookAt(all: readonly Said[]): ProcessLook {
  const of = (pid: number): Said | undefined => all.find((one) => one.pid === pid);
  const row = ({ pid, parent, zombie = false }: Said): ProcessRow => ({
    pid,
    parent,
    zombie,
    started: "1",
    group: pid,
    session: 0,
    terminal: "",
    name: "",
  });
  return {
    table: { rows: () => all.map(row), environment: (pid) => of(pid)?.environment ?? [] },
    words: (pid) => of(pid)?.words ?? [],
    program: (pid) => of(pid)?.program,
    // Each can be told from the sum of others.
    bytes: (pid) => 2 ** (pid - 100),
  };
}

const ours = { program: own, environment: [`CONSTEL_HOME=${home}`] };

test("all that works for a home is counted once under what it is, and nothing else", () => {
  const look = lookAt([
    { pid: 100, parent: 1, program: own, words: [own, "daemon", "run"] },
    { pid: 101, parent: 100, program: own, words: [own, "looker-run"] },
    { pid: 102, parent: 101, program: own, words: [own, "compiler-run"] },
    { pid: 103, parent: 102, program: "/tsc", words: ["tsc"] },
    { pid: 104, parent: 101, program: "/usr/bin/git", words: ["git", "status"] },
    { pid: 105, parent: 100, program: "/bin/sh", words: ["sh", "gate.sh"] },
    { pid: 106, parent: 50, ...ours, words: [own, "hook", "hold", "--agent", "agent1"] },
    // The agent's own program, and one of its own that runs beneath it.
    { pid: 107, parent: 106, program: "/claude", environment: ours.environment, words: ["claude"] },
    { pid: 108, parent: 107, ...ours, words: [own, "mcp"] },
    { pid: 109, parent: 50, program: own, words: [own, "watchdog", "ticker", "--home", home] },
    // Of another home, by its environment, by its words, and by what is usual.
    { pid: 110, parent: 50, program: own, environment: ["CONSTEL_HOME=/homes/two"], words: [own, "hook", "hold"] },
    { pid: 111, parent: 50, ...ours, words: [own, "watchdog", "ticker", "--home", "/homes/two"] },
    { pid: 112, parent: 50, program: own, environment: ["HOME=/homes"], words: [own, "hook", "hold"] },
    { pid: 113, parent: 50, ...ours, words: [own, "watch"] },
    { pid: 114, parent: 101, program: "/usr/bin/git", words: ["git"], zombie: true },
  ]);
  const memory = ownMemory({ home, daemonPid: 100, readers: [101], compilers: [102, 103] }, look);
  expect(memory.parts).toEqual([
    { what: "daemon", processes: 1, bytes: 1 },
    { what: "reader", processes: 1, bytes: 2 },
    { what: "compiler", processes: 2, bytes: 4 + 8 },
    { what: "program", processes: 2, bytes: 16 + 32 },
    { what: "holder", processes: 1, bytes: 64 },
    { what: "ticker", processes: 1, bytes: 512 },
    { what: "mcp", processes: 1, bytes: 256 },
    { what: "other", processes: 1, bytes: 8192 },
  ]);
  expect(memory.bytes).toBe(1 + 2 + 12 + 48 + 64 + 512 + 256 + 8192);
});

test("the home that is usual is that of whoever names none", () => {
  const look = lookAt([
    { pid: 100, parent: 1, program: own, words: [own] },
    { pid: 101, parent: 1, program: own, environment: ["HOME=/users/ada"], words: [own, "hook", "hold"] },
  ]);
  const wish = { home: "/users/ada/.constel", daemonPid: 100, readers: [], compilers: [] };
  expect(ownMemory(wish, look).parts.map(({ what }) => what)).toEqual(["daemon", "holder"]);
});

test("what this very machine says of a process and of one that it started is memory", async () => {
  await using child = Bun.spawn(["sleep", "60"]);
  const { parts, bytes } = ownMemory({ home, daemonPid: process.pid, readers: [], compilers: [child.pid] });
  const sizeOf = (what: string): number => parts.find((one) => one.what === what)?.bytes ?? 0;
  expect(sizeOf("daemon")).toBeGreaterThan(10_000_000);
  expect(sizeOf("compiler")).toBeGreaterThan(0);
  expect(bytes).toBe(parts.reduce((sum, one) => sum + one.bytes, 0));
});

test("whoever asks again at once is told what was seen, and later it is looked at again", () => {
  let [nowMs, looks] = [0, 0];
  const ask = keptOwnMemory({ monotonicMs: () => nowMs }, () => ({ bytes: ++looks, parts: [] }));
  const wish = { home, daemonPid: 100, readers: [], compilers: [] };
  const answers = [0, 1_999, 2_000].map((at) => {
    nowMs = at;
    return ask(wish).bytes;
  });
  expect(answers).toEqual([1, 1, 2]);
});
