// Findings opened, changed and closed at random, hooks that hear, hesitate and die, against a model: each agent concerned is told
// each kind of evidence exactly once, nobody else hears anything, and "no longer a problem" reaches exactly who was told. Then the same
// with daemons that are killed in mid-round, records that are read twice, quiet hours, a small budget, a session that comes and
// goes, and agents that others of the same name replace. CONSTEL_NOTICES_FINDINGS sets how many findings a run opens at least (default 250), CONSTEL_NOTICES_SEED its dice.

import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import type { HearItem, HearMoment } from "../../protocol/hear.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { liveNotices, tellingsById, toldBetween } from "./notices.sql.ts";
import { collision, NoticesScene } from "./notices-scene.suite.ts";
import { takeTold } from "./take-told.ts";

const atLeast = Number(process.env["CONSTEL_NOTICES_FINDINGS"] ?? 250);
const atLeastInUnrest = Number(process.env["CONSTEL_NOTICES_FINDINGS"] ?? 120);
const names = ["a", "b", "c", "d", "e"];
const here = withStore(sqliteScene);

interface Believed {
  /** The lines of evidence this agent was told since it last heard that it is over. */
  readonly lines: Set<string>;
}

class Killed extends Error {}

const hourMs = 3_600_000;
/** A session that a person started in the last agent's worktree. */
const guest = "agentg0123456789ab";

const once =
  "each concerned agent hears each kind of evidence once, its end once if it heard of it, and nobody else anything";
test(once, () => againstModel("calm"));
test(`${once}; also where daemons die, hours are quiet, budgets small, sessions come and go and agents are replaced`, () =>
  againstModel("unrest"));

async function againstModel(weather: "calm" | "unrest"): Promise<void> {
  const isUnrest = weather === "unrest";
  const bytes = seededRandom(Number(process.env["CONSTEL_NOTICES_SEED"] ?? 5));
  const dice = (sides: number): number => (bytes.bytes(4).reduce((sum, one) => sum * 256 + one, 0) >>> 0) % sides;
  const budget = isUnrest ? 6 : 1_000_000;
  let isQuiet = false;
  let isGuestHere = isUnrest;
  let mayDie = isUnrest;
  const scene = new NoticesScene(here, [...names, "z"], {
    budgetPerHour: budget,
    isQuiet: () => isQuiet,
    guests: () => (isGuestHere ? [{ agent: guest, runtime: "claude", cwd: "/w/e" }] : []),
    step: () => {
      if (mayDie && dice(25) === 0) throw new Killed();
    },
  });
  await scene.begin();
  const agents = [...names.map((name) => `agent${name}`), ...(isUnrest ? [guest] : [])];
  /** Those that are replaced at times, and the conversation that each is in. */
  const replaced = isUnrest ? ["agentb", "agentc"] : [];
  const sessions = new Map<string, string>();
  const woken = new Set<string>();
  let launches = 0;
  const replace = async (agent: string): Promise<void> => {
    const session = `s${(launches += 1)}`;
    // Some programs are given the name of their conversation, others make it up and say it with their first hook.
    await scene.launch(agent, dice(2) === 0 ? session : undefined, { seen: { state: "idle", on: "hooks", says: "" } });
    sessions.set(agent, session);
    for (const [key, { lines }] of believed) if (key.startsWith(`${agent} `)) lines.clear();
  };
  const worktreeOf = (agent: string): string => (agent === guest ? "e" : agent.slice("agent".length));
  /** The next daemon begins where the last one was killed. */
  const rounds = async (): Promise<void> => {
    for (;;) {
      try {
        await scene.rounds();
        break;
      } catch (cause) {
        if (!(cause instanceof Killed)) throw cause;
      }
    }
    // An idle agent is woken by messages; the same message sent twice is one.
    for (const { id, agent } of scene.sent.splice(0)) {
      if (woken.has(id)) continue;
      woken.add(id);
      const item = { id, at: [], files: [], text: "" };
      await hear(agent, [item]);
      await prove(agent, [item]);
    }
  };
  const prove = async (agent: string, items: readonly HearItem[]): Promise<void> => {
    if (items.length === 0) return;
    const ids = items.map(({ id }) => id);
    const to = sessions.get(agent);
    if (to !== undefined) scene.machine.conversations.heard(agent, to);
    const proof = { agent, ids, by: "hook prompt-submitted", atMs: here.clock.nowMs(), to };
    const take = () => takeTold(scene.context, proof);
    await take();
    // A daemon that died before it noted how far it had read reads the record once more.
    if (isUnrest && dice(8) === 0) await take();
    await rounds();
  };
  /** Checks that what lies ready keeps to the hour: in quiet ones only what is high, past the budget one piece. */
  const looksRight = async (agent: string): Promise<void> => {
    const marks = scene.desk.marks(agent);
    const ids = scene.desk.items(agent).flatMap(({ id }) => (marks.has(id) ? [] : [id]));
    const lying = await tellingsById(here.store.db, here.store.constellation, agent, ids);
    const nowMs = here.clock.nowMs();
    const told = await toldBetween(here.store.db, here.store.constellation, nowMs - hourMs, nowMs, (one) =>
      sessions.get(one),
    );
    const left = Math.max(1, budget - (told.get(agent) ?? 0));
    if (ids.length > left) problems.push(`${agent}: ${ids.length} pieces lie ready where ${left} are left`);
    const low = lying.flatMap(({ covers }) => covers).filter(({ as, over }) => over || as !== "high");
    if (isQuiet && low.length > 0) problems.push(`${agent}: ${JSON.stringify(low)} in quiet hours`);
  };
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));
  /** By pair, by file: the rules that collide there now. */
  const world = new Map<string, Map<string, Set<string>>>(pairs.map((pair) => [pair.join(" "), new Map()]));
  const believed = new Map<string, Believed>();
  /** Told, and the record is still to be taken. */
  const hands: { agent: string; items: HearItem[]; rounds: number }[] = [];
  let opened = 0;
  const problems: string[] = [];

  const idOf = async (finding: string): Promise<string> => {
    const row = await here.store.db
      .selectFrom("findings")
      .select("fingerprint")
      .where("id", "=", finding)
      .executeTakeFirst();
    return row?.fingerprint ?? "";
  };
  /** Notes what the agent takes away from a telling, checked against what it knew. */
  const hear = async (agent: string, items: readonly HearItem[]): Promise<void> => {
    const tellings = await tellingsById(
      here.store.db,
      here.store.constellation,
      agent,
      items.map(({ id }) => id),
    );
    for (const cover of tellings.flatMap(({ covers }) => covers)) {
      const fingerprint = await idOf(cover.source);
      const [ours = "", theirs = ""] = fingerprint.split(" ");
      if (![ours, theirs].includes(worktreeOf(agent))) problems.push(`${agent} heard of ${fingerprint}`);
      const key = `${agent} ${fingerprint}`;
      const known = believed.get(key) ?? { lines: new Set<string>() };
      believed.set(key, known);
      if (cover.over) {
        if (known.lines.size === 0) problems.push(`${key}: an end of what it never heard of`);
        known.lines.clear();
        continue;
      }
      if (!cover.kinds.some((kind) => !known.lines.has(kind))) problems.push(`${key}: told again`);
      for (const kind of cover.kinds) known.lines.add(kind);
    }
  };
  const drafts = (pair: string) =>
    [...(world.get(pair) ?? [])].map(([path, rules]) =>
      collision(path, {
        severity: (["high", "medium", "low"] as const)[path.length % 3] ?? "high",
        evidenceKind: [...rules]
          .map((rule) => `${rule} ${path}`)
          .sort()
          .join("\n"),
      }),
    );
  for (const agent of replaced) await replace(agent);
  const moments: HearMoment[] = ["prompt", "edit", "stop"];

  while (opened < (isUnrest ? atLeastInUnrest : atLeast)) {
    const changed = pairs.filter(() => dice(3) === 0);
    for (const pair of changed) {
      const files = world.get(pair.join(" ")) ?? new Map<string, Set<string>>();
      for (let count = dice(12); count > 0; count--) {
        const path = `f${"x".repeat(dice(3))}${dice(6)}`;
        const rules = files.get(path);
        const what = dice(4);
        if (rules === undefined) {
          files.set(path, new Set([`r${dice(3)}`]));
          opened += 1;
        } else if (what === 0) rules.add(`r${dice(3)}`);
        else if (what === 1 && rules.size > 1) rules.delete([...rules][0] ?? "");
        else files.delete(path);
      }
    }
    await scene.see(changed.map((pair) => [pair[0], pair[1], drafts(pair.join(" "))]));
    if (isUnrest) {
      if (dice(6) === 0) isQuiet = !isQuiet;
      // A session does not end while a hook of its speaks.
      if (dice(4) === 0 && !hands.some(({ agent }) => agent === guest)) isGuestHere = !isGuestHere;
    }
    for (const agent of replaced) {
      // Its hooks' records are read in the order in which they were left, so those of the old one come first.
      if (dice(6) === 0 && !hands.some((one) => one.agent === agent)) await replace(agent);
    }
    if (dice(3) > 0) {
      await rounds();
      for (const agent of agents) await looksRight(agent);
    }
    for (const agent of agents) {
      if (dice(2) === 0 || (agent === guest && !isGuestHere)) continue;
      const at = moments[dice(3)] ?? "prompt";
      const items = scene.desk.takeUp(agent, at, `/w/${worktreeOf(agent)}/fx${dice(4)}`, sessions.get(agent));
      const fate = dice(5);
      // It died between its mark and its word: nobody heard, and nobody will ever say so.
      if (fate === 0 || items.length === 0) continue;
      await hear(agent, items);
      if (fate === 1) hands.push({ agent, items, rounds: dice(2) });
      else await prove(agent, items);
    }
    // A record is there when its hook has spoken, and is read before a daemon does anything else: hours pass only after that.
    const isLong = isUnrest && dice(5) === 0;
    if (!isLong) here.clock.advance(dice(4_000));
    for (const one of hands.splice(0)) {
      if (one.rounds === 0 || isLong) await prove(one.agent, one.items);
      else hands.push({ ...one, rounds: one.rounds - 1 });
    }
    if (isLong) here.clock.advance(dice(hourMs));
    expect(problems).toEqual([]);
  }
  // Everybody has the time to hear everything.
  for (const { agent, items } of hands.splice(0)) await prove(agent, items);
  isQuiet = mayDie = false;
  isGuestHere = isUnrest;
  for (let round = 0; round < 4; round++) {
    here.clock.advance(isUnrest ? hourMs + 1 : 11_000);
    await rounds();
    for (const agent of [...agents, "agentz"]) {
      const items = scene.desk.takeUp(agent, "prompt", undefined, sessions.get(agent));
      // Its hooks run, whether or not there is something to hear.
      if (sessions.has(agent)) scene.machine.conversations.heard(agent, sessions.get(agent) ?? "");
      await hear(agent, items);
      await prove(agent, items);
    }
  }
  expect(problems).toEqual([]);
  expect(scene.desk.items("agentz")).toEqual([]);
  const open = await here.store.db.selectFrom("findings").select("fingerprint").where("state", "=", "open").execute();
  const concerned = open.flatMap(({ fingerprint }) =>
    fingerprint
      .split(" ")
      .slice(0, 2)
      .flatMap((name) => agents.filter((agent) => worktreeOf(agent) === name))
      .map((agent) => `${agent} ${fingerprint}`),
  );
  const aware = [...believed].filter(([, { lines }]) => lines.size > 0).map(([key]) => key);
  expect(aware.sort()).toEqual(concerned.sort());
  expect(agents.flatMap((agent) => scene.desk.items(agent))).toEqual([]);
  const live = await liveNotices(here.store.db, here.store.constellation);
  expect(live.filter(({ state }) => state !== "told")).toEqual([]);
}
