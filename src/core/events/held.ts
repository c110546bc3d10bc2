// Events marked blocking: they wait for the owner, as a permission request does, and go on or end by the answer. What the owner allows is
// routed by what is so at that moment. Safe to run twice: `held` goes from `waiting` to `released` or `denied` in one transaction, then the
// publisher is told by a letter of a fixed id, then it is null or `refused`.

import { counted } from "../../protocol/counted.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { ApprovalsTable } from "../../store/tables/night.ts";
import type { PublishedTable } from "../../store/tables/told.ts";
import { heldEvent, insertApproval } from "../approvals/approve.ts";
import type { Context } from "../context.ts";
import type { EventRouter } from "../notices/address-event.ts";
import { isBelieved, standingOf } from "../signed-row.ts";
import { approvalsOfHeld, heldCopies, heldEvents, insertDeliveries, setHeld, settleDeliveries } from "./events.sql.ts";
import { copyOf, routedAs } from "./routed.ts";

/** An answer may take a weekend. */
const waitsMs = 7 * 86_400_000;
const eventsInARound = 20;

/** Asks the owner in the transaction that writes the event. */
export async function askOwner(tx: Tx, context: Context, row: PublishedTable): Promise<string> {
  const { id } = await insertApproval(tx, context, {
    request: `${heldEvent}${row.id}`,
    agent: row.actor,
    runtime: "constel",
    task: row.task === null ? null : String(row.task),
    tool: "event.publish",
    asked: `publish ${row.type} (${row.severity}): ${row.text}`,
    part: row.type,
    why: "it is marked as blocking, and reaches nobody before you allow it",
    cwd: "",
    timeoutMs: waitsMs,
  });
  return id;
}

export interface HeldLetter {
  readonly id: string;
  readonly to: string;
  readonly task: number | null;
  readonly text: string;
}

/** Lets go of held events that have their answer, and tells whoever published them. */
export async function settleHeld(
  context: Context,
  router: () => Promise<EventRouter>,
  /** The same letter put twice is one message. */
  put: (letter: HeldLetter) => void,
): Promise<void> {
  const { store, constellation, audit } = context;
  const held = await heldEvents(store.db, constellation);
  if (held.length === 0) return;
  const approvals = await approvalsOfHeld(
    store.db,
    constellation,
    held.map(({ id }) => `${heldEvent}${id}`),
  );
  let room = eventsInARound;
  for (const event of held) {
    const approval = approvals.find(({ request }) => request === `${heldEvent}${event.id}`);
    if (approval === undefined || approval.state === "waiting") continue;
    if (room-- === 0) return;
    const isAllowed = approval.state === "allowed" && isBelieved(standingOf(audit?.verify, "approval", approval));
    const after =
      event.held === "waiting" ? await answered(context, event, isAllowed ? await router() : undefined) : event;
    try {
      put({ id: `${event.id}:answer`, to: event.actor, task: event.task, text: wordsOf(after, approval) });
    } catch (cause) {
      // What the bus refuses it will refuse again: the answer stands on the timeline all the same.
      if (!(cause instanceof Refusal) || cause.code === "bus.not-sent") throw cause;
    }
    await store.write((tx) => setHeld(tx.db, event.id, { held: after.held === "released" ? null : "refused" }));
  }
}

async function answered(
  context: Context,
  event: PublishedTable,
  route: EventRouter | undefined,
): Promise<PublishedTable> {
  const { store, actor } = context;
  const subject = `event:${event.id}`;
  return await store.write(async (tx) => {
    const named = await heldCopies(tx.db, event.id);
    const settle = (state: string, problem: string | null): Promise<void> =>
      settleDeliveries(tx.db, named, { state, sent_ms: null, problem });
    if (route === undefined) {
      await settle("failed", "the owner did not allow it");
      await setHeld(tx.db, event.id, { held: "denied" });
      await tx.record({ type: "event.refused", subject, actor, data: { type: event.type } });
      return { ...event, held: "denied" };
    }
    const scope = {
      recipients: named.map(({ recipient }) => recipient),
      paths: JSON.parse(event.paths) as string[],
      repository: event.repository,
      topics: JSON.parse(event.topics) as string[],
      services: JSON.parse(event.services) as string[],
      capability: event.capability,
      task: event.task,
    };
    const routed = (await route(tx, routedAs(event, scope))).recipients;
    await settle("waiting", null);
    await insertDeliveries(
      tx.db,
      routed.map(({ agent, notice }) => copyOf(event, agent, "noticed", notice)),
    );
    const recipients = named.length + routed.length;
    await setHeld(tx.db, event.id, { held: "released", recipients });
    const data = { type: event.type, recipient_count: recipients };
    await tx.record({ type: "event.released", subject, actor, data });
    return { ...event, held: "released", recipients };
  });
}

const endings: Readonly<Record<string, string>> = {
  denied: "the owner denied it",
  timed_out: "the owner did not answer in time",
};

function wordsOf({ type, text, held, recipients }: PublishedTable, { state, note }: ApprovalsTable): string {
  const said = note === null || note === "" ? "" : `\nThe owner says: ${note}`;
  const head =
    held === "released"
      ? `The owner allowed your event ${type}; it goes to ${counted(recipients, "agent")}.`
      : `Your event ${type} was not sent: ${endings[state] ?? "it was not allowed"}.`;
  return `${head}\nIt said: ${text}${said}`;
}
