// Sessions that people started, on real files and a real store with a clock that stands still.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { listAgents } from "../../core/agents/queries.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { pendingFor } from "../../floor/bus/pending.ts";
import { send } from "../../floor/bus/send.ts";
import { type Guest, writeGuest } from "../../floor/guests/guest-files.ts";
import { readHearPart, writeHear } from "../../../test/kit/hear.ts";
import { toldMarks } from "../../floor/hear/hear-files.ts";
import { takeLaidMessage } from "../../floor/hear/take-laid-message.ts";
import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import { runtimeNamed } from "../../host/runtime/all.ts";
import { hookFile } from "../../host/runtime/hook-records.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import type { Liveness, ProcessMark } from "../../ports/machine.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { openStore, type Store } from "../../store/open.ts";
import { GuestMessages } from "./guest-messages.ts";
import { SeenGuests } from "./see-guests.ts";

const agent = "agentg0123456789ab";
const other = "agentgfedcba987654";
let directory: ReturnType<typeof temporaryDirectory>;
let home: string;
let clock: FakeClock;
let store: Store;
let bus: Bus;
const dead = new Set<number>();
let self: ProcessMark = { pid: 1, token: "0-1" };
const liveness: Liveness = { self: () => self, isProvenDead: ({ pid }) => dead.has(pid) };

beforeEach(async () => {
  directory = temporaryDirectory("guests");
  home = directory.path;
  for (const name of ["backups", "state/hooks"]) mkdirSync(join(home, name), { recursive: true });
  clock = new FakeClock(Date.now());
  const random = seededRandom(7);
  const url = `sqlite:${join(home, "meta.db")}`;
  store = await openStore({ url, backupDirectory: join(home, "backups"), clock, random, constellation: "c" });
  bus = { home, clock, random, liveness, sign: undefined, recorder: undefined };
  dead.clear();
  self = { pid: 1, token: "0-1" };
});
afterEach(async () => {
  await store.close();
  directory[Symbol.dispose]();
});

const guest = (more: Partial<Guest> = {}): Guest => ({
  agent,
  runtime: "claude",
  session: "s1",
  process: { pid: 100, token: "0-5" },
  cwd: "/work/tree",
  startedAt: clock.nowMs(),
  ...more,
});
const seen = () => new SeenGuests({ home, store, clock, liveness, runtimeNamed });
const listed = async () => (await listAgents({ store, clock })).agents;
const hookSays = (more: Record<string, unknown>): void =>
  appendFileSync(
    hookFile(home, agent),
    `${JSON.stringify({ event: "tool-began", at: clock.nowMs(), session: "s1", ...more })}\n`,
  );
const items = () => readHearPart(home, agent, "messages");
const mark = (id: string, ageMs = 0): void => {
  mkdirSync(join(home, "state/hear", `${agent}.told`), { recursive: true });
  const path = join(home, "state/hear", `${agent}.told`, id);
  writeFileSync(path, "");
  const at = (clock.nowMs() - ageMs) / 1000;
  utimesSync(path, at, at);
};

test("a guest is there while its process is, wanted by nobody, and gone with it", async () => {
  writeGuest(home, guest());
  writeGuest(home, guest({ agent: other, session: "s2", process: { pid: 101, token: "0-6" } }));
  const guests = seen();
  expect((await guests.look()).map((one) => one.agent).sort()).toEqual([agent, other]);
  expect(await listed()).toMatchObject([
    { agent, role: "guest", wanted: "nothing", state: "idle", session_id: "s1", cwd: "/work/tree" },
    { agent: other, role: "guest" },
  ]);
  hookSays({ event: "prompt-submitted" });
  await guests.look();
  expect((await listed())[0]).toMatchObject({ state: "busy", evidence: { on: "hooks" } });
  dead.add(100);
  await guests.look();
  expect((await listed()).map((one) => one.agent)).toEqual([other]);
  expect(existsSync(join(home, `state/guests/${agent}.json`))).toBe(false);
});

test("a guest that ended while no daemon ran is let go of, and comes back under its own name", async () => {
  writeGuest(home, guest());
  await seen().look();
  rmSync(join(home, `state/guests/${agent}.json`));
  await seen().look();
  expect(await listed()).toEqual([]);
  clock.advance(60_000);
  writeGuest(home, guest({ process: { pid: 200, token: "0-9" } }));
  await seen().look();
  expect(await listed()).toMatchObject([{ agent, launched_ms: clock.nowMs() }]);
});

test("of two sessions in one process the later one is there", async () => {
  writeGuest(home, guest());
  clock.advance(1000);
  writeGuest(home, guest({ agent: other, session: "s2" }));
  await seen().look();
  expect((await listed()).map((one) => one.agent)).toEqual([other]);
});

test("damaged and planted guest files are nobody", async () => {
  mkdirSync(join(home, "state/guests"), { recursive: true });
  const bad = ["{", "null", "[]", JSON.stringify({ ...guest(), process: { pid: -1, token: "x" } })];
  for (const [index, text] of bad.entries())
    writeFileSync(join(home, `state/guests/agentg00000000000${index}.json`), text);
  writeFileSync(join(home, "state/guests/agent1.json"), JSON.stringify({ ...guest(), agent: "agent1" }));
  expect(await seen().look()).toEqual([]);
});

test("a message is laid for its hooks, and delivered when a hook says that it printed it", async () => {
  const messages = new GuestMessages(bus);
  send(bus, { from: "agent0", to: agent, text: "look at the schema" });
  writeHear(home, agent, "notices", [{ id: "n1", at: ["edit"], files: [], text: "a notice" }]);
  await messages.attend(agent);
  const [item] = items();
  expect(item).toMatchObject({ at: ["start", "prompt", "edit", "stop"], files: [] });
  expect(item?.text).toContain("| look at the schema");
  expect(item?.text).toContain("not input from the owner");
  await messages.attend(agent);
  expect(items()).toEqual([item as never]);
  mark(item?.id ?? "");
  hookSays({ told: [item?.id] });
  await messages.attend(agent);
  expect(items()).toEqual([]);
  expect(pendingFor(bus, agent)).toEqual({ waiting: 0, doubtful: [], orphaned: 0, held: 0 });
  expect(toldMarks(home, agent)).toEqual([]);
  expect(readHearPart(home, agent, "notices")).toHaveLength(1);
});

test("what was not told goes back when the session or the daemon ends, and is told to the next", async () => {
  send(bus, { from: "agent0", to: agent, text: "for later" });
  const messages = new GuestMessages(bus);
  await messages.attend(agent);
  messages.release(agent);
  expect(items()).toEqual([]);
  expect(pendingFor(bus, agent)).toMatchObject({ waiting: 1, doubtful: [] });
  await messages.attend(agent);
  expect(items()[0]?.text).not.toContain("maybe-seen-before");
});

test("a daemon that was killed leaves nothing behind that is told twice or never", async () => {
  send(bus, { from: "agent0", to: agent, text: "first" });
  send(bus, { from: "agent0", to: agent, text: "second" });
  await new GuestMessages(bus).attend(agent);
  const [first, second] = items();
  mark(first?.id ?? "");
  hookSays({ told: [first?.id] });
  dead.add(1);
  self = { pid: 2, token: "0-2" };
  const next = new GuestMessages(bus);
  await next.attend(agent);
  await next.attend(agent);
  expect(items()).toEqual([second as never]);
  expect(pendingFor(bus, agent)).toMatchObject({ waiting: 0, doubtful: [{ claimer: self }] });
});

test("a hook that died between its mark and its print: the message is offered again under the next name, and says so", async () => {
  send(bus, { from: "agent0", to: agent, text: "perhaps" });
  const messages = new GuestMessages(bus);
  await messages.attend(agent);
  const [before] = items();
  mark(before?.id ?? "", 1000);
  await messages.attend(agent);
  expect(items()).toEqual([before as never]);
  clock.advance(15_000);
  await messages.attend(agent);
  const [after] = items();
  expect(after?.id).toBe(before?.id.replace(/1$/, "2") ?? "");
  expect(after?.text).toContain("maybe-seen-before");
});

test("a long message is cut to what a hook prints, and says where the rest is", async () => {
  send(bus, { from: "agent0", to: agent, text: "x".repeat(500_000) });
  await new GuestMessages(bus).attend(agent);
  const text = items()[0]?.text ?? "";
  expect(text.length).toBeLessThan(8000);
  expect(text).toContain("494000 more characters");
  expect(text).toContain("</constel-messages>");
});

test("an answer that a session waited for and read by itself is not told to it again; one that its hook took up is the hook's", async () => {
  const messages = new GuestMessages(bus);
  const place = sealedHome(home);
  const read = (envelope: Envelope) => takeLaidMessage(bus, place, agent, envelope, "printed by --wait");
  const first = send(bus, { from: "agent1", to: agent, text: "8080" }).envelope;
  const second = send(bus, { from: "agent1", to: agent, text: "8081" }).envelope;
  await messages.attend(agent);
  const [, later = { id: "" }] = items();
  mark(later.id);
  expect([await read(first), await read(first), await read(second)]).toEqual([true, false, false]);
  await messages.attend(agent);
  expect(items().map(({ id }) => id)).toEqual([later.id]);
  hookSays({ told: [later.id] });
  await messages.attend(agent);
  expect([items(), pendingFor(bus, agent)]).toMatchObject([[], { waiting: 0, doubtful: [], held: 0 }]);
});
