// Looking at notices: those of everybody or of one agent, and one with the rule and the facts behind it.

import { Refusal } from "../../protocol/errors.ts";
import type { ReadContext } from "../context.ts";
import { kindOf } from "../findings/kinds.ts";
import type { Notice } from "./notice.ts";
import { listedNotices, liveNotices, newestTellings, noticeCounts, noticesCalled } from "./notices.sql.ts";

export async function listNotices(
  { store }: ReadContext,
  input: { readonly agent?: string | undefined; readonly all: boolean; readonly limit: number },
) {
  const { total, notices } = await listedNotices(store.db, store.constellation, input);
  return { total, notices: notices.map(describe) };
}

/** Those of one agent that have not ended. */
export async function liveNoticesOf({ store }: ReadContext, agent: string): Promise<Notice[]> {
  return await liveNotices(store.db, store.constellation, agent);
}

/** Counts those that wait, and those that were told and still hold. */
export async function countNotices({ store }: ReadContext): Promise<{ waiting: number; told: number }> {
  const counts = await noticeCounts(store.db, store.constellation);
  return { waiting: counts.get("waiting") ?? 0, told: (counts.get("told") ?? 0) + (counts.get("handled") ?? 0) };
}

/** More tellings of one agent than this are not looked through for one notice. */
const mostTellings = 1_000;

export async function whyNotice(context: ReadContext, input: { readonly id: string }) {
  const { store } = context;
  const notice = await findNotice(context, input.id);
  const tellings = await newestTellings(store.db, store.constellation, notice.agent, mostTellings);
  const means = notice.about === "finding" ? kindOf(notice.kind)?.means : undefined;
  return {
    ...describe(notice),
    /** The meaning of the kind of finding. */
    means: means ?? null,
    reasons: [...notice.reasons],
    facts: notice.parts.map((part) => ({
      source: part.source,
      title: part.title,
      action: part.action,
      with: part.other,
      severity: part.severity,
      files: [...part.files],
      told: part.told.length > 0,
      over: part.over,
    })),
    tellings: tellings
      .filter(({ covers }) => covers.some((cover) => cover.notice === notice.id))
      .map(({ id, way, state, moments, offered_ms, told_ms, told_by, told_to, text, covers }) => ({
        id,
        way,
        state,
        moments: [...moments],
        /** It says that something is over. */
        over: covers.every(({ over }) => over),
        offered_ms,
        told_ms,
        told_by,
        told_to,
        text,
      })),
  };
}

/** By its id, or by enough of its end to be the only one. */
export async function findNotice({ store }: Pick<ReadContext, "store">, word: string): Promise<Notice> {
  const found = await noticesCalled(store.db, store.constellation, word);
  const exact = found.find(({ id }) => id === word);
  const [hit, ...more] = exact === undefined ? found : [exact];
  if (hit === undefined) throw new Refusal("notice.unknown", `there is no notice ${JSON.stringify(word)}`, { word });
  if (more.length > 0) {
    const ids = found.map(({ id }) => id);
    throw new Refusal("notice.unknown", `${word} may mean ${ids.join(", ")}`, { word, ids });
  }
  return hit;
}

function describe(notice: Notice) {
  const { id, agent, about, kind, severity, state, title, repository } = notice;
  return {
    id,
    agent,
    about,
    kind,
    severity,
    state,
    title,
    repository,
    due_ms: notice.due_ms,
    told_ms: notice.told_ms,
    told_by: notice.told_by,
    handled_ms: notice.handled_ms,
    handled_by: notice.handled_by,
    ended_ms: notice.ended_ms,
    ended_because: notice.ended_because,
  };
}
