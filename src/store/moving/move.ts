// Moves the rows of one constellation from a database to another, SQLite or Postgres on either side. The steps, each of which may be the last that
// happens before the power goes, and from each of which the same call goes on:
//
//   1. the source is marked `moving`: no daemon opens it for this constellation any more;
//   2. the target gets its tables and is marked `arriving`: nor that;
//   3. the rows are copied; some pages of them and the mark's progress are one transaction;
//   4. counts and digests of every table are compared, and the caller verifies the chain and what signs it;
//   5. the target is marked `arrived`, then the source `moved`.
//
// The rows of the source are only read. Who owns a row, and that nobody has the source open, is the caller's and the lease's (postgres-lease.ts).

import { makeId } from "../../protocol/ids.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import { allMigrations } from "../migrations/all.ts";
import { makeTables } from "../open.ts";
import type { DatabaseOptions } from "../open.ts";
import { heldMeanwhile } from "../postgres-lease.ts";
import { clearConstellation } from "./clear.ts";
import { digestOfPart, type TableDigest } from "./digest.ts";
import {
  type ArrivingMark,
  clearArriving,
  clearLeaving,
  readArriving,
  readLeaving,
  writeArriving,
  writeLeaving,
} from "./marks.ts";
import { PageSize } from "./page-size.ts";
import { type Part, partsOfSchema } from "./parts.ts";
import {
  countRows,
  expectOurTables,
  insertRows,
  keyValues,
  openSide,
  readPage,
  type Row,
  type Side,
  sideName,
} from "./side.ts";

export interface Move {
  readonly constellation: string;
  readonly from: string;
  /** How the target is opened, with its address. */
  readonly target: DatabaseOptions;
  /** Names whoever moves to others that reach one of the databases. */
  readonly holder: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Verifies what arrived by more than its rows; throws where it does not hold. */
  readonly verify: (url: string) => Promise<void>;
  /** Told of each step before it is taken. */
  readonly step?: (step: MoveStep) => void;
}

export interface MoveStep {
  readonly name: "mark" | "prepare" | "copy" | "write" | "compare" | "verify" | "arrive" | "leave" | "done";
  readonly table?: string | undefined;
  /** Rows of the table that were read so far, or that are written now. */
  readonly rows?: number;
}

export interface MovedTable extends TableDigest {
  readonly table: string;
}

export interface Moved {
  readonly from: string;
  readonly to: string;
  /** It went on with a move that had been begun. */
  readonly resumed: boolean;
  readonly tables: readonly MovedTable[];
}

export async function moveConstellation(move: Move): Promise<Moved> {
  const { constellation, from, target, clock, random } = move;
  const step = move.step ?? (() => {});
  const [fromName, toName] = [sideName(from), sideName(target.url)];
  if (fromName === toName) throw new Refusal("store.same-place", `${fromName} is where it already is`, { to: toName });
  const parts = await partsOfSchema(target.migrations);
  const known = (target.migrations ?? allMigrations).length;
  const source = await openSide(from);
  try {
    await expectOurTables(source, parts, known);
    const leaving = await readLeaving(source.db, constellation);
    if (leaving !== undefined && (leaving.to !== toName || leaving.state === "moved"))
      await refuseOther(move, leaving.to, leaving.state);
    const arrivingHere = await readArriving(source.db, constellation);
    if (arrivingHere?.state === "arriving")
      throw new Refusal("store.moving", `${fromName} is itself still being filled from ${arrivingHere.from}`, {});
    if (leaving === undefined) await refuseNothing(source, parts, constellation);
    const id = leaving?.id ?? makeId("move", clock.nowMs(), random.bytes(10));
    if (leaving === undefined) {
      await refuseUsedTarget(move, parts);
      step({ name: "mark" });
      await held(move, from, () =>
        writeLeaving(source.db, constellation, { id, state: "moving", to: toName, at_ms: clock.nowMs() }),
      );
    }
    step({ name: "prepare" });
    await makeTables(target);
    const into = await openSide(target.url);
    try {
      await expectOurTables(into, parts, known);
      const arriving = await beginArriving(move, into, parts, { id, fromName });
      if (arriving.state === "arriving") await copyParts({ source, into, parts, constellation, step }, arriving);
      const tables = await compare({ source, into, parts, constellation, step });
      step({ name: "verify" });
      await move.verify(target.url);
      step({ name: "arrive" });
      await into.transaction(async () => {
        await clearLeaving(into.db, constellation); // of an earlier move, from here to elsewhere
        await writeArriving(into.db, constellation, {
          ...arriving,
          state: "arrived",
          table: undefined,
          after: undefined,
          done: [],
        });
      });
      step({ name: "leave" });
      await source.transaction(async () => {
        await clearArriving(source.db, constellation);
        await writeLeaving(source.db, constellation, { id, state: "moved", to: toName, at_ms: clock.nowMs() });
      });
      step({ name: "done" });
      return { from: fromName, to: toName, resumed: leaving !== undefined, tables };
    } finally {
      await into.close();
    }
  } finally {
    await source.close();
  }
}

/** Gives up a move that was begun: what was copied is removed, and the source is as it was. */
export async function cancelMove(
  move: Pick<Move, "constellation" | "from" | "target">,
): Promise<{ readonly to: string }> {
  const { constellation, from, target } = move;
  const source = await openSide(from);
  try {
    const leaving = await readLeaving(source.db, constellation);
    if (leaving?.state !== "moving")
      throw new Refusal("store.no-move", `no move of "${constellation}" from ${source.name} is under way`, {});
    if (leaving.to !== sideName(target.url))
      throw new Refusal("store.moving", `the move that is under way leads to ${leaving.to}`, { to: leaving.to });
    await makeTables(target);
    const into = await openSide(target.url);
    try {
      const arriving = await readArriving(into.db, constellation);
      // Once it has arrived only the source's own mark is missing: the move is over but for that.
      if (arriving?.id === leaving.id && arriving.state === "arrived")
        throw new Refusal("store.moved", `everything is in ${leaving.to} already; the same \`db move\` ends it`, {});
      if (arriving?.id === leaving.id) {
        await clearConstellation(into, await partsOfSchema(target.migrations), constellation);
        await clearArriving(into.db, constellation);
      }
    } finally {
      await into.close();
    }
    await clearLeaving(source.db, constellation);
    return { to: leaving.to };
  } finally {
    await source.close();
  }
}

async function refuseOther({ constellation }: Move, to: string, state: string): Promise<void> {
  if (state === "moved")
    throw new Refusal("store.moved", `the constellation "${constellation}" was moved to ${to} already`, { to });
  throw new Refusal(
    "store.moving",
    `a move of "${constellation}" to ${to} was begun; it is finished or given up first`,
    { to },
  );
}

async function refuseNothing(source: Side, parts: readonly Part[], constellation: string): Promise<void> {
  for (const part of parts) if ((await countRows(source, part, constellation)) > 0) return;
  throw new Refusal("store.nothing-to-move", `${source.name} holds nothing of a constellation "${constellation}"`, {
    constellation,
  });
}

/** Before anything is marked: the target can be reached, and has nothing of this constellation. */
async function refuseUsedTarget({ target, constellation }: Move, parts: readonly Part[]): Promise<void> {
  await makeTables(target);
  const into = await openSide(target.url);
  try {
    await refuseUsed(into, parts, constellation);
  } finally {
    await into.close();
  }
}

async function refuseUsed(into: Side, parts: readonly Part[], constellation: string): Promise<void> {
  const arriving = await readArriving(into.db, constellation);
  if (arriving?.state === "arriving")
    throw new Refusal("store.target-used", `${into.name} is being filled from ${arriving.from}`, {
      from: arriving.from,
    });
  for (const part of parts) {
    const rows =
      part.table === "chain_heads"
        ? await countHeads(into, part, constellation)
        : await countRows(into, part, constellation);
    if (rows > 0)
      throw new Refusal(
        "store.target-used",
        `${into.name} holds rows of the constellation "${constellation}" already (${part.table}); nothing was changed`,
        { table: part.table, constellation },
      );
  }
}

/** A head with nothing behind it is made by whoever only asked for the lease. */
async function countHeads(into: Side, part: Part, constellation: string): Promise<number> {
  const seq = part.columns.findIndex(({ name }) => name === "seq");
  const rows = await readPage(into, part, { constellation, after: undefined, limit: 1 });
  return rows.filter((row) => row[seq] !== 0n).length;
}

async function beginArriving(
  move: Move,
  into: Side,
  parts: readonly Part[],
  { id, fromName }: { readonly id: string; readonly fromName: string },
): Promise<ArrivingMark> {
  const { constellation, clock, target } = move;
  const found = await readArriving(into.db, constellation);
  if (found?.id === id) return found;
  await refuseUsed(into, parts, constellation);
  const mark: ArrivingMark = { id, state: "arriving", from: fromName, at_ms: clock.nowMs(), done: [] };
  await held(move, target.url, () => writeArriving(into.db, constellation, mark));
  return mark;
}

/** With the lease on the constellation where a server could have given it to a daemon; that daemon writes nothing more. */
async function held(move: Move, url: string, work: () => Promise<void>): Promise<void> {
  if (!url.startsWith("postgres")) return work();
  const { constellation, clock, holder } = move;
  await heldMeanwhile({ url, constellation, clock, holder }, work);
}

interface Copying {
  readonly source: Side;
  readonly into: Side;
  readonly parts: readonly Part[];
  readonly constellation: string;
  readonly step: (step: MoveStep) => void;
}

/** Rows that are written in one transaction, of as many tables as they fill. */
const rowsInOne = 2_000;

async function copyParts({ source, into, parts, constellation, step }: Copying, begun: ArrivingMark): Promise<void> {
  let mark = begun;
  let pages: { readonly part: Part; readonly rows: readonly Row[] }[] = [];
  let waiting = 0;
  const write = async (): Promise<void> => {
    step({ name: "write", table: mark.table ?? mark.done.at(-1), rows: waiting });
    await into.transaction(async () => {
      for (const { part, rows } of pages) {
        // The head that whoever asked for the lease has made.
        if (part.table === "chain_heads") await clearConstellation(into, [part], constellation);
        await insertRows(into, part, rows);
      }
      await writeArriving(into.db, constellation, mark);
    });
    [pages, waiting] = [[], 0];
  };
  for (const part of parts) {
    if (mark.done.includes(part.table)) continue;
    const size = new PageSize();
    let after = mark.table === part.table ? keyFrom(part, mark.after) : undefined;
    for (let copied = 0; ;) {
      step({ name: "copy", table: part.table, rows: copied });
      const rows = await readPage(source, part, { constellation, after, limit: size.limit });
      const last = rows.at(-1);
      if (last === undefined) break;
      pages.push({ part, rows });
      copied += rows.length;
      waiting += rows.length;
      after = keyValues(part, last);
      mark = { ...mark, table: part.table, after: after.map((one) => (one === null ? null : String(one))) };
      if (waiting >= rowsInOne || size.isFull(rows)) await write();
      size.saw(rows);
    }
    mark = { ...mark, done: [...mark.done, part.table], table: undefined, after: undefined };
  }
  await write();
}

const keyFrom = (part: Part, after: ArrivingMark["after"]): Row | undefined =>
  after?.map((one, at) => (one !== null && part.key[at]?.kind === "integer" ? BigInt(one) : one));

async function compare({ source, into, parts, constellation, step }: Copying): Promise<MovedTable[]> {
  const tables: MovedTable[] = [];
  for (const part of parts) {
    step({ name: "compare", table: part.table });
    const there = await digestOfPart(source, part, constellation);
    const here = await digestOfPart(into, part, constellation);
    if (there.rows !== here.rows || there.digest !== here.digest)
      throw new Refusal(
        "store.move-differs",
        `${part.table} has ${there.rows} rows in ${source.name} and ${here.rows} in ${into.name}, and they are not the same`,
        { table: part.table, rows: there.rows, arrived: here.rows },
      );
    tables.push({ table: part.table, ...here });
  }
  return tables;
}
