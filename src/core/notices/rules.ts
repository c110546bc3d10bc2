// The life of notices, decided purely: what is wanted against what is stored, and what a proof that something was told
// changes. A kind of evidence is told once; what comes on top of it is news; what was told and is over is told as over, once.

import {
  isFarewell,
  isNews,
  type Notice,
  type NoticeAbout,
  type NoticeState,
  type Part,
  rankOf,
  type Reason,
  worstOf,
} from "./notice.ts";
import type { Cover } from "./telling.ts";

/** That an agent should know of something now. */
export interface Wanted {
  readonly agent: string;
  /** The key that makes it the same matter as another one for this agent. */
  readonly cause: string;
  readonly about: NoticeAbout;
  readonly kind: string;
  readonly repository: string | null;
  readonly reasons: readonly Reason[];
  readonly part: Omit<Part, "told" | "toldAs" | "over">;
}

/** The reason why something is not wanted any more; unsaid when that is no news for its agent, who merely went elsewhere. */
export interface End {
  readonly why: string;
  readonly isSaid: boolean;
  /** The agent's own act that ended it, in words. Undefined if somebody else did, or if nobody can tell. */
  readonly byItself?: string | undefined;
}

export interface Situation {
  /** Those that have not ended. */
  readonly stored: readonly Notice[];
  readonly wanted: readonly Wanted[];
  readonly endOf: (agent: string, source: string) => End;
  /** A session that a person started, is not there now and may come back as the same one, with what it was told in its head. */
  readonly isAway: (agent: string) => boolean;
  /** Undefined where nobody can tell. */
  readonly conversationOf: (agent: string) => string | undefined;
  /** Tells whether a telling that lies ready or is under way says it: it may yet be told, so it is not forgotten. */
  readonly isPending: (notice: string, source: string) => boolean;
  readonly constellation: string;
  readonly nowMs: number;
  readonly newId: () => string;
}

/** The notices that differ from what is stored. */
export function reconcile(situation: Situation): Notice[] {
  const { wanted, nowMs } = situation;
  const stored = situation.stored.map((notice) => unheard(notice, situation.conversationOf(notice.agent)));
  const wantedBy = new Map<string, Wanted>(wanted.map((one) => [key(one.agent, one.part.source), one]));
  const taken = new Set<string>();
  const after: Notice[] = [];
  const places = new Map<string, number>();
  const byCause = new Map<string, Notice>();
  for (const notice of stored.filter(({ about }) => about !== "event")) {
    const parts = notice.parts.flatMap((part): Part[] => {
      const name = key(notice.agent, part.source);
      const still = taken.has(name) ? undefined : wantedBy.get(name);
      if (still !== undefined) {
        taken.add(name);
        const { endedBy: _, ...rest } = part;
        return [{ ...rest, ...still.part, over: null }];
      }
      if (part.over === null) {
        const { why, isSaid, byItself } = situation.endOf(notice.agent, part.source);
        const isPending = situation.isPending(notice.id, part.source);
        const endedBy = byItself === undefined || part.told.length === 0 ? {} : { endedBy: byItself };
        const over = { ...part, over: why, denies: false, ...endedBy };
        if (!isSaid && part.told.length > 0 && isKeptFor(notice, situation)) return [part];
        if (isPending || (isSaid && isFarewell(over))) return [over];
        return [];
      }
      const isOwed = isFarewell(part) && (!situation.isAway(notice.agent) || isKeptFor(notice, situation));
      return isOwed || situation.isPending(notice.id, part.source) ? [part] : [];
    });
    const next = settled({ ...againOpen(notice, parts), parts }, nowMs, lastEnd(notice, situation));
    places.set(next.id, after.length);
    after.push(next);
    if (parts.some(({ over }) => over === null)) byCause.set(key(notice.agent, notice.cause), next);
  }
  const added = new Map<string, Wanted[]>();
  for (const one of wanted) {
    if (taken.has(key(one.agent, one.part.source))) continue;
    const name = key(one.agent, one.cause);
    const same = added.get(name);
    if (same === undefined) added.set(name, [one]);
    else same.push(one);
  }
  for (const [name, some] of added) {
    const known = byCause.get(name);
    const at = known === undefined ? after.length : (places.get(known.id) ?? after.length);
    const parts = some.map(({ part }): Part => ({ ...part, told: [], toldAs: null, over: null }));
    const next =
      known === undefined
        ? fresh(some, parts, situation)
        : settled({ ...known, parts: [...known.parts, ...parts] }, nowMs, "");
    after[at] = next;
  }
  const before = new Map(situation.stored.map((one) => [one.id, one]));
  return after.filter((one) => !isSame(before.get(one.id), one));
}

/**
 * Reopens a notice that the agent itself had ended, if what it was about came back: it is dealt with no longer, unless somebody said that
 * it is done.
 */
function againOpen(notice: Notice, parts: readonly Part[]): Notice {
  const isBack = notice.parts.some(
    ({ source, endedBy }) =>
      endedBy !== undefined &&
      endedBy === notice.handled_by &&
      parts.some((part) => part.source === source && part.over === null),
  );
  return isBack ? { ...notice, state: "told", handled_ms: null, handled_by: null } : notice;
}

/** As its agent knows it: what another conversation was told, this one has not heard. */
export function unheard(notice: Notice, conversation: string | undefined): Notice {
  if (conversation === undefined || !notice.parts.some((part) => isAnothers(part, conversation))) return notice;
  const parts = notice.parts.map((part): Part => {
    if (!isAnothers(part, conversation)) return part;
    const { toldTo: _, ...rest } = part;
    return { ...rest, told: [], toldAs: null };
  });
  return { ...notice, parts };
}

const isAnothers = ({ toldTo }: Part, conversation: string): boolean => toldTo !== undefined && toldTo !== conversation;

/** A month after it was told, nobody takes the session up again as if nothing had happened since. */
const awayMs = 30 * 86_400_000;

function isKeptFor({ agent, told_ms: toldMs }: Notice, { isAway, nowMs }: Situation): boolean {
  return isAway(agent) && nowMs - (toldMs ?? 0) < awayMs;
}

/** Returns the notice as one proof that something was said changes it. */
export function afterTelling(
  notice: Notice,
  covers: readonly Cover[],
  proof: { readonly atMs: number; readonly by: string; readonly to?: string | undefined },
  nowMs: number,
): Notice {
  const mine = new Map(covers.filter((one) => one.notice === notice.id).map((one) => [one.source, one]));
  const to = proof.to === undefined ? {} : { toldTo: proof.to };
  const parts = unheard(notice, proof.to).parts.flatMap((part): Part[] => {
    const cover = mine.get(part.source);
    if (cover === undefined) return [part];
    if (cover.over) {
      // It came back while it was being called over: then it is news again.
      return part.over === null ? [{ ...part, told: [], toldAs: null }] : [];
    }
    const told = [...new Set([...part.told, ...cover.kinds])].slice(-mostKinds);
    return [{ ...part, ...to, told, toldAs: worstOf([cover.as, ...(part.toldAs === null ? [] : [part.toldAs])]) }];
  });
  // The record came so late that what it told was given up: its agent knows of it all the same, and is owed the end.
  const known = new Set(notice.parts.map(({ source }) => source));
  for (const cover of mine.values())
    if (!cover.over && !known.has(cover.source)) parts.push({ ...toldLate(notice, cover), ...to });
  const isToldNow = [...mine.values()].some(({ over }) => !over);
  const told = isToldNow ? { told_ms: proof.atMs, told_by: proof.by } : {};
  return settled({ ...notice, ...told, parts }, nowMs, notice.ended_because ?? "it is over");
}

function toldLate(notice: Notice, { source, kinds, as }: Cover): Part {
  return {
    source,
    title: notice.title,
    action: "",
    other: "",
    severity: as,
    files: [],
    kinds,
    told: kinds,
    toldAs: as,
    heardFromMs: notice.made_ms,
    denies: false,
    over: notice.ended_because ?? "it is over",
  };
}

/** More kinds than this are one long story; the oldest are forgotten. */
const mostKinds = 500;

/** The notice with its state, severity and end as its parts have them. */
export function settled(notice: Notice, nowMs: number, because: string): Notice {
  const live = notice.parts.filter(({ over }) => over === null);
  const state = stateOf(notice, live);
  const isFresh = state === "waiting" && notice.state !== "waiting";
  const hasEnded = live.length === 0 && notice.parts.length === 0;
  const isSaid = notice.about === "event" && (state === "told" || state === "handled");
  const severity = worstOf((live.length > 0 ? live : notice.parts).map((part) => part.severity));
  return {
    ...notice,
    state,
    severity: notice.parts.length === 0 ? notice.severity : severity,
    title: titleOf(live.length > 0 ? live : notice.parts) ?? notice.title,
    due_ms: isFresh ? nowMs : notice.due_ms,
    ended_ms: hasEnded || isSaid ? (notice.ended_ms ?? nowMs) : null,
    ended_because: live.length === 0 ? (notice.ended_because ?? (because === "" ? "it is over" : because)) : null,
    ...handledBy(notice, live, state, nowMs),
  };
}

/** Says who or what tells that it was dealt with. Something new to tell takes that back. */
function handledBy(
  notice: Notice,
  live: readonly Part[],
  state: NoticeState,
  nowMs: number,
): Pick<Notice, "handled_ms" | "handled_by"> {
  if (state === "waiting") return { handled_ms: null, handled_by: null };
  const { handled_ms, handled_by } = notice;
  const fact = live.length > 0 ? undefined : notice.parts.find(({ endedBy }) => endedBy !== undefined)?.endedBy;
  return handled_by === null && fact !== undefined
    ? { handled_ms: nowMs, handled_by: fact }
    : { handled_ms, handled_by };
}

function stateOf(notice: Notice, live: readonly Part[]): NoticeState {
  if (live.length === 0) {
    const isHandled = notice.handled_by !== null || notice.parts.some(({ endedBy }) => endedBy !== undefined);
    return isHandled ? "handled" : "withdrawn";
  }
  if (live.some((part) => isNews(part, Infinity))) return "waiting";
  return notice.state === "handled" ? "handled" : "told";
}

function fresh(some: readonly Wanted[], parts: readonly Part[], situation: Situation): Notice {
  const [first] = some;
  if (first === undefined) throw new Error("a notice is about something");
  const { agent, cause, about, kind, repository } = first;
  const reasons = some.flatMap((one) => one.reasons);
  const { nowMs } = situation;
  return {
    id: situation.newId(),
    constellation: situation.constellation,
    agent,
    cause,
    about,
    kind,
    repository,
    severity: worstOf(parts.map(({ severity }) => severity)),
    title: titleOf(parts) ?? kind,
    reasons: reasons.filter(
      (one, at) => reasons.findIndex(({ rule, fact }) => rule === one.rule && fact === one.fact) === at,
    ),
    parts,
    state: "waiting",
    due_ms: Math.min(...parts.map(({ heardFromMs }) => heardFromMs)),
    made_ms: nowMs,
    updated_ms: nowMs,
    told_ms: null,
    told_by: null,
    handled_ms: null,
    handled_by: null,
    ended_ms: null,
    ended_because: null,
  };
}

/** One line for all of them: the worst one's own words, and how many there are besides. */
function titleOf(parts: readonly Part[]): string | undefined {
  const [first, ...others] = [...parts].sort((a, b) => rankOf(a.severity) - rankOf(b.severity));
  if (first === undefined) return undefined;
  return others.length === 0 ? first.title : `${first.title} (and ${others.length} more of the same)`;
}

function lastEnd(notice: Notice, { endOf }: Situation): string {
  const over = notice.parts.find((part) => part.over !== null)?.over;
  const [first] = notice.parts;
  return over ?? (first === undefined ? "" : endOf(notice.agent, first.source).why);
}

function isSame(before: Notice | undefined, after: Notice): boolean {
  return (
    before !== undefined && JSON.stringify({ ...before, updated_ms: 0 }) === JSON.stringify({ ...after, updated_ms: 0 })
  );
}

const key = (agent: string, rest: string): string => `${agent} ${rest}`;
