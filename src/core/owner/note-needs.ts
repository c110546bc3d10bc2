// Notes what needs the owner from when it is first seen until it is over, and says what they are to be told of now: each thing once,
// also when it comes and goes. When nobody could be told, it is tried again, ever less often.

import type { Need } from "../agents/needs.ts";
import type { Context } from "../context.ts";
import { needRow, openNeeds, updateNeed } from "./owner.sql.ts";
import { type PageRule, ruleFor } from "./page-rules.ts";

/** A need that is back within this time is the same thing as before. */
const sameMs = 3_600_000;

export async function noteNeeds({ store, constellation }: Context, needs: readonly Need[]): Promise<void> {
  const open = new Map((await openNeeds(store.db, constellation)).map((row) => [row.key, row]));
  const isSame = (need: Need): boolean => {
    const row = open.get(need.key);
    return row !== undefined && row.says === need.says && row.next === need.next;
  };
  const keys = new Set(needs.map(({ key }) => key));
  const gone = [...open.keys()].filter((key) => !keys.has(key));
  const news = needs.filter((need) => !isSame(need));
  if (gone.length === 0 && news.length === 0) return;
  await store.write(async (tx) => {
    for (const key of gone) await updateNeed(tx.db, constellation, key, { ended_ms: tx.nowMs });
    for (const { key, kind, agent, says, next } of news) {
      const row = await needRow(tx.db, constellation, key);
      const about = { kind, agent, says, next };
      if (row === undefined) {
        const fresh = { since_ms: tx.nowMs, ended_ms: null, paged_ms: null, tries: 0, retry_ms: null };
        await tx.insert("owner_needs", { constellation, key, ...about, ...fresh });
        continue;
      }
      const isAnother = row.ended_ms !== null && tx.nowMs - row.ended_ms >= sameMs;
      const anew = isAnother ? { since_ms: tx.nowMs, paged_ms: null, tries: 0, retry_ms: null } : {};
      await updateNeed(tx.db, constellation, key, { ...about, ended_ms: null, ...anew });
    }
  });
}

export interface DuePage {
  readonly key: string;
  readonly kind: string;
  readonly agent: string | null;
  readonly says: string;
  readonly next: string;
  readonly urgent: boolean;
  readonly tries: number;
}

export async function duePages(
  { store, constellation, clock }: Context,
  rules: readonly PageRule[],
): Promise<readonly DuePage[]> {
  const nowMs = clock.nowMs();
  return (await openNeeds(store.db, constellation)).flatMap((row) => {
    const rule = ruleFor(row.kind, rules);
    if (rule?.page !== true || row.paged_ms !== null || (row.retry_ms ?? 0) > nowMs) return [];
    if (nowMs - row.since_ms < rule.afterMs) return [];
    const { key, kind, agent, says, next, tries } = row;
    return [{ key, kind, agent, says, next, tries, urgent: rule.urgent }];
  });
}

const firstRetryMs = 60_000;
const longestRetryMs = 1_800_000;

/** Nobody could be told; after so many tries it is tried again in this time. */
export const retryAfterMs = (tries: number): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(tries, 10));

/** The keys of what is open and was told to the owner. */
export async function pagedKeys({ store, constellation }: Context): Promise<ReadonlySet<string>> {
  const rows = await openNeeds(store.db, constellation);
  return new Set(rows.filter(({ paged_ms: paged }) => paged !== null).map(({ key }) => key));
}

/** Somebody else has told the owner: the watchdog, which does so also when no daemon runs. */
export async function noteToldElsewhere({ store, constellation }: Context, pages: readonly DuePage[]): Promise<void> {
  if (pages.length === 0) return;
  await store.write(async (tx) => {
    for (const { key } of pages) await updateNeed(tx.db, constellation, key, { paged_ms: tx.nowMs, retry_ms: null });
  });
}

/** The owner was told, or was not and is to be told later. */
export async function notePaged(
  { store, constellation }: Context,
  pages: readonly DuePage[],
  told: boolean,
): Promise<void> {
  await store.write(async (tx) => {
    for (const { key, kind, tries } of pages) {
      const again = { tries: tries + 1, retry_ms: tx.nowMs + retryAfterMs(tries) };
      const changes = told ? { paged_ms: tx.nowMs, retry_ms: null } : again;
      await updateNeed(tx.db, constellation, key, changes);
      if (told) await tx.record({ type: "owner.paged", subject: `need:${kind}`, actor: "daemon", data: { key } });
    }
  });
}
