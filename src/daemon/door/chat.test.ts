import { expect, test } from "bun:test";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { Context } from "../../core/context.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { listMailbox } from "../../floor/bus/list.ts";
import { systemRandom } from "../../host/clock/system-clock.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { historyOf, replyTo, sendMessage, threadsOf, waitForAnswer } from "./chat.ts";
import { storedTexts } from "./stored-texts.ts";

function scene() {
  const directory = temporaryDirectory("chat");
  const clock = new FakeClock();
  const bus: Bus = {
    home: directory.path,
    clock,
    random: systemRandom,
    liveness: systemLiveness,
    sign: undefined,
    recorder: undefined,
  };
  const parts = { bus, texts: storedTexts };
  const as = (actor: string, signal?: AbortSignal) =>
    ({ actor, ...(signal === undefined ? {} : { untilGone: () => signal }) }) as Context;
  return { directory, clock, bus, parts, as };
}

test("a wait ends when its asker is gone, though no time passes, and takes nothing", async () => {
  const { directory, clock, bus, parts, as } = scene();
  using _ = directory;
  const { id } = await sendMessage(parts, as("agent1"), { to: "agent2", text: "which port?" });
  const leaving = new AbortController();
  const waiting = waitForAnswer(parts, as("agent1", leaving.signal), { message: id, for_ms: 3_600_000 });
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  expect(await waiting).toEqual({ outcome: "aborted", message: null });
  await replyTo(parts, as("agent2"), { message: id, text: "8080" });
  expect(listMailbox(bus, "agent1").counts).toMatchObject({ inbox: 1, handedOut: 0 });
  const late = waitForAnswer(parts, as("agent1", AbortSignal.abort()), { message: id, for_ms: 3_600_000 });
  expect((await late).outcome).toBe("aborted");
  expect(listMailbox(bus, "agent1").counts).toMatchObject({ inbox: 1, handedOut: 0 });
  const answer = await waitForAnswer(parts, as("agent1"), { message: id, for_ms: 0 });
  expect(answer).toMatchObject({ outcome: "reply", message: { from: "agent2", text: "8080", in_reply_to: id } });
});

test("an agent sees the threads it takes part in, the owner all of them; only the receiver replies", async () => {
  const { directory, parts, as } = scene();
  using _ = directory;
  const key = `ghp_${"Zx81QpLm77tYvB2nK0sD9fGhJ3wEQq7rTt5u"}`;
  const sent = await sendMessage(parts, as("agent1"), { to: "agent2", text: `use ${key}`, thread: "keys" });
  expect(sent).toMatchObject({ thread: "keys", masked: true, known: false });
  await replyTo(parts, as("agent2"), { message: sent.id, text: "thanks" });
  const read = async (actor: string): Promise<string[]> =>
    (await historyOf(parts, as(actor), { thread: "keys", limit: 10 })).messages.map(({ text }) => text);
  expect(await read("agent1")).toEqual(["use ***", "thanks"]);
  expect(await read("owner")).toEqual(["use ***", "thanks"]);
  const codeOf = (work: Promise<unknown>) => work.catch((cause: unknown) => (cause as Refusal).code);
  expect(await codeOf(read("agent3"))).toBe("bus.unknown-message");
  expect(await codeOf(replyTo(parts, as("agent3"), { message: sent.id, text: "me too" }))).toBe("bus.unknown-message");
  expect((await threadsOf(parts, as("agent2"), { limit: 5 })).threads).toMatchObject([{ thread: "keys", messages: 2 }]);
  expect((await threadsOf(parts, as("agent3"), { limit: 5 })).threads).toEqual([]);
});
