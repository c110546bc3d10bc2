import { afterEach, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { LivingProcesses } from "./living.ts";
import { markOf, systemLiveness } from "./liveness.ts";

const living = new LivingProcesses();
afterEach(() => living.close());

const started = (): { readonly child: Bun.Subprocess; readonly mark: NonNullable<ReturnType<typeof markOf>> } => {
  const child = Bun.spawn(["sleep", "60"]);
  const mark = markOf(child.pid);
  if (mark === undefined) throw new Error("it did not start");
  return { child, mark };
};

/** Of other processes: what else is open here comes and goes with the runtime. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return /^\/proc\/\d+\/stat$/.test(readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      return false; // closed meanwhile
    }
  }).length;

test("a process is called dead when it has ended, however often it was asked for before", async () => {
  const { child, mark } = started();
  for (let again = 0; again < 3; again++) expect(living.isProvenDead(mark)).toBe(false);
  child.kill("SIGKILL");
  await child.exited;
  for (let again = 0; again < 3; again++) expect(living.isProvenDead(mark)).toBe(true);
});

test("one that has ended and that nobody has taken leave of yet is dead too", async () => {
  // The shell's child ends at once, and the shell, which became another program, never asks for it.
  const child = Bun.spawn(["sh", "-c", "sleep 0.2 & echo $!; exec sleep 60"], { stdout: "pipe" });
  const reader = child.stdout.getReader();
  const pid = Number(new TextDecoder().decode((await reader.read()).value));
  const mark = markOf(pid);
  if (mark === undefined) throw new Error("it did not start");
  try {
    expect(living.isProvenDead(mark)).toBe(false);
    while (!systemLiveness.isProvenDead(mark)) await Bun.sleep(5);
    expect(living.isProvenDead(mark)).toBe(true);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});

test("another process with the same number is not taken for it, and what cannot be proven is not said", () => {
  const { child, mark } = started();
  const [namespace, start] = mark.token.split("-");
  try {
    expect(living.isProvenDead({ pid: child.pid, token: `${namespace}-${Number(start) - 1}` })).toBe(true);
    expect(living.isProvenDead({ pid: child.pid, token: `${namespace}-0` })).toBe(false);
    expect(living.isProvenDead({ pid: child.pid, token: `1-${start}` })).toBe(false);
  } finally {
    child.kill("SIGKILL");
  }
});

test("it keeps few files open, and none when it is closed", () => {
  const before = openFiles();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const mark = markOf(Number(pid));
    if (mark !== undefined) living.isProvenDead(mark);
  }
  expect(openFiles() - before).toBeGreaterThan(0);
  expect(openFiles() - before).toBeLessThanOrEqual(64);
  living.close();
  expect(openFiles()).toBe(0);
});
