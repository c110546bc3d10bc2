// A message that a session read by itself, while it waited for an answer, is not told to it again by its hook. It lies among what the session
// is to hear, so it is taken as a hook would take it: whoever makes the told mark has it, and settles it.

import { createTrusted } from "../../files/trusted-files.ts";
import type { SealedHome } from "../../ports/keys.ts";
import { isGuestId } from "../../protocol/agent-id.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { inHome } from "../../settings/paths.ts";
import type { Bus } from "../bus/bus.ts";
import { Mailbox } from "../bus/mailbox.ts";
import { readClaim } from "../bus/message-name.ts";
import { inHand } from "../bus/pending.ts";
import { settle } from "../bus/settle.ts";
import { readHearPart } from "./hear-files.ts";
import { messageItemBase } from "./message-items.ts";

/** Between claiming a message and laying it down the daemon needs a few milliseconds. */
const looks = 25;
const betweenMs = 20;

/** False when there is nothing to take: a hook was faster, or the agent's messages come another way. */
export async function takeLaidMessage(
  bus: Bus,
  place: SealedHome,
  agent: string,
  envelope: Envelope,
  because: string,
): Promise<boolean> {
  if (!isGuestId(agent)) return false;
  const base = messageItemBase(envelope);
  for (let look = 0; look < looks; look++) {
    const messages = handedOut(bus, agent, base);
    if (messages.length === 0) return false; // it was told and settled
    const laid = readHearPart(place, agent, "messages").find(({ id }) => id.startsWith(base));
    if (laid !== undefined) {
      if (!createTrusted(bus.home, `${inHome.hear}/${agent}.told/${laid.id}`, "")) return false;
      settle(bus, agent, messages, "acked", because);
      return true;
    }
    await bus.clock.sleep(betweenMs);
  }
  return false;
}

function handedOut(bus: Bus, agent: string, base: string) {
  using box = Mailbox.find(bus, agent);
  const claims = (box?.names("processing") ?? []).flatMap((file) => readClaim(file) ?? []);
  return claims
    .filter(({ state }) => state === "handed-out")
    .flatMap((claim) => inHand(bus, agent, claim) ?? [])
    .filter((message) => messageItemBase(message.envelope) === base);
}
