// Claiming a part of a repository, looking at what is claimed, and letting go. An agent speaks for itself; the owner and the
// root speak for anybody.

import { isAgentId } from "../../protocol/agent-id.ts";
import type { HeldClaim } from "../../protocol/claims.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Severity } from "../../protocol/findings.ts";
import { makeId } from "../../protocol/ids.ts";
import type { ClaimsTable } from "../../store/tables/observed.ts";
import type { Context, ReadContext } from "../context.ts";
import { listRepositories } from "../worktrees/list.ts";
import { findRepository } from "../worktrees/register.ts";
import { isBelieved, signedRow, standingOf, signedAtMs } from "../signed-row.ts";
import { liveRows, rowsCalled, updateClaim, workedWorktrees } from "./claims.sql.ts";
import { type ClaimedWord, meet, onlyPath, patternOf, plainPath } from "./claim-paths.ts";

export interface ClaimWish {
  readonly repository: string;
  /** The worktree's top, and where the words were said; both real paths. */
  readonly top: string;
  readonly cwd: string;
  readonly words: readonly ClaimedWord[];
  readonly agent?: string | undefined;
  readonly forMs: number;
  readonly severity: Exclude<Severity, "context">;
  readonly reason: string;
  /** Others are kept from editing there. */
  readonly isExclusive?: boolean;
}

export async function addClaim(context: Context, wish: ClaimWish) {
  const { constellation, actor } = context;
  const holder = wish.agent ?? (isAgentId(actor) ? actor : "owner");
  refuseStranger(actor, holder);
  const patterns = wish.words.map((one) => {
    const pattern = patternOf(one, wish.cwd, wish.top)?.replaceAll("\0", "").toWellFormed();
    if (pattern !== undefined) return pattern;
    throw new Refusal("claim.outside", `${one.word} is outside ${wish.top}`, { word: one.word, top: wish.top });
  });
  // A hook compares an edit with paths. A claim that said it denies, and did not, would be worse than none.
  const wild =
    wish.isExclusive === true && wish.words.find((_, index) => onlyPath(patterns[index] ?? "") === undefined);
  if (wild) throw new Refusal("claim.pattern", `${wild.word} is a pattern, and only paths can be denied`, { ...wild });
  const sorted = [...new Set(patterns)].sort();
  return await context.store.write(async (tx) => {
    const rows = await liveRows(tx.db, constellation, context.clock.settledMs(), wish.repository);
    const live = rows.filter(isLive(context));
    const same = live.find((one) => one.holder === holder && one.patterns === JSON.stringify(sorted));
    const row = signedRow<ClaimsTable>(tx, context, "claim", {
      id: same?.id ?? makeId("clm", tx.nowMs, context.random.bytes(10)),
      constellation,
      repository: wish.repository,
      holder,
      worktree: wish.top.toWellFormed(),
      patterns: JSON.stringify(sorted),
      severity: wish.severity,
      reason: wish.reason.replaceAll("\0", "").toWellFormed(),
      made_by: actor,
      made_ms: same?.made_ms ?? tx.nowMs,
      expires_ms: tx.nowMs + wish.forMs,
      dropped_ms: null,
      dropped_by: null,
      exclusive: wish.isExclusive === true ? 1 : 0,
      signature: null,
    });
    if (same === undefined) await tx.insert("claims", row);
    else await updateClaim(tx.db, row);
    const data = { repository: wish.repository, holder, paths: shown(row), until_ms: row.expires_ms };
    const type = same === undefined ? "claim.made" : "claim.renewed";
    await tx.record({ type, subject: `claim:${row.id}`, actor, data });
    const others = live.filter((one) => one.holder !== holder && meet(sorted, JSON.parse(one.patterns) as string[]));
    return { ...describe(row, context), also_claimed_by: [...new Set(others.map((one) => one.holder))].sort() };
  });
}

export async function listClaims(context: ReadContext, input: { readonly repository?: string | undefined }) {
  const { store, clock } = context;
  const wanted = input.repository === undefined ? undefined : await findRepository(context, input.repository);
  const rows = await liveRows(store.db, store.constellation, clock.settledMs(), wanted?.identity);
  const { repositories } = await listRepositories(context);
  const names = new Map(repositories.map(({ repository, name }) => [repository, name]));
  return {
    claims: rows.filter(isLive(context)).map((row) => ({
      ...describe(row, context),
      repository_name: names.get(row.repository) ?? row.repository,
    })),
  };
}

export async function dropClaim(context: Context, input: { readonly id: string }) {
  const { constellation, actor } = context;
  return await context.store.write(async (tx) => {
    const called = await rowsCalled(tx.db, constellation, input.id);
    const live = called.filter((one) => one.dropped_ms === null && isLive(context)(one));
    const [row, ...more] = live.filter(({ id }) => id === input.id).concat(live.filter(({ id }) => id !== input.id));
    if (row === undefined || (more.length > 0 && row.id !== input.id)) {
      const which = row === undefined ? "there is no current claim" : "more than one claim is called";
      throw new Refusal("claim.unknown", `${which} ${JSON.stringify(input.id)}`, { id: input.id });
    }
    refuseStranger(actor, row.holder);
    await updateClaim(tx.db, signedRow(tx, context, "claim", { ...row, dropped_ms: tx.nowMs, dropped_by: actor }));
    const data = { repository: row.repository, holder: row.holder, paths: shown(row) };
    await tx.record({ type: "claim.dropped", subject: `claim:${row.id}`, actor, data });
    return { id: row.id, holder: row.holder };
  });
}

/** Returns what is claimed now in each repository, by everybody who works there, and when the next claim ends. */
export async function heldClaims({
  store,
  clock,
  audit,
}: ReadContext): Promise<{ byRepository: Map<string, HeldClaim[]>; nextEndMs: number | undefined }> {
  const { constellation } = store;
  const live = (await liveRows(store.db, constellation, clock.settledMs())).filter(isLive({ clock }));
  // A row that was not signed, or is not what was signed, keeps nobody away; it is shown, and the audit tells.
  const rows = live.filter((row) => isBelieved(standingOf(audit?.verify, "claim", row)));
  const byRepository = new Map<string, HeldClaim[]>();
  if (rows.length === 0) return { byRepository, nextEndMs: undefined };
  const worktrees = await workedWorktrees(store.db, constellation);
  for (const row of rows) {
    const here = worktrees.filter(({ repository }) => repository === row.repository);
    const known = here.filter(({ agent }) => agent === row.holder).map(({ path }) => path);
    const own = known.length > 0 ? known : here.filter(({ path }) => path === row.worktree).map(({ path }) => path);
    const worktree = own.includes(row.worktree) ? row.worktree : own[0];
    // Whoever works nowhere any more keeps nobody away.
    if (worktree === undefined) continue;
    const { id, holder, reason } = row;
    const patterns = JSON.parse(row.patterns) as string[];
    const claim: HeldClaim = { id, holder, reason, patterns, severity: row.severity as Severity, worktree, own };
    byRepository.set(row.repository, [...(byRepository.get(row.repository) ?? []), claim]);
  }
  return { byRepository, nextEndMs: Math.min(...rows.map(({ expires_ms }) => expires_ms)) };
}

/** The same for one repository, by its identity. */
export async function claimsHeld(context: ReadContext, { repository }: { readonly repository: string }) {
  const { byRepository } = await heldClaims(context);
  const held = byRepository.get(repository) ?? [];
  return { claims: held.map((claim) => ({ ...claim, patterns: [...claim.patterns], own: [...claim.own] })) };
}

/** Not by the word of a clock that jumped: a claim made before lasts for as long as it was made for. */
const isLive =
  ({ clock }: Pick<ReadContext, "clock">) =>
  (row: ClaimsTable): boolean =>
    row.expires_ms > clock.settledMs(Math.max(row.made_ms, signedAtMs(row) ?? 0));

function describe(row: ClaimsTable, { audit }: Pick<ReadContext, "audit">) {
  return {
    id: row.id,
    repository: row.repository,
    holder: row.holder,
    paths: shown(row),
    severity: row.severity as Exclude<Severity, "context">,
    reason: row.reason,
    exclusive: row.exclusive === 1,
    made_ms: row.made_ms,
    expires_ms: row.expires_ms,
    signature: standingOf(audit?.verify, "claim", row),
  };
}

const shown = ({ patterns }: ClaimsTable): string[] =>
  (JSON.parse(patterns) as string[]).map((pattern) => plainPath(pattern) ?? pattern.replace(/^\//, ""));

function refuseStranger(actor: string, holder: string): void {
  if (!isAgentId(actor) || actor === "agent0" || actor === holder) return;
  throw new Refusal("claim.not-yours", `${actor} cannot speak for ${holder}`, { actor, holder });
}
