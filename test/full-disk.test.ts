// A disk that is really full: whatever would have to be written is refused with the reason, nothing hangs, the daemon neither spins
// nor fills its log, and all goes on by itself when there is room again.

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SmallDisk, withoutSmallDisk } from "./kit/small-disk.ts";
import { TaskHome } from "./kit/task-home.ts";
import { until } from "./kit/home.ts";

if (withoutSmallDisk !== undefined) process.stderr.write(`full-disk.test.ts is skipped: ${withoutSmallDisk}\n`);

/** All of it, HOME and repositories too, on the disk. */
function homeOn(disk: SmallDisk): TaskHome {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = disk.path;
  try {
    return new TaskHome();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

const logOf = (at: TaskHome): string[] => readFileSync(join(at.home, "logs/daemon.log"), "utf8").split("\n");

test.skipIf(withoutSmallDisk !== undefined)(
  "every verb that writes is refused with the reason, and works when there is room again",
  async () => {
    using disk = new SmallDisk(64);
    await using at = homeOn(disk);
    await at.ready("one", { "b.txt": "b\n" });
    await at.run("task", "create", "two");
    disk.fill();
    const verbs: readonly (readonly string[])[] = [
      ["announce", "x"],
      ["task", "create", "three"],
      ["task", "dispatch", "2", "--to-workspace", "--no-fetch"],
      ["task", "harvest", "1"],
      ["task", "update", "2", "--title", "other"],
      ["task", "cancel", "2"],
      ["channel", "send", "agent1", "hi"],
      ["claim", "add", "a.txt"],
      ["memory", "add", "x"],
      ["up", "1", "--type", "script"],
      ["db", "backup"],
      ["quiet", "10m"],
      ["config", "set", "retention.events_days", "200"],
      ["owner", "init"],
    ];
    for (const words of verbs) {
      const { code, stdout, stderr } = await at.run(...words);
      expect([words, code, stdout, stderr]).toEqual([words, 4, "", expect.stringMatching(/disk is full/)]);
      expect([words, stderr]).not.toEqual([words, expect.stringMatching(/ENOSPC|the machine/)]);
    }
    for (const words of [["check", "main", "main"], ["try"], ["contract", "ls"]]) {
      const { code, stderr } = await at.constel(words, { cwd: at.root, env: { TMPDIR: disk.path } });
      expect([words, code, stderr]).toEqual([
        words,
        4,
        expect.stringMatching(/^constel: write .*: the disk is full\n/),
      ]);
    }
    disk.makeRoom();
    expect((await at.run("announce", "after")).code).toBe(0);
    expect((await at.run("task", "dispatch", "2", "--to-workspace", "--no-fetch")).code).toBe(0);
    expect((await at.run("task", "harvest", "1")).code).toBe(0);
    expect((await at.run("channel", "send", "agent1", "hi")).code).toBe(0);
  },
  180_000,
);

test.skipIf(withoutSmallDisk !== undefined)(
  "agents and daemon can be ended while nothing can be written, and what could not be written is said",
  async () => {
    using disk = new SmallDisk(64);
    await using at = homeOn(disk);
    expect((await at.run("up", "2", "--type", "script", "--no-attach")).code).toBe(0);
    const { agents } = await at.ask<{ agents: { agent: string; pid: number | null }[] }>("up", "--no-attach");
    const pids = agents.flatMap(({ pid }) => pid ?? []);
    expect(pids.length).toBeGreaterThan(1);
    const isThere = (pid: number): boolean => existsSync(`/proc/${pid}`);
    disk.fill();
    const ended = await at.run("down", "--all");
    expect([ended.code, ended.stderr]).toEqual([
      4,
      expect.stringMatching(/agent1.* which were ended, are not wanted any more: the disk is full/),
    ]);
    expect(pids.filter(isThere)).toEqual([]);
    disk.makeRoom();
    await at.run("daemon", "start");
    disk.fill();
    const stopped = await at.run("daemon", "stop");
    expect([stopped.code, stopped.stdout]).toEqual([0, "Stopped.\n"]);
    disk.makeRoom();
  },
  180_000,
);

test.skipIf(withoutSmallDisk !== undefined)(
  "a dispatch whose set-up fills the disk is answered, tried again with rests, told in few lines, and ends when there is room",
  async () => {
    using disk = new SmallDisk(64);
    await using at = homeOn(disk);
    // It leaves the disk full behind itself, so that not even its failure can be written down.
    const setup = `cat /dev/zero >>${join(disk.path, "filler")}; exit 1`;
    at.commit(at.root, { "constel.toml": `[workspace]\nsetup = ${JSON.stringify(setup)}\n` }, "set-up");
    at.git(at.root, "push", "-q", "origin", "main");
    await at.run("task", "create", "one");
    const ran = await at.run("task", "dispatch", "1", "--to-workspace", "--no-fetch");
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringMatching(/disk is full/)]);
    // The daemon answers meanwhile, and goes on failing.
    for (let asked = 0; asked < 5; asked++) expect((await at.run("task", "list")).code).toBe(0);
    const lines = logOf(at).length;
    expect(lines).toBeLessThan(60);
    disk.makeRoom();
    await until(
      "the workspace is made",
      async () => {
        disk.makeRoom();
        return (await at.run("task", "show", "1")).stdout;
      },
      (text) => text.includes("workspace_made"),
    );
    expect(logOf(at).length).toBeLessThan(lines + 60);
  },
  180_000,
);
