import { expect, test } from "bun:test";
import { rmSync, utimesSync } from "node:fs";
import { fakeBus, pathIn, TemporaryHome } from "../../../test/bus-kit.ts";
import { drain } from "./drain.ts";
import { EmptyMailboxes } from "./empty-mailboxes.ts";
import { pendingFor } from "./pending.ts";
import { send } from "./send.ts";
import { settle } from "./settle.ts";

/** The clock of files is the machine's own; this one is ahead of it, so that nothing counts as changed just now. */
const later = () => ({
  nowMs: () => Date.now() + 60_000,
  settledMs: () => Date.now() + 60_000,
  monotonicMs: () => 0,
  sleep: () => Promise.resolve(),
});
const message = { from: "agent2", to: "agent1", text: "hello" };

async function emptied(home: string): Promise<void> {
  const bus = fakeBus(home);
  send(bus, message);
  settle(bus, "agent1", (await drain(bus, "agent1")).messages, "delivered");
}

test("a mailbox that was found empty need not be looked at until something comes, goes or moves in it", async () => {
  using home = new TemporaryHome();
  await emptied(home.path);
  const empty = new EmptyMailboxes({ home: home.path, clock: later() });
  const look = (): void => {
    const { waiting, held } = pendingFor(fakeBus(home.path), "agent1");
    empty.note("agent1", empty.signOf("agent1"), waiting + held === 0);
  };
  expect(empty.isStillEmpty("agent1")).toBe(false);
  look();
  expect(empty.isStillEmpty("agent1")).toBe(true);
  send(fakeBus(home.path), message);
  expect(empty.isStillEmpty("agent1")).toBe(false);
  look();
  expect(empty.isStillEmpty("agent1")).toBe(false);
});

test("what changed just now is looked at again, because a second change might leave the same time", async () => {
  using home = new TemporaryHome();
  await emptied(home.path);
  const frozen = Date.now();
  const empty = new EmptyMailboxes({ home: home.path, clock: { ...later(), nowMs: () => frozen } });
  for (const room of ["inbox", "processing"] as const) utimesSync(pathIn(home.path, "agent1", room, ""), 1, 1);
  expect(empty.signOf("agent1")).toBeUndefined();
  empty.note("agent1", empty.signOf("agent1"), true);
  expect(empty.isStillEmpty("agent1")).toBe(false);
});

test("a mailbox that is not there, or was taken away, is looked at", async () => {
  using home = new TemporaryHome();
  const empty = new EmptyMailboxes({ home: home.path, clock: later() });
  expect(empty.signOf("agent1")).toBeUndefined();
  await emptied(home.path);
  empty.note("agent1", empty.signOf("agent1"), true);
  rmSync(pathIn(home.path, "agent1", "inbox", ""), { recursive: true });
  expect(empty.isStillEmpty("agent1")).toBe(false);
});

test("what a living receiver has in hand is not nothing: it may die without a sign in the directory", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  send(bus, message);
  await drain(bus, "agent1", { claimer: { pid: 1, token: "1-1" } });
  const { waiting, doubtful, orphaned, held } = pendingFor(
    { ...bus, liveness: { ...bus.liveness, isProvenDead: () => false } },
    "agent1",
  );
  expect({ waiting, doubtful: doubtful.length, orphaned, held }).toEqual({
    waiting: 0,
    doubtful: 0,
    orphaned: 0,
    held: 1,
  });
});
