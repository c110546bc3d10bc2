// A signed message has its effect once. Whoever can write files may lay the very same bytes down again, under any name, in any room,
// at any time later: the agent is never handed them a second time.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { fakeBus, filesIn, pathIn, TemporaryHome } from "../../../test/bus-kit.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { makeOwnerKey } from "../../host/keys/key-files.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { acknowledge } from "./acknowledge.ts";
import type { Bus } from "./bus.ts";
import { type Drained, drain } from "./drain.ts";
import { claimFileName, makeMessageName } from "./message-name.ts";
import { send } from "./send.ts";
import { sendToMany } from "./send-to-many.ts";
import { giveBack, settle } from "./settle.ts";
import { sweep } from "./sweep.ts";
import { waitForReply } from "./wait.ts";

const agent = "agent2";
let home: TemporaryHome;
let bus: Bus;
beforeEach(() => {
  home = new TemporaryHome();
  makeOwnerKey(home.path, systemClock, {});
  bus = { ...fakeBus(home.path), clock: systemClock, ...busTrust(home.path, systemClock, () => "constellation") };
});
afterEach(() => home[Symbol.dispose]());

interface Copy {
  readonly name: string;
  readonly bytes: string;
}

/** The one message that waits, as somebody copies it before it is taken. */
function copyOf(): Copy {
  const [name = ""] = filesIn(home.path, agent, "inbox");
  return { name, bytes: readFileSync(pathIn(home.path, agent, "inbox", name), "utf8") };
}

const lay = ({ bytes }: Copy, room: string, name: string): void => {
  mkdirSync(pathIn(home.path, agent, room, ""), { recursive: true });
  writeFileSync(pathIn(home.path, agent, room, name), bytes);
};
const freshName = (sender: string): string => makeMessageName(bus, 1, sender).name;
const deadClaim = (name: string, state: "claimed" | "handed-out"): string =>
  claimFileName({ name, state, attempt: 1, claimer: { pid: 999_999_999, token: "1-1" }, leaseUntilMs: 1 });
const handed = (drained: Drained): [string, boolean][] =>
  drained.messages.map(({ envelope, verified }) => [envelope.text, verified]);

const senders: Record<string, () => unknown> = {
  "the owner": () => send(bus, { from: "agentowner", to: agent, text: "true" }),
  "the owner, to several": () => sendToMany(bus, { from: "agentowner", text: "true" }, [agent, "agent3"]),
  "another agent": () => send(bus, { from: "agent1", to: agent, text: "true" }),
  "constel, a brief": () => send(bus, { from: "agentdispatch", to: agent, text: "true", kind: "brief", task: "1" }),
  "a schedule, with its key": () => send(bus, { from: "agentcron", to: agent, text: "true", idempotency_key: "k1" }),
  "a sender that signs without an id": () => {
    const unsigned: Envelope = { from: "agent1", to: agent, text: "true", ts: new Date().toISOString() };
    const sig = bus.sign?.(unsigned) ?? "";
    lay({ name: "", bytes: JSON.stringify({ ...unsigned, sig }) }, "inbox", freshName("agent1"));
  },
};

const ways: Record<string, (copy: Copy) => void> = {
  "under its own name": (copy) => lay(copy, "inbox", copy.name),
  "under another name": (copy) => lay(copy, "inbox", freshName(JSON.parse(copy.bytes).from)),
  "as if a receiver had died with it unseen": (copy) => lay(copy, "processing", deadClaim(copy.name, "claimed")),
  "as if a receiver had died after it was handed out": (copy) =>
    lay(copy, "processing", deadClaim(copy.name, "handed-out")),
  "with other spaces between the same fields": (copy) =>
    lay({ ...copy, bytes: JSON.stringify(JSON.parse(copy.bytes), undefined, 2) }, "inbox", copy.name),
};

/** Time that passes between the taking and the replay. */
const meanwhile: Record<string, () => void> = {
  "at once": () => {},
  "after done/ was emptied": () => rmSync(pathIn(home.path, agent, "done", ""), { recursive: true }),
  "a hundred days later": () => {
    const seconds = Date.now() / 1000 - 100 * 86_400;
    for (const mark of filesIn(home.path, agent, "seen"))
      utimesSync(pathIn(home.path, agent, "seen", mark), seconds, seconds);
    const swept = sweep(bus, agent, { doneDays: -1, enough: 1 });
    expect([swept.done > 0, swept.seen > 0]).toEqual([true, true]);
  },
  "when more came than marks are kept": () => {
    expect(sweep(bus, agent, { maxSeen: 0, doneDays: -1, enough: 1 }).seen).toBeGreaterThan(0);
  },
};

for (const [sender, say] of Object.entries(senders))
  for (const [way, replay] of Object.entries(ways))
    for (const [when, pass] of Object.entries(meanwhile))
      test(`a message of ${sender} is not handed out again ${way}, ${when}`, async () => {
        say();
        const copy = copyOf();
        const first = await drain(bus, agent);
        expect(handed(first)).toEqual([["true", true]]);
        settle(bus, agent, first.messages, "delivered");
        pass();
        replay(copy);
        const second = await drain(bus, agent);
        expect(handed(second)).toEqual([]);
        expect(second.duplicates).toBeGreaterThan(0);
        // And not once more afterwards: what the first replay left behind excuses no other.
        replay(copy);
        expect(handed(await drain(bus, agent))).toEqual([]);
      });

for (const [way, replay] of Object.entries(ways))
  test(`a message in somebody's hands is not handed out beside it ${way}`, async () => {
    send(bus, { from: "agentowner", to: agent, text: "true" });
    const copy = copyOf();
    const first = await drain(bus, agent);
    replay(copy);
    expect(handed(await drain(bus, agent))).toEqual([]);
    expect(settle(bus, agent, first.messages, "delivered")).toEqual(["settled"]);
  });

test("a message that its agent acknowledged, or took while it waited for an answer, is taken too", async () => {
  send(bus, { from: "agentowner", to: agent, text: "true", id: "m1" });
  const acked = copyOf();
  await drain(bus, agent);
  expect(acknowledge(bus, agent, new Set(["m1"]), "said")).toBe(1);
  send(bus, { from: "agent1", to: agent, text: "answer", id: "m2", in_reply_to: "q1", thread: "q1" });
  const waited = copyOf();
  const found = await waitForReply(bus, agent, { inReplyTo: "q1" }, { deadlineMs: 0 });
  if (found.outcome !== "reply") throw new Error(found.outcome);
  settle(bus, agent, [found.message], "acked");
  rmSync(pathIn(home.path, agent, "done", ""), { recursive: true });
  for (const copy of [acked, waited]) lay(copy, "inbox", copy.name);
  expect(handed(await drain(bus, agent))).toEqual([]);
});

test("a message that was given back unseen is still handed out, and a waiting one is never its own duplicate", async () => {
  send(bus, { from: "agentowner", to: agent, text: "true" });
  giveBack(bus, agent, (await drain(bus, agent)).messages);
  const seconds = Date.now() / 1000 - 100 * 86_400;
  for (const mark of filesIn(home.path, agent, "seen"))
    utimesSync(pathIn(home.path, agent, "seen", mark), seconds, seconds);
  expect(sweep(bus, agent, { enough: 1 }).seen).toBe(0);
  expect(handed(await drain(bus, agent))).toEqual([["true", true]]);
});

test("thousands of taken messages are remembered in one list, and a new one still arrives", async () => {
  const copies: Copy[] = [];
  for (let index = 0; index < 60; index++) send(bus, { from: "agent1", to: agent, text: String(index) });
  for (const name of filesIn(home.path, agent, "inbox"))
    copies.push({ name, bytes: readFileSync(pathIn(home.path, agent, "inbox", name), "utf8") });
  for (let taken = 0; taken < 60;) {
    const { messages } = await drain(bus, agent, { maxCount: 25 });
    settle(bus, agent, messages, "delivered");
    taken += messages.length;
    sweep(bus, agent, { maxSeen: 3, doneDays: -1, enough: 10 });
  }
  expect(filesIn(home.path, agent, "seen").length).toBeLessThan(20);
  for (const copy of copies) lay(copy, "inbox", copy.name);
  send(bus, { from: "agent1", to: agent, text: "new" });
  expect(handed(await drain(bus, agent, { maxCount: 100 }))).toEqual([["new", true]]);
});
