// Says what it rests on when nothing is said to collide: of every pair, what could not be looked at or is still being worked out,
// and which worktrees and repositories could not be looked at; and what was left out though nothing is open, such as types that
// nobody was there to be asked about. Told once for all the pairs it concerns.

import { noteSummaryOf, openIn, type NoteSummary, summaryOf } from "../findings/open-pairs.ts";
import { counted } from "../../protocol/counted.ts";
import { withArticle } from "../../protocol/operation-words.ts";
import type { ReadContext } from "../context.ts";
import { unreadContracts } from "./open-findings.sql.ts";
import { repositoriesOf, worktreesOf } from "./worktrees.sql.ts";

export interface Silence {
  readonly complete: boolean;
  readonly open: OpenTold[];
  readonly notes: NoteSummary[];
}

export interface OpenTold {
  readonly what: string;
  readonly why: string;
  readonly pairs: number;
  readonly coming: boolean;
  readonly paths: string[];
}

export async function silenceOf(context: ReadContext, repository?: string): Promise<Silence> {
  const { db, constellation } = context.store;
  const all = (await repositoriesOf(db, constellation)).filter(
    ({ identity, wanted }) => wanted === "observed" && (repository === undefined || identity === repository),
  );
  const identities = new Set(all.map(({ identity }) => identity));
  const open: OpenTold[] = [];
  for (const { identity, name, problem, pairs: total, last_observed_ms: seenMs } of all) {
    const left = context.pairsLeft === undefined ? 0 : context.pairsLeft(identity);
    if (problem !== null) open.push(whole(`${name} cannot be watched: ${problem}`));
    else if (seenMs === null) open.push({ ...whole(`${name} has not been looked at yet`), coming: true });
    else if (left === undefined)
      open.push({ ...whole(`${name} has not been looked at since the daemon began`), coming: true });
    else if (left > 0) {
      const why = `${left} of ${counted(Math.max(left, Number(total)), "pair")} of ${name} still to be compared`;
      open.push({ ...whole(why), pairs: left, coming: true });
    }
  }
  for (const one of await worktreesOf(db, constellation)) {
    if (!identities.has(one.repository)) continue;
    // In the middle of a rebase a worktree is on no branch.
    const label = one.branch ?? one.path.slice(one.path.lastIndexOf("/") + 1);
    if (one.skipped !== null) open.push(whole(`${label} was not compared: ${one.detail ?? one.skipped}`));
    else if (one.operation !== null)
      open.push(whole(`${label} was not compared: it is in the middle of ${withArticle(one.operation)}`));
  }
  for (const { repository: its, title } of await unreadContracts(db, constellation))
    if (identities.has(its)) open.push(whole(title));
  const pairs = (await openIn(context, repository)).filter((pair) => identities.has(pair.repository));
  const total = all.reduce((sum, one) => sum + Number(one.pairs), 0);
  for (const { what, why, pairs: count, isComing, paths } of summaryOf(pairs, total))
    open.push({ what, why, pairs: count, coming: isComing === true, paths: [...(paths ?? [])] });
  const notes = noteSummaryOf(pairs);
  return { complete: open.length + notes.length === 0, open, notes };
}

const whole = (why: string): OpenTold => ({ what: "comparison", why, pairs: 0, coming: false, paths: [] });
