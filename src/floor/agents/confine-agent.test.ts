// Checks which agents are confined, and when that is refused, on a machine in memory. The real sandbox is in test/confined.test.ts.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { fakeMachine, type FakeMachine } from "./agents.suite.ts";
import { down } from "./down.ts";
import { unconfinedClones } from "./unconfined.ts";
import { readLaunch } from "./launch-files.ts";
import { up, upOne } from "./up.ts";

const nothing = async (): Promise<void> => {};

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof Refusal) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
  return "none";
}

/** Counts how often it was started confined. */
const timesConfined = ({ confinement }: FakeMachine, agent: string): number =>
  confinement.plans.filter(({ homeWrites }) => homeWrites.includes(`state/hooks/${agent}.jsonl`)).length;

test("is refused with the reason where it cannot be done, and nothing is started open", async () => {
  const machine = fakeMachine();
  machine.confinement.problem = "there is no bubblewrap";
  expect(await refusal(up(machine.ports, { clones: 2, confined: true }, nothing))).toBe(
    "confined.unavailable: there is no bubblewrap",
  );
  expect(await refusal(upOne(machine.ports, "agent3", { confined: true }))).toContain("confined.unavailable");
  expect(await machine.terminals.list()).toEqual([]);
  const set = fakeMachine({ confined: true });
  set.confinement.problem = "there is no bubblewrap";
  expect(await refusal(up(set.ports, { clones: 1 }, nothing))).toContain("confined.unavailable");
  expect(await set.terminals.list()).toEqual([]);
});

test("is refused for a runtime that constel cannot confine yet", async () => {
  const machine = fakeMachine();
  expect(await refusal(upOne(machine.ports, "agent1", { type: "beta", confined: true }))).toContain("confined.runtime");
  expect(await machine.terminals.list()).toEqual([]);
});

test("is refused for root and watchdog, and asked of clones alone by up", async () => {
  const machine = fakeMachine();
  for (const agent of ["agent0", "agentinfinity"])
    expect(await refusal(upOne(machine.ports, agent, { confined: true }))).toContain("confined.not-a-clone");
  await up(machine.ports, { clones: 1, confined: true }, nothing);
  expect(["agent0", "agent1", "agentinfinity"].map((agent) => timesConfined(machine, agent))).toEqual([0, 1, 0]);
});

test("is kept when an agent is brought back, and what runs open is said to", async () => {
  const machine = fakeMachine();
  await up(machine.ports, { clones: 1 }, nothing);
  const again = await up(machine.ports, { clones: 1, confined: true }, nothing);
  expect(again.find(({ agent }) => agent === "agent1")?.notes.join()).toContain("UNCONFINED");
  expect(unconfinedClones(machine.ports.home)).toEqual(["agent1"]);
  await down(machine.ports, { agent: "agent1", all: false }, nothing);
  await upOne(machine.ports, "agent1", { confined: true });
  await machine.terminals.kill("agent1");
  await up(machine.ports, {}, nothing);
  expect([timesConfined(machine, "agent1"), readLaunch(machine.ports.home, "agent1")?.confined]).toEqual([2, true]);
  expect(unconfinedClones(machine.ports.home)).toEqual([]);
});

test("an agent is shown its own of the home and nothing of another's, of the keys, the settings or the database", async () => {
  const machine = fakeMachine();
  const env = { ...machine.ports.machine.env, CONSTEL_STORE_URL: "postgres://secret@127.0.0.1/db" };
  await upOne({ ...machine.ports, machine: { ...machine.ports.machine, env } }, "agent1", { confined: true });
  const [plan] = machine.confinement.plans;
  expect(Object.keys(plan?.env ?? {})).not.toContain("CONSTEL_STORE_URL");
  expect(plan?.env).toMatchObject({ CONSTEL_AGENT: "agent1", CONSTEL_HOME: machine.ports.home });
  expect(plan?.homeReads.toSorted()).toEqual([
    "state/bin",
    "state/doors",
    "state/hear/agent1",
    "state/prompts/agent1.md",
  ]);
  expect(plan?.homeWrites.toSorted()).toEqual([
    "state/hear/agent1.told",
    "state/hooks/agent1.jsonl",
    "state/push/agent1",
    "state/runtime/agent1",
  ]);
  expect(plan?.writes).toEqual([join(machine.ports.root, "workspaces/agent1")]);
  expect(plan?.hides).toEqual([join(machine.ports.root, "workspaces")]);
  for (const path of plan?.homeWrites ?? []) expect(existsSync(join(machine.ports.home, path))).toBe(true);
});
