// Publishing a typed event: one transaction writes the event with its addressing, a copy for each agent that it names, and
// the timeline. Nothing reaches anybody here: a later round puts the copies into inboxes (deliver-copies.ts), and whom
// paths, topics, services, capabilities and tasks concern is for routing to say, through `addressed`. An agent's event that is marked as
// blocking waits for the owner first (held.ts).

import { Refusal } from "../../protocol/errors.ts";
import { type Addressing, complaintAboutFields, type EventType, eventTypes } from "../../protocol/event-types.ts";
import { makeId } from "../../protocol/ids.ts";
import type { publishEvent } from "../../protocol/operations/events.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { PublishedTable } from "../../store/tables/told.ts";
import { type TextContext, TextKeeper } from "../keep-text.ts";
import type { EventRouter } from "../notices/address-event.ts";
import { showTask } from "../tasks/queries.ts";
import { findRepository } from "../worktrees/register.ts";
import { insertDeliveries, knownAmong, publishedBefore } from "./events.sql.ts";
import { askOwner } from "./held.ts";
import { copyOf, routedAs } from "./routed.ts";

type Input = ParsedInputOf<typeof publishEvent>;
type Receipt = OutputOf<typeof publishEvent>;

/** The timeline names so many recipients; the rows have them all. */
const namedOnTimeline = 20;
const ownerName = "owner";
/** The mailbox where a person has mail. */
const ownersMailbox = "agentowner";

export interface PublishContext extends TextContext {
  /** Finds whom an event's scope concerns. Agents that are named have their copy as a message. */
  readonly router: () => Promise<EventRouter>;
}

export async function publish(context: PublishContext, input: Input): Promise<Receipt> {
  const { store, actor, constellation } = context;
  const complaint = complaintAboutFields(input.type, input.fields);
  if (complaint !== undefined) throw new Refusal("event.bad-fields", complaint, { type: input.type });
  const keeper = new TextKeeper(context);
  const text = await keeper.keep(input.text);
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(input.fields)) fields[name] = await keeper.keep(value);
  const addressing = await addressingOf(context, input, keeper);
  const known = await knownAmong(store.db, constellation, addressing.recipients);
  const unknown = addressing.recipients.filter((one) => !known.has(one) && one !== ownersMailbox);
  refuseWithoutAudience(addressing, unknown, actor);
  const type: EventType = eventTypes[input.type];
  const severity = input.severity ?? type.severity;
  const isHeld = input.blocking && actor !== ownerName;
  const route = hasScope(addressing) && !isHeld ? await context.router() : undefined;
  return await store.write(async (tx) => {
    const before = input.key === undefined ? undefined : await earlier(tx, context, input.key);
    if (before !== undefined) return before;
    const id = makeId("evp", tx.nowMs, context.random.bytes(10));
    const { recipients, ...scope } = addressing;
    const data = {
      type: input.type,
      severity,
      text: text.slice(0, 500),
      ...scope,
      recipients: recipients.slice(0, namedOnTimeline),
      recipient_count: recipients.length,
    };
    const event = await tx.record({ type: "event.published", subject: `event:${id}`, actor, data });
    const row: PublishedTable = {
      id,
      constellation,
      at_ms: tx.nowMs,
      seq: event.seq,
      type: input.type,
      severity,
      actor,
      text,
      fields: JSON.stringify(fields),
      repository: addressing.repository,
      paths: JSON.stringify(addressing.paths),
      topics: JSON.stringify(addressing.topics),
      services: JSON.stringify(addressing.services),
      capability: addressing.capability,
      task: addressing.task,
      recipients: recipients.length,
      key: input.key ?? null,
      held: isHeld ? "waiting" : null,
    };
    const routed = (await route?.(tx, routedAs(row, addressing)))?.recipients ?? [];
    await tx.insert("published", { ...row, recipients: recipients.length + routed.length });
    await insertDeliveries(tx.db, [
      ...recipients.map((recipient) => copyOf(row, recipient, isHeld ? "held" : "waiting")),
      ...routed.map(({ agent, notice }) => copyOf(row, agent, "noticed", notice)),
    ]);
    const approval = isHeld ? await askOwner(tx, context, row) : null;
    const { masked } = keeper;
    return {
      id,
      seq: event.seq,
      severity,
      recipients: recipients.length + routed.length,
      unknown,
      masked,
      already: false,
      approval,
    };
  });
}

async function earlier(tx: Tx, { actor, constellation }: PublishContext, key: string): Promise<Receipt | undefined> {
  const row = await publishedBefore(tx.db, constellation, actor, key);
  if (row === undefined) return undefined;
  return {
    id: row.id,
    seq: row.seq,
    severity: row.severity as Receipt["severity"],
    recipients: row.recipients,
    unknown: [],
    masked: false,
    already: true,
    approval: null,
  };
}

async function addressingOf(context: PublishContext, input: Input, keeper: TextKeeper): Promise<Addressing> {
  const repository = input.repository === undefined ? null : await findRepository(context, input.repository);
  if (input.task !== undefined) await showTask(context, { task: input.task }); // refuses one that there is not
  const mailbox = context.actor === ownerName ? ownersMailbox : context.actor;
  return {
    recipients: [...new Set(input.to)].filter((one) => one !== mailbox),
    paths: await keeper.keepAll(input.paths),
    repository: repository?.identity ?? null,
    topics: input.topics,
    services: input.services,
    capability: input.capability ?? null,
    task: input.task ?? null,
  };
}

const hasScope = ({ paths, topics, services, capability, task }: Addressing): boolean =>
  paths.length + topics.length + services.length > 0 || capability !== null || task !== null;

/** Success is never said of an event that reaches nobody. */
function refuseWithoutAudience(addressing: Addressing, unknown: readonly string[], actor: string): void {
  const { recipients } = addressing;
  if (hasScope(addressing) || recipients.length > unknown.length) return;
  const why =
    recipients.length > 0
      ? `it names only agents that were never seen here: ${unknown.slice(0, 5).join(", ")}`
      : `it is addressed to nobody but, at most, ${actor} itself`;
  throw new Refusal("event.no-audience", `nothing was published: ${why}`, { unknown: unknown.slice(0, 20) });
}
