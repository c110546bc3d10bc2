// Decides what becomes of one agent's tellings: those that still say what is to be said stay, the others are taken away or were lost, and
// what is missing is offered. Before an item is taken away its mark is made, so that no hook can tell it afterwards; when a hook was faster,
// the item is being told and stays.

import type { HearDesk } from "../../ports/hear-desk.ts";
import { isNews, type Notice } from "./notice.ts";
import { coversOf, type Offer, offersFor, oneOffer, type Piece, severityOf } from "./offers.ts";
import { type Cover, isOpen, type Telling } from "./telling.ts";

export interface PlanSituation {
  readonly agent: string;
  readonly way: Telling["way"];
  /** The state in which the agent was last seen: an idle one is woken only for what is high. */
  readonly seen: string;
  /** A message reaches it while it is idle. */
  readonly canBeWoken: boolean;
  readonly notices: readonly Notice[];
  readonly tellings: readonly Telling[];
  readonly desk: Pick<HearDesk, "marks" | "claim">;
  readonly nowMs: number;
  readonly isQuiet: boolean;
  readonly left: number;
}

type HookOffer = Offer & { readonly covers: readonly Cover[] };

interface MessageOffer {
  readonly news: readonly Piece[];
  readonly over: readonly Piece[];
  readonly covers: readonly Cover[];
}

export interface Plan {
  readonly agent: string;
  readonly way: Telling["way"];
  readonly offers: readonly (HookOffer | MessageOffer)[];
  /** `ended`: told, and nothing to deny any more. */
  readonly changes: readonly { readonly id: string; readonly state: "dropped" | "lost" | "ended" }[];
  /** Something was taken up and is not proven yet. */
  readonly isUnderWay: boolean;
}

/** So long after a hook took an item up, it is dead or has left its record. */
const graceMs = 10_000;
/** An item that is high and lies ready for so long has met no hook: nothing would tell it before its agent's next prompt. */
export const wakeAfterMs = 5_000;

export function planFor(situation: PlanSituation): Plan {
  const { agent, way, tellings, nowMs } = situation;
  const marks = tellings.length === 0 ? new Map<string, number>() : situation.desk.marks(agent);
  const isTakenUp = ({ id }: Telling): boolean => marks.has(id);
  // A mark may lie ahead when the clock was set back.
  const isOld = (one: Telling): boolean => Math.abs(nowMs - (marks.get(one.id) ?? nowMs)) > graceMs;
  const lost = tellings.filter((one) => one.way === "hook" && one.state === "offered" && isOld(one));
  const standing = tellings.filter((one) => one.state === "told" && one.denies && stillDenies(situation, one));
  const over = tellings.filter((one) => one.state === "told" && !standing.includes(one));
  const open = tellings.filter((one) => isOpen(one) && !lost.includes(one));
  const held = open.filter((one) => one.state === "sent" || one.way === "message" || isTakenUp(one));
  let free = open.filter((one) => !held.includes(one));
  const claimed: Telling[] = [];
  for (;;) {
    const wanted = way === "hook" ? hookOffers(situation, held, free) : messageOffers(situation, held);
    const keys = new Map(wanted.map((offer) => [keyOf(offer), offer]));
    const kept = free.filter((one) => way === "hook" && keys.has(keyOf(one)));
    const unwanted = free.filter((one) => !kept.includes(one));
    const faster = unwanted.filter(({ id }) => !situation.desk.claim(agent, id));
    claimed.push(...unwanted.filter((one) => !faster.includes(one)));
    if (faster.length === 0) {
      const keptKeys = new Set(kept.map(keyOf));
      return {
        agent,
        way,
        offers: [...keys].filter(([key]) => !keptKeys.has(key)).map(([, offer]) => offer),
        changes: [
          ...lost.map(({ id }) => ({ id, state: "lost" as const })),
          ...over.map(({ id }) => ({ id, state: "ended" as const })),
          ...claimed.map(({ id }) => ({ id, state: "dropped" as const })),
        ],
        isUnderWay: held.length > 0,
      };
    }
    // A hook has these now: what they say counts as being said, and the rest is worked out once more. What we claimed is ours.
    held.push(...faster);
    free = kept;
  }
}

function hookOffers(
  situation: PlanSituation,
  held: readonly Telling[],
  free: readonly Telling[],
): (HookOffer | MessageOffer)[] {
  const inFlight = held.flatMap(({ covers }) => covers);
  const waking = wakingOffer(situation, inFlight, free);
  const said = waking === undefined ? inFlight : [...inFlight, ...waking.covers];
  const offers = offersFor({ ...situation, inFlight: said }).map((offer) => ({ ...offer, covers: coversOf(offer) }));
  return waking === undefined ? offers : [waking, ...offers];
}

/** One message about all that is high and that an idle agent has not heard of, where its side has to act. */
function wakingOffer(
  situation: PlanSituation,
  inFlight: readonly Cover[],
  free: readonly Telling[],
): MessageOffer | undefined {
  const { seen, canBeWoken, nowMs } = situation;
  if (seen !== "idle" || !canBeWoken || free.some(({ way }) => way === "message")) return undefined;
  const lies = free.filter(({ offered_ms: offeredMs }) => Math.abs(nowMs - offeredMs) >= wakeAfterMs);
  const hasLain = ({ notice, parts }: Piece): boolean =>
    parts.some(
      ({ source, wakes }) =>
        wakes === true &&
        lies.some(({ covers }) => covers.some((one) => one.notice === notice.id && one.source === source && !one.over)),
    );
  const news = oneOffer({ ...situation, inFlight }).news.filter(
    (piece) => severityOf(piece) === "high" && hasLain(piece),
  );
  return news.length === 0 ? undefined : { news, over: [], covers: coversOf({ pieces: news, tone: "news" }) };
}

function messageOffers(situation: PlanSituation, held: readonly Telling[]): MessageOffer[] {
  // One message at a time: what comes meanwhile goes with the next.
  if (held.some(({ way }) => way === "message")) return [];
  const { news, over } = oneOffer({ ...situation, inFlight: held.flatMap(({ covers }) => covers) });
  const isUrgent = news.some((piece) => severityOf(piece) === "high");
  // Nobody sees the turns of one that only calls tools: it takes its messages when it likes, and is woken by none.
  const isUnseen = situation.seen === "unknown";
  const isNow = situation.seen === "busy" || isUnseen || (situation.seen === "idle" && isUrgent);
  if (news.length + over.length === 0 || !isNow) return [];
  const covers = [...coversOf({ pieces: news, tone: "news" }), ...coversOf({ pieces: over, tone: "over" })];
  return [{ news, over, covers }];
}

/** The claim behind a denial that was told still stands, is the same, and its agent is in the conversation that heard it. */
function stillDenies({ notices }: PlanSituation, { covers }: Telling): boolean {
  return covers.some(({ notice, source, kinds }) =>
    notices.some(
      (one) =>
        one.id === notice &&
        one.parts.some(
          (part) =>
            part.source === source &&
            part.told.length > 0 &&
            part.denies &&
            part.over === null &&
            !isNews({ ...part, told: kinds, toldAs: null }, Infinity),
        ),
    ),
  );
}

/** Returns a key that is equal for two of them if they are the same thing to say. */
function keyOf(one: Telling | HookOffer | MessageOffer): string {
  const covers = one.covers.map(({ notice, source, kinds, as, over }) => [notice, source, [...kinds].sort(), as, over]);
  const sorted = covers.map((cover) => JSON.stringify(cover)).sort();
  if ("news" in one) return JSON.stringify(sorted);
  const at = "moments" in one ? one.moments : one.at;
  return JSON.stringify([sorted, at, one.files, one.denies]);
}
