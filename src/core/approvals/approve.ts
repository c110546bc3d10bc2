// A permission request that no rule answered: it is written down, waits, and ends in one of four ways. The owner allows or denies it;
// nobody answers in time and it is denied; or the hook that asks is no longer heard of, and it is withdrawn. A withdrawn one whose
// hook comes back (the daemon was away, the machine slept) waits again.

import { askerNamed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { ApprovalsTable } from "../../store/tables/night.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Context, ReadContext } from "../context.ts";
import { isBelieved, signedRow, standingOf } from "../signed-row.ts";
import {
  approvalOfRequest,
  approvalRow,
  approvalsCalled,
  newestApprovals,
  updateApproval,
  waitingApprovals,
} from "./approvals.sql.ts";

export interface ApprovalWish {
  readonly request: string;
  readonly agent: string;
  readonly runtime: string;
  readonly task: string | null;
  readonly tool: string;
  readonly asked: string;
  readonly part: string;
  readonly why: string;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** The same request again is the same row. In another's name, or for something else, it is not the same: the owner answered what they were shown. */
export function askApproval(context: Context, asking: ApprovalWish): Promise<ApprovalsTable> {
  const wish = { ...asking, cwd: asking.cwd.replaceAll("\0", "").toWellFormed() };
  const { store, constellation } = context;
  return store.write(async (tx) => {
    const known = await approvalOfRequest(tx.db, constellation, wish.request);
    if (known !== undefined) {
      const isSame =
        known.agent === wish.agent && known.tool === wish.tool && known.asked === wish.asked && known.cwd === wish.cwd;
      if (isSame && !isStale(known, tx.nowMs)) return known;
      if (isSame) throw over(known, known.state);
      throw notTheirs(`this request was ${known.agent}'s, for something else`, known);
    }
    return await insertApproval(tx, context, wish);
  });
}

/** Begins the name of a request that no hook waits for: a published event that waits for the owner (core/events/held.ts). */
export const heldEvent = "event:";

/** Inside the caller's transaction. */
export async function insertApproval(tx: Tx, context: Context, wish: ApprovalWish): Promise<ApprovalsTable> {
  const { timeoutMs, ...about } = wish;
  const row = signedRow<ApprovalsTable>(tx, context, "approval", {
    ...about,
    id: makeId("apr", tx.nowMs, context.random.bytes(10)),
    constellation: context.constellation,
    state: "waiting",
    asked_ms: tx.nowMs,
    due_ms: tx.nowMs + timeoutMs,
    seen_ms: tx.nowMs,
    answered_ms: null,
    answered_by: null,
    note: null,
    signature: null,
  });
  await tx.insert("approvals", row);
  const data = { agent: row.agent, tool: row.tool, asked: row.asked, why: row.why };
  await tx.record({ type: "approval.asked", subject: `approval:${row.id}`, actor: row.agent, data });
  return row;
}

/** Returns what became of it so far. It also notes that somebody still asks, which calls a withdrawn request back. */
export function hearApproval(context: Context, id: string): Promise<ApprovalsTable> {
  const { store, constellation } = context;
  return store.write(async (tx) => {
    const row = await approvalRow(tx.db, constellation, id);
    if (row === undefined) throw unknown(id);
    // Whoever waits keeps it alive, and calls it back: that is for the one who asked.
    if (askerNamed(context.actor).role === "clone" && context.actor !== row.agent)
      throw notTheirs(`${context.actor} cannot wait for what ${row.agent} asked`, row);
    // A yes that constel did not write down is nobody's.
    if (row.state === "allowed" && !isBelieved(standingOf(context.audit?.verify, "approval", row)))
      return { ...row, state: "denied", note: "the answer in the database is not one that constel wrote down" };
    if (row.state !== "waiting" && row.state !== "withdrawn") return row;
    if (row.state === "waiting") {
      await updateApproval(tx.db, id, { seen_ms: tx.nowMs });
      return { ...row, seen_ms: tx.nowMs };
    }
    return changed(tx, context, row, { state: "waiting", seen_ms: tx.nowMs, answered_ms: null });
  });
}

export interface Answer {
  readonly id: string;
  readonly allow: boolean;
  readonly note?: string | undefined;
}

type Answered = Pick<ApprovalsTable, "id" | "agent" | "asked" | "state">;

export function answerApproval(context: Context, answer: Answer): Promise<Answered> {
  const { store, constellation, actor } = context;
  return store.write(async (tx) => {
    const called = await approvalsCalled(tx.db, constellation, answer.id);
    const waiting = called.filter(({ state }) => state === "waiting");
    const exact = called.find(({ id }) => id === answer.id);
    const row = exact ?? (waiting.length === 1 ? waiting[0] : called.length === 1 ? called[0] : undefined);
    if (row === undefined) throw unknown(answer.id);
    const isTouched = !isBelieved(standingOf(context.audit?.verify, "approval", row));
    if (row.state !== "waiting" || row.due_ms <= context.clock.settledMs(row.asked_ms) || isTouched) {
      throw over(row, isTouched ? "changed" : row.state === "waiting" ? "timed_out" : row.state);
    }
    const changes = {
      state: answer.allow ? "allowed" : "denied",
      answered_ms: tx.nowMs,
      answered_by: actor,
      note: answer.note ?? null,
    };
    const answered = await changed(tx, context, row, changes);
    const data = { agent: row.agent, tool: row.tool, asked: row.asked, state: changes.state };
    await tx.record({ type: "approval.answered", subject: `approval:${row.id}`, actor, data });
    const { id, agent, asked, state } = answered;
    return { id, agent, asked, state };
  });
}

/** A hook asks at least every 30 s; one that does not for so long is gone. */
const unheardMs = 90_000;

/** `sinceMs`: from when on hooks could be heard at all. Answers when the next one ends; undefined when none waits. */
export async function endApprovals(context: Context, sinceMs: number): Promise<number | undefined> {
  const { store, constellation } = context;
  const open = await waitingApprovals(store.db, constellation);
  if (open.length === 0) return undefined;
  return store.write(async (tx) => {
    const left: number[] = [];
    for (const row of await waitingApprovals(tx.db, constellation)) {
      const isByItself = row.request.startsWith(heldEvent);
      const unheardAt = isByItself ? Infinity : Math.max(row.seen_ms, sinceMs) + unheardMs;
      const nowMs = context.clock.settledMs(row.asked_ms);
      const isUnheard = unheardAt <= context.clock.settledMs(row.seen_ms);
      const state = row.due_ms <= nowMs ? "timed_out" : isUnheard ? "withdrawn" : undefined;
      if (state === undefined) {
        left.push(Math.min(row.due_ms, unheardAt));
        continue;
      }
      await changed(tx, context, row, { state, answered_ms: tx.nowMs });
      const type = state === "timed_out" ? "approval.timed-out" : "approval.withdrawn";
      const data = { agent: row.agent, tool: row.tool, asked: row.asked };
      await tx.record({ type, subject: `approval:${row.id}`, actor: "daemon", data });
    }
    return left.length === 0 ? undefined : Math.min(...left);
  });
}

async function changed(
  tx: Tx,
  context: Context,
  row: ApprovalsTable,
  changes: Partial<ApprovalsTable>,
): Promise<ApprovalsTable> {
  const now = signedRow(tx, context, "approval", { ...row, ...changes });
  await updateApproval(tx.db, row.id, now);
  return now;
}

const mostListed = 100;

export async function listApprovals({ store, audit }: ReadContext, input: { readonly all: boolean }) {
  const { db, constellation } = store;
  const rows = input.all
    ? await newestApprovals(db, constellation, mostListed)
    : await waitingApprovals(db, constellation);
  return {
    approvals: rows.map((row) => ({ ...described(row), signature: standingOf(audit?.verify, "approval", row) })),
  };
}

/** Without what only the waiting hook needs. */
function described(row: ApprovalsTable): Omit<ApprovalsTable, "constellation" | "request" | "seen_ms"> {
  const { constellation: _, request: __, seen_ms: ___, ...rest } = row;
  return rest;
}

/** A hook that was cut off asks again at once. What was answered is for one use, not for whoever shows the same request another day. */
const askedAgainMs = 10 * 60_000;

const isStale = ({ answered_ms: answeredMs, state }: ApprovalsTable, nowMs: number): boolean =>
  answeredMs !== null && state !== "withdrawn" && answeredMs + askedAgainMs < nowMs;

const over = (
  { id, agent, answered_by: by }: Pick<ApprovalsTable, "id" | "agent" | "answered_by">,
  state: string,
): Refusal => {
  const said = `${state.replace("_", " ")}${by === null ? "" : ` by ${by}`}`;
  return new Refusal("approval.over", `the request of ${agent} is over: ${said}`, { id, state });
};

function notTheirs(why: string, { id, agent }: Pick<ApprovalsTable, "id" | "agent">): Refusal {
  return new Refusal("permission.not-yours", why, { id, agent });
}

function unknown(id: string): Refusal {
  return new Refusal("approval.unknown", `there is no request ${JSON.stringify(id)}`, { id });
}
