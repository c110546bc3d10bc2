// What the owner says of peers: this one is on the list, is who it says, has another name, is no longer.

import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";
import type { Context } from "../context.ts";
import { signedRow } from "../signed-row.ts";
import { entryNamed, freeName, isGenuine, type PeerRole, type PeerRoute } from "./peer.ts";
import { openEntries, updateEntry } from "./peers.sql.ts";

export interface Newcomer {
  readonly key: string;
  readonly role: PeerRole;
  /** The name that our owner wishes for it. */
  readonly name?: string | undefined;
  readonly callsItself: string;
  /** The way to dial it, as our owner or an invitation named it. */
  readonly route?: PeerRoute | undefined;
  /** Compared by both owners before it counts; none where the owner vouches for the key by hand. */
  readonly fingerprint?: string | undefined;
}

/** Puts a key on the list: to be confirmed where it came with a fingerprint. A waiting entry of the same key is replaced. */
export async function addPeer(context: Context, newcomer: Newcomer): Promise<MeshPeersTable> {
  const { store, random, constellation, actor } = context;
  return store.write(async (tx) => {
    const before = await openEntries(tx.db, constellation);
    const same = before.find((row) => row.public_key === newcomer.key);
    if (same !== undefined && same.state !== "waiting" && isGenuine(context.audit?.verify, same))
      throw new Refusal("mesh.known-key", `this key is on the list already, as ${same.name}`, { name: same.name });
    if (same !== undefined) await end(tx, context, same, "it joined anew");
    const others = before.filter((row) => row !== same);
    if (newcomer.role === "root") {
      const root = others.find((row) => row.role === "root");
      if (root !== undefined)
        throw new Refusal("mesh.two-roots", `${root.name} is the root already, and a mesh has one`, {
          root: root.name,
        });
    }
    const name = freeName(others, constellation, { wanted: newcomer.name, callsItself: newcomer.callsItself });
    const isWaiting = newcomer.fingerprint !== undefined;
    const row = signedRow<MeshPeersTable>(tx, context, "mesh-peer", {
      id: makeId("peer", tx.nowMs, random.bytes(10)),
      constellation,
      name,
      public_key: newcomer.key,
      role: newcomer.role,
      state: isWaiting ? "waiting" : "confirmed",
      transport: newcomer.route?.transport ?? null,
      at: newcomer.route?.at ?? null,
      calls_itself: newcomer.callsItself,
      fingerprint: newcomer.fingerprint ?? null,
      added_ms: tx.nowMs,
      confirmed_ms: isWaiting ? null : tx.nowMs,
      ended_ms: null,
      why: null,
      seen_ms: null,
      signature: null,
    });
    await tx.insert("mesh_peers", row);
    const data = { name, role: newcomer.role, key: newcomer.key, calls_itself: newcomer.callsItself };
    await tx.record({ type: isWaiting ? "mesh-peer.joined" : "mesh-peer.added", subject: subjectOf(row), actor, data });
    return row;
  });
}

/** The owner compared the fingerprint on both sides. */
export async function confirmPeer(
  context: Context,
  { name, fingerprint }: { readonly name: string; readonly fingerprint: string },
): Promise<MeshPeersTable> {
  const { store, actor } = context;
  return store.write(async (tx) => {
    const row = await genuine(context, tx, name);
    const digits = (text: string | null): string => (text ?? "").replaceAll(/\D/g, "");
    if (digits(row.fingerprint) !== digits(fingerprint))
      throw new Refusal("mesh.another-fingerprint", `${row.name} joined with another fingerprint than this`, {
        name: row.name,
      });
    if (row.state === "confirmed") return row;
    const now = signedRow(tx, context, "mesh-peer", { ...row, state: "confirmed", confirmed_ms: tx.nowMs });
    await updateEntry(tx.db, row.id, now);
    await tx.record({ type: "mesh-peer.confirmed", subject: subjectOf(row), actor, data: { name: row.name } });
    return now;
  });
}

export async function renamePeer(
  context: Context,
  { name, new_name: to }: { readonly name: string; readonly new_name: string },
): Promise<MeshPeersTable> {
  const { store, constellation, actor } = context;
  return store.write(async (tx) => {
    const row = await genuine(context, tx, name);
    if (row.name === to) return row;
    const others = await openEntries(tx.db, constellation);
    const now = signedRow(tx, context, "mesh-peer", {
      ...row,
      name: freeName(others, constellation, { wanted: to, callsItself: row.calls_itself }),
    });
    await updateEntry(tx.db, row.id, now);
    await tx.record({ type: "mesh-peer.renamed", subject: subjectOf(row), actor, data: { from: name, to } });
    return now;
  });
}

/** Ends the entry. Also one that is not constel's own: nothing is gained by leaving it there. */
export async function evictPeer(
  context: Context,
  { name, reason }: { readonly name: string; readonly reason: string },
): Promise<MeshPeersTable> {
  const { store, constellation } = context;
  return store.write(async (tx) => {
    const row = entryNamed(await openEntries(tx.db, constellation), name);
    return await end(tx, context, row, reason);
  });
}

async function end(tx: Tx, context: Context, row: MeshPeersTable, why: string): Promise<MeshPeersTable> {
  const now = signedRow(tx, context, "mesh-peer", { ...row, state: "evicted", ended_ms: tx.nowMs, why });
  await updateEntry(tx.db, row.id, now);
  const { actor } = context;
  await tx.record({ type: "mesh-peer.evicted", subject: subjectOf(row), actor, data: { name: row.name, reason: why } });
  return now;
}

async function genuine(context: Context, tx: Tx, name: string): Promise<MeshPeersTable> {
  const row = entryNamed(await openEntries(tx.db, context.constellation), name);
  if (isGenuine(context.audit?.verify, row)) return row;
  throw new Refusal("mesh.unknown-peer", `the entry of ${row.name} was not written by constel: evict it`, { name });
}

const subjectOf = ({ id }: MeshPeersTable): string => `mesh-peer:${id}`;

/** To the minute, and without an event: a line that stands is no news. */
export async function noteSeen({ store }: Pick<Context, "store">, id: string, seenMs: number): Promise<void> {
  await store.write((tx) => updateEntry(tx.db, id, { seen_ms: seenMs }));
}
