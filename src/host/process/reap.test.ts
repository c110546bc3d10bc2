// Real processes that flee in every way we know of, and one beside them that must survive.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../clock/system-clock.ts";
import { Cgroup } from "./cgroup.ts";
import {
  parseStat,
  type ProcessIdentity,
  type ProcessTable,
  procTable,
  psTable,
  systemProcessTable,
} from "./process-table.ts";
import { reap, type ReapOptions, type ReapReport } from "./reap.ts";
import { findTree, identify } from "./tree.ts";

const onLinux = process.platform === "linux";
let directory: string;
let started: ProcessIdentity[];
let bystander: ProcessIdentity;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "constel-reap-"));
  mark = { CONSTEL_AGENT: "agent1", CONSTEL_HOME: directory };
  started = [];
  bystander = spawn(["sleep", "1000"]);
});
afterEach(() => {
  for (const identity of started) if (lives(identity)) process.kill(identity.pid, "SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

const env = (extra: Record<string, string> = {}): Record<string, string> => ({
  PATH: "/usr/bin:/bin",
  D: directory,
  ...extra,
});
let mark: { CONSTEL_AGENT: string; CONSTEL_HOME: string };

/** As a pane starts it: the leader of a session of its own. */
function spawn(command: string[], extra: Record<string, string> = {}): ProcessIdentity {
  const known = join(directory, `known-${randomUUID()}`);
  const child = Bun.spawn(command, {
    env: env({ ...extra, KNOWN: known }),
    detached: true,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const identity = track(child.pid);
  writeFileSync(known, "");
  return identity;
}

/** The script by which the first process leaves: not before it was identified, or there would be nothing to tell it by. */
const leave = 'while [ ! -e "$KNOWN" ]; do sleep 0.01; done; exit 0';

function track(pid: number): ProcessIdentity {
  const identity = identify(pid);
  if (identity === undefined) throw new Error(`${pid} is gone already`);
  started.push(identity);
  return identity;
}

function lives(identity: ProcessIdentity): boolean {
  const row = systemProcessTable.row(identity.pid);
  return row !== undefined && row.started === identity.started && !row.zombie;
}

/** A process that wrote its number to a file once it was ready. */
async function fled(name: string): Promise<ProcessIdentity> {
  const file = join(directory, name);
  while (!existsSync(file) || readFileSync(file, "utf8").trim() === "") await Bun.sleep(2);
  return track(Number(readFileSync(file, "utf8")));
}

async function gone(identity: ProcessIdentity): Promise<void> {
  while (lives(identity)) await Bun.sleep(2);
}

const end = (options: Partial<ReapOptions>): Promise<ReapReport> =>
  reap({ clock: systemClock, graceMs: 5000, ...options });

const say = (name: string): string => `echo $$ >"$D/${name}.part"; mv "$D/${name}.part" "$D/${name}"`;
const stay = (name: string): string => `${say(name)}; exec sleep 1000`;

describe("reaping a process tree", () => {
  test("children, grandchildren and background jobs end with the root; a bystander lives", async () => {
    const root = spawn(["sh", "-c", `sh -c '${stay("child")}' & (sh -c '${stay("grandchild")}' & wait) & wait`]);
    const all = [root, await fled("child"), await fled("grandchild")];
    const report = await end({ root });
    expect(report.left).toEqual([]);
    expect(report.killed).toEqual([]);
    expect(report.found.map(({ pid }) => pid)).toEqual(expect.arrayContaining(all.map(({ pid }) => pid)));
    expect(all.filter(lives)).toEqual([]);
    expect(lives(bystander)).toBe(true);
  });

  test("a job handed to init is found by its session, after the root itself has ended", async () => {
    const root = spawn(["sh", "-c", `(sh -c '${stay("orphan")}' &) ; ${leave}`]);
    const orphan = await fled("orphan");
    await gone(root);
    expect(systemProcessTable.row(orphan.pid)?.parent).not.toBe(root.pid);
    const report = await end({ root });
    expect(report.left).toEqual([]);
    expect(lives(orphan)).toBe(false);
    expect(lives(bystander)).toBe(true);
  });

  test.skipIf(!onLinux)(
    "a daemon that left session and parent is found by its mark, and only with the whole mark",
    async () => {
      const root = spawn(["sh", "-c", `(setsid sh -c '${stay("daemon")}' &) ; ${leave}`], mark);
      const daemon = await fled("daemon");
      const namesake = spawn(["sleep", "1000"], { ...mark, CONSTEL_HOME: "/another home" });
      const longer = spawn(["sleep", "1000"], { ...mark, CONSTEL_AGENT: "agent10" });
      await gone(root);
      expect(findTree({ root })).toEqual([]);
      const report = await end({ root, mark });
      expect(report.found).toEqual([daemon]);
      expect(lives(daemon)).toBe(false);
      expect([bystander, namesake, longer].every(lives)).toBe(true);
    },
  );

  test.skipIf(!onLinux)(
    "what a marked daemon started without the mark goes with it, in its session or below it",
    async () => {
      const inner = `env -i D="$D" sh -c '\\''${stay("unmarked")}'\\'' & (env -i D="$D" sh -c '\\''${stay("orphaned")}'\\'' &); ${say("daemon")}; wait`;
      spawn(["sh", "-c", `(setsid sh -c '${inner}' &) ; ${leave}`], mark);
      const all = [await fled("daemon"), await fled("unmarked"), await fled("orphaned")];
      await end({ mark });
      expect(all.filter(lives)).toEqual([]);
    },
  );

  test("those that ignore SIGTERM are killed when the grace is over", async () => {
    const root = spawn(["sh", "-c", `trap "" TERM; ${say("deaf")}; while :; do sleep 1000; done`]);
    await fled("deaf");
    const report = await end({ root, graceMs: 50 });
    expect(report.killed.map(({ pid }) => pid)).toContain(root.pid);
    expect(report.left).toEqual([]);
    expect(lives(root)).toBe(false);
  });

  test("what starts something new on being asked to end is followed", async () => {
    const root = spawn(
      ["sh", "-c", `trap 'sh -c "$LATE" & exit 0' TERM; ${say("ready")}; while :; do sleep 0.01; done`],
      {
        LATE: stay("late"),
      },
    );
    await fled("ready");
    const report = await end({ root });
    expect(report.left).toEqual([]);
    const late = join(directory, "late");
    // It may have been ended before it could write its number.
    const born = existsSync(late) ? systemProcessTable.row(Number(readFileSync(late, "utf8"))) : undefined;
    expect(born === undefined || born.zombie).toBe(true);
    expect(lives(root)).toBe(false);
  });

  test("one that was seen while something led to it is ended though nothing does any more", async () => {
    const root = spawn([
      "sh",
      "-c",
      `env -i D="$D" PATH="$PATH" setsid sh -c '${stay("escapee")}' & read -r x <"$D"/never || wait`,
    ]);
    const escapee = await fled("escapee");
    const known = findTree({ root });
    expect(known).toContainEqual(escapee);
    process.kill(root.pid, "SIGKILL");
    await gone(root);
    if (onLinux) expect(findTree({ root })).toEqual([]);
    await end({ root, known });
    expect(lives(escapee)).toBe(false);
    expect(lives(bystander)).toBe(true);
  });

  test("one that ignores SIGTERM is not forgotten when the parent that led to it has ended", async () => {
    const deaf = `trap "" TERM; ${say("deaf")}; while :; do sleep 1000; done`;
    const root = spawn(["sh", "-c", `env -i D="$D" PATH="$PATH" setsid sh -c "$DEAF" & wait`], { DEAF: deaf });
    const escapee = await fled("deaf");
    const report = await end({ root, graceMs: 100 });
    expect(report.killed).toContainEqual(escapee);
    expect(report.killed).not.toContainEqual(root);
    expect([root, escapee].filter(lives)).toEqual([]);
  });

  test("a number that now belongs to another process is left alone", async () => {
    const report = await end({
      root: { pid: bystander.pid, started: "long ago" },
      known: [{ pid: bystander.pid, started: "x" }],
    });
    expect(report.found).toEqual([]);
    expect(lives(bystander)).toBe(true);
  });

  test("a process that changed between being found and being signalled is not signalled", async () => {
    const stale: ProcessTable = { ...systemProcessTable, row: (pid) => withOtherStart(systemProcessTable, pid) };
    const report = await end({ root: bystander, table: stale, graceMs: 20, insistMs: 20 });
    expect(report.killed).toEqual([]);
    expect(report.left).toEqual([bystander]);
    expect(lives(bystander)).toBe(true);
  });

  test("this process, process 1 and what is spared are never found", async () => {
    const own = identify(process.pid);
    const first = identify(1);
    if (own === undefined || first === undefined) throw new Error("no processes to be seen");
    expect(findTree({ known: [own, first, bystander], spare: [bystander.pid] })).toEqual([]);
  });

  test.skipIf(!onLinux)("with a mark of our own, our children are not taken for the agent's", async () => {
    const script = `
      const { findTree } = await import(${JSON.stringify(join(import.meta.dir, "tree.ts"))});
      const child = Bun.spawn(["sleep", "1000"]);
      const found = findTree({ mark: ${JSON.stringify(mark)} }).map(({ pid }) => pid);
      child.kill("SIGKILL");
      console.log(JSON.stringify({ found, child: child.pid, self: process.pid }));`;
    const agent = spawn(["sh", "-c", stay("agent")], mark);
    await fled("agent"); // a process that is only just starting shows no environment yet
    const ran = Bun.spawnSync([process.execPath, "-e", script], { env: env(mark) });
    const { found, child, self } = JSON.parse(ran.stdout.toString()) as {
      found: number[];
      child: number;
      self: number;
    };
    // (what the agent's shell has started by now is the agent's)
    expect(found).toContain(agent.pid);
    expect(found).not.toContain(child);
    expect(found).not.toContain(self);
  });

  test("in a control group that we are in ourselves, our children are not taken for the agent's", () => {
    const child = spawn(["sleep", "1000"]);
    const cgroupOf = (...pids: number[]) => ({ pids: () => pids });
    expect(findTree({ cgroup: cgroupOf(child.pid) })).toEqual([child]);
    expect(findTree({ cgroup: cgroupOf(process.pid, child.pid) })).toEqual([]);
  });

  const group = Cgroup.make(`constel-test-${process.pid}`);
  group?.remove();
  test.skipIf(group === undefined)(
    "in a control group nothing escapes, whatever it forgets (needs a writable cgroup v2)",
    async () => {
      const cgroup = Cgroup.make(`constel-test-${process.pid}`);
      if (cgroup === undefined) throw new Error("the control group cannot be made any more");
      try {
        const script = `(env -i D="$D" PATH="$PATH" GHOST="$GHOST" setsid sh -c '(sh -c "$GHOST" &)' &) ; ${leave}`;
        const root = spawn(cgroup.command(["sh", "-c", script]), { GHOST: stay("ghost") });
        const ghost = await fled("ghost");
        await gone(root);
        expect(findTree({ root, mark })).toEqual([]);
        expect(cgroup.remove()).toBe(false);
        const report = await end({ root, mark, cgroup });
        expect(report.left).toEqual([]);
        expect(lives(ghost)).toBe(false);
        expect(lives(bystander)).toBe(true);
        expect(cgroup.pids()).toEqual([]);
      } finally {
        for (const pid of cgroup.pids()) process.kill(pid, "SIGKILL");
        while (!cgroup.remove()) await Bun.sleep(2);
      }
    },
  );
});

describe("the table of processes", () => {
  test("ps tells the same family as /proc", () => {
    const row = psTable.row(bystander.pid);
    expect(row).toMatchObject({ pid: bystander.pid, parent: process.pid, group: bystander.pid, zombie: false });
    expect(psTable.rows().find(({ pid }) => pid === bystander.pid)).toEqual(row);
    if (onLinux) {
      const { started: _, ...family } = procTable.row(bystander.pid) ?? { started: "" };
      expect(row).toMatchObject(family);
    }
    expect(psTable.row(2 ** 22 + 1)).toBeUndefined();
  });

  test("a program whose name looks like fields does not shift them", () => {
    const stat = `42 (a) R 1 (b) S 7 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 0 0`;
    expect(parseStat(stat)).toEqual({
      pid: 42,
      name: "a) R 1 (b",
      parent: 7,
      group: 42,
      session: 42,
      terminal: "",
      zombie: false,
      started: "987654",
    });
  });
});

function withOtherStart(table: ProcessTable, pid: number): ReturnType<ProcessTable["row"]> {
  const row = table.row(pid);
  return row === undefined ? undefined : { ...row, started: `not ${row.started}` };
}
