// `sync.page`: an agent takes what waits for it, a page at a time. A message that was handed out stays in its hands until it
// is acknowledged, so an answer that never reached the agent loses nothing: the message comes again, and says so.

import type { Context } from "../../core/context.ts";
import { acknowledge } from "../../floor/bus/acknowledge.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { drain, type Handed } from "../../floor/bus/drain.ts";
import { inHand, pendingFor } from "../../floor/bus/pending.ts";
import { giveBack, renew } from "../../floor/bus/settle.ts";
import { briefSender } from "../../ports/deliver.ts";
import type { syncPage as syncOperation } from "../../protocol/operations/chat.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import { mailboxOf, saidOf } from "./chat.ts";

const mostMessages = 50;
/** The room for what stands around a text: ids, names, times. */
const labelsChars = 500;
/** An agent may work for a while before it asks again. */
const leaseMs = 600_000;

export async function syncPage(
  { bus }: { readonly bus: Bus },
  { actor }: Context,
  input: ParsedInputOf<typeof syncOperation>,
): Promise<OutputOf<typeof syncOperation>> {
  const own = mailboxOf(actor);
  const acknowledged = acknowledge(bus, own, new Set(input.ack), "acknowledged by sync");
  const { waiting, orphaned, doubtful } = pendingFor(bus, own);
  // Mostly there is nothing, and then a look at two directories is all it costs.
  if (waiting + orphaned + doubtful.length === 0)
    return { acknowledged, messages: [], unacknowledged: [], more: false };
  const unacknowledged = doubtful.slice(0, mostMessages).flatMap((claim) => inHand(bus, own, claim)?.envelope.id ?? []);
  // Tasks are given by dispatch, which alone knows whether a brief still holds.
  const only = ({ from }: { readonly from: string }): boolean => from !== briefSender;
  const drained = await drain(bus, own, { maxCount: mostMessages, maxBytes: input.max_chars, leaseMs, only });
  const page = pageOf(drained.messages, own, input.max_chars);
  const left = drained.messages.slice(page.length);
  giveBack(
    bus,
    own,
    left.filter(({ again }) => !again),
  );
  // Back in the inbox, what is in doubt would pass for one that nobody was given.
  for (const message of left) if (message.again) renew(bus, own, message, 0);
  return {
    acknowledged,
    messages: page,
    unacknowledged: unacknowledged.filter((id) => !page.some((one) => one.id === id)),
    more: drained.more || left.length > 0,
  };
}

/** As many as fit as JSON. The first is always shown, or as much of it as fits: nothing could come after it otherwise. */
function pageOf(messages: readonly Handed[], own: string, maxChars: number) {
  const page: (ReturnType<typeof saidOf> & { again: boolean })[] = [];
  let used = 0;
  for (const { envelope, again } of messages) {
    let longest = maxChars - labelsChars;
    let said = saidOf(envelope, own, longest);
    // Control characters take six as JSON.
    while (page.length === 0 && JSON.stringify(said).length > maxChars && longest > 1)
      said = saidOf(envelope, own, (longest = Math.floor(longest / 2)));
    used += JSON.stringify(said).length;
    if (page.length > 0 && used > maxChars) break;
    page.push({ ...said, again });
  }
  return page;
}
