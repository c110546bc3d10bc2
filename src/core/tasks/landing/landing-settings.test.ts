// constel.toml and landing: what it declares holds, what it says and nobody can understand lands nothing, and work that changes it is told.

import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemGrounds } from "../../../host/harvest/landing-repository.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { askHarvest, harvestRound } from "./harvest.ts";
import { readyTask } from "./ready.ts";
import { withTasks } from "../tasks.suite.ts";

const here = withTasks();

test("settings that cannot be understood stop the harvest, with file and line; nothing lands and nobody is blamed", async () => {
  const { scene } = here;
  const broken = [
    '[gate]\ncommand = ["false"]\n',
    'gate = "false"\n',
    '[[gate]]\ncommand = "false"\n',
    "[gate]\ncomand = 'false'\n",
  ];
  const { task } = await scene.readyWith({ "x.txt": "1" });
  for (const text of broken) {
    scene.byHand({ "constel.toml": text }, "breaks the gate's settings");
    const before = scene.log();
    const [row] = await scene.harvest(task);
    expect({ text, outcome: row?.outcome, reason: row?.reason }).toEqual({
      text,
      outcome: "failed",
      reason: expect.stringMatching(/constel\.toml of main:\d: /),
    });
    expect(scene.log()).toEqual(before);
    expect(await scene.state(task)).toBe("ready");
  }
  const someone = scene.byHand({ "real.toml": '[gate]\ncommand = "true"\n' }, "elsewhere");
  rmSync(join(someone, "constel.toml"));
  symlinkSync("real.toml", join(someone, "constel.toml"));
  scene.stage.git(someone, "commit", "-qam", "a link");
  scene.stage.git(someone, "push", "-q");
  expect((await scene.harvest(task))[0]?.reason).toContain("a symbolic link");
  rmSync(join(someone, "constel.toml"));
  mkdirSync(join(someone, "constel.toml"));
  scene.stage.commit(someone, { "constel.toml/x": "x" }, "a directory");
  scene.stage.git(someone, "push", "-q");
  expect((await scene.harvest(task))[0]?.reason).toContain("a directory");
  scene.stage.git(someone, "rm", "-qr", "constel.toml");
  scene.stage.commit(someone, { ".constel.toml": '[gate]\ncommand = "false"\n' }, "under another name");
  scene.stage.git(someone, "push", "-q");
  expect((await scene.harvest(task))[0]?.reason).toContain(".constel.toml is not read in its place");
  scene.stage.git(someone, "rm", "-q", ".constel.toml");
  scene.stage.commit(someone, { "constel.toml": '[gate]\ncommand = "true"\n' }, "mended");
  scene.stage.git(someone, "push", "-q");
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
});

test("work that would leave settings nobody can understand lands nothing, however they would come about", async () => {
  const { scene } = here;
  const someone = scene.byHand({ "other.txt": "1" }, "something else");
  scene.stage.git(someone, "rm", "-q", "constel.toml");
  scene.stage.git(someone, "commit", "-qm", "no settings any more");
  scene.stage.git(someone, "push", "-q");
  for (const path of ["constel.toml/x", "Constel.toml", "constel.yml"]) {
    const { task, path: workspace } = await scene.begun(path);
    scene.stage.git(workspace, "fetch", "-q");
    scene.stage.git(workspace, "reset", "-q", "--hard", "origin/main");
    scene.stage.commit(workspace, { [path]: '[gate]\ncommand = "false"\n' }, path);
    await readyTask(scene.context, { task });
    const before = scene.log();
    const [row] = await scene.harvest(task);
    expect({ path, reason: row?.reason }).toEqual({
      path,
      reason: expect.stringContaining("settings that cannot be understood"),
    });
    expect(scene.log()).toEqual(before);
  }
});

test("work that changes the gate, or takes it away, passes the one before it, and whoever lands it is told", async () => {
  const { scene } = here;
  const said = async (text: string): Promise<unknown> => {
    const { task, path } = await scene.begun(text);
    scene.stage.git(path, "fetch", "-q");
    scene.stage.git(path, "reset", "-q", "--hard", "origin/main");
    scene.stage.commit(path, { "constel.toml": text }, "other settings");
    await readyTask(scene.context, { task });
    const [row] = await scene.harvest(task);
    expect(row?.outcome).toBe("landed");
    return row?.report["said"];
  };
  expect(await said("[gate]\ncommand = 'true'\n[workspace]\nsetup = 'true'\n")).toEqual([
    "it changes the gate of main: `sh gate.sh` within 600 s before, `true` within 600 s from now on; it also changes [workspace]",
  ]);
  expect(await said("[gate]\ncommand = 'true' # the same\n[workspace]\nsetup = 'true'\n")).toBeUndefined();
  expect(await said("[gate]\ncommand = 'true'\n[permissions]\nallow = []\n")).toEqual([
    "it changes [workspace], [permissions] in constel.toml of main",
  ]);
  expect(await said("")).toEqual([
    expect.stringContaining("`true` within 600 s before, none from now on; it also changes [permissions]"),
  ]);
});

test("the root directory's settings are read as strictly, and only its own tasks wait for them", async () => {
  const { scene } = here;
  const toml = join(scene.stage.top, "constel.toml");
  writeFileSync(toml, '[gate]\ncommand = "true"\ndeadline = 5\n');
  const { task } = await scene.readyWith({ "x.txt": "1" }).catch(() => ({ task: 0 }));
  // Set-up reads the same file, and refuses before anything is made.
  expect(task).toBe(0);
  rmSync(toml);
  const mine = await scene.readyWith({ "x.txt": "1" });
  for (const plant of [
    () => writeFileSync(toml, "gate = 1\n"),
    () => symlinkSync("/nowhere", toml),
    () => mkdirSync(toml),
  ]) {
    rmSync(toml, { recursive: true, force: true });
    plant();
    expect((await scene.harvest(mine.task))[0]).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining(toml),
    });
  }
  rmSync(toml, { recursive: true });
  expect((await scene.harvest(mine.task))[0]?.outcome).toBe("landed");
});

test("a git that fails while the settings are read is an outage, and never no gate", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ broken: "b" });
  const processes = {
    run: (command: readonly string[], options: Parameters<typeof systemProcesses.run>[1]) =>
      systemProcesses.run(command.includes("--full-tree") ? ["sh", "-c", "exit 128"] : command, options),
  };
  const { context } = scene;
  const grounds = systemGrounds({ processes, environment: scene.stage.environment, directory: scene.ground });
  await askHarvest(context, { tasks: [task], all: false });
  await harvestRound({ ...context, machine: { ...context.machine, grounds } }, new AbortController().signal);
  expect(scene.log()).toEqual(["base"]);
  expect(await scene.events(task)).toContain("harvest_outage");
});

test("without a gate each harvest says so; with harvest.require_gate nothing lands", async () => {
  const { scene } = here;
  scene.byHand({ "constel.toml": "" }, "no gate any more");
  const { task } = await scene.readyWith({ "x.txt": "1" });
  scene.requireGate = true;
  expect((await scene.harvest(task))[0]).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("no gate is declared"),
  });
  expect(scene.onMain("x.txt")).toBeUndefined();
  scene.requireGate = false;
  expect((await scene.harvest(task))[0]).toMatchObject({ outcome: "landed", gate_outcome: "none" });
  expect(await scene.events(task)).toContain("no_gate");
});

test("work that would leave the settings unreadable does not land, and the rest of the train does", async () => {
  const { scene } = here;
  await scene.readyWith({ "constel.toml": "[gate]\ncommand = 'true'\ndeadline = 1\n" }, "breaks the settings");
  await scene.readyWith({ "fine.txt": "f" }, "fine");
  const rows = await scene.harvest();
  expect(rows.map(({ outcome }) => outcome)).toEqual(["impossible", "landed"]);
  expect(rows[0]?.reason).toContain("constel.toml");
});

test("the owner's gate outranks the repository's: red work does not land behind a repository that says yes", async () => {
  const { scene } = here;
  scene.byHand({ "constel.toml": '[gate]\ncommand = "true"\n' }, "everything passes");
  writeFileSync(join(scene.stage.top, "constel.toml"), '[gate]\ncommand = "test ! -e broken"\n');
  const { task } = await scene.readyWith({ broken: "b" });
  expect((await scene.harvest(task))[0]?.outcome).toBe("red");
  expect(scene.onMain("broken")).toBeUndefined();
});

test("a gate ended by a signal is red in a harvest too", async () => {
  const { scene } = here;
  scene.byHand({ "constel.toml": '[gate]\ncommand = "test ! -e x.txt || kill -KILL $$"\n' }, "a gate that dies");
  const { task } = await scene.readyWith({ "x.txt": "1" });
  expect((await scene.harvest(task))[0]).toMatchObject({ outcome: "red", gate_outcome: "red" });
  expect(scene.log()).not.toContain("a task");
});

/** A commit whose tree git's own tools would not write. */
