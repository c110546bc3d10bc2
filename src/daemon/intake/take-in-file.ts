// Reads a file of JSON lines from where it was left, slice by slice. How far it was read is stored in the same transaction
// as what came of it, so a line is taken in once, whatever dies when.

import { killPoint } from "../../settings/kill-at.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Store } from "../../store/open.ts";
import type { IntakePositionsTable } from "../../store/tables/records.ts";
import { deletePosition, positionsByInode, putPosition, renamePosition } from "./intake-positions.sql.ts";

/** The points where a daemon may die while it takes something in; fault tests end it at each in turn. */
export const takeInSteps = ["take-in.read", "take-in.written", "take-in.committed"] as const;

const step = (name: (typeof takeInSteps)[number]): void => killPoint(name);

export interface Slice {
  readonly nextOffset: number;
  readonly write: (tx: Tx) => Promise<void>;
}

export async function takeInFile(
  store: Store,
  file: { readonly name: string; readonly inode: number; readonly size: number },
  read: (offset: number) => Slice | Promise<Slice>,
): Promise<void> {
  const { name, inode, size } = file;
  for (let slices = 0; ; slices++) {
    const position = await positionOf(store, name, inode);
    if (position !== undefined && position.file !== name) await movePosition(store, position.file, name, inode);
    // Shorter than what was read: somebody emptied it, and what is there now is new. Later it may have grown past that size.
    const isEmptied = slices === 0 && (position?.offset_bytes ?? 0) > size;
    const from = position === undefined || isEmptied ? 0 : position.offset_bytes;
    const slice = await read(from);
    if (slice.nextOffset === from) return;
    step("take-in.read");
    await store.write(async (tx) => {
      await slice.write(tx);
      const next = { inode, offset_bytes: slice.nextOffset, updated_ms: tx.nowMs };
      await putPosition(tx, { constellation: store.constellation, file: name, ...next });
      step("take-in.written");
    });
    step("take-in.committed");
  }
}

/** A file that was set aside is known by its inode when whoever renamed it died before it could say so here. */
async function positionOf(store: Store, name: string, inode: number): Promise<IntakePositionsTable | undefined> {
  const rows = await positionsByInode(store.db, store.constellation, inode);
  return rows.find(({ file }) => file === name) ?? rows.find(({ file }) => baseOf(file) === baseOf(name));
}

export async function movePosition(store: Store, from: string, to: string, inode: number): Promise<void> {
  const { constellation } = store;
  await store.write((tx) => renamePosition(tx, { constellation, file: from, inode }, to));
}

export async function forgetPosition(store: Store, name: string, inode: number): Promise<void> {
  const { constellation } = store;
  await store.write((tx) => deletePosition(tx, { constellation, file: name, inode }));
}

/** `bus-2026-01-02` of both `bus-2026-01-02.jsonl` and `bus-2026-01-02.3.jsonl`. */
const baseOf = (name: string): string => name.replace(/(?:\.\d+)?\.jsonl$/, "");
