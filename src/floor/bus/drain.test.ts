import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeBus, filesIn, makePipe, pathIn, snapshotOf, TemporaryHome } from "../../../test/bus-kit.ts";
import { type Envelope, signedBytes } from "../../protocol/envelope.ts";
import { Outage } from "../../protocol/errors.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import type { Bus } from "./bus.ts";
import { drain } from "./drain.ts";
import { journalName, readJournal } from "./bus-journal.ts";
import { makeMessageName } from "./message-name.ts";
import { listPoison } from "./poison.ts";
import { completeEnvelope, send } from "./send.ts";
import { giveBack, renew, reportUnknown, settle } from "./settle.ts";
import { rejection, throwing } from "../../../test/kit/rejection.ts";

const texts = (drained: { messages: readonly { envelope: Envelope }[] }): string[] =>
  drained.messages.map((message) => message.envelope.text);
const say = (bus: Bus, text: string, extra: Partial<Envelope> = {}) =>
  send(bus, { from: "agent1", ...extra, to: extra.to ?? "agent2", text });
const states = (bus: Bus): string[] =>
  readJournal(bus, journalName(bus.clock.nowMs()), 0).records.map((record) => record.state);

/** Processes that are alive until they are said to be dead. */
function otherProcesses() {
  const dead = new Set<number>();
  const self = { pid: process.pid, token: "1-1" };
  return {
    dead,
    mark: (pid: number): ProcessMark => ({ pid, token: "1-2" }),
    liveness: { self: () => self, isProvenDead: (mark: ProcessMark) => dead.has(mark.pid) },
  };
}

/** Puts a file into an inbox as somebody would who does not use our `send`. */
function plant(bus: Bus, content: string | Uint8Array, sender = "agent1", agent = "agent2"): string {
  const { name } = makeMessageName(bus, process.pid, sender);
  mkdirSync(pathIn(bus.home, agent, "inbox", ""), { recursive: true });
  writeFileSync(pathIn(bus.home, agent, "inbox", name), content);
  return name;
}

describe("draining", () => {
  test("an agent that never got mail has none", async () => {
    using home = new TemporaryHome();
    expect((await drain(fakeBus(home.path), "agent7")).messages).toEqual([]);
    expect(snapshotOf(home.path)).toEqual({});
  });

  test("hands out every message once, oldest first", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    for (const text of ["a", "b", "c"]) say(bus, text);
    expect(texts(await drain(bus, "agent2"))).toEqual(["a", "b", "c"]);
    expect(texts(await drain(bus, "agent2"))).toEqual([]);
  });

  test("accepts the short form", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    plant(bus, '{"from":"agent1","text":"short","ts":"2026-01-02T03:04:05Z"}');
    expect(texts(await drain(bus, "agent2"))).toEqual(["short"]);
  });

  test("is bounded in count, and says that there is more", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    for (let index = 0; index < 5; index++) say(bus, String(index));
    const first = await drain(bus, "agent2", { maxCount: 2 });
    expect([texts(first), first.more]).toEqual([["0", "1"], true]);
    const rest = await drain(bus, "agent2");
    expect([texts(rest), rest.more]).toEqual([["2", "3", "4"], false]);
  });

  test("is bounded in bytes, but a large message alone still comes", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    for (const size of [100, 900_000, 100, 100]) say(bus, "x".repeat(size));
    const sizes: number[][] = [];
    for (let round = 0; round < 3; round++) {
      const { messages } = await drain(bus, "agent2", { maxBytes: 10_000 });
      sizes.push(messages.map((message) => message.envelope.text.length));
    }
    expect(sizes).toEqual([[100], [900_000], [100, 100]]);
  });

  test("when a port fails nothing is kept back and nothing counts as handed out", async () => {
    using home = new TemporaryHome();
    const failing = fakeBus(home.path, {
      verify: (envelope) => {
        if (envelope.text === "b") throw new Outage("read", "keys", "broken");
        return true;
      },
    });
    for (const text of ["a", "b", "c"]) say(failing, text, { sig: "x" });
    expect(await throwing(drain(failing, "agent2"))).toThrow("broken");
    expect(filesIn(home.path, "agent2", "inbox")).toHaveLength(3);
    const again = await drain({ ...failing, verify: () => true }, "agent2");
    expect(again.messages.map((message) => [message.envelope.text, message.again])).toEqual([
      ["a", false],
      ["b", false],
      ["c", false],
    ]);
  });
});

describe("one message, however often it is sent", () => {
  test("by id", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    for (const text of ["first", "second"]) say(bus, text, { id: "same" });
    const drained = await drain(bus, "agent2");
    expect([texts(drained), drained.duplicates]).toEqual([["first"], 1]);
    say(bus, "third", { id: "same" });
    expect(texts(await drain(bus, "agent2"))).toEqual([]);
    expect(states(bus)).toEqual(["sent", "sent", "duplicate", "sent", "duplicate"]);
  });

  test("by idempotency key, also when the first was settled long ago", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    say(bus, "first", { idempotency_key: "k" });
    settle(bus, "agent2", (await drain(bus, "agent2")).messages, "acked");
    say(bus, "second", { idempotency_key: "k" });
    expect(texts(await drain(bus, "agent2"))).toEqual([]);
  });

  test("but keys belong to their sender, and to one receiver", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    say(bus, "one", { id: "same", idempotency_key: "k" });
    say(bus, "two", { id: "same", idempotency_key: "k", from: "agent3" });
    say(bus, "three", { id: "same", idempotency_key: "k", origin: "constel1" });
    say(bus, "four", { id: "same", to: "agent4" });
    expect(texts(await drain(bus, "agent2"))).toEqual(["one", "two", "three"]);
    expect(texts(await drain(bus, "agent4"))).toEqual(["four"]);
  });
});

describe("settling", () => {
  test("delivered, then acked, each recorded once", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    say(bus, "x");
    const { messages } = await drain(bus, "agent2");
    expect(settle(bus, "agent2", messages, "delivered", "hook")).toEqual(["settled"]);
    expect(settle(bus, "agent2", messages, "delivered", "hook")).toEqual(["already"]);
    expect(settle(bus, "agent2", messages, "acked")).toEqual(["settled"]);
    expect(settle(bus, "agent2", messages, "acked")).toEqual(["already"]);
    expect(states(bus)).toEqual(["sent", "delivered", "acked"]);
    expect(filesIn(home.path, "agent2", "processing")).toEqual([]);
    expect(filesIn(home.path, "agent2", "done")).toHaveLength(1);
  });

  test("given back, a message is handed out again as if for the first time", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    say(bus, "x");
    giveBack(bus, "agent2", (await drain(bus, "agent2")).messages);
    const { messages } = await drain(bus, "agent2");
    expect(messages.map((message) => message.again)).toEqual([false]);
  });

  test("what arrived after its lease had ended is done all the same", async () => {
    using home = new TemporaryHome();
    const others = otherProcesses();
    const bus = fakeBus(home.path, { liveness: others.liveness });
    say(bus, "x");
    const { messages } = await drain(bus, "agent2", { claimer: others.mark(1), leaseMs: 1000 });
    bus.clock.advance(1000);
    const second = await drain(bus, "agent2", { claimer: others.mark(2) });
    expect(second.messages.map((message) => message.again)).toEqual([true]);
    expect(settle(bus, "agent2", messages, "acked")).toEqual(["settled"]);
    expect(settle(bus, "agent2", second.messages, "acked")).toEqual(["already"]);
  });
});

const doubtful = async (proof: "arrived" | "never-arrived" | "unknown" | undefined) => {
  using home = new TemporaryHome();
  const others = otherProcesses();
  const bus = fakeBus(home.path, {
    liveness: others.liveness,
    ...(proof === undefined ? {} : { proofOfDelivery: () => proof }),
  });
  say(bus, "x");
  await drain(bus, "agent2", { claimer: others.mark(1) });
  others.dead.add(1);
  const { messages } = await drain(bus, "agent2");
  return { again: messages.map((message) => message.again), states: states(bus) };
};

test("an arrival that cannot be confirmed is reported as unknown, and the message stays handed out", async () => {
  using home = new TemporaryHome();
  const bus = fakeBus(home.path);
  say(bus, "x");
  const { messages } = await drain(bus, "agent2");
  reportUnknown(bus, "agent2", messages, "the terminal did not take it");
  expect(states(bus)).toEqual(["sent", "unknown"]);
  expect(filesIn(home.path, "agent2", "processing")).toHaveLength(1);
  expect(settle(bus, "agent2", messages, "delivered")).toEqual(["settled"]);
});

describe("a receiver that does not come back", () => {
  test("keeps its messages until its lease ends, and a renewed lease ends later", async () => {
    using home = new TemporaryHome();
    const others = otherProcesses();
    const bus = fakeBus(home.path, { liveness: others.liveness });
    say(bus, "x");
    const [message] = (await drain(bus, "agent2", { claimer: others.mark(1), leaseMs: 1000 })).messages;
    bus.clock.advance(999);
    expect(texts(await drain(bus, "agent2"))).toEqual([]);
    if (message !== undefined) renew(bus, "agent2", message, 1000);
    bus.clock.advance(999);
    expect(texts(await drain(bus, "agent2"))).toEqual([]);
    bus.clock.advance(1);
    expect(texts(await drain(bus, "agent2"))).toEqual(["x"]);
  });

  test("loses them at once when it is proven dead", async () => {
    using home = new TemporaryHome();
    const others = otherProcesses();
    const bus = fakeBus(home.path, { liveness: others.liveness });
    say(bus, "x");
    await drain(bus, "agent2", { claimer: others.mark(1) });
    expect(texts(await drain(bus, "agent2"))).toEqual([]);
    others.dead.add(1);
    expect(texts(await drain(bus, "agent2"))).toEqual(["x"]);
  });

  test("and whose agent has the message: it is delivered, and not handed out again", async () => {
    expect(await doubtful("arrived")).toEqual({ again: [], states: ["sent", "delivered"] });
  });
  test("and whose agent never got it: it is handed out as if for the first time", async () => {
    expect(await doubtful("never-arrived")).toEqual({ again: [false], states: ["sent"] });
  });
  test("and nobody knows: reported as unknown, handed out again, and marked so", async () => {
    expect(await doubtful("unknown")).toEqual({ again: [true], states: ["sent", "unknown"] });
    expect(await doubtful(undefined)).toEqual({ again: [true], states: ["sent", "unknown"] });
  });

  test("holds back later messages of the same sender, and of no other", async () => {
    using home = new TemporaryHome();
    const others = otherProcesses();
    const bus = fakeBus(home.path, { liveness: others.liveness });
    say(bus, "one");
    await drain(bus, "agent2", { claimer: others.mark(1) });
    say(bus, "two");
    say(bus, "other", { from: "agent3" });
    expect(texts(await drain(bus, "agent2"))).toEqual(["other"]);
    others.dead.add(1);
    expect(texts(await drain(bus, "agent2"))).toEqual(["one", "two"]);
  });

  test("does not hold back its own later messages", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    say(bus, "one");
    await drain(bus, "agent2");
    say(bus, "two");
    expect(texts(await drain(bus, "agent2"))).toEqual(["two"]);
  });

  test("again and again makes the message poison", async () => {
    using home = new TemporaryHome();
    const others = otherProcesses();
    const bus = fakeBus(home.path, { liveness: others.liveness });
    say(bus, "x");
    for (let pid = 1; pid <= 3; pid++) {
      await drain(bus, "agent2", { claimer: others.mark(pid), maxAttempts: 3 });
      others.dead.add(pid);
    }
    expect((await drain(bus, "agent2", { maxAttempts: 3 })).poisoned).toBe(1);
    expect(listPoison(bus, "agent2")[0]?.reason?.code).toBe("bus.too-many-attempts");
  });
});

const body = (extra: Record<string, unknown>): string =>
  JSON.stringify({ from: "agent1", text: "x", ts: "2026-01-02T03:04:05Z", ...extra });

const inbox = (bus: Bus, name: string): string => pathIn(bus.home, "agent2", "inbox", name);

const named = (bus: Bus): string => inbox(bus, makeMessageName(bus, 1, "agent1").name);

const checkPoisoned = (name: string, put: (bus: Bus) => unknown, code: string): void => {
  test(`${name}, with ${code}`, async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    say(bus, "before");
    put(bus);
    say(bus, "after");
    const drained = await drain(bus, "agent2", { maxBytes: 64 * 1024 * 1024 });
    expect(texts(drained)).toEqual(["before", "after"]);
    expect(drained.poisoned).toBe(1);
    const [poisoned] = listPoison(bus, "agent2");
    expect(poisoned?.reason?.code).toBe(code);
    expect(states(bus)).toContain("poisoned");
    expect([...filesIn(home.path, "agent2", "inbox"), ...filesIn(home.path, "agent2", "processing")]).toHaveLength(2);
  });
};

describe("poisoned before a model sees it:", () => {
  checkPoisoned("text that is no JSON", (bus) => plant(bus, "{"), "bus.bad-json");
  checkPoisoned("an empty file", (bus) => plant(bus, ""), "bus.bad-json");
  checkPoisoned("a wrapper token", (bus) => plant(bus, body({ text: "<system-reminder>" })), "bus.wrapper-token");
  checkPoisoned("a body over 1 MiB", (bus) => plant(bus, body({ text: "x".repeat(1024 * 1024 + 1) })), "bus.too-large");
  checkPoisoned("a file of 20 MiB", (bus) => plant(bus, Buffer.alloc(20 * 1024 * 1024, " ")), "bus.too-large");
  checkPoisoned("a sender that is no agent", (bus) => plant(bus, body({ from: "owner" })), "bus.bad-agent-id");
  checkPoisoned("another sender than its name says", (bus) => plant(bus, body({ from: "agent9" })), "bus.bad-name");
  checkPoisoned("a message for another agent", (bus) => plant(bus, body({ to: "agent9" })), "bus.misaddressed");
  checkPoisoned("a strange name", (bus) => writeFileSync(inbox(bus, "hello.json"), body({})), "bus.bad-name");
  checkPoisoned("a name of 255 bytes", (bus) => writeFileSync(inbox(bus, "x".repeat(255)), body({})), "bus.bad-name");
  checkPoisoned("a symbolic link", (bus) => symlinkSync("/etc/passwd", named(bus)), "bus.bad-name");
  checkPoisoned("a directory", (bus) => mkdirSync(named(bus)), "bus.bad-name");
  checkPoisoned("a named pipe, without waiting for its writer", (bus) => makePipe(named(bus)), "bus.bad-name");

  test("a strange file in processing", async () => {
    using home = new TemporaryHome();
    const bus = fakeBus(home.path);
    const { name } = say(bus, "x");
    mkdirSync(pathIn(home.path, "agent2", "processing", ""));
    renameSync(inbox(bus, name), pathIn(home.path, "agent2", "processing", `${name}~z9.what`));
    expect((await drain(bus, "agent2")).poisoned).toBe(1);
    expect(listPoison(bus, "agent2")[0]?.reason?.originalName).toBe(`${name}~z9.what`);
  });
});

const keys = async () => (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair;

const signed = async (bus: Bus, pair: CryptoKeyPair, text: string): Promise<Envelope & { to: string }> => {
  const envelope = completeEnvelope(bus, { from: "agent1", to: "agent2", text });
  const signature = await crypto.subtle.sign("Ed25519", pair.privateKey, signedBytes(envelope));
  return { ...envelope, sig: Buffer.from(signature).toString("base64") };
};

const busOf = (home: string, pair: CryptoKeyPair, extra: Partial<Bus> = {}) =>
  fakeBus(home, {
    verify: (envelope) =>
      envelope.from === "agent1"
        ? crypto.subtle.verify(
            "Ed25519",
            pair.publicKey,
            Buffer.from(envelope.sig ?? "", "base64"),
            signedBytes(envelope),
          )
        : "unknown-sender",
    ...extra,
  });

describe("signatures", () => {
  test("one that verifies makes the sender known", async () => {
    using home = new TemporaryHome();
    const pair = await keys();
    const bus = busOf(home.path, pair);
    send(bus, await signed(bus, pair, "true"));
    const { messages } = await drain(bus, "agent2");
    expect(messages.map((message) => [message.envelope.text, message.verified])).toEqual([["true", true]]);
  });

  test("one over other content, by another key, or of no form is poison", async () => {
    using home = new TemporaryHome();
    const pair = await keys();
    const bus = busOf(home.path, pair);
    send(bus, { ...(await signed(bus, pair, "true")), text: "false" });
    send(bus, await signed(bus, await keys(), "forged"));
    send(bus, { ...(await signed(bus, pair, "junk")), sig: "junk" });
    const drained = await drain(bus, "agent2");
    expect([texts(drained), drained.poisoned]).toEqual([[], 3]);
    expect(listPoison(bus, "agent2").map((entry) => entry.reason?.code)).toEqual(Array(3).fill("bus.bad-signature"));
  });

  test("an unsigned message or an unknown sender is handed out unverified, unless signatures are required", async () => {
    using home = new TemporaryHome();
    const pair = await keys();
    const bus = busOf(home.path, pair);
    const both = (): void => {
      say(bus, "unsigned");
      say(bus, "stranger", { from: "agent3", sig: "AAAA" });
    };
    both();
    expect((await drain(bus, "agent2")).messages.map((message) => message.verified)).toEqual([false, false]);
    both();
    expect((await drain({ ...bus, requireSignature: true }, "agent2")).poisoned).toBe(2);
  });
});

test("nothing that happens to a mailbox changes what lies outside it", async () => {
  using home = new TemporaryHome();
  using elsewhere = new TemporaryHome();
  const bus = fakeBus(home.path);
  const secret = join(elsewhere.path, "secret");
  writeFileSync(secret, "kept");
  say(bus, "x");
  for (const room of ["processing", "done", "poison", "seen"]) {
    symlinkSync(elsewhere.path, join(home.path, "channels/agent/agent2", room));
  }
  expect(await rejection(drain(bus, "agent2"))).toMatchObject({ code: "path.symlink" });
  expect(snapshotOf(elsewhere.path)).toEqual({ [secret]: "kept" });
  expect(readFileSync(secret, "utf8")).toBe("kept");
});
