// Addresses an event, a decision or the like to whoever should know: its words once, one notice for each recipient, all in one
// transaction, so that a thousand recipients are one durable write. What each of them is told, and when, is the round's.

import { makeId } from "../../protocol/ids.ts";
import type { Severity } from "../../protocol/findings.ts";
import type { Tx } from "../../store/group-commit.ts";
import { wakeForNotices } from "../workers/wake.ts";
import type { Context } from "../context.ts";
import { cutText } from "./cut.ts";
import { address, type Addressed, type Addressee } from "./address.ts";
import type { Notice } from "./notice.ts";
import { insertEvent } from "./address-event.sql.ts";
import { putNotices } from "./notices.sql.ts";
import { type Guest, readScene, type Scene } from "./scene.ts";

export interface AddressedEvent extends Addressed {
  /** Its type, in the past tense: `branch.ready`, `decision.recorded`. */
  readonly event: string;
  readonly severity: Exclude<Severity, "context">;
  /** One sentence. */
  readonly text: string;
  /** The thing to do about it, if there is one. */
  readonly action?: string;
  /** The agents that have it by another way. */
  readonly informed?: readonly string[];
  /** The decision that it tells of. */
  readonly decision?: string;
  /** Absolute paths; it is told before an edit of one of them. */
  readonly files?: readonly string[];
}

export interface AddressReceipt {
  readonly id: string;
  /** The agents it is for, and the notice that carries it to each. */
  readonly recipients: readonly (Addressee & { readonly notice: string })[];
}

const longestText = 2_000;
const mostFiles = 100;

/** Addresses events inside somebody's transaction, by what was so when it was made. */
export type EventRouter = (tx: Tx, input: AddressedEvent) => Promise<AddressReceipt>;

export async function eventRouter(
  context: Context,
  where: { readonly root: string; readonly guests: readonly Guest[] },
): Promise<EventRouter> {
  const scene = await readScene(context, where);
  return (tx, input) => addressEventIn(context, tx, scene, input);
}

/** @public for whoever has an event and no transaction of its own */
export async function addressEvent(
  context: Context,
  input: AddressedEvent,
  where: { readonly root?: string; readonly guests?: readonly Guest[] } = {},
): Promise<AddressReceipt> {
  const scene = await readScene(context, { root: where.root ?? "", guests: where.guests ?? [] });
  return await context.store.write((tx) => addressEventIn(context, tx, scene, input));
}

/** The same inside the caller's transaction. */
async function addressEventIn(
  { constellation, random, actor }: Context,
  tx: Tx,
  scene: Scene,
  input: AddressedEvent,
): Promise<AddressReceipt> {
  const id = makeId("evt", tx.nowMs, random.bytes(10));
  const known = new Set(input.informed);
  const recipients = address(scene.index, input).filter(({ agent }) => !known.has(agent));
  const {
    event,
    severity,
    action = "",
    recipients: named,
    task,
    repository,
    paths,
    topics,
    services,
    capability,
  } = input;
  const text = cutText(input.text.replaceAll("\0", "").toWellFormed(), longestText);
  const files = (input.files ?? []).slice(0, mostFiles).map((path) => path.replaceAll("\0", "").toWellFormed());
  await insertEvent(tx, {
    id,
    constellation,
    type: event,
    caused_by: input.causedBy ?? null,
    severity,
    text,
    files: JSON.stringify(files),
    about: JSON.stringify({
      recipients: named,
      task,
      repository,
      paths,
      topics,
      services,
      capability,
      decision: input.decision,
    }),
    recipients: recipients.length,
    at_ms: tx.nowMs,
  });
  const part = {
    source: id,
    title: text,
    action: cutText(action, longestText),
    other: input.causedBy ?? "",
    severity,
    files,
    kinds: ["said"],
    told: [],
    toldAs: null,
    heardFromMs: tx.nowMs,
    denies: false,
    over: null,
  };
  const addressed = recipients.map((one) => ({ ...one, notice: makeId("ntc", tx.nowMs, random.bytes(10)) }));
  const notices = addressed.map(({ agent, reasons, notice }): Notice => ({
    id: notice,
    constellation,
    agent,
    cause: `event ${id}`,
    about: "event",
    kind: event,
    repository: repository ?? null,
    severity,
    title: text,
    reasons,
    parts: [part],
    state: "waiting",
    due_ms: tx.nowMs,
    made_ms: tx.nowMs,
    updated_ms: tx.nowMs,
    told_ms: null,
    told_by: null,
    handled_ms: null,
    handled_by: null,
    ended_ms: null,
    ended_because: null,
  }));
  await putNotices(tx, notices, () => true);
  await wakeForNotices(tx, constellation, notices);
  const data = { event, severity, recipients: recipients.length, caused_by: input.causedBy ?? null };
  await tx.record({ type: "event.addressed", subject: `event:${id}`, actor, data });
  return { id, recipients: addressed };
}
