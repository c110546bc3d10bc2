import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeBus, programs, startChild, TemporaryHome } from "../../../test/bus-kit.ts";
import { journalName, readJournal, record } from "./bus-journal.ts";
import { send } from "./send.ts";

const happening = (name: string) => ({ state: "sent" as const, to: "agent2", name });

test("records are taken in by offset, each once", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const file = journalName(bus.clock.nowMs());
  expect(readJournal(bus, file, 0)).toEqual({ records: [], nextOffset: 0, torn: 0 });
  record(bus, [happening("a"), happening("b")]);
  const first = readJournal(bus, file, 0);
  expect(first.records.map((entry) => entry.name)).toEqual(["a", "b"]);
  record(bus, [happening("c")]);
  const second = readJournal(bus, file, first.nextOffset);
  expect(second.records.map((entry) => entry.name)).toEqual(["c"]);
  expect(readJournal(bus, file, second.nextOffset).records).toEqual([]);
  expect(new Set([...first.records, ...second.records].map((entry) => entry.id)).size).toBe(3);
});

test("a torn record spoils no other, and half a record at the end waits for its rest", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const file = journalName(bus.clock.nowMs());
  record(bus, [happening("a")]);
  appendFileSync(join(home.path, "logs", file), '\n{"id":"rec_torn","sta');
  const half = readJournal(bus, file, 0);
  expect([half.records.length, half.torn]).toEqual([1, 0]);
  record(bus, [happening("b")]);
  const rest = readJournal(bus, file, half.nextOffset);
  expect([rest.records.map((entry) => entry.name), rest.torn]).toEqual([["b"], 1]);
});

test("a slice is bounded, and reading on gives all", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const file = journalName(bus.clock.nowMs());
  for (let index = 0; index < 20; index++) record(bus, [happening(`m${index}`)]);
  const names: string[] = [];
  let offset = 0;
  for (let round = 0; round < 100; round++) {
    const slice = readJournal(bus, file, offset, 400);
    names.push(...slice.records.map((entry) => entry.name));
    offset = slice.nextOffset;
  }
  expect(names).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
});

test("rubbish without an end does not stop the reading", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const file = journalName(bus.clock.nowMs());
  mkdirSync(join(home.path, "logs"));
  writeFileSync(join(home.path, "logs", file), "x".repeat(5000));
  record(bus, [happening("a")]);
  const names: string[] = [];
  for (let offset = 0, round = 0; round < 10; round++) {
    const slice = readJournal(bus, file, offset, 1000);
    names.push(...slice.records.map((entry) => entry.name));
    offset = slice.nextOffset;
  }
  expect(names).toEqual(["a"]);
});

test("lines of several processes do not mix", async () => {
  using home = new TemporaryHome();
  const children = ["agent1", "agent3", "agent4"].map((from) =>
    startChild(programs.sendOne, [home.path, from, "agent2", "@5000"]),
  );
  await Promise.all(children.map((child) => child.exited));
  const slice = readJournal(fakeBus(home.path), journalName(Date.now()), 0);
  expect([slice.records.length, slice.torn]).toEqual([3, 0]);
});

test("a journal that cannot be written does not undo what was sent, and the receipt says so", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  writeFileSync(join(home.path, "logs"), "in the way");
  expect(send(bus, { from: "agent1", to: "agent2", text: "x" })).toMatchObject({ state: "sent", recorded: false });
});

test("a link in place of the journal is not written through", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  mkdirSync(join(home.path, "logs"));
  writeFileSync(join(home.path, "victim"), "kept");
  symlinkSync("../victim", join(home.path, "logs", journalName(bus.clock.nowMs())));
  expect(record(bus, [happening("a")])).toBe(false);
  expect(Bun.file(join(home.path, "victim")).size).toBe(4);
});
