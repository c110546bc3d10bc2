// Decides purely what is to lie ready for one agent: what is bad stands by itself, what is low is said together, and past the noise budget
// of an hour what is left is said in one piece. Nothing is dropped: what may not be said now waits.

import type { HearMoment } from "../../protocol/hear.ts";
import { isFarewell, isNews, type Notice, type Part, rankOf, worstOf } from "./notice.ts";
import type { Cover } from "./telling.ts";

export interface Piece {
  readonly notice: Notice;
  readonly parts: readonly Part[];
}

export interface Offer {
  readonly pieces: readonly Piece[];
  /** The kind of thing said: that there is something, or that it is over. */
  readonly tone: "news" | "over";
  readonly at: readonly HearMoment[];
  readonly files: readonly string[];
  readonly denies: boolean;
}

export interface OfferSituation {
  /** Those of one agent that have not ended. */
  readonly notices: readonly Notice[];
  /** The parts that were taken up and not proven yet, and those that a denial that stands has said. */
  readonly inFlight: readonly Cover[];
  readonly nowMs: number;
  readonly isQuiet: boolean;
  /** The number of pieces that may still be said in this hour. */
  readonly left: number;
}

/** More paths than this in one item make the file that every hook reads large. */
const mostFiles = 200;

export function offersFor(situation: OfferSituation): Offer[] {
  const news = newsOf(situation);
  const guards = news.filter(isGuard).map((piece) => newsOffer([piece], situation));
  const spoken = news.filter((piece) => !isGuard(piece));
  const high = spoken.filter((piece) => severityOf(piece) === "high");
  const rest = situation.isQuiet ? [] : spoken.filter((piece) => severityOf(piece) !== "high");
  const alone = [...high, ...rest.filter((piece) => severityOf(piece) === "medium")].map((piece) => [piece]);
  const low = rest.filter((piece) => severityOf(piece) !== "medium");
  const groups = low.length === 0 ? alone : [...alone, low];
  const over = situation.isQuiet ? [] : farewells(situation);
  return [...guards, ...withinBudget(groups, over, situation)];
}

/** All in one piece, for an agent that is told by a message. */
export function oneOffer(situation: OfferSituation): {
  readonly news: readonly Piece[];
  readonly over: readonly Piece[];
} {
  // A message cannot keep anybody from editing, so what only guards is not said.
  const news = newsOf(situation).filter((piece) => !isGuard(piece));
  const isUrgent = news.some((piece) => severityOf(piece) === "high");
  if (!isUrgent && (situation.isQuiet || situation.left <= 0)) return { news: [], over: [] };
  return { news, over: farewells(situation) };
}

export const severityOf = ({ parts }: Piece) => worstOf(parts.map(({ severity }) => severity));

export function coversOf({ pieces, tone }: Pick<Offer, "pieces" | "tone">): Cover[] {
  return pieces.flatMap(({ notice, parts }) =>
    parts.map((part) => ({
      notice: notice.id,
      source: part.source,
      kinds: tone === "over" ? [] : part.kinds,
      as: part.severity,
      over: tone === "over",
    })),
  );
}

/**
 * Returns what has not been told and is not being told at this moment, the worst first. While the end of a part is being told, or the part
 * itself, nothing that contradicts it is said: the two proofs could come in any order.
 */
function newsOf({ notices, inFlight, nowMs }: OfferSituation): Piece[] {
  return pieces(notices, (notice, part) => {
    const mine = about(inFlight, notice, part);
    return !mine.some(({ over }) => over) && isNews(withInFlight(part, mine), nowMs);
  }).sort((a, b) => rankOf(severityOf(a)) - rankOf(severityOf(b)) || a.notice.made_ms - b.notice.made_ms);
}

function farewells({ notices, inFlight }: OfferSituation): Piece[] {
  return pieces(notices, (notice, part) => isFarewell(part) && about(inFlight, notice, part).length === 0);
}

function pieces(notices: readonly Notice[], isMeant: (notice: Notice, part: Part) => boolean): Piece[] {
  return notices
    .map((notice) => ({ notice, parts: notice.parts.filter((part) => isMeant(notice, part)) }))
    .filter(({ parts }) => parts.length > 0);
}

const about = (inFlight: readonly Cover[], notice: Notice, part: Part): Cover[] =>
  inFlight.filter((one) => one.notice === notice.id && one.source === part.source);

function withInFlight(part: Part, mine: readonly Cover[]): Part {
  if (mine.length === 0) return part;
  const told = [...part.told, ...mine.flatMap(({ kinds }) => kinds)];
  const severities = [...mine.map(({ as }) => as), ...(part.toldAs === null ? [] : [part.toldAs])];
  return { ...part, told, toldAs: worstOf(severities) };
}

function withinBudget(groups: readonly Piece[][], over: readonly Piece[], situation: OfferSituation): Offer[] {
  const farewell = over.length === 0 ? [] : [overOffer(over)];
  const { left } = situation;
  if (groups.length + farewell.length <= left) {
    return [...groups.map((group) => newsOffer(group, situation)), ...farewell];
  }
  // The hour is used up: what is urgent is said all the same, in one piece; the rest waits.
  if (left <= 0) {
    const urgent = groups.flat().filter((piece) => severityOf(piece) === "high");
    return urgent.length === 0 ? [] : [newsOffer(urgent, situation)];
  }
  if (groups.length === 0) return farewell;
  const said = left > 1 ? farewell : [];
  const single = groups.slice(0, left - said.length - 1);
  const bundle = newsOffer(groups.slice(single.length).flat(), situation);
  return [...single.map((group) => newsOffer(group, situation)), bundle, ...said];
}

function newsOffer(pieces: readonly Piece[], { isQuiet }: OfferSituation): Offer {
  const files = filesOf(pieces);
  const denies = pieces.some(({ parts }) => parts.some((part) => part.denies));
  const worst = worstOf(pieces.map(severityOf));
  const moments: HearMoment[] = pieces.every(isGuard)
    ? ["edit"]
    : worst === "high"
      ? ["edit", "prompt", ...(isQuiet ? [] : (["stop"] as const))]
      : worst === "medium"
        ? ["edit", "prompt"]
        : ["prompt"];
  // Without paths it would be told before any edit, whatever it is about.
  const at = files.length === 0 ? moments.filter((moment) => moment !== "edit") : moments;
  return { pieces, tone: "news", at: at.length === 0 ? ["prompt"] : at, files, denies };
}

function overOffer(pieces: readonly Piece[]): Offer {
  const files = filesOf(pieces);
  return { pieces, tone: "over", at: files.length === 0 ? ["prompt"] : ["edit", "prompt"], files, denies: false };
}

/** It says nothing unless its agent tries to edit what is claimed. */
const isGuard = ({ notice }: Piece): boolean => notice.about === "claim";

const filesOf = (pieces: readonly Piece[]): string[] =>
  [...new Set(pieces.flatMap(({ parts }) => parts.flatMap(({ files }) => files)))].sort().slice(0, mostFiles);
