// What needs the owner, in the order of the view `attention`; and putting one of them aside.

import { Refusal } from "../../protocol/errors.ts";
import type { attentionList, snoozeAttention } from "../../protocol/operations/attention.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import { attentionOrder } from "../../store/attention-view.ts";
import type { Need } from "../agents/needs.ts";
import type { Context, ReadContext } from "../context.ts";
import { type AttentionViewRow, attentionRows, dropSnooze, putSnooze } from "./attention.sql.ts";

type Listed = OutputOf<typeof attentionList>;

export async function listAttention(
  { store }: Pick<ReadContext, "store">,
  { snoozed, limit }: ParsedInputOf<typeof attentionList>,
): Promise<Listed> {
  const all = (await attentionRows(store.db, store.constellation)).map(asRow);
  const aside = all.filter((row) => row.snoozed);
  const wanted = snoozed ? all : all.filter((row) => !row.snoozed);
  return { rows: wanted.slice(0, limit), total: wanted.length, snoozed: aside.length };
}

/** With what the daemon knows and could not write down, because its disk is full. What was written down is told from there. */
export async function withStandstill(
  context: Pick<ReadContext, "store" | "clock">,
  input: ParsedInputOf<typeof attentionList>,
  needs: readonly Need[],
): Promise<Listed> {
  if (needs.length === 0) return listAttention(context, input);
  const [listed, whole] = await Promise.all([
    listAttention(context, input),
    listAttention(context, { snoozed: true, limit: 1_000 }),
  ]);
  const written = new Set(whole.rows.map(({ key }) => key));
  const rows = needs.filter(({ key }) => !written.has(key)).map((need) => rowOf(need, context.clock.nowMs()));
  return { ...listed, rows: [...rows, ...listed.rows].slice(0, input.limit), total: listed.total + rows.length };
}

export async function snooze(
  context: Context,
  { key, until_ms: untilMs, wake }: ParsedInputOf<typeof snoozeAttention>,
): Promise<OutputOf<typeof snoozeAttention>> {
  const { store, constellation, actor } = context;
  const row = (await attentionRows(store.db, constellation)).find((one) => one.key === key);
  if (row === undefined)
    throw new Refusal("attention.unknown", `nothing called ${JSON.stringify(key)} needs you`, { key });
  if (!wake && untilMs !== null && untilMs <= context.clock.nowMs())
    throw new Refusal("input.invalid", "the time until which it is put aside has passed", { key });
  const { says } = row;
  await store.write(async (tx) => {
    if (wake) await dropSnooze(tx.db, constellation, key);
    else
      await putSnooze(tx.db, {
        constellation,
        key,
        until_ms: untilMs,
        says,
        snoozed_by: actor,
        snoozed_ms: tx.nowMs,
      });
    const type = wake ? "attention.woken" : "attention.snoozed";
    await tx.record({ type, actor, data: { key, says, until_ms: wake ? null : untilMs } });
  });
  return { key, says, snoozed: !wake, until_ms: wake ? null : untilMs };
}

/** Postgres answers its big numbers as text. */
function asRow(row: AttentionViewRow): Listed["rows"][number] {
  const { since, snoozed_until: until, ...rest } = row;
  return {
    ...rest,
    place: attentionOrder[Number(row.place) - 1] ?? "stuck",
    task: row.task === null ? null : Number(row.task),
    causes: Number(row.causes),
    since_ms: Date.parse(since),
    snoozed: Number(row.snoozed) === 1,
    snoozed_until_ms: until === null ? null : Date.parse(until),
  };
}

function rowOf({ key, kind, agent, says, since_ms: since, next }: Need, nowMs: number): Listed["rows"][number] {
  const nothing = { evidence: "", task: null, finding: null, request: null, snoozed: false, snoozed_until_ms: null };
  return { ...nothing, key, kind, agent, says, next, place: "stuck", causes: 1, since_ms: since ?? nowMs };
}
