// Tells a peer how things are here: only what changed since it was last told, and no more while the last changes are still on their way. So a
// peer that is away for a week costs no more than one that was away for a minute. A root hears of everything, a sibling of shared work alone.

import { createHash } from "node:crypto";
import { canonical } from "../../protocol/canonical.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import { readBody } from "../../protocol/mesh-bodies.ts";
import { rowsAtOnce, rowsBody, rowShapes, type RowSubject } from "../../protocol/mesh-rows.ts";
import type { Arrival } from "./arrivals.ts";
import { countRows, dropRow, findStream, kindIsHeld, noteTold, putRow, toldRows } from "./mesh.sql.ts";
import type { MeshContext, Peer } from "./mesh-context.ts";
import { putItem } from "./outbox.ts";
import { type SharedWork, sidesToTell } from "./sides.ts";
import { agentsToTell, openFindingsAndNeeds, tasksToTell, usageToTell } from "./rows.sql.ts";

const dayMs = 24 * 3_600_000;
/** A task that ended longer ago is told of no more. */
const recentMs = 7 * dayMs;
/** Of one sibling. Far more than a hundred agents and their tasks of a week. */
const mostRows = 20_000;

interface Row {
  readonly subject: RowSubject;
  readonly key: string;
  readonly data: object;
}

/**
 * One round for one peer. Answers the number of the item up to which it then has everything; undefined while changes are still on their way.
 */
export async function tellPeer(
  context: MeshContext,
  to: Peer,
  { version, work }: { readonly version: string; readonly work: readonly SharedWork[] },
): Promise<number | undefined> {
  // Only one round at a time comes here, so what was told is what it was.
  const { store, constellation } = context;
  const of = { constellation, entry: to.entry };
  if (await kindIsHeld(store.db, of, "rows")) return undefined;
  const rows = [...(to.is === "root" ? await rowsNow(context, version) : []), ...sidesToTell(work, to)];
  const changes = changed(rows, await toldRows(store.db, of));
  if (changes.length === 0) return (await findStream(store.db, of))?.last_seq ?? 0;
  return store.write(async (tx) => {
    for (let at = 0; at < changes.length; at += rowsAtOnce) {
      const some = changes.slice(at, at + rowsAtOnce);
      const body = { rows: some.map(({ subject, key, data }) => ({ subject, key, data })) };
      await putItem(context, tx, to, { kind: "rows", body, id: makeId("mrw", tx.nowMs, context.random.bytes(10)) });
      for (const one of some) await noteTold(tx, of, one);
    }
    return undefined;
  });
}

interface Change {
  readonly subject: string;
  readonly key: string;
  readonly data: object | null;
  readonly digest: string | null;
}

function changed(rows: readonly Row[], told: readonly { subject: string; key: string; digest: string }[]): Change[] {
  const before = new Map(told.map((one) => [`${one.subject} ${one.key}`, one]));
  const changes: Change[] = [];
  for (const row of rows) {
    const place = `${row.subject} ${row.key}`;
    const digest = createHash("sha256").update(canonical(row.data)).digest("hex").slice(0, 32);
    if (before.get(place)?.digest !== digest) changes.push({ ...row, digest });
    before.delete(place);
  }
  for (const { subject, key } of before.values()) changes.push({ subject, key, data: null, digest: null });
  return changes;
}

async function rowsNow({ store, clock, constellation }: MeshContext, version: string): Promise<Row[]> {
  const nowMs = clock.nowMs();
  const midnightMs = nowMs - (nowMs % dayMs);
  const day = new Date(midnightMs).toISOString().slice(0, 10);
  const agents = await agentsToTell(store.db, constellation);
  const tasks = await tasksToTell(store.db, constellation, nowMs - recentMs);
  const costs = await usageToTell(store.db, constellation, midnightMs);
  const counts = await openFindingsAndNeeds(store.db, constellation);
  return [
    ...agents.map(({ agent, ...data }): Row => ({ subject: "agent", key: agent, data })),
    ...tasks.map(({ number, title, reason, branch, ...data }): Row => {
      const short = { title: title.slice(0, 400), reason: reason?.slice(0, 400) ?? null };
      return {
        subject: "task",
        key: String(number),
        data: { ...data, ...short, branch: branch?.slice(0, 200) ?? null },
      };
    }),
    ...costs.map(({ agent, tokens, cost_micros: micros }): Row => {
      const data = { agent, day, tokens: Number(tokens), cost_micros: micros === null ? null : Number(micros) };
      return { subject: "cost", key: `${day} ${agent}`, data };
    }),
    { subject: "constellation", key: "self", data: { version, ...counts } },
  ];
}

/** What a peer says of itself. Safe to run twice: a row is put as it is said. */
export async function takeRows(context: MeshContext, { from, body, heardMs }: Arrival): Promise<void> {
  const { rows } = readBody(rowsBody, body);
  const { store, constellation } = context;
  await store.write(async (tx) => {
    const held = await countRows(tx.db, constellation, from.peer);
    if (held + rows.length > mostRows)
      throw new Refusal("mesh.bad-item", `${from.peer} says more than ${mostRows} things of itself`, {});
    for (const { subject, key, data } of rows) {
      if (from.is === "root" && subject !== "side")
        throw new Refusal("mesh.bad-item", `${from.peer} is our root, whose ${subject} rows are not ours to show`, {});
      if (from.is === "sibling" && isPassedOn(subject, data))
        throw new Refusal("mesh.bad-item", `${from.peer} is no root: it passes on nothing of others`, {});
      const place = { constellation, peer: from.peer, subject, key };
      if (data === null) await dropRow(tx, place);
      else await putRow(tx, { ...place, data: JSON.stringify(readBody(rowShapes[subject], data)), heard_ms: heardMs });
    }
  });
}

const isPassedOn = (subject: RowSubject, data: unknown): boolean =>
  subject === "side" && data !== null && readBody(rowShapes.side, data).of !== null;
