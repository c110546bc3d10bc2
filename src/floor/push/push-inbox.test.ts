import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Liveness, ProcessMark } from "../../ports/machine.ts";
import { temporaryDirectory } from "../floor.suite.ts";
import { PushWaiter, pushInbox } from "./push-inbox.ts";

function process(pid: number, dead: ReadonlySet<number> = new Set()): Liveness {
  const isProvenDead = (mark: ProcessMark): boolean => dead.has(mark.pid);
  return { self: () => ({ pid, token: "1-1" }), isProvenDead };
}

test("a message goes to the waiter or back to the sender, never to both", async () => {
  const home = temporaryDirectory();
  const inbox = pushInbox(home, "agent1", process(1));
  const waiter = new PushWaiter(home, "agent1", process(2));
  await inbox.put("m1", "first");
  await inbox.put("m2", "second");
  expect(await inbox.withdraw("m2")).toBe(true);
  expect(waiter.take()).toEqual(["first"]);
  expect(waiter.take()).toEqual([]);
  expect(await inbox.withdraw("m1")).toBe(false);
  expect(await inbox.withdraw("m2")).toBe(false);
  waiter.close();
  expect(readdirSync(join(home, "state/push/agent1"))).toEqual([]);
});

test("it is attended while a living process waits, and the newest waiter is the one", async () => {
  const home = temporaryDirectory();
  const dead = new Set<number>();
  const inbox = pushInbox(home, "agent1", process(1, dead));
  expect(await inbox.attended()).toBe(false);
  const old = new PushWaiter(home, "agent1", process(2));
  expect(await inbox.attended()).toBe(true);
  const newer = new PushWaiter(home, "agent1", process(3));
  expect([old.isCurrent(), newer.isCurrent()]).toEqual([false, true]);
  old.close();
  expect(await inbox.attended()).toBe(true);
  dead.add(3);
  expect(await inbox.attended()).toBe(false);
});

test("an id that is no file name is a file name all the same", async () => {
  const home = temporaryDirectory();
  const inbox = pushInbox(home, "agent1", process(1));
  const waiter = new PushWaiter(home, "agent1", process(2));
  await inbox.put("../../up", "text");
  expect(readdirSync(home)).toEqual(["state"]);
  expect(waiter.take()).toEqual(["text"]);
  await inbox.put("a b", "again");
  expect(await inbox.withdraw("a b")).toBe(true);
});
