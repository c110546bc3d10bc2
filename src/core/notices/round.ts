// One round of notices: what should be known is compared with what is stored, proofs are taken, what each agent is to hear next
// is decided and laid ready. Safe to run twice and after a death at any step: everything is read anew from the database and
// from the files, and the mark of an item decides between a hook and us which of the two has it.

import { makeId } from "../../protocol/ids.ts";
import type { HearDesk } from "../../ports/hear-desk.ts";
import type { Hear, HearItem } from "../../protocol/hear.ts";
import { guestRole } from "../agents/leave.ts";
import type { Context } from "../context.ts";
import { readJoinFacts } from "../join/facts.ts";
import { concernsIn, packetFor } from "../join/packet.ts";
import { packetText } from "../join/packet-text.ts";
import type { Conversations } from "./conversations.ts";
import { composeMessage, composeOffer } from "./compose.ts";
import type { Notice } from "./notice.ts";
import {
  forgetGoneWorkplaces,
  insertTellings,
  liveNotices,
  liveTellings,
  provenMessages,
  toldBetween,
  updateTelling,
} from "./notices.sql.ts";
import { followUp } from "./follow-up.ts";
import { greetingFor } from "./greeting.ts";
import { planFor, type Plan, wakeAfterMs } from "./plan-tellings.ts";
import { reviewNotices } from "./review-notices.ts";
import { type Guest, readScene, type Scene } from "./scene.ts";
import { takeTold } from "./take-told.ts";
import { tellAnew } from "./tell-anew.ts";
import type { Telling } from "./telling.ts";

export interface NoticeMachine {
  readonly desk: HearDesk;
  /** The root directory, in which agents stand whatever they work on. */
  readonly root: string;
  readonly guests: () => readonly Guest[];
  /** Tells whether an agent has hooks that speak: by its program, or, if nobody knows that, because a hook of its has ever run. */
  readonly hasHooks: (runtime: string | undefined, agent: string) => boolean;
  /** The text with stars in the place of secrets. */
  readonly mask: (text: string) => Promise<string>;
  /** Puts it into the agent's inbox; the same telling twice is one message. */
  readonly send: (telling: Pick<Telling, "id" | "agent" | "text">) => void;
  readonly conversations: Conversations;
  readonly isQuiet: (nowMs: number) => boolean;
  readonly budgetPerHour: number;
  readonly step: (name: string) => void;
}

const hourMs = 3_600_000;
/** Soon enough that what was freed is offered again before anybody waits for it. */
const againMs = 20;
const watchMs = 1_000;
/** A hook reads, marks and prints within milliseconds: past this, nobody holds an older list of items. */
const keepMarksMs = 60_000;

/** Answers when the next round should come, when that is sooner than usual. */
export async function noticesRound(context: Context, machine: NoticeMachine): Promise<number | undefined> {
  const { store, constellation, clock } = context;
  const guests = machine.guests();
  const scene = await readScene(context, { root: machine.root, guests });
  if (scene.goneWorkplaces) await store.write((tx) => forgetGoneWorkplaces(tx, constellation));
  const conversationOf = (agent: string): string | undefined => machine.conversations.of(scene.agents.get(agent));
  await reviewNotices(context, scene, conversationOf);
  machine.step("notices.reviewed");
  await takeProofs(context, await liveTellings(store.db, constellation), conversationOf);
  await followUp(context, clock.nowMs());
  await tellAnew(context, machine.conversations.changed(scene.agents.values()), conversationOf);
  const notices = groupBy(await liveNotices(store.db, constellation));
  const tellings = groupBy(await liveTellings(store.db, constellation));
  const nowMs = clock.nowMs();
  const told = await toldBetween(store.db, constellation, nowMs - hourMs, nowMs, conversationOf);
  const plans: Plan[] = [];
  for (const agent of new Set([...notices.keys(), ...tellings.keys()])) {
    const row = scene.agents.get(agent);
    plans.push(
      planFor({
        agent,
        way: machine.hasHooks(row?.runtime, agent) ? "hook" : "message",
        seen: row?.seen ?? "unknown",
        canBeWoken: row !== undefined && row.role !== guestRole && row.wanted === "up",
        notices: notices.get(agent) ?? [],
        tellings: tellings.get(agent) ?? [],
        desk: machine.desk,
        nowMs,
        isQuiet: machine.isQuiet(nowMs),
        left: machine.budgetPerHour - (told.get(agent) ?? 0),
      }),
    );
  }
  machine.step("notices.claimed");
  const changed = plans.filter((plan) => plan.offers.length + plan.changes.length > 0);
  if (changed.length > 0) await write(context, machine, changed, conversationOf);
  machine.step("notices.written");
  await layReady(context, machine, scene, notices, guests);
  machine.step("notices.laid");
  if (plans.some(({ changes }) => changes.some(({ state }) => state === "dropped" || state === "lost"))) return againMs;
  const dueMs = [
    ...[...notices.values()].flat().flatMap(dueLater(nowMs)),
    ...scene.claims.filter(({ isExclusive }) => isExclusive).map(({ endsMs }) => endsMs),
    ...(plans.some(({ isUnderWay }) => isUnderWay) ? [nowMs + watchMs] : []),
    ...(plans.some(({ agent, offers }) => offers.length > 0 && scene.agents.get(agent)?.seen === "idle")
      ? [nowMs + wakeAfterMs]
      : []),
  ];
  return dueMs.length === 0 ? undefined : Math.max(againMs, Math.min(...dueMs) - nowMs);
}

/** Messages of ours that the bus has proven. */
async function takeProofs(
  context: Context,
  tellings: readonly Telling[],
  conversationOf: (agent: string) => string | undefined,
): Promise<void> {
  const sent = new Map(tellings.filter(({ state }) => state === "sent").map((one) => [one.id, one]));
  const proven = await provenMessages(context.store.db, context.constellation, [...sent.keys()]);
  for (const { message_id: id, delivered_ms: deliveredMs } of proven) {
    const telling = sent.get(id ?? "");
    if (telling === undefined) continue;
    const atMs = deliveredMs ?? context.clock.nowMs();
    const { agent } = telling;
    await takeTold(context, { agent, ids: [id ?? ""], by: `message ${id}`, atMs, to: conversationOf(agent) });
  }
}

async function write(
  context: Context,
  machine: NoticeMachine,
  plans: readonly Plan[],
  conversationOf: (agent: string) => string | undefined,
): Promise<void> {
  const made: Telling[] = [];
  for (const { agent, way, offers } of plans) {
    for (const offer of offers) {
      const text = "news" in offer ? composeMessage(offer.news, offer.over) : composeOffer(offer);
      made.push({
        id: makeId("tel", context.clock.nowMs(), context.random.bytes(10)),
        constellation: context.constellation,
        agent,
        way: "news" in offer ? "message" : way,
        state: "offered",
        covers: offer.covers,
        moments: "news" in offer ? [] : offer.at,
        files: "news" in offer ? [] : offer.files,
        denies: !("news" in offer) && offer.denies,
        text: await machine.mask(text),
        offered_ms: context.clock.nowMs(),
        told_ms: null,
        told_by: null,
        told_to: "tone" in offer && offer.tone === "over" ? (conversationOf(agent) ?? null) : null,
        ended_ms: null,
      });
    }
  }
  await context.store.write(async (tx) => {
    for (const { id, state } of plans.flatMap(({ changes }) => changes)) {
      await updateTelling(tx, id, { ...(state === "ended" ? {} : { state }), ended_ms: tx.nowMs });
    }
    await insertTellings(tx, made);
  });
}

/** The files of every agent, from what is stored; and the messages of those without hooks. */
async function layReady(
  context: Context,
  machine: NoticeMachine,
  scene: Scene,
  notices: ReadonlyMap<string, readonly Notice[]>,
  guests: readonly Guest[],
): Promise<void> {
  const { desk } = machine;
  const tellings = groupBy(await liveTellings(context.store.db, context.constellation));
  const facts = await readJoinFacts(context, scene);
  const { constellation } = context;
  const marked = desk.marked();
  const nowMs = context.clock.nowMs();
  const ungreeted = new Map(guests.map((guest) => [guest.agent, guest.ungreeted]));
  for (const agent of new Set([...scene.index.agents, ...tellings.keys(), ...desk.laid()])) {
    const row = scene.agents.get(agent);
    const isHeard = scene.index.agents.has(agent) && machine.hasHooks(row?.runtime, agent);
    const own = tellings.get(agent) ?? [];
    for (const telling of own) if (telling.way === "message") await sendOnce(context, machine, telling);
    if (!isHeard) {
      desk.lay(agent, undefined);
      if (marked.has(agent)) for (const id of desk.marks(agent).keys()) desk.forget(agent, id);
      continue;
    }
    const items = own.filter(({ way }) => way === "hook");
    const packet = async (some: readonly Notice[]): Promise<string | undefined> => {
      const join = packetText(packetFor(facts, { agent, constellation, concerns: concernsIn(some, nowMs) }));
      return join === undefined ? undefined : await machine.mask(join);
    };
    const all = notices.get(agent) ?? [];
    const greeting = greetingFor(ungreeted.get(agent), nowMs);
    const isDue = greeting !== undefined && !(marked.has(agent) && desk.marks(agent).has(greeting.id));
    // News that is told by itself at the same prompt is not said twice.
    const text = isDue ? await packet(all.filter(({ state }) => state !== "waiting")) : undefined;
    const greetings = greeting === undefined || text === undefined ? [] : [{ ...greeting, text }];
    desk.lay(agent, hearOf(items, await packet(all), greetings));
    if (!marked.has(agent)) continue;
    const kept = new Set([...items, ...(greeting === undefined ? [] : [greeting])].map(({ id }) => id));
    for (const [id, atMs] of desk.marks(agent))
      if (!kept.has(id) && context.clock.settledMs(atMs) - atMs > keepMarksMs) desk.forget(agent, id);
  }
}

function hearOf(
  tellings: readonly Telling[],
  join: string | undefined,
  greetings: readonly HearItem[],
): Hear | undefined {
  if (tellings.length === 0 && join === undefined) return undefined;
  const items = tellings.map(({ id, moments, files, text, denies, told_to: to }) => ({
    id,
    at: moments,
    files,
    text,
    ...(denies ? { denies } : {}),
    // A denial that is told already lies there to deny, whoever comes.
    ...(to === null || denies ? {} : { to }),
  }));
  return { version: 1, ...(join === undefined ? {} : { join }), items: [...greetings, ...items] };
}

async function sendOnce(context: Context, machine: NoticeMachine, telling: Telling): Promise<void> {
  if (telling.state !== "offered") return;
  machine.send(telling);
  machine.step("notices.sent");
  await context.store.write((tx) => updateTelling(tx, telling.id, { state: "sent" }));
}

/** Returns the times from which parts may be heard of, for those that nobody may hear of yet. */
const dueLater =
  (nowMs: number) =>
  ({ parts }: Notice): number[] =>
    parts.map(({ heardFromMs }) => heardFromMs).filter((atMs) => atMs > nowMs);

function groupBy<T extends { readonly agent: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.agent);
    if (group === undefined) groups.set(row.agent, [row]);
    else group.push(row);
  }
  return groups;
}
