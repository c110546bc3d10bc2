// Tests what the owner is shown of agents: `agents`, `agent show`, `status`, with the daemon and without.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { TestHome, until } from "./kit/home.ts";
import { ScriptAgents } from "./kit/script-agents.ts";

interface StatusJson {
  daemon: { running: boolean; silent: boolean; failure: string | null; sensing: object | null; memory: object | null };
  needs: { kind: string; agent: string | null; next: string }[];
  agents: { agent: string; state: string }[];
}

const until80x24 = (text: string): void => {
  const lines = text.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
};

const statusOf = async (at: TestHome): Promise<StatusJson> =>
  JSON.parse((await at.constel(["status", "--json"])).stdout) as StatusJson;

test("with no agents, status names the next command, and looking creates nothing", async () => {
  await using at = new TestHome();
  const ran = await at.constel(["status"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("constel0: no agents yet");
  expect(ran.stdout).toContain("constel up 2");
  expect(existsSync(at.home)).toBe(false);
  expect((await at.constel(["agent", "show", "3"])).stderr).toContain("no agent called agent3 was ever seen");
});

test("status says what needs the owner on one screen, and exits 1 while something does", async () => {
  await using at = new ScriptAgents();
  for (const agent of ["agent0", "agent1", "agent2"]) await at.start(agent);
  await at.daemon("start");
  await until(
    "all are idle",
    () => statusOf(at),
    ({ agents }) => agents.length === 3 && agents.every(({ state }) => state === "idle"),
  );
  expect(await at.constel(["status"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing needs you."),
  });
  await at.send("agent1", "ask first");
  await at.send("agent2", "exit now");
  const status = await until(
    "two needs are seen",
    () => statusOf(at),
    ({ needs }) => needs.length === 2,
  );
  expect(status.needs.map(({ kind, agent, next }) => [kind, agent, next])).toEqual([
    ["permission", "agent1", "constel attach agent1"],
    ["dead", "agent2", "constel restart agent2"],
  ]);
  const ran = await at.constel(["status"]);
  expect(ran.code).toBe(1);
  until80x24(ran.stdout);
  expect(ran.stdout).toContain("waiting for permission");
  // With what it ended, also where the line must be cut.
  expect(ran.stdout).toMatch(/agent2\s+dead\s+ended with status 3\s+constel restart agent2/);

  const { stdout: shown } = await until(
    "the account of messages has it",
    () => at.constel(["agent", "show", "1"]),
    ({ stdout }) => stdout.includes("delivered"),
  );
  expect(shown).toContain("State     waiting for permission");
  expect(shown).toContain("Because   hooks: asks for permission to use rm");
  expect(shown).toContain("delivered (line, by acknowledgement)  from agentowner");
  expect(shown).toContain("permission-asked  rm");
  expect(shown).toContain("s-agent1");

  await at.send("agent1", "this waits");
  await until(
    "the table says why",
    () => at.constel(["agents"], { env: { COLUMNS: "200" } }),
    ({ stdout }) => stdout.includes("1 waiting: it is at a permission prompt"),
  );
});

test("without the daemon, agents shows who is there, and status says that it is old", async () => {
  await using at = new ScriptAgents();
  await at.start("agent1");
  await at.daemon("start");
  await until(
    "it is seen",
    () => statusOf(at),
    ({ agents }) => agents.length === 1,
  );
  await at.daemon("stop");
  const agents = await at.constel(["agents"]);
  expect(agents.stdout).toContain("up");
  expect(agents.stdout).toContain("constel daemon start");
  expect((await statusOf(at)).daemon).toEqual({
    running: false,
    silent: false,
    failure: null,
    sensing: null,
    memory: null,
  });
  const { stdout } = await at.constel(["status"]);
  expect(stdout).toContain("The daemon is not running (constel daemon start). This is how it was");
  expect(at.daemonPid).toBeUndefined();
});
