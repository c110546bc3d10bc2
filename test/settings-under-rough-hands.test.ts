// Settings that make no sense, and homes that are none: refused where they are given, and never in the way of looking or ending.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtimes } from "../src/host/runtime/all.ts";
import { complaintAbout, declarations, type SettingKey, settingKeys } from "../src/settings/declarations.ts";
import { complaintAboutProgram, namesCommand } from "../src/settings/commands.ts";
import { projectTop, TestHome } from "./kit/home.ts";

/** Any value of the type can be used. */
const free: Readonly<Partial<Record<SettingKey, string>>> = {
  "escalate.channels": "each kind of channel reads its own keys, and says what is wrong with them",
  "page.rules": "read by the rules of paging, which say what is wrong with them",
  "replies.senders": "any name of a sender",
  "permissions.rules": "read by the rules of permissions, which say what is wrong with them",
  "usage.prices": "read by the usage account, which says what is wrong with them",
};

test("every setting says which values it takes, or why any will do", () => {
  const unsaid = settingKeys.filter((key) => {
    const declaration: { readonly type: string; readonly accepts?: unknown } = declarations[key];
    return declaration.type !== "boolean" && declaration.accepts === undefined && free[key] === undefined;
  });
  expect(unsaid).toEqual([]);
});

test("the agent programs a setting takes are those there are", () => {
  for (const { name } of runtimes) expect(complaintAbout("agents.runtime", name)).toBeUndefined();
  const must = complaintAbout("agents.runtime", "vim");
  expect(must).toBe(`be one of ${runtimes.map(({ name }) => name).join(", ")}`);
});

/** Of the right type, and of no use. */
const useless: Readonly<Partial<Record<SettingKey, string>>> = {
  "agents.runtime": "vim",
  "agents.permissions": "some",
  "tmux.socket": "../elsewhere",
  "delivery.proof_ms": "-1",
  "delivery.doubt_ms": "99999999999",
  "budget.agent_tokens_per_day": "-5",
  "http.port": "70000",
  "store.url": "mysql://localhost/x",
  "audit.anchor_command": '[" "]',
};

test("a value of no use is refused when it is set, given, or in the environment", async () => {
  await using at = new TestHome();
  for (const [key, value] of Object.entries(useless)) {
    for (const words of [
      ["config", "set", key, value],
      ["config", "show", "--set", `${key}=${value}`],
      ["task", "list", "--set", `${key}=${value}`],
    ])
      expect({ words, ...(await at.constel(words)) }).toMatchObject({ words, code: 2, stdout: "" });
    const variable = `CONSTEL_${key.replaceAll(/[^a-z]/g, "_").toUpperCase()}`;
    expect((await at.constel(["task", "list"], { env: { [variable]: value } })).stderr).toContain(variable);
  }
  expect(existsSync(join(at.home, "config.toml"))).toBe(false);
});

const broken = [
  "agents.runtime = [",
  '[agents]\nruntime = "vim"\n',
  '[http]\nport = "abc"\n',
  "[nosuch]\nkey = 1\n",
  "\0",
];

test("status, down and doctor work whatever is in the file, and name it; what changes things refuses", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { mode: 0o700 });
  for (const text of broken) {
    writeFileSync(join(at.home, "config.toml"), text, { mode: 0o600 });
    const status = await at.constel(["status"]);
    expect({ text, code: status.code, said: status.stdout.includes("config.toml") }).toEqual({
      text,
      code: 1,
      said: true,
    });
    expect({ text, ...(await at.constel(["down", "--all"])) }).toMatchObject({ text, code: 0 });
    const doctor = await at.constel(["doctor"]);
    expect({ text, code: doctor.code, said: doctor.stdout.includes("config.file") }).toEqual({
      text,
      code: 1,
      said: true,
    });
    expect({ text, ...(await at.constel(["up", "1"])) }).toMatchObject({ text, code: 2 });
  }
});

test("a home that is empty or a file is refused", async () => {
  await using at = new TestHome();
  const file = join(at.top, "file");
  writeFileSync(file, "");
  mkdirSync(join(at.top, "here"));
  const cwd = join(at.top, "here");
  for (const words of [["status"], ["doctor"], ["task", "list"], ["up", "1"], ["channel", "ls"]]) {
    for (const flag of ["--home", "--root"]) {
      expect({ words, ...(await at.constel([...words, flag, ""], { cwd })) }).toMatchObject({
        words,
        code: 2,
        stdout: "",
      });
      const ran = await at.constel([...words, flag, file], { cwd });
      expect({ words, ...ran }).toMatchObject({ words, code: 2 });
      expect(ran.stderr).toContain("[path.not-a-directory]");
    }
    expect((await at.constel(words, { cwd, env: { CONSTEL_HOME: file } })).stderr).toContain("[path.not-a-directory]");
  }
  expect(readdirSync(cwd)).toEqual([]);
});

// A mount of one's own is what makes a file system read-only for root too; an ordinary account is root in a namespace of its own. Not every machine
// allows it.
const apart = [["-m"], ["-Urm"]]
  .map((flags) => ["unshare", ...flags])
  .find((words) => Bun.spawnSync([...words, "true"], { stderr: "ignore" }).exitCode === 0);
test.skipIf(apart === undefined)("a home that cannot be written is what doctor says first", async () => {
  await using at = new TestHome();
  await at.constel(["channel", "send", "agent1", "hello"]);
  const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && "$@"';
  const program = [...(apart ?? []), "sh", "-c", script, "sh", at.home, join(projectTop, "bin/constel")];
  const ran = await at.constel(["doctor"], { program });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain("home.writable");
  expect(ran.stdout).not.toContain("Nothing to do.\n");
});

test("a table that cannot be understood stops whoever starts agents, is told by status, and leaves down and doctor at work", async () => {
  await using at = new TestHome();
  for (const [tables, says] of [
    ['[[permissions.rules]]\ndecision = "dney"\ncommand = "git push"\n', "config.toml:2"],
    ['[[page.rules]]\nkind = "redy"\n', "page.rules, table 1"],
    ['[[escalate.channels]]\ntype = "pigeon"\n', "escalate.channels, table 1"],
    ['[[usage.prices]]\nmodel = "m"\ninput = "1"\n', "usage.prices, table 1"],
  ] as const) {
    mkdirSync(at.home, { recursive: true });
    writeFileSync(join(at.home, "config.toml"), tables);
    for (const words of [
      ["up", "1", "--type", "script"],
      ["agent", "3", "--type", "script"],
      ["agentinfinity", "--type", "script"],
    ]) {
      const { code, stderr } = await at.constel(words);
      expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringContaining(says) });
    }
    const status = await at.constel(["status"]);
    expect({ says, code: status.code, told: status.stdout.includes(says) }).toEqual({ says, code: 1, told: true });
    expect((await at.constel(["down", "--all"])).code).toBe(0);
    expect((await at.constel(["doctor"])).stdout).toContain(says);
  }
});

test("a name or a file that cannot be is refused in words, with a daemon and without", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "there is a database"]);
  for (const daemon of ["start", "stop"]) {
    await at.constel(["daemon", daemon]);
    for (const words of [
      ["notices", "--agent", "nosuch"],
      ["task", "list", "--agent", "no such agent!"],
      ["why", "x".repeat(500)],
      ["decision", "ls", "--limit", "100000"],
      ["audit", "verify", "--bundle", "/nonexistent"],
      ["audit", "verify", "--bundle", at.top],
      ["audit", "verify", "--heads", "/nonexistent"],
      ["task", "import", "/nonexistent"],
      ["restart", "--handoff", "/nonexistent"],
    ]) {
      const { code, stderr } = await at.constel(words);
      expect({ words, daemon, isBug: code === 70 || stderr.includes("bug in constel") }).toEqual({
        words,
        daemon,
        isBug: false,
      });
    }
  }
}, 120_000);

test("a command whose program is not there is refused when it is set, and doctor names those that stand in the file", async () => {
  await using at = new TestHome();
  const commands = settingKeys.filter(namesCommand);
  expect(commands).toEqual(settingKeys.filter((key) => key.endsWith("_command") || key === "mesh.ssh"));
  const file = join(at.home, "config.toml");
  for (const key of commands)
    expect({ key, ...(await at.constel(["config", "set", key, "nonsense"])) }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${key}: there is no program "nonsense" on the PATH`),
    });
  expect(complaintAboutProgram("/nowhere/nonsense", "/bin")).toContain("there is no program at /nowhere/nonsense");
  expect(complaintAboutProgram("bin/relative", "/bin")).toContain("depends on where one stands");
  expect(complaintAboutProgram("sh", "/bin")).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  expect(await at.constel(["config", "set", "audit.kept_command", '["sh", "-c", "nonsense"]'])).toMatchObject({
    code: 0,
  });
  expect((await at.constel(["doctor"])).stdout).toMatch(/✓ config.commands/);
  writeFileSync(
    file,
    '[audit]\nkept_command = ["nonsense"]\n[[escalate.channels]]\ntype = "command"\ncommand = ["/nowhere/page"]\n',
  );
  const { stdout } = await at.constel(["doctor"]);
  expect(stdout).toContain('audit.kept_command: there is no program "nonsense"');
  expect(stdout).toContain("escalate.channels, table 1: there is no program at /nowhere/page");
  expect(await at.constel(["audit", "verify"])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("audit.kept_command"),
  });
});

test("who is no agent is refused in words, and nothing is sent before everything given was understood", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "there is a database"]);
  for (const words of [
    ["task", "list", "--agent", "nosuch"],
    ["notices", "--agent", "nosuch"],
    ["claim", "add", "x", "--agent", "nosuch"],
    ["publish", "note", "x", "--to", "nosuch"],
    ["channel", "threads", "nosuch"],
    ["channel", "send", "nosuch", "x"],
  ]) {
    const { code, stderr } = await at.constel(words);
    expect({ words, code, stderr }).toEqual({
      words,
      code: 2,
      stderr: expect.stringMatching(/agent('s)? id.*agent[13]/s),
    });
  }
  for (const wait of [["--wait"], []]) {
    const sent = await at.constel(["tell", "agent1", "x", ...wait, "--timeout", "5 parsecs"]);
    expect([sent.code, sent.stderr]).toEqual([2, expect.stringContaining("not a duration")]);
  }
  expect(await at.json(["channel", "ls"])).toEqual({ mailboxes: [] });
});
