import { expect, test } from "bun:test";
import { utimesSync, writeFileSync } from "node:fs";
import { fakeBus, filesIn, pathIn, TemporaryHome } from "../../../test/bus-kit.ts";
import { drain } from "./drain.ts";
import { send } from "./send.ts";
import { settle } from "./settle.ts";
import { sweep } from "./sweep.ts";

const dayMs = 86_400_000;

test("dot-temps of dead writers go, fresh ones and messages stay", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const { name } = send(bus, { from: "agent1", to: "agent2", text: "x" });
  for (const [temporary, ageS] of [
    [".old.tmp", 700],
    [".new.tmp", 10],
    [".other", 9999],
  ] as const) {
    writeFileSync(pathIn(home.path, "agent2", "inbox", temporary), "");
    const at = bus.clock.nowMs() / 1000 - ageS;
    utimesSync(pathIn(home.path, "agent2", "inbox", temporary), at, at);
  }
  expect(sweep(bus, "agent2").temporaries).toBe(1);
  expect(filesIn(home.path, "agent2", "inbox")).toEqual([".new.tmp", ".other", name]);
});

test("done messages go after their days, and their ids are remembered longer", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const once = () => send(bus, { from: "agent1", to: "agent2", text: "x", id: "same" });
  once();
  settle(bus, "agent2", (await drain(bus, "agent2")).messages, "acked");
  bus.clock.advance(7 * dayMs);
  expect(sweep(bus, "agent2").done).toBe(0);
  bus.clock.advance(1);
  expect(sweep(bus, "agent2", { seenDays: 100_000, enough: 1 })).toMatchObject({ done: 1, seen: 0 });
  once();
  expect((await drain(bus, "agent2")).duplicates).toBe(1);
});

test("marks of keys go into the list by age and by number, the oldest first, when they are enough", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  for (let index = 0; index < 5; index++) send(bus, { from: "agent1", to: "agent2", text: "x", id: String(index) });
  settle(bus, "agent2", (await drain(bus, "agent2")).messages, "acked");
  const ages = [40, 2.5, 2, 1, 0];
  filesIn(home.path, "agent2", "seen").forEach((mark, index) => {
    const at = bus.clock.nowMs() / 1000 - (ages[index] ?? 0) * 86_400;
    utimesSync(pathIn(home.path, "agent2", "seen", mark), at, at);
  });
  const [, , third, fourth, fifth] = filesIn(home.path, "agent2", "seen");
  expect(sweep(bus, "agent2").seen).toBe(0);
  expect(sweep(bus, "agent2", { enough: 1 }).seen).toBe(1);
  expect(sweep(bus, "agent2", { maxSeen: 3, enough: 1 }).seen).toBe(1);
  expect(filesIn(home.path, "agent2", "seen")).toEqual([third ?? "", fourth ?? "", fifth ?? "", "taken"]);
});

test("an agent without a mailbox has nothing to sweep", () => {
  using home = new TemporaryHome();
  expect(sweep(fakeBus(home.path), "agent2")).toEqual({ temporaries: 0, done: 0, seen: 0 });
});
