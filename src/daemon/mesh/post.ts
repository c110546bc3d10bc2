// The bus at the edge of the mesh: takes what agents here wrote to agents elsewhere out of constel's own mailbox, and lays what came from there into
// theirs. A message keeps its id on the whole way, and each bus hands an id out once.

import type { MeshContext, Peer } from "../../core/mesh/mesh-context.ts";
import { putItem } from "../../core/mesh/outbox.ts";
import type { Arrival } from "../../core/mesh/arrivals.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { drain, type Handed } from "../../floor/bus/drain.ts";
import { giveBack, settle } from "../../floor/bus/settle.ts";
import { send } from "../../floor/bus/send.ts";
import { isReserved, meshPost, ownerOnBus } from "../../protocol/bus-names.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { Refusal } from "../../protocol/errors.ts";
import { parseFarAgent } from "../../protocol/far-agent.ts";
import { messageBody, readBody } from "../../protocol/mesh-bodies.ts";

const atOnce = 50;

/** Answers how many went into outboxes. */
export async function collectPost(context: MeshContext, bus: Bus): Promise<number> {
  const { messages } = await drain(bus, meshPost, { maxCount: atOnce });
  if (messages.length === 0) return 0;
  const peers = await context.peers();
  let sent = 0;
  for (const message of messages) {
    const why = await carry(context, peers, message);
    if (why === "later") {
      giveBack(bus, meshPost, [message]);
      continue;
    }
    if (why === undefined) sent += 1;
    else tellSender(bus, message.envelope, why);
    settle(bus, meshPost, [message], "delivered", "mesh");
  }
  return sent;
}

/** Undefined: it is in the outbox. A text: it never will be, for this reason. */
async function carry(
  context: MeshContext,
  peers: readonly Peer[],
  { envelope, verified }: Handed,
): Promise<string | undefined> {
  const { from, text, ts, id, onward, kind, thread, in_reply_to, task, requires_ack } = envelope;
  if (!verified) return "its sender could not be verified, and nobody is vouched for elsewhere without that";
  if (from !== ownerOnBus && isReserved(from)) return "only agents and you write to agents of other constellations";
  const whom = parseFarAgent(onward ?? "");
  const to = peers.find(({ peer }) => peer === whom?.peer);
  if (whom === undefined || to === undefined) return `no peer is called ${whom?.peer ?? JSON.stringify(onward ?? "")}`;
  if (id === undefined) return "it has no id";
  const optional = { kind, thread, in_reply_to, task, requires_ack };
  const said = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  const body = { from, to: whom.agent, text, ts, ...said };
  try {
    await context.store.write((tx) => putItem(context, tx, to, { kind: "message", id, body }));
    return undefined;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return cause.code === "mesh.too-large" || cause.code === "mesh.outbox-full" ? cause.message : "later";
  }
}

function tellSender(bus: Bus, { from, id, onward }: Envelope, why: string): void {
  if (from !== ownerOnBus && isReserved(from)) return;
  const text = `Your message to ${onward ?? "another constellation"} was not sent: ${why}.`;
  send(bus, { from: meshPost, to: from, text, ...(id === undefined ? {} : { in_reply_to: id, idempotency_key: id }) });
}

/** A message of an agent elsewhere, for an agent here. The name of the constellation it comes from is the one on our list. */
export function layIn(bus: Bus): (arrival: Arrival) => Promise<void> {
  return async ({ id, from: { peer }, body }) => {
    const { ts, ...said } = readBody(messageBody, body);
    if (Number.isNaN(Date.parse(ts))) throw new Refusal("mesh.bad-item", "ts: not a time", {});
    const optional = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    // Its own time is the sender's word; by ours it is judged whether a signature still counts.
    send(bus, { ...(optional as typeof said), id, origin: peer } as Parameters<typeof send>[1]);
  };
}
