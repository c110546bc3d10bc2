// Recording decisions, settling them, and looking at them. `owner_verified` rests on who the daemon says is asking, never on anything in
// the input; whoever looks at one checks the signature of its row again.

import { askerNamed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type {
  listDecisions,
  recordDecision,
  settleDecision,
  showDecision,
} from "../../protocol/operations/decisions.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { DecisionsTable } from "../../store/tables/told.ts";
import type { Context, ReadContext } from "../context.ts";
import { foldWords, isAbout } from "../find-words.ts";
import { pathPattern } from "../findings/path-pattern.ts";
import { type TextContext, TextKeeper } from "../keep-text.ts";
import type { AddressedEvent, EventRouter } from "../notices/address-event.ts";
import { showTask } from "../tasks/queries.ts";
import { isBelieved, signedRow, standingOf } from "../signed-row.ts";
import { findRepository } from "../worktrees/register.ts";
import { changeDecision, decisionsCalled, newestDecisions } from "./decisions.sql.ts";
import { refuseMove } from "./rules.ts";

type Shown = OutputOf<typeof showDecision>;

/** So many of the newest are looked through for a file or for words. */
const lookedThrough = 2_000;

export interface DecisionContext extends TextContext {
  /** Finds whom a decision concerns. */
  readonly router: () => Promise<EventRouter>;
}

export async function record(
  context: DecisionContext,
  input: ParsedInputOf<typeof recordDecision>,
): Promise<OutputOf<typeof recordDecision>> {
  const { store, actor, constellation } = context;
  const asker = askerNamed(actor);
  const keeper = new TextKeeper(context);
  const title = await keeper.keep(input.title);
  const text = await keeper.keep(input.text);
  const files = await keeper.keepAll(input.files);
  const repository = input.repository === undefined ? null : (await findRepository(context, input.repository)).identity;
  if (input.task !== undefined) await showTask(context, { task: input.task }); // refuses one that there is not
  const route = await context.router();
  return await store.write(async (tx) => {
    const earlier = input.supersedes === undefined ? undefined : await theOne(tx.db, constellation, input.supersedes);
    const refusal = earlier === undefined ? undefined : refuseMove(asker, earlier, "supersede");
    if (refusal !== undefined) throw refusal;
    const row = signedRow<DecisionsTable>(tx, context, "decision", {
      id: makeId("dec", tx.nowMs, context.random.bytes(10)),
      constellation,
      state: input.draft ? "draft" : "active",
      title,
      text,
      recorded_by: actor,
      owner_verified: asker.role === "owner" ? 1 : 0,
      files: JSON.stringify(files),
      repository,
      service: input.service ?? null,
      task: input.task ?? null,
      recorded_ms: tx.nowMs,
      changed_ms: tx.nowMs,
      changed_by: actor,
      reason: null,
      supersedes: earlier?.id ?? null,
      superseded_by: null,
      signature: null,
    });
    await tx.insert("decisions", row);
    if (earlier !== undefined) {
      const change = { state: "superseded", superseded_by: row.id, changed_ms: tx.nowMs, changed_by: actor };
      await note(tx, "decision.superseded", await changed(tx, context, earlier, change), actor);
    }
    await note(tx, "decision.recorded", row, actor);
    if (!input.draft) await route(tx, routedAs(row, files));
    return { ...describe(row, context), masked: keeper.masked };
  });
}

function routedAs(row: DecisionsTable, files: readonly string[]): AddressedEvent {
  return {
    event: "decision-recorded",
    causedBy: row.recorded_by,
    decision: row.id,
    severity: row.owner_verified === 1 ? "medium" : "low",
    text: `${row.owner_verified === 1 ? "The owner decided" : `${row.recorded_by} decided`}: ${row.title}`,
    action: `\`constel decision show ${row.id}\` has all of it.`,
    paths: files,
    services: row.service === null ? [] : [row.service],
    ...(row.repository === null ? {} : { repository: row.repository }),
    ...(row.task === null ? {} : { task: row.task }),
  };
}

export async function settle(
  context: TextContext,
  input: ParsedInputOf<typeof settleDecision>,
): Promise<OutputOf<typeof settleDecision>> {
  const { store, actor, constellation } = context;
  const asker = askerNamed(actor);
  const reason = await new TextKeeper(context).keep(input.reason);
  return await store.write(async (tx) => {
    const row = await theOne(tx.db, constellation, input.id);
    const refusal = refuseMove(asker, row, input.verdict);
    if (refusal !== undefined) throw refusal;
    const change = {
      state: input.verdict === "accept" ? "active" : "rejected",
      owner_verified: input.verdict === "accept" && asker.role === "owner" ? 1 : row.owner_verified,
      reason: reason === "" ? row.reason : reason,
      changed_ms: tx.nowMs,
      changed_by: actor,
    };
    const settled = await changed(tx, context, row, change);
    await note(tx, input.verdict === "accept" ? "decision.accepted" : "decision.rejected", settled, actor);
    return describe(settled, context);
  });
}

/** The row as it stands now, signed anew. One that was not what had been signed is not made so by a change to it. */
async function changed(
  tx: Tx,
  context: Context,
  row: DecisionsTable,
  change: Partial<DecisionsTable>,
): Promise<DecisionsTable> {
  const isOwnersNow = change.owner_verified === 1 && context.actor === "owner";
  const kept = isBelieved(standingOf(context.audit?.verify, "decision", row)) || isOwnersNow;
  const settled = signedRow(tx, context, "decision", { ...row, ...change, ...(kept ? {} : { owner_verified: 0 }) });
  await changeDecision(tx.db, row.id, settled);
  return settled;
}

export async function show(context: ReadContext, input: { readonly id: string }): Promise<Shown> {
  const { store } = context;
  return describe(await theOne(store.db, store.constellation, input.id), context);
}

export async function list(
  context: ReadContext,
  input: ParsedInputOf<typeof listDecisions>,
): Promise<OutputOf<typeof listDecisions>> {
  const { db, constellation } = context.store;
  const { states, service, task, file, query, limit } = input;
  const repository =
    input.repository === undefined ? undefined : (await findRepository(context, input.repository)).identity;
  const rows = await newestDecisions(db, constellation, { states, repository, service, task }, lookedThrough);
  const words = query === undefined ? [] : foldWords(query);
  const found = rows
    .filter((row) => file === undefined || concerns(row, file))
    .filter((row) => words.every((word) => isAbout(`${row.title}\n${row.text}`, word)));
  return { total: found.length, decisions: found.slice(0, limit).map((row) => describe(row, context)) };
}

/** Tells whether it is about this file: it names it, a directory that holds it, or a pattern that fits it. */
function concerns({ files }: Pick<DecisionsTable, "files">, file: string): boolean {
  const wanted = file.replace(/^\.?\//, "");
  const patterns = (JSON.parse(files) as string[]).map((one) => one.replace(/^\.?\//, "").replace(/(?<!\/)\/+$/, ""));
  if (patterns.some((one) => wanted === one || wanted.startsWith(`${one}/`))) return true;
  return patterns.some((one) => /[*?[]/.test(one) && pathPattern(one)(wanted));
}

async function theOne(db: Tx["db"], constellation: string, word: string): Promise<DecisionsTable> {
  const [row, ...more] = await decisionsCalled(db, constellation, word);
  if (row !== undefined && more.length === 0) return row;
  const which = row === undefined ? "there is no decision" : "more than one decision is called";
  throw new Refusal("decision.unknown", `${which} ${JSON.stringify(word.slice(0, 100))}`, { id: word.slice(0, 100) });
}

/** On the timeline with all that routing needs to say whom it concerns. */
async function note(tx: Tx, type: string, row: DecisionsTable, actor: string): Promise<void> {
  await tx.record({
    type,
    subject: `decision:${row.id}`,
    actor,
    data: {
      title: row.title,
      state: row.state,
      owner_verified: row.owner_verified === 1,
      paths: JSON.parse(row.files) as string[],
      repository: row.repository,
      services: row.service === null ? [] : [row.service],
      task: row.task,
      ...(row.superseded_by === null ? {} : { superseded_by: row.superseded_by }),
    },
  });
}

function describe(row: DecisionsTable, { audit }: Pick<ReadContext, "audit">): Shown {
  const signature = standingOf(audit?.verify, "decision", row);
  const { constellation: _, files, owner_verified: verified, state, ...rest } = row;
  return {
    ...rest,
    state: state as Shown["state"],
    files: JSON.parse(files) as string[],
    signature,
    owner_verified: verified === 1 && isBelieved(signature),
  };
}
