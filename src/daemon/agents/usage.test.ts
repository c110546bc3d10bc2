// Tokens of launches that another one has taken the place of: counted to the end, once, whatever comes after them and whether or not a daemon ran.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { keepEarlier, listEarlier } from "../../floor/agents/earlier-launches.ts";
import { runtimeNamed } from "../../host/runtime/all.ts";
import { hookFile } from "../../host/runtime/hook-records.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { type AgentLaunch, launchFile } from "../../ports/agent-launch.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { FakeTerminals } from "../../ports/fake-terminals.ts";
import { inHome } from "../../settings/paths.ts";
import { openStore, type Store } from "../../store/open.ts";
import { Fleet } from "./fleet.ts";
import { UsageAccount } from "./usage.ts";

const agent = "agent1";
const seal = (json: string): string => json;
let directory: ReturnType<typeof temporaryDirectory>;
let home: string;
let clock: FakeClock;
let store: Store;
let tokens: UsageAccount;
let fleet: Fleet;
const said: string[] = [];

beforeEach(async () => {
  directory = temporaryDirectory("usage");
  home = directory.path;
  said.length = 0;
  for (const name of ["backups", "state/agents", "state/hooks", "state/earlier"])
    mkdirSync(join(home, name), { recursive: true });
  clock = new FakeClock(Date.parse("2026-11-19T10:00:00Z"));
  const url = `sqlite:${join(home, "meta.db")}`;
  const backupDirectory = join(home, "backups");
  store = await openStore({ url, backupDirectory, clock, random: seededRandom(7), constellation: "c" });
  const machine = { processes: systemProcesses, clock, env: { HOME: home } };
  const log = (line: string): void => void said.push(line);
  const terminals = new FakeTerminals({ clock });
  fleet = new Fleet({ home, clock, store, machine, runtimeNamed, terminalsOn: () => terminals, log });
  tokens = new UsageAccount({
    home,
    fleet,
    store,
    clock,
    machine,
    runtimeNamed,
    budget: { tokensPerDay: 0, microsPerDay: 0 },
    prices: [],
    log,
  });
});
afterEach(async () => {
  await store.close();
  directory[Symbol.dispose]();
});

const launched = (runtime: string, minutes: number, sessionId?: string): AgentLaunch => ({
  agent,
  role: "clone",
  wanted: "up",
  runtime,
  launch: { agent, home, cwd: home, program: "", promptFile: "", permissions: "ask", hookCommand: [], trusted: true },
  ...(sessionId === undefined ? {} : { sessionId }),
  tmuxSocket: "s",
  sinceMs: at(minutes),
  because: "up",
});
const at = (minutes: number): number => clock.nowMs() + minutes * 60_000;

function hook(minutes: number, transcript: string): void {
  const record = { event: "turn-ended", at: at(minutes), session: "s", transcript };
  appendFileSync(hookFile(home, agent), `${JSON.stringify(record)}\n`);
}

/** A transcript of Claude Code's with one answer. */
function answered(path: string, id: string, output: number): string {
  mkdirSync(dirname(path), { recursive: true });
  const usage = { input_tokens: 1, output_tokens: output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const message = { id, model: "claude-opus-5-5", role: "assistant", content: [], usage };
  const row = { type: "assistant", timestamp: new Date(at(1)).toISOString(), message };
  appendFileSync(path, `${JSON.stringify(row)}\n`);
  return path;
}

const counted = () => store.db.selectFrom("token_usage").select(["id", "output"]).orderBy("id").execute();

test("a replaced launch is counted to its end, with every conversation it had, and once", async () => {
  const [one, two, next] = ["one", "two", "next"].map((name) => join(home, `${name}.jsonl`));
  if (one === undefined || two === undefined || next === undefined) throw new Error("three paths");
  hook(0, answered(one, "m1", 10));
  hook(2, answered(two, "m2", 20)); // after a /clear
  hook(6, answered(next, "m9", 90)); // of the launch after it, perhaps of another program
  keepEarlier(home, launched("claude", 0), at(5), seal);
  await tokens.round();
  expect(await counted()).toEqual([
    { id: "m1", output: 10 },
    { id: "m2", output: 20 },
  ]);
  expect(listEarlier(home)).toEqual([]);
  keepEarlier(home, launched("claude", 0), at(5), seal);
  await tokens.round();
  expect(await counted()).toHaveLength(2);
  expect(said).toEqual([]);
});

test("two that were replaced before any daemon looked, of two programs: both are counted", async () => {
  const path = join(home, ".claude", "projects", home.replace(/[^A-Za-z0-9]/g, "-"), "abc.jsonl");
  answered(path, "m1", 10);
  keepEarlier(home, launched("claude", 0, "abc"), at(1), seal);
  const thread = "0b2f9c1e-1111-4222-8333-444455556666";
  const rollout = join(home, ".codex/sessions/2026/11/19", `rollout-2026-11-19T10-01-00-${thread}.jsonl`);
  mkdirSync(dirname(rollout), { recursive: true });
  const usage = { input_tokens: 5, output_tokens: 7, cached_input_tokens: 0 };
  const payload = { response_id: "r1", usage };
  const row = { timestamp: new Date(at(1)).toISOString(), type: "token_usage_record", payload };
  writeFileSync(rollout, `${JSON.stringify(row)}\n`);
  keepEarlier(home, launched("codex", 1, thread), at(2), seal);
  await tokens.round();
  expect((await counted()).map(({ id }) => id)).toEqual(["m1", "r1"]);
});

test("a conversation that went along to another account is paid for by whoever answered in it", async () => {
  const place = (name: string): string => join(home, name, "projects", home.replace(/[^A-Za-z0-9]/g, "-"), "abc.jsonl");
  const account = { name: "second", directory: join(home, "second") };
  const usual = launched("claude", 0, "abc");
  const second = { ...launched("claude", 2, "abc"), launch: { ...usual.launch, account } };
  answered(place(".claude"), "m1", 10);
  for (const id of ["m1", "m2"]) answered(place("second"), id, 10);
  keepEarlier(home, usual, at(2), seal);
  writeFileSync(join(home, launchFile(agent)), JSON.stringify(second));
  clock.advance(1_000);
  await fleet.sweep();
  await tokens.round();
  const rows = await store.db.selectFrom("token_usage").select(["id", "account"]).orderBy("id").execute();
  expect(rows).toEqual([
    { id: "m1", account: null },
    { id: "m2", account: "second" },
  ]);
});

test("a damaged file and a program that nobody knows hold nobody up, and no agent piles up more than twenty", async () => {
  writeFileSync(join(home, inHome.earlier, "agent1-000000000000001.json"), "{");
  writeFileSync(join(home, inHome.earlier, "notes.txt"), "");
  keepEarlier(home, launched("nobodys", 0), at(1), seal);
  await tokens.round();
  expect(readdirSync(join(home, inHome.earlier))).toEqual([]);
  for (let n = 0; n < 30; n += 1) keepEarlier(home, launched("claude", n), at(n + 1), seal);
  expect(listEarlier(home).map(({ launch }) => launch.sinceMs)).toEqual(
    Array.from({ length: 20 }, (_, n) => at(n + 10)),
  );
});
