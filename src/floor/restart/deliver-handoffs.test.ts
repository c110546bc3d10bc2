import { afterEach, beforeEach, expect, test } from "bun:test";
import { fakeBus, TemporaryHome } from "../../../test/bus-kit.ts";
import type { Bus } from "../bus/bus.ts";
import { drain } from "../bus/drain.ts";
import { deliverHandoffs } from "./deliver-handoffs.ts";
import { allHandoffs, handoffName, writeHandoff } from "./handoff-files.ts";

let home: TemporaryHome;
let bus: Bus;
beforeEach(() => {
  home = new TemporaryHome();
  bus = fakeBus(home.path);
});
afterEach(() => home[Symbol.dispose]());

const write = (atMs: number, by: "crash" | "hang" | "operator", agent = "agent3"): void =>
  void writeHandoff(bus.home, handoffName(agent, atMs, by), `${by} ${atMs}`);

const sent = async (agent = "agent3"): Promise<string[]> => {
  const before = deliverHandoffs(bus, agent);
  const texts = (await drain(bus, agent)).messages.map(({ envelope }) => envelope.text);
  expect(texts).toHaveLength(before.filter(({ message }) => message !== undefined).length);
  return texts;
};

test("what an operator wrote and the newest draft are both sent; older drafts are only archived", async () => {
  write(1, "crash");
  write(2, "operator");
  write(3, "hang");
  write(4, "operator");
  expect(await sent()).toEqual(["operator 2", "hang 3", "operator 4"]);
  expect(allHandoffs(bus.home).map(({ state }) => state)).toEqual(["archived", "archived", "archived", "archived"]);
});

test("an operator's handoff that is newer does not stand for the draft of a crash", async () => {
  write(1, "crash");
  write(2, "operator");
  expect(await sent()).toEqual(["crash 1", "operator 2"]);
});

test("another agent's handoffs stay where they are, and nothing is sent twice", async () => {
  write(1, "crash");
  write(1, "crash", "agent4");
  expect(await sent()).toEqual(["crash 1"]);
  expect(await sent()).toEqual([]);
  expect(await sent("agent4")).toEqual(["crash 1"]);
});

test("an empty handoff is archived without a message", async () => {
  writeHandoff(bus.home, handoffName("agent3", 1, "operator"), " \n");
  expect(deliverHandoffs(bus, "agent3")).toMatchObject([{ message: undefined }]);
});
