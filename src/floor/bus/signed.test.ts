// The bus with real keys: what is shown as verified is what its sender signed for this receiver, and nothing else passes for it.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { fakeBus, filesIn, makePipe, pathIn, TemporaryHome } from "../../../test/bus-kit.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { signWith } from "../../host/keys/ed25519.ts";
import { makeOwnerKey, revokeKey, rotateKey, signingKey } from "../../host/keys/key-files.ts";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isConstels } from "../../host/keys/seal-for-constel.ts";
import { Refusal } from "../../protocol/errors.ts";
import { type Envelope, signedBytes } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import { journalName, readJournal } from "./bus-journal.ts";
import { drain } from "./drain.ts";
import { makeMessageName } from "./message-name.ts";
import { listPoison } from "./poison.ts";
import { send } from "./send.ts";
import { sendToMany } from "./send-to-many.ts";
import { throwing } from "../../../test/kit/rejection.ts";

let home: TemporaryHome;
let bus: Bus;
beforeEach(() => {
  home = new TemporaryHome();
  bus = { ...fakeBus(home.path), clock: systemClock, ...busTrust(home.path, systemClock, () => "constellation") };
});
afterEach(() => home[Symbol.dispose]());

/** A file in a mailbox, as anybody of the account could write it. */
function plant(envelope: Envelope, to = "agent2"): void {
  const { name } = makeMessageName(bus, 1, envelope.from);
  mkdirSync(pathIn(home.path, to, "inbox", ""), { recursive: true });
  writeFileSync(pathIn(home.path, to, "inbox", name), JSON.stringify(envelope));
}

const shown = async (agent = "agent2"): Promise<[string, boolean][]> =>
  (await drain(bus, agent)).messages.map(({ envelope, verified }) => [envelope.text, verified]);
const poisoned = (agent = "agent2") => listPoison(bus, agent).map(({ reason }) => reason?.code);
const say = (from = "agent1", more: object = {}): Envelope =>
  send(bus, { from, to: "agent2", text: "true", thread: "t", ...more }).envelope;

describe("a message that was signed", () => {
  test("is shown as verified, from agents, the owner and constel", async () => {
    for (const from of ["agent1", "agent0", "agentinfinity", "agentowner", "agentdispatch", "agentcron"]) say(from);
    expect(await shown()).toEqual(Array.from({ length: 6 }, () => ["true", true]));
  });

  const changes: Record<string, (envelope: Envelope) => Envelope> = {
    body: (envelope) => ({ ...envelope, text: "false" }),
    sender: (envelope) => ({ ...envelope, from: "agent3" }),
    id: (envelope) => ({ ...envelope, id: "another" }),
    time: (envelope) => ({ ...envelope, ts: new Date(Date.parse(envelope.ts) + 1).toISOString() }),
    thread: (envelope) => ({ ...envelope, thread: "other" }),
    kind: (envelope) => ({ ...envelope, kind: "ready" }),
    task: (envelope) => ({ ...envelope, task: "7" }),
    key: (envelope) => ({ ...envelope, idempotency_key: "k" }),
    receiver: ({ from, text, ts, id = "", thread = "", sig = "" }) => ({ from, text, ts, id, thread, sig }),
    signature: (envelope) => ({
      ...envelope,
      sig: (envelope.sig ?? "").replace(/.$/, (last) => (last === "A" ? "Q" : "A")),
    }),
  };
  for (const [field, change] of Object.entries(changes)) {
    test(`fails when its ${field} was changed`, async () => {
      const { envelope } = send(bus, { from: "agent1", to: "agent4", text: "true", thread: "t" });
      plant(change({ ...envelope, to: "agent2" }));
      plant(change(send(bus, { from: "agent1", to: "agent2", text: "true", thread: "t" }).envelope));
      expect(await shown()).toEqual([["true", true]]);
      expect(poisoned()).toEqual(["bus.bad-signature", "bus.bad-signature"]);
    });
  }

  test("to several is verified by each of them, in the owner's name and in constel's too", async () => {
    for (const from of ["agent1", "agentowner", "agentcron"])
      sendToMany(bus, { from, text: "true" }, ["agent2", "agent3"]);
    for (const agent of ["agent2", "agent3"])
      expect(await shown(agent)).toEqual(Array.from({ length: 3 }, () => ["true", true]));
  });

  test("to several passes for one to nobody else, and for none when somebody was added or left out", async () => {
    sendToMany(bus, { from: "agentowner", text: "true" }, ["agent2", "agent3"]);
    const [name = ""] = filesIn(home.path, "agent2", "inbox");
    const envelope = JSON.parse(readFileSync(pathIn(home.path, "agent2", "inbox", name), "utf8")) as Envelope;
    plant(envelope, "agent4");
    plant({ ...envelope, receivers: ["agent2", "agent3", "agent5"] }, "agent5");
    const { receivers: _, ...unaddressed } = envelope;
    plant(unaddressed, "agent6");
    plant({ ...unaddressed, to: "agent7" }, "agent7");
    for (const agent of ["agent4", "agent5", "agent6", "agent7"]) expect(await shown(agent)).toEqual([]);
    expect(["agent4", "agent5", "agent6", "agent7"].flatMap((agent) => poisoned(agent))).toEqual([
      "bus.misaddressed",
      "bus.bad-signature",
      "bus.bad-signature",
      "bus.bad-signature",
    ]);
  });

  test("for nobody in particular is nobody's word", async () => {
    const unsigned: Envelope = { from: "agentowner", text: "true", ts: new Date().toISOString(), id: "m1" };
    plant({ ...unsigned, sig: bus.sign?.(unsigned) ?? "" });
    expect(await shown()).toEqual([]);
    expect(poisoned()).toEqual(["bus.impostor"]);
  });

  test("of a kind that only constel sends goes to several from constel and the owner alone", () => {
    expect(() => sendToMany(bus, { from: "agent1", text: "x", kind: "brief" }, ["agent2", "agent3"])).toThrow(
      "kind brief",
    );
  });

  test("replayed to another agent is put aside; replayed to the same one it is a duplicate", async () => {
    const envelope = say();
    plant(envelope, "agent3");
    plant(envelope);
    expect(await shown("agent3")).toEqual([]);
    expect(poisoned("agent3")).toEqual(["bus.misaddressed"]);
    expect(await shown()).toEqual([["true", true]]);
  });

  test("verifies after its sender's key was rotated, not after it was revoked", async () => {
    say();
    rotateKey(home.path, "agent1", systemClock);
    say();
    expect(await shown()).toEqual(Array.from({ length: 2 }, () => ["true", true]));
    say();
    revokeKey(home.path, "agent1", systemClock, "lost");
    expect(await shown()).toEqual([]);
    expect(poisoned()).toEqual(["bus.bad-signature"]);
  });
});

describe("a message that was not signed", () => {
  const plain = (more: object): Envelope => ({
    from: "agent1",
    text: "planted",
    ts: new Date().toISOString(),
    ...more,
  });

  test("of an agent is shown as not verified", async () => {
    plant(plain({}));
    expect(await shown()).toEqual([["planted", false]]);
  });

  test("in a name or of a kind that is constel's or the owner's is put aside", async () => {
    say();
    for (const from of ["agentdispatch", "agentowner", "agentcron", "agentlimits", "agentconstel", "agentloop"])
      plant(plain({ from }));
    for (const kind of ["brief", "cancelled", "released", "resume"]) plant(plain({ kind }));
    expect(await shown()).toEqual([["true", true]]);
    expect(poisoned()).toEqual(Array(10).fill("bus.impostor"));
  });

  test("that says it came from another constellation counts with constel's signature alone", async () => {
    const { sig } = say("agent1");
    plant(plain({ origin: "desk" }));
    plant(plain({ origin: "desk", sig }));
    plant(plain({ from: "agentowner", origin: "desk" }));
    say("agent3", { origin: "desk" });
    expect(await shown()).toEqual([
      ["true", true],
      ["true", true],
    ]);
    expect(poisoned().toSorted()).toEqual(["bus.bad-signature", "bus.impostor", "bus.impostor"]);
  });

  test("does not displace the true one by its id or key, whichever comes first", async () => {
    const brief = { id: "d1", kind: "brief", idempotency_key: "d1", task: "1" };
    for (const from of ["agent1", "agentdispatch"]) plant(plain({ from, ...brief, kind: "note" }));
    say("agentdispatch", brief);
    say("agent1", { id: "d1", idempotency_key: "d1" });
    plant(plain({ id: "d1" }));
    expect(await shown()).toEqual([
      ["planted", false],
      ["true", true],
      ["true", true],
    ]);
  });

  test("signed by another agent in constel's name, or with a key nobody knows, is put aside", async () => {
    const { sig } = say("agent1");
    plant(plain({ from: "agentdispatch", sig }));
    plant(plain({ from: "agentdispatch", sig: `ed25519:${"0".repeat(20)}.${"0".repeat(20)}:${"A".repeat(86)}` }));
    await shown();
    expect(poisoned()).toEqual(["bus.bad-signature", "bus.impostor"]);
  });

  test("signed with an agent's own key in another's name is put aside", async () => {
    say("agent1");
    for (const from of ["agentdispatch", "agentowner", "agent0"]) {
      const envelope = plain({ from, to: "agent2" });
      const key = signingKey(home.path, "agent1", systemClock);
      plant({ ...envelope, sig: signWith(key, signedBytes(envelope)) });
    }
    expect(await shown()).toEqual([["true", true]]);
    expect(poisoned()).toEqual(["bus.bad-signature", "bus.bad-signature", "bus.bad-signature"]);
  });
});

/** The code of the refusal that it ends with, or the word for an outage; empty when it succeeds. */
async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "";
  } catch (cause) {
    return cause instanceof Refusal ? cause.code : "outage";
  }
}

describe("while the ring of keys cannot be read", () => {
  const ring = () => `${home.path}/keys/ring.jsonl`;
  const aside = () => `${home.path}/ring.aside`;
  const spoils: Record<string, () => void> = {
    "is gone": () => {},
    "is empty": () => writeFileSync(ring(), ""),
    "is cut in its first line": () => writeFileSync(ring(), readFileSync(aside(), "utf8").slice(0, 200)),
    "is cut in its last line": () =>
      writeFileSync(ring(), readFileSync(aside(), "utf8").trim().split("\n").slice(0, 1).concat('{"op":').join("\n")),
    "is rubbish": () => writeFileSync(ring(), "rubbish\n"),
    "is a directory": () => mkdirSync(ring()),
    "is a pipe": () => makePipe(ring()),
    "is a link to nothing": () => symlinkSync("/nowhere", ring()),
  };
  for (const [how, spoil] of Object.entries(spoils))
    test(`because it ${how}, signed messages wait, that is said, and they are taken when it is back`, async () => {
      makeOwnerKey(home.path, systemClock, {});
      for (const from of ["agentowner", "agent1", "agentowner"]) say(from);
      renameSync(ring(), aside());
      spoil();
      expect(await throwing(drain(bus, "agent2"))).toThrow();
      expect([poisoned(), filesIn(home.path, "agent2", "inbox").length]).toEqual([[], 3]);
      rmSync(ring(), { recursive: true, force: true });
      renameSync(aside(), ring());
      expect(await shown()).toEqual(Array.from({ length: 3 }, () => ["true", true]));
    });

  const keys = () => `${home.path}/keys`;
  const away = () => `${home.path}/keys-away`;
  const losses: Record<string, () => void> = {
    "the whole directory is gone": () => {},
    "the directory is empty": () => mkdirSync(keys(), { mode: 0o700 }),
    "all private keys are gone with the ring": () => (
      mkdirSync(keys(), { mode: 0o700 }),
      writeFileSync(`${keys()}/agent1.key`, "{}")
    ),
    "a file stands in its place": () => writeFileSync(keys(), "x"),
    "it leads elsewhere": () => symlinkSync(`${home.path}/nowhere`, keys()),
  };
  for (const [how, lose] of Object.entries(losses))
    test(`because ${how}, they wait, nothing is sent in the owner's name, and no new ring is begun`, async () => {
      makeOwnerKey(home.path, systemClock, {});
      for (const from of ["agentowner", "agent1"]) say(from);
      renameSync(keys(), away());
      lose();
      for (let times = 0; times < 2; times += 1)
        expect(await codeOf(() => drain(bus, "agent2"))).toMatch(/^keys\.ring-missing$|^path\.symlink$|^outage$/);
      expect(await codeOf(async () => say("agentowner"))).toMatch(/^keys\.ring-missing$|^path\.symlink$|^outage$/);
      expect(await codeOf(async () => makeOwnerKey(home.path, systemClock, {}))).not.toBe("");
      expect([poisoned(), filesIn(home.path, "agent2", "inbox").length]).toEqual([[], 2]);
      rmSync(keys(), { recursive: true, force: true });
      renameSync(away(), keys());
      expect(await shown()).toEqual(Array.from({ length: 2 }, () => ["true", true]));
    });

  test("a private key alone is gone, nothing is sent unsigned in a name that needs a signature", async () => {
    say("agentowner");
    const key = `${keys()}/constellation.key`;
    renameSync(key, `${away()}.key`);
    for (const from of ["agentowner", "agentcron"])
      expect(await codeOf(async () => say(from))).toBe("keys.constellation-lost");
    say("agent3"); // an agent's own word needs none, and is shown as what it is
    expect(await shown()).toEqual([
      ["true", true],
      ["true", false],
    ]);
    expect(poisoned()).toEqual([]);
  });

  test("the owner may begin anew by taking the mark away too", async () => {
    say("agentowner");
    renameSync(keys(), away());
    rmSync(`${home.path}/state/ring-began`);
    say("agentowner");
    expect((await shown()).length).toBe(1);
    expect(poisoned().length).toBeGreaterThan(0); // nobody can vouch for the first one any more
  });

  test("what needs no key is handed out, and the drain says that another waits", async () => {
    say("agentowner");
    renameSync(ring(), aside());
    plant({ from: "agent4", text: "unsigned", ts: new Date().toISOString() });
    plant({ from: "agentowner", text: "unsigned", ts: new Date().toISOString() });
    const drained = await drain(bus, "agent2");
    expect(drained.messages.map(({ envelope, verified }) => [envelope.from, verified])).toEqual([["agent4", false]]);
    expect(drained.waits).toMatchObject({ code: "keys.ring-missing" });
    expect(poisoned()).toEqual([]); // the owner's second waits behind the first
  });

  test("a key that nobody has is still nobody's in a ring that is whole", async () => {
    say();
    plant({
      from: "agent1",
      to: "agent2",
      text: "x",
      ts: new Date().toISOString(),
      sig: `ed25519:${"0".repeat(20)}.${"0".repeat(20)}:${"A".repeat(86)}`,
    });
    expect(await shown()).toEqual([
      ["true", true],
      ["x", false],
    ]);
  });
});

test("nothing is believed without a seal because a key or the ring cannot be read", () => {
  say();
  const believed = () => isConstels(home.path)('{"planted":true}');
  const key = `${home.path}/keys/constellation.key`;
  const spoils: Record<string, () => void> = {
    whole: () => {},
    "a pipe in the place of the key": () => (rmSync(key), makePipe(key)),
    "a key that is rubbish": () => (rmSync(key), writeFileSync(key, "rubbish")),
    "no ring": () => rmSync(`${home.path}/keys/ring.jsonl`),
    "a directory for a ring": () => mkdirSync(`${home.path}/keys/ring.jsonl`),
  };
  for (const [how, spoil] of Object.entries(spoils)) {
    spoil();
    expect([how, believed()]).toEqual([how, false]);
  }
});

test("an agent is told at once that a kind is not its own", () => {
  expect(() => say("agent1", { kind: "brief" })).toThrow(expect.objectContaining({ code: "bus.reserved-kind" }));
});

describe("a line of the journal", () => {
  const today = () => readJournal(bus, journalName(Date.now()), 0).records;
  const journal = () => `${home.path}/logs/${journalName(Date.now())}`;

  test("is whose seal it carries, of those who may say so", () => {
    say();
    const [line = ""] = readFileSync(journal(), "utf8").trim().split("\n");
    const own = { ...bus, ...busTrust(home.path, systemClock, () => "agent1") };
    send(own, { from: "agent1", to: "agent2", text: "x" });
    const other = { ...bus, ...busTrust(home.path, systemClock, () => "agent3") };
    send(other, { from: "agent1", to: "agent2", text: "x" });
    writeFileSync(journal(), `${line.replace('"sent"', '"delivered"')}\n`, { flag: "a" });
    writeFileSync(
      journal(),
      '{"id":"rec_1","at":"2026-01-01T00:00:00Z","state":"delivered","to":"agent2","name":"n"}\n',
      { flag: "a" },
    );
    expect(today().map(({ sealedBy }) => sealedBy)).toEqual([
      "constellation",
      "agent1",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
