import { describe, expect, test } from "bun:test";
import { fakeBus, filesIn, TemporaryHome } from "../../../test/bus-kit.ts";
import type { FakeClock } from "../../ports/fake-clock.ts";
import { drain } from "./drain.ts";
import { send } from "./send.ts";
import { settle } from "./settle.ts";
import { reply } from "./threads.ts";
import { waitForMail, waitForReply } from "./wait.ts";

/** Gives the event loop turns until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

const asleep = (clock: FakeClock, times = 1): Promise<void> => until(() => clock.sleeping >= times);

describe("waiting for a reply", () => {
  test("ends when it arrives, and hands out that message only", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const question = send(bus, { from: "agent1", to: "agent2", text: "when?" }).envelope;
    const waiting = waitForReply(bus, "agent1", { inReplyTo: question.id }, { deadlineMs: 60_000 });
    await asleep(bus.clock);
    // The fake clock stands still, so only the watch on the inbox can wake the waiter.
    send(bus, { from: "agent2", to: "agent1", text: "something else" });
    reply(bus, question, { from: "agent2", text: "now" });
    const outcome = await waiting;
    expect(outcome).toMatchObject({ outcome: "reply", message: { envelope: { text: "now" } } });
    expect(filesIn(home.path, "agent1", "inbox")).toHaveLength(1);
    expect((await drain(bus, "agent1")).messages.map((message) => message.envelope.text)).toEqual(["something else"]);
  });

  test("sees one that was there before", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const question = send(bus, { from: "agent1", to: "agent2", text: "when?" }).envelope;
    reply(bus, question, { from: "agent2", text: "now" });
    const outcome = await waitForReply(bus, "agent1", { inReplyTo: question.id }, { deadlineMs: 0 });
    expect(outcome.outcome).toBe("reply");
  });

  test("sees one that another receiver took, by looking again without any hint", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const question = send(bus, { from: "agent1", to: "agent2", text: "when?" }).envelope;
    reply(bus, question, { from: "agent2", text: "now" });
    const { messages } = await drain(bus, "agent1");
    const early = await waitForReply(bus, "agent1", { inReplyTo: question.id }, { deadlineMs: 0 });
    expect(early).toMatchObject({ outcome: "already-handed-out", envelope: { text: "now" } });
    settle(bus, "agent1", messages, "acked");
    const late = await waitForReply(bus, "agent1", { inReplyTo: question.id }, { deadlineMs: 0 });
    expect(late).toMatchObject({ outcome: "already-handed-out", envelope: { text: "now" } });
  });

  test("in a thread passes over what the agent knows already", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    send(bus, { from: "agent2", to: "agent1", text: "old", thread: "t" });
    settle(bus, "agent1", (await drain(bus, "agent1")).messages, "acked");
    const waiting = waitForReply(bus, "agent1", { thread: "t" }, { deadlineMs: 60_000 });
    await asleep(bus.clock);
    send(bus, { from: "agent3", to: "agent1", text: "other thread", thread: "u" });
    send(bus, { from: "agent3", to: "agent1", text: "new", thread: "t" });
    expect(await waiting).toMatchObject({ outcome: "reply", message: { envelope: { text: "new" } } });
  });

  test("ends at its deadline", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const waiting = waitForReply(bus, "agent1", { thread: "t" }, { deadlineMs: 1500, pollMs: 1000 });
    await asleep(bus.clock);
    bus.clock.advance(1000);
    await asleep(bus.clock);
    bus.clock.advance(500);
    expect(await waiting).toEqual({ outcome: "deadline" });
  });

  test("ends when it is aborted, also before it began", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const abort = new AbortController();
    const waiting = waitForReply(bus, "agent1", { thread: "t" }, { deadlineMs: 60_000, signal: abort.signal });
    await asleep(bus.clock);
    abort.abort();
    expect(await waiting).toEqual({ outcome: "aborted" });
    const late = waitForReply(bus, "agent1", { thread: "t" }, { deadlineMs: 60_000, signal: abort.signal });
    expect(await late).toEqual({ outcome: "aborted" });
  });
});

describe("waiting for mail", () => {
  test("ends at the first message and takes nothing", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const waiting = waitForMail(bus, "agent1", { deadlineMs: 60_000 });
    await asleep(bus.clock);
    send(bus, { from: "agent2", to: "agent1", text: "x" });
    expect(await waiting).toBe(true);
    expect(filesIn(home.path, "agent1", "inbox")).toHaveLength(1);
  });

  test("says when none came", async () => {
    using home = new TemporaryHome();
    expect(await waitForMail(fakeBus(home.path), "agent1", { deadlineMs: 0 })).toBe(false);
  });
});
