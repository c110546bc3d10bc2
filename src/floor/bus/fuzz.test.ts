// Hostile envelopes and hostile files. Whatever they are, they end as poison, as a refusal, or as a message that keeps every
// rule; the process goes on, and nothing outside the home changes. CONSTEL_FUZZ=100000 runs the full number.

import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeBus, pathIn, snapshotOf, TemporaryHome } from "../../../test/bus-kit.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { complaintAbout, isComplaint, parseEnvelope } from "../../protocol/envelope.ts";
import { frameForAgent } from "../../protocol/frame-for-agent.ts";
import { Refusal } from "../../protocol/errors.ts";
import { drain } from "./drain.ts";
import { listMailbox } from "./list.ts";
import { makeMessageName } from "./message-name.ts";
import { send } from "./send.ts";
import { settle } from "./settle.ts";

const full = Number(process.env["CONSTEL_FUZZ"] ?? 0);
const envelopes = full > 0 ? full : 20_000;
const files = full > 0 ? full : 2000;

const random = seededRandom(11);
const below = (count: number): number => Math.floor(random.fraction() * count);
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

const nasty: readonly (() => unknown)[] = [
  () => pick(["", "x", "agent1", "agent2", "owner", "../../etc/passwd", "agent1\n", "__proto__", "constructor"]),
  () => pick([0, -1, 1e308, -0, 1e11, Number.MAX_SAFE_INTEGER]),
  () => pick([null, true, false, [], {}, [[]], { text: "x" }]),
  () =>
    pick(["<system-reminder>", "</constel-message>", "< / constel-messages>", "<\u200Bhook_prompt", "<|im_start|>"]),
  () => String.fromCharCode(...Array.from({ length: below(40) }, () => below(0x10000))),
  () => `${pick(["\u001B]0;", "\u202E", "\u2028", "\r", "\0", "\uD800", "\u{E0041}"])}${pick(["rm -rf", "", "</x>"])}`,
  () => "a".repeat(below(5000)),
  () => pick(["2026-01-02T03:04:05Z", "now", "9999999-01-01", "2026-13-45", "1767323045"]),
];

const fields = ["from", "text", "ts", "id", "to", "kind", "thread", "in_reply_to", "task", "idempotency_key"];
const others = ["requires_ack", "origin", "sig", "__proto__", "toString", "extra"];

/** Mostly sound, with some fields replaced, added or taken away. */
function hostileValue(): Record<string, unknown> {
  const value: Record<string, unknown> = { from: "agent1", text: "hello", ts: "2026-01-02T03:04:05Z" };
  for (let change = below(4); change > 0; change--) {
    const field = pick(random.fraction() < 0.7 ? fields : others);
    if (random.fraction() < 0.1) delete value[field];
    else Object.defineProperty(value, field, { value: pick(nasty)(), enumerable: true, configurable: true });
  }
  return value;
}

/** The JSON of one, often damaged. */
function hostileBytes(): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(hostileValue()));
  const damage = random.fraction();
  if (damage < 0.5) return bytes;
  if (damage < 0.7) return bytes.subarray(0, below(bytes.length));
  if (damage < 0.8) return Buffer.from(random.bytes(below(200)));
  if (damage < 0.82) return Buffer.from(pick(["[", '{"a":', '"\\u']).repeat(5000));
  for (let flip = 1 + below(5); flip > 0; flip--) bytes[below(bytes.length)] = below(256);
  return bytes;
}

test(`${envelopes} hostile envelopes are refused or keep every rule, and none breaks its frame`, () => {
  let sound = 0;
  for (let index = 0; index < envelopes; index++) {
    const envelope = parseEnvelope(hostileBytes());
    if (isComplaint(envelope)) continue;
    const frame = frameForAgent([{ envelope }]);
    const ours = frame.split("\n").filter((line) => !line.startsWith("| "));
    expect(ours).toHaveLength(6);
    if (complaintAbout(envelope) === undefined) sound += 1;
  }
  expect(sound).toBeGreaterThan(envelopes / 20);
});

test("hostile drafts are refused on sending with a code, and never otherwise", () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  let refused = 0;
  for (let index = 0; index < 200; index++) {
    try {
      send(bus, { to: "agent2", ...hostileValue() } as never);
    } catch (cause) {
      expect(cause).toBeInstanceOf(Refusal);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(20);
});

test(`of ${files} hostile files every one is handed out sound or put aside, and nothing changes outside`, async () => {
  using home = new TemporaryHome();
  using elsewhere = new TemporaryHome();
  writeFileSync(join(elsewhere.path, "victim"), "kept");
  const bus = fakeBus(home.path);
  const inbox = pathIn(home.path, "agent2", "inbox", "");
  mkdirSync(inbox, { recursive: true });
  let [planted, handed, aside] = [0, 0, 0];
  while (planted < files) {
    for (let index = 0; index < 100; index++) planted += plantOne(inbox, elsewhere.path) ? 1 : 0;
    for (let more = true; more;) {
      const drained = await drain(bus, "agent2", { maxCount: 1000, maxBytes: 1e9 });
      for (const { envelope } of drained.messages) expect(complaintAbout(envelope)).toBeUndefined();
      settle(bus, "agent2", drained.messages, "acked");
      handed += drained.messages.length;
      aside += drained.poisoned + drained.duplicates;
      more = drained.more;
    }
  }
  expect(handed + aside).toBe(planted);
  expect(handed).toBeGreaterThan(files / 20);
  const { counts } = listMailbox(bus, "agent2", 0);
  expect([counts.inbox, counts.claimed, counts.handedOut, counts.foreign]).toEqual([0, 0, 0, 0]);
  expect(snapshotOf(elsewhere.path)).toEqual({ [join(elsewhere.path, "victim")]: "kept" });
}, 600_000);

/** False when the file system itself will not have the name. */
function plantOne(inbox: string, elsewhere: string): boolean {
  const name =
    random.fraction() < 0.85
      ? makeMessageName({ clock: { ...fakeClock, nowMs: () => below(2e12) }, random }, below(1e6), pick(senders)).name
      : pick(strangeNames)();
  try {
    const kind = random.fraction();
    if (kind < 0.9) writeFileSync(join(inbox, name), hostileBytes(), { flag: "wx" });
    else if (kind < 0.95)
      symlinkSync(pick([join(elsewhere, "victim"), elsewhere, "/dev/zero", "self"]), join(inbox, name));
    else mkdirSync(join(inbox, name));
    return true;
  } catch {
    return false;
  }
}

const fakeClock = { nowMs: () => 0, settledMs: () => 0, monotonicMs: () => 0, sleep: async () => {} };
const senders = ["agent1", "agent1", "agent1", "agent2", "agentcron"];
const strangeNames: readonly (() => string)[] = [
  () => `${"n".repeat(below(250) + 1)}`,
  () => `-rf ${below(1000)}`,
  () => `${below(1000)}\n${below(10)}.json`,
  () => `${below(1000)}~c1.1.1-1.1`,
  () => `${"9".repeat(20)}-${"0".repeat(10)}-ffffffff-${"0".repeat(10)}-from-agent1.json~h1.1.x.9`,
  () => `ü${below(1000)}.reason.json`,
];
