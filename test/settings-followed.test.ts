// A daemon that runs keeps to the settings as they are: what the owner changes holds for the next thing that is asked, what cannot be
// understood stops the owner's verbs, and what is given to one command never means nothing.

import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TaskHome } from "./kit/task-home.ts";

const untested = "";

/** A repository without a gate, one task ready to land, and a daemon that runs without a config.toml. */
async function begun(): Promise<{ at: TaskHome; task: string; pid: number; config: string }> {
  const at = new TaskHome();
  at.commit(at.root, { "constel.toml": untested }, "no gate");
  at.git(at.root, "push", "-q");
  const task = String(await at.ready("first", { "b.txt": "1\n" }));
  const { pid } = await at.ask<{ pid: number }>("daemon", "status");
  return { at, task, pid, config: join(at.home, "config.toml") };
}

test("a setting that is changed while the daemon runs holds for what is asked next, and the daemon stays the same process", async () => {
  const { at, task, pid } = await begun();
  await using _ = at;
  const set = await at.run("config", "set", "harvest.require_gate", "true");
  expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining("the daemon has taken it up") });
  const refused = await at.run("task", "harvest", task);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("harvest.require_gate is set")]);
  expect(await at.ask<object>("daemon", "status")).toMatchObject({ running: true, pid });
  await at.run("config", "set", "harvest.require_gate", "false");
  expect((await at.run("task", "harvest", task)).code).toBe(0);
  // Each change is on the record; a start with the same settings is none.
  await at.run("daemon", "stop");
  await at.run("daemon", "start");
  const events = await at.ask<{ actor: string; data: { changed: object } }[]>("events", "--type", "settings.changed");
  const changed = { "harvest.require_gate": "file" };
  expect(events.map(({ actor, data }) => [actor, data.changed])).toEqual([
    ["daemon", changed],
    ["daemon", changed],
  ]);
});

test("a file that was changed by hand holds for the very next command", async () => {
  const { at, task, config } = await begun();
  await using _ = at;
  writeFileSync(config, "[harvest]\nrequire_gate = true\n", { mode: 0o600 });
  const refused = await at.run("task", "harvest", task);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("harvest.require_gate is set")]);
  expect(at.landed()).toEqual([]);
});

/** Each would have asked for a gate, or might have. */
const notUnderstood = [
  "[harvest\nrequire_gate = true\n",
  '[harvest]\nrequire_gate = "yes"\n',
  "[harvest]\nrequire_gates = true\n",
  "[http]\nport = 99999999\n",
  "\0\0",
];

test("a file that cannot be understood stops what the owner asks for, and nothing else", async () => {
  const { at, task, config, pid } = await begun();
  await using _ = at;
  const second = String(await at.ready("second", { "c.txt": "1\n" }));
  const env = { CONSTEL_AGENT: "agent1" };
  for (const text of notUnderstood) {
    writeFileSync(config, text, { mode: 0o600 });
    for (const words of [
      ["task", "harvest", task],
      ["task", "create", "third"],
      ["workspace", "rm", second],
    ]) {
      const { code, stderr } = await at.run(...words);
      expect({ text, words, code }).toEqual({ text, words, code: 2 });
      expect(stderr).toContain("config.toml");
    }
    // Agents at work go on: the night is not lost over it.
    expect((await at.constel(["channel", "send", "agent2", "hello"], { env })).code).toBe(0);
    expect((await at.run("announce", "hello")).code).toBe(0);
    expect((await at.run("task", "list")).stdout).toContain("second");
    const status = await at.ask<{ pid: number; settings_problem: string }>("daemon", "status");
    expect([status.pid, status.settings_problem]).toEqual([pid, expect.stringContaining("config.toml")]);
  }
  expect(at.landed()).toEqual([]);
  writeFileSync(config, "# mended\n", { mode: 0o600 });
  expect((await at.run("task", "harvest", task)).code).toBe(0);
});

test("what --set cannot mean is refused by every verb, also while a daemon runs", async () => {
  const { at, task } = await begun();
  await using _ = at;
  for (const words of [
    ["status"],
    ["task", "list"],
    ["agents"],
    ["doctor"],
    ["down", "--all"],
    ["task", "harvest", task],
    ["config", "path"],
  ])
    for (const pair of [
      "nosuch=1",
      "http.port=abc",
      "http.port=99999999",
      "harvest.require_gate=yes please",
      "http.port",
    ])
      for (const ran of [await at.run(...words, "--set", pair), await at.run("--set", pair, ...words)])
        expect({ words, pair, ...ran }).toMatchObject({ words, pair, code: 2, stdout: "" });
  expect(at.landed()).toEqual([]);
});

test("a setting of the daemon's that is given to one command is refused by a daemon that has another, and taken where it has the same", async () => {
  const { at, task } = await begun();
  await using _ = at;
  const refused = { code: 3, stderr: expect.stringContaining("[daemon.other-settings]") };
  const given = ["--set", "harvest.require_gate=true"];
  expect(await at.run("task", "harvest", task, ...given)).toMatchObject(refused);
  expect(await at.run("task", "list", ...given)).toMatchObject(refused);
  expect(await at.run("daemon", "start", ...given)).toMatchObject(refused);
  const env = { CONSTEL_HARVEST_REQUIRE_GATE: "true" };
  expect(await at.constel(["task", "harvest", task], { cwd: at.root, env })).toMatchObject(refused);
  expect((await at.constel(["task", "list"], { cwd: at.root, env })).code).toBe(0);
  expect(at.landed()).toEqual([]);
  // Another that the command reads itself, and the same as the daemon has.
  expect((await at.run("task", "list", "--set", "agents.runtime=codex")).code).toBe(0);
  expect((await at.run("task", "list", "--set", "harvest.require_gate=false")).code).toBe(0);
  // A daemon that was given it keeps it, whatever the file says, and that is told.
  await at.run("daemon", "stop");
  expect((await at.run("daemon", "start", ...given)).code).toBe(0);
  expect((await at.run("task", "harvest", task, ...given)).stdout).toContain("harvest.require_gate is set");
  const set = await at.run("config", "set", "harvest.require_gate", "false");
  expect(set.stderr).toContain("which outranks config.toml");
  expect((await at.run("task", "harvest", task)).stdout).toContain("harvest.require_gate is set");
});

test("a setting with which the daemon cannot begin anew is told at once, and mended by another", async () => {
  const { at, task } = await begun();
  await using _ = at;
  using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  await at.run("config", "set", "http.port", String(taken.port));
  const set = await at.run("config", "set", "http.enabled", "true");
  expect(set.code).toBe(0);
  expect(set.stderr).toContain("could not restart with it, and has ended: ");
  expect(set.stderr).toContain(`127.0.0.1:${taken.port}`);
  expect((await at.run("task", "harvest", task)).stderr).toContain(`127.0.0.1:${taken.port}`);
  expect(at.landed()).toEqual([]);
  expect(await at.run("config", "set", "http.port", "0")).toMatchObject({ code: 0 });
  expect((await at.run("task", "harvest", task)).code).toBe(0);
});

test("the address over TCP stays when another setting is changed", async () => {
  const { at } = await begun();
  await using _ = at;
  await at.run("config", "set", "http.enabled", "true");
  const { http } = await at.ask<{ http: string }>("daemon", "status");
  expect(http).toStartWith("http://127.0.0.1:");
  await at.run("config", "set", "notices.budget_per_hour", "5");
  expect(await at.ask<object>("daemon", "status")).toMatchObject({ http });
});

test("many changes one upon the other end with the last one, and what was asked meanwhile is done once", async () => {
  const { at, config } = await begun();
  await using _ = at;
  const made: Promise<{ code: number }>[] = [];
  for (let count = 0; count < 12; count++) {
    writeFileSync(config, `[notices]\nbudget_per_hour = ${count + 1}\n`, { mode: 0o600 });
    made.push(at.run("task", "create", `number ${count}`));
    if (count % 3 === 0) await Promise.all(made);
  }
  expect((await Promise.all(made)).filter(({ code }) => code !== 0)).toEqual([]);
  const titles = (await at.ask<{ title: string }[]>("task", "list")).map(({ title }) => title).sort();
  expect(titles.filter((title) => title.startsWith("number"))).toHaveLength(12);
  appendFileSync(config, "# once more\n");
  const shown = await at.ask<{ settings: { value: number }[] }>("config", "show", "notices.budget_per_hour");
  expect(shown.settings.map(({ value }) => value)).toEqual([12]);
  expect(readFileSync(join(at.home, "logs/daemon.log"), "utf8")).not.toContain("bug");
});
