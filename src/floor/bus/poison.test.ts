import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { fakeBus, filesIn, pathIn, snapshotOf, TemporaryHome } from "../../../test/bus-kit.ts";
import type { Bus } from "./bus.ts";
import { drain } from "./drain.ts";
import { listMailbox } from "./list.ts";
import { dropPoison, listPoison, retryPoison } from "./poison.ts";
import { send } from "./send.ts";

const sound = '{"from":"agent1","text":"mended","ts":"2026-01-02T03:04:05Z"}';

async function poisonedWith(bus: Bus, name: string, content: string): Promise<string> {
  mkdirSync(pathIn(bus.home, "agent2", "inbox", ""), { recursive: true });
  writeFileSync(pathIn(bus.home, "agent2", "inbox", name), content);
  await drain(bus, "agent2");
  return listPoison(bus, "agent2")[0]?.name ?? "";
}

test("a poisoned message is listed with its reason", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const name = "00000000000000000001-0000000001-00000000-0000000001-from-agent1.json";
  expect(await poisonedWith(bus, name, "{")).toBe(name);
  expect(listPoison(bus, "agent2")).toEqual([
    {
      name,
      sender: "agent1",
      bytes: 1,
      reason: { code: "bus.bad-json", message: "the message is not JSON in UTF-8", at: "2026-01-02T03:04:05.000Z" },
    },
  ]);
  expect(listPoison(bus, "agent9")).toEqual([]);
});

test("retrying what is still wrong says what is wrong and leaves it there", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const name = await poisonedWith(bus, "x.json", "{");
  expect(() => retryPoison(bus, "agent2", name)).toThrow(expect.objectContaining({ code: "bus.bad-json" }));
  expect(listPoison(bus, "agent2")).toHaveLength(1);
});

test("retrying what was mended, or was only named wrongly, puts it back under a name of ours", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const name = await poisonedWith(bus, "hello.json", sound);
  expect(retryPoison(bus, "agent2", name).name).toMatch(/-from-agent1\.json$/);
  expect((await drain(bus, "agent2")).messages.map((message) => message.envelope.text)).toEqual(["mended"]);
  expect(filesIn(home.path, "agent2", "poison")).toEqual([]);
});

test("dropping removes the message and its reason, a directory with all it holds too", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  mkdirSync(pathIn(home.path, "agent2", "inbox", "deep/er"), { recursive: true });
  await drain(bus, "agent2");
  const [entry] = listPoison(bus, "agent2");
  dropPoison(bus, "agent2", entry?.name ?? "");
  expect(filesIn(home.path, "agent2", "poison")).toEqual([]);
  expect(() => dropPoison(bus, "agent2", entry?.name ?? "")).toThrow(
    expect.objectContaining({ code: "bus.unknown-message" }),
  );
});

test("a name that is a path reaches nothing", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  send(bus, { from: "agent1", to: "agent2", text: "x" });
  const before = snapshotOf(home.path);
  for (const name of ["../inbox", "", ".", "..", ".x", "a/b"]) {
    expect(() => dropPoison(bus, "agent2", name)).toThrow(expect.objectContaining({ code: "bus.unknown-message" }));
    expect(() => retryPoison(bus, "agent2", name)).toThrow(expect.objectContaining({ code: "bus.unknown-message" }));
  }
  expect(Object.keys(snapshotOf(home.path)).filter((path) => !path.endsWith("/poison"))).toEqual(Object.keys(before));
});

test("a mailbox is listed with what lies where", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  await poisonedWith(bus, "x.json", "{");
  for (const text of ["a", "b"]) send(bus, { from: "agent1", to: "agent2", text });
  await drain(bus, "agent2", { maxCount: 1 });
  writeFileSync(pathIn(home.path, "agent2", "inbox", "strange"), "");
  const listing = listMailbox(bus, "agent2");
  expect(listing.counts).toEqual({
    inbox: 1,
    claimed: 0,
    handedOut: 1,
    done: { delivered: 0, acked: 0, duplicate: 0 },
    poison: 1,
    foreign: 1,
  });
  expect(listing.inbox).toMatchObject([{ sender: "agent1" }]);
  // Names of one process never go back, and another file's test may have moved its clock further.
  expect(listing.inbox[0]?.sentAtMs).toBeGreaterThanOrEqual(bus.clock.nowMs());
  expect(listing.processing).toMatchObject([{ sender: "agent1", state: "handed-out", attempt: 1 }]);
});
