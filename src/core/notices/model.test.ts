// Findings opened, changed and closed at random, hooks that hear, hesitate and die, against a model: each agent concerned is told
// each kind of evidence exactly once, nobody else hears anything, and "no longer a problem" reaches exactly who was told.
// CONSTEL_NOTICES_FINDINGS sets how many findings a run opens at least (default 250), CONSTEL_NOTICES_SEED its dice.

import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import type { HearItem, HearMoment } from "../../protocol/hear.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { liveNotices, tellingsById } from "./notices.sql.ts";
import { collision, NoticesScene } from "./notices-scene.suite.ts";

const atLeast = Number(process.env["CONSTEL_NOTICES_FINDINGS"] ?? 250);
const names = ["a", "b", "c", "d", "e"];
const here = withStore(sqliteScene);

interface Believed {
  /** The lines of evidence this agent was told since it last heard that it is over. */
  readonly lines: Set<string>;
}

test("each concerned agent hears each kind of evidence once, its end once if it heard of it, and nobody else anything", async () => {
  const bytes = seededRandom(Number(process.env["CONSTEL_NOTICES_SEED"] ?? 5));
  const dice = (sides: number): number => (bytes.bytes(4).reduce((sum, one) => sum * 256 + one, 0) >>> 0) % sides;
  const scene = new NoticesScene(here, [...names, "z"]);
  await scene.begin();
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
  /** What the agent takes away from a telling, checked against what it knew. */
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
      if (![`agent${ours}`, `agent${theirs}`].includes(agent)) problems.push(`${agent} heard of ${fingerprint}`);
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
  const moments: HearMoment[] = ["prompt", "edit", "stop"];

  while (opened < atLeast) {
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
    if (dice(3) > 0) await scene.rounds();
    for (const name of names) {
      if (dice(2) === 0) continue;
      const agent = `agent${name}`;
      const at = moments[dice(3)] ?? "prompt";
      const items = scene.desk.takeUp(agent, at, `/w/${name}/fx${dice(4)}`);
      const fate = dice(5);
      // It died between its mark and its word: nobody heard, and nobody will ever say so.
      if (fate === 0 || items.length === 0) continue;
      await hear(agent, items);
      if (fate === 1) hands.push({ agent, items, rounds: dice(2) });
      else await scene.prove(agent, items);
    }
    here.clock.advance(dice(4_000));
    for (const one of hands.splice(0)) {
      if (one.rounds === 0) await scene.prove(one.agent, one.items);
      else hands.push({ ...one, rounds: one.rounds - 1 });
    }
    expect(problems).toEqual([]);
  }
  // Everybody has the time to hear everything.
  for (const { agent, items } of hands.splice(0)) await scene.prove(agent, items);
  for (let round = 0; round < 4; round++) {
    here.clock.advance(11_000);
    await scene.rounds();
    for (const name of [...names, "z"]) {
      const items = scene.desk.takeUp(`agent${name}`, "prompt");
      await hear(`agent${name}`, items);
      await scene.prove(`agent${name}`, items);
    }
  }
  expect(problems).toEqual([]);
  expect(scene.desk.items("agentz")).toEqual([]);
  const open = await here.store.db.selectFrom("findings").select("fingerprint").where("state", "=", "open").execute();
  const concerned = open.flatMap(({ fingerprint }) =>
    fingerprint
      .split(" ")
      .slice(0, 2)
      .map((name) => `agent${name} ${fingerprint}`),
  );
  const aware = [...believed].filter(([, { lines }]) => lines.size > 0).map(([key]) => key);
  expect(aware.sort()).toEqual(concerned.sort());
  expect(names.flatMap((name) => scene.desk.items(`agent${name}`))).toEqual([]);
  const live = await liveNotices(here.store.db, here.store.constellation);
  expect(live.filter(({ state }) => state !== "told")).toEqual([]);
});
