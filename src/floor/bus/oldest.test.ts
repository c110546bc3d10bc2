// Long boxes: what is asked of them is asked of an inbox of more than two thousand messages.

import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeBus, pathIn, TemporaryHome } from "../../../test/bus-kit.ts";
import { drain, type Handed } from "./drain.ts";
import { makeMessageName } from "./message-name.ts";
import { giveBack, settle } from "./settle.ts";
import { send } from "./send.ts";

const long = 2_200;

/** So many messages from five senders, put there without the cost of making each last. */
function fill(bus: ReturnType<typeof fakeBus>, count: number): string[] {
  send(bus, { from: "agent9", to: "agent1", text: "makes the box", id: "first" });
  const ids = ["first"];
  for (let at = 0; at < count; at++) {
    const from = `agent${2 + (at % 5)}`;
    const { name } = makeMessageName(bus, 1, from);
    const envelope = { from, to: "agent1", text: String(at), ts: "2026-01-02T03:04:05.000Z", id: `m${at}` };
    writeFileSync(pathIn(bus.home, "agent1", "inbox", name), JSON.stringify(envelope), { mode: 0o600 });
    ids.push(envelope.id);
  }
  return ids;
}

const idsOf = (messages: readonly Handed[]): (string | undefined)[] => messages.map(({ envelope }) => envelope.id);

test("a long box is emptied in order, each message once, and what arrives meanwhile comes last", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  const wanted = fill(bus, long);
  const seen: (string | undefined)[] = [];
  const hint = join(home.path, "channels/agent/agent1/.oldest.json");
  for (let more = true; more;) {
    const drained = await drain(bus, "agent1", { maxCount: 700, maxBytes: Infinity });
    settle(bus, "agent1", drained.messages, "acked");
    // The list kept of the box is only a hint: rubbish there changes nothing.
    if (seen.length === 700) writeFileSync(hint, '{"names":["../../x"],"held":[]}');
    if (seen.length === 0) send(bus, { from: "agent2", to: "agent1", text: "later", id: "later" });
    seen.push(...idsOf(drained.messages));
    ({ more } = drained);
  }
  expect(seen).toEqual([...wanted, "later"]);
  expect(existsSync(hint)).toBe(true);
});

test("a message that another receiver gives back comes before its sender's later ones, in a long box too", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  fill(bus, long);
  const other = { ...bus, liveness: { self: () => ({ pid: 1, token: "other" }), isProvenDead: () => false } };
  const theirs = (await drain(other, "agent1", { maxCount: 3 })).messages;
  const ours = (await drain(bus, "agent1", { maxCount: 2 })).messages;
  // agent9, agent2 and agent3 have messages in the other's hands.
  expect(idsOf(ours)).toEqual(["m2", "m3"]);
  giveBack(bus, "agent1", theirs);
  expect(idsOf((await drain(bus, "agent1", { maxCount: 4 })).messages)).toEqual(["first", "m0", "m1", "m4"]);
});
