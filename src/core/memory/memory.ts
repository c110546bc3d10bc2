// Remembering, recalling, pinning and forgetting. What is forgotten is gone: the timeline says that something was
// remembered and by whom, never what.

import { type Asker, askerNamed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type {
  forgetMemory,
  pinMemory,
  recall as recallOperation,
  remember as rememberOperation,
} from "../../protocol/operations/memory.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { MemoriesTable } from "../../store/tables/told.ts";
import type { Context, ReadContext } from "../context.ts";
import { fold, foldWords } from "../find-words.ts";
import { type TextContext, TextKeeper } from "../keep-text.ts";
import { showTask } from "../tasks/queries.ts";
import { findRepository } from "../worktrees/register.ts";
import { type Rests, restingOn, supportOf, worktreesOf } from "./support.ts";
import { changeMemory, countOf, deleteMemory, memoriesCalled, recallRows, sameMemory } from "./memory.sql.ts";

/** Of one agent, or of the owner. Past this, what is remembered is a pile that nobody reads. */
const mostMemories = 1_000;
/** Pinned ones are shown at the start of every session, so there must be few. */
const mostPinned = 20;
const everybody = "everybody";
/** Among so many it is looked for those that still hold. */
const mostLooked = 5_000;
const onNothing: Rests = { repository: null, valid_root: null, valid_path: null, valid_blob: null };

export async function remember(
  context: TextContext,
  input: ParsedInputOf<typeof rememberOperation>,
): Promise<OutputOf<typeof rememberOperation>> {
  const { store, actor, constellation } = context;
  const asker = askerNamed(actor);
  const keeper = new TextKeeper(context);
  const text = await keeper.keep(input.text);
  const named = input.repository === undefined ? null : (await findRepository(context, input.repository)).identity;
  const rests =
    input.valid_while === undefined ? { ...onNothing, repository: named } : await restingOn(context, input.valid_while);
  const { repository } = rests;
  if (input.task !== undefined) await showTask(context, { task: input.task }); // refuses one that there is not
  return await store.write(async (tx) => {
    const row: MemoriesTable = {
      id: makeId("mem", tx.nowMs, context.random.bytes(10)),
      constellation,
      text,
      words: fold(text),
      actor,
      audience: input.own ? actor : everybody,
      repository,
      task: input.task ?? null,
      pinned: input.pinned ? 1 : 0,
      remembered_ms: tx.nowMs,
      updated_ms: tx.nowMs,
      valid_root: rests.valid_root,
      valid_path: rests.valid_path,
      valid_blob: rests.valid_blob,
    };
    const same = await sameMemory(tx.db, row);
    if (same !== undefined) return await renew(tx, asker, same, { pinned: input.pinned, masked: keeper.masked, rests });
    await refuseIfFull(tx, constellation, actor, { adds: 1, pins: row.pinned });
    await tx.insert("memories", row);
    await note(tx, "memory.remembered", row, actor);
    return { ...describe(row, true), masked: keeper.masked, renewed: false };
  });
}

async function renew(
  tx: Tx,
  asker: Asker,
  same: MemoriesTable,
  wish: { readonly pinned: boolean; readonly masked: boolean; readonly rests: Rests },
): Promise<OutputOf<typeof rememberOperation>> {
  const isPinning = wish.pinned && same.pinned === 0;
  if (isPinning) {
    refuseStranger(asker, same);
    await refuseIfFull(tx, same.constellation, same.actor, { adds: 0, pins: 1 });
  }
  const { valid_root, valid_blob } = wish.rests;
  const change = { updated_ms: tx.nowMs, pinned: isPinning ? 1 : same.pinned, valid_root, valid_blob };
  await changeMemory(tx.db, same.id, change);
  return { ...describe({ ...same, ...change }, true), masked: wish.masked, renewed: true };
}

export async function recall(
  context: Context,
  input: ParsedInputOf<typeof recallOperation>,
): Promise<OutputOf<typeof recallOperation>> {
  const { store, actor, constellation } = context;
  const { query, task, pinned, limit } = input;
  const repository =
    input.repository === undefined ? undefined : (await findRepository(context, input.repository)).identity;
  const words = query === undefined ? [] : foldWords(query);
  // A question without a single letter or digit fits nothing; it must not become a list of everything.
  if (query !== undefined && words.length === 0) return { total: 0, stale: 0, memories: [] };
  const audiences = audiencesOf(actor);
  const filter = { words, audiences, repository, task, pinned };
  const { rows } = await recallRows(store.db, constellation, { ...filter, limit: mostLooked });
  const holds = await supportOf(context);
  const own = await worktreesOf(context, actor);
  const judged = rows.map((row) => describe(row, holds(row, own)));
  const stale = judged.filter((one) => one.valid_while?.holds === false);
  const told = input.stale ? stale : judged.filter((one) => one.valid_while?.holds !== false);
  return { total: told.length, stale: stale.length, memories: told.slice(0, limit) };
}

/**
 * Everybody's that are shown at a start, the newest first, and whether each still holds for somebody who works in some place. Whoever shows
 * them leaves out what is for somebody else.
 */
export async function pinnedMemories(context: ReadContext) {
  const { store } = context;
  const filter = { words: [], audiences: undefined, repository: undefined, task: undefined, pinned: true };
  const { rows } = await recallRows(store.db, store.constellation, { ...filter, limit: mostMemories });
  const holds = await supportOf(context);
  return rows.map((row) => ({
    ...describe(row, true),
    holdsAt: (place: string | undefined) => holds(row, place === undefined ? [] : [place]),
  }));
}

export async function pin(
  context: Context,
  input: ParsedInputOf<typeof pinMemory>,
): Promise<OutputOf<typeof pinMemory>> {
  const { store, actor, constellation } = context;
  return await store.write(async (tx) => {
    const row = await theOne(tx, context, input.id);
    refuseStranger(askerNamed(actor), row);
    const pinned = input.pinned ? 1 : 0;
    if (pinned > row.pinned) await refuseIfFull(tx, constellation, row.actor, { adds: 0, pins: 1 });
    await changeMemory(tx.db, row.id, { pinned });
    await note(tx, pinned === 1 ? "memory.pinned" : "memory.unpinned", row, actor);
    return describe({ ...row, pinned }, (await supportOf(context))(row, []));
  });
}

export async function forget(
  context: Context,
  input: ParsedInputOf<typeof forgetMemory>,
): Promise<OutputOf<typeof forgetMemory>> {
  const { store, actor } = context;
  return await store.write(async (tx) => {
    const row = await theOne(tx, context, input.id);
    refuseStranger(askerNamed(actor), row);
    await deleteMemory(tx.db, row.id);
    await note(tx, "memory.forgotten", row, actor);
    return { id: row.id };
  });
}

async function theOne(tx: Tx, { actor, constellation }: Context, word: string): Promise<MemoriesTable> {
  const [row, ...more] = await memoriesCalled(tx.db, constellation, word, audiencesOf(actor));
  if (row !== undefined && more.length === 0) return row;
  const which = row === undefined ? "there is no memory" : "more than one memory is called";
  throw new Refusal("memory.unknown", `${which} ${JSON.stringify(word.slice(0, 100))}`, { id: word.slice(0, 100) });
}

/** Returns the audiences that somebody may see: the owner sees all, everybody else what is for everybody and their own. */
const audiencesOf = (actor: string): readonly string[] | undefined =>
  actor === "owner" ? undefined : [everybody, actor];

/** A clone changes its own; the root and the watchdog any agent's; only the owner what is the owner's. */
function refuseStranger(asker: Asker, row: MemoriesTable): void {
  if (asker.role === "owner" || asker.name === row.actor) return;
  if (asker.role !== "clone" && row.actor !== "owner") return;
  const facts = { id: row.id, by: row.actor };
  throw new Refusal("memory.not-yours", `${row.id} was remembered by ${row.actor}, not by ${asker.name}`, facts);
}

async function refuseIfFull(
  tx: Tx,
  constellation: string,
  actor: string,
  more: { readonly adds: number; readonly pins: number },
): Promise<void> {
  const count = await countOf(tx.db, constellation, actor);
  if (count.all + more.adds > mostMemories)
    throw new Refusal("memory.full", `${actor} remembers ${count.all} things; ${mostMemories} are allowed`, { actor });
  if (more.pins > 0 && count.pinned + more.pins > mostPinned)
    throw new Refusal("memory.full", `${actor} has pinned ${count.pinned}; ${mostPinned} are allowed`, { actor });
}

async function note(tx: Tx, type: string, row: MemoriesTable, actor: string): Promise<void> {
  const { audience, repository, task } = row;
  await tx.record({ type, subject: `memory:${row.id}`, actor, data: { audience, repository, task } });
}

function describe(row: MemoriesTable, holds: boolean) {
  return {
    id: row.id,
    text: row.text,
    by: row.actor,
    audience: row.audience,
    repository: row.repository,
    task: row.task,
    pinned: row.pinned === 1,
    remembered_ms: row.remembered_ms,
    updated_ms: row.updated_ms,
    valid_while: row.valid_path === null ? null : { path: row.valid_path, holds },
  };
}
