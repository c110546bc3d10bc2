// `up` after `down`, and after the machine went: the same agents, on the same programs, in their conversations.

import { expect, test } from "bun:test";
import { fakeMachine, type FakeMachine } from "./agents.suite.ts";
import { down } from "./down.ts";
import { readLaunch } from "./launch-files.ts";
import { up, type UpRequest, upOne } from "./up.ts";

const first = async (): Promise<void> => {};
const bring = (at: FakeMachine, request: UpRequest = {}) => up(at.ports, request, first);
const end = (at: FakeMachine, agent?: string) => down(at.ports, agent === undefined ? {} : { agent }, first);

/** Clones of two programs, each in a conversation. */
async function fleet(settings?: Parameters<typeof fakeMachine>[0]): Promise<FakeMachine> {
  const at = fakeMachine({ root: false, ...settings });
  await bring(at, { clones: 2, type: "alpha" });
  await upOne(at.ports, "agent3", { type: "beta" });
  for (const agent of ["agent1", "agent2", "agent3", "agentinfinity"])
    at.conversations.set(agent, { id: `talk-of-${agent}`, transcript: at.ports.home });
  return at;
}

const clones = (answers: Awaited<ReturnType<typeof up>>) =>
  answers
    .filter(({ role }) => role === "clone")
    .map(({ agent, runtime, outcome, resumed }) => [agent, runtime, outcome, resumed ?? null]);

const all = [
  ["agent1", "alpha", "started", "talk-of-agent1"],
  ["agent2", "alpha", "started", "talk-of-agent2"],
  // A program that cannot take up a conversation begins a new one.
  ["agent3", "beta", "started", null],
];

test("whoever was taken down with all the others comes back, on its program and in its conversation", async () => {
  const at = await fleet();
  await end(at);
  await end(at);
  const answers = await bring(at);
  expect(clones(answers)).toEqual(all);
  expect(answers.find(({ agent }) => agent === "agent3")?.from).toMatchObject({ wanted: "down", runtime: "beta" });
  expect(readLaunch(at.ports.home, "agent2")).toMatchObject({ wanted: "up", launch: { resume: "talk-of-agent2" } });
  expect(readLaunch(at.ports.home, "agent2")?.returns).toBeUndefined();
  // The watchdog's observations from then no longer hold.
  expect(answers.find(({ role }) => role === "watchdog")?.resumed).toBeUndefined();
  expect(clones(await bring(at)).map(([, , outcome]) => outcome)).toEqual(["running", "running", "running"]);
});

test("whoever went with the machine comes back in its conversation too", async () => {
  const at = await fleet();
  await at.terminals.killServer();
  expect(clones(await bring(at))).toEqual(all);
});

test("whoever was taken down alone stays down, also when all the others follow", async () => {
  const at = await fleet();
  await end(at, "agent2");
  await end(at);
  expect(clones(await bring(at)).map(([agent]) => agent)).toEqual(["agent1", "agent3"]);
  // Asked for by name, it goes on where it was.
  expect(await upOne(at.ports, "agent2", { type: "alpha" })).toMatchObject({ resumed: "talk-of-agent2" });
});

test("a number says how many; another program, or --fresh, begins a new conversation", async () => {
  const at = await fleet();
  await end(at);
  expect(clones(await bring(at, { clones: 1 }))).toEqual(all.slice(0, 1));
  await end(at);
  expect(clones(await bring(at, { clones: 1, type: "beta" }))).toEqual([["agent1", "beta", "started", null]]);
  await end(at);
  expect(clones(await bring(at, { fresh: true }))).toEqual([]);
  expect(clones(await bring(at, { fresh: true, clones: 1, type: "beta" }))).toEqual([
    ["agent1", "beta", "started", null],
  ]);
  const again = await upOne(at.ports, "agent1", { fresh: true, type: "beta" });
  expect([again.resumed, again.from]).toEqual([undefined, undefined]);
});

test("a conversation of which nothing is kept is not asked for", async () => {
  const at = await fleet();
  at.conversations.delete("agent1");
  await end(at);
  expect(clones(await bring(at))[0]).toEqual(["agent1", "alpha", "started", null]);
});
