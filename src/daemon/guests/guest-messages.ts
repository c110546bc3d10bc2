// Brings messages to sessions that people started: nothing is typed there, so a message is laid among what the session is to hear, and
// its hooks print it at the next prompt, edit or stop. Claimed from the inbox while it lies there; settled as delivered when the hook's
// record says that it was printed; given back when the session ends or the daemon does.

import type { Bus } from "../../floor/bus/bus.ts";
import { drain, type Handed } from "../../floor/bus/drain.ts";
import { inHand, pendingFor } from "../../floor/bus/pending.ts";
import { giveBack, type InHand, renew, settle } from "../../floor/bus/settle.ts";
import { readHearPart, removeToldMarks, type ToldMark, toldMarks, writeHear } from "../../floor/hear/hear-files.ts";
import { messageItemBase } from "../../floor/hear/message-items.ts";
import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import type { SealedHome } from "../../ports/keys.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { HearItem } from "../../protocol/hear.ts";
import { deliveryText } from "../agents/message-id.ts";

const leaseMs = 120_000;
/** More wait in the inbox: nobody reads twenty at once. */
const mostAtOnce = 10;
/** A hook prints at once after it made its mark; without its record by then, it died in between. */
const printedWithinMs = 10_000;
/** Of a message's words; a hook prints 12,000 characters at most. */
const longestText = 6000;

export class GuestMessages {
  readonly #bus: Bus;
  readonly #sealed: SealedHome;

  constructor(bus: Omit<Bus, "proofOfDelivery">) {
    this.#sealed = sealedHome(bus.home);
    this.#bus = {
      ...bus,
      proofOfDelivery: (agent, envelope) => {
        const told = this.#told(agent);
        const base = messageItemBase(envelope);
        if (told.some((id) => id.startsWith(base))) return Promise.resolve("arrived");
        const isMarked = toldMarks(bus.home, agent).some(({ id }) => id.startsWith(base));
        return Promise.resolve(isMarked ? "unknown" : "never-arrived");
      },
    };
  }

  /** For a session that is there. */
  async attend(agent: string): Promise<void> {
    const kept = this.#settleTold(agent);
    const room = mostAtOnce - kept.length;
    const drained = room > 0 ? await drain(this.#bus, agent, { maxCount: room, leaseMs }) : { messages: [] };
    const laid = readHearPart(this.#sealed, agent, "messages");
    const marks = toldMarks(this.#bus.home, agent);
    const items = [...kept, ...drained.messages].map((message) => this.#item(message, laid, marks));
    writeHear(this.#sealed, agent, "messages", items);
  }

  /** The session has ended, or we do: what was not told goes back into the inbox. */
  release(agent: string): void {
    const kept = this.#settleTold(agent);
    writeHear(this.#sealed, agent, "messages", []);
    const marks = toldMarks(this.#bus.home, agent);
    for (const message of kept) {
      const isMarked = marks.some(({ id }) => id.startsWith(messageItemBase(message.envelope)));
      if (isMarked) renew(this.#bus, agent, message, 0);
      else giveBack(this.#bus, agent, [message]);
    }
  }

  /** Settles what hooks have printed; answers the rest of what we hold. Claims of a daemon that is gone are ended, to be taken anew. */
  #settleTold(agent: string): InHand[] {
    const told = this.#told(agent);
    const self = this.#bus.liveness.self();
    const kept: InHand[] = [];
    for (const claim of pendingFor(this.#bus, agent).doubtful) {
      const message = inHand(this.#bus, agent, claim);
      if (message === undefined) continue;
      const base = messageItemBase(message.envelope);
      if (told.some((id) => id.startsWith(base))) {
        settle(this.#bus, agent, [message], "delivered", "printed by its hook");
        const marks = toldMarks(this.#bus.home, agent).filter(({ id }) => id.startsWith(base));
        removeToldMarks(
          this.#bus.home,
          agent,
          marks.map(({ id }) => id),
        );
      } else if (claim.claimer.pid === self.pid && claim.claimer.token === self.token)
        kept.push(this.#keep(agent, message));
      else renew(this.#bus, agent, message, 0);
    }
    return kept;
  }

  #keep(agent: string, message: InHand): InHand {
    const isEnding = message.claim.leaseUntilMs - this.#bus.clock.nowMs() < leaseMs / 2;
    return isEnding ? (renew(this.#bus, agent, message, leaseMs) ?? message) : message;
  }

  #told(agent: string): readonly string[] {
    return readHooks(this.#bus.home, agent, 0).flatMap(({ told }) => told ?? []);
  }

  /** As it lies there already; under the next name when the hook that took it died before it printed. */
  #item(message: InHand | Handed, laid: readonly HearItem[], marks: readonly ToldMark[]): HearItem {
    const base = messageItemBase(message.envelope);
    const ours = marks.filter(({ id }) => id.startsWith(base));
    const isPrinting = ours.some(({ atMs }) => this.#bus.clock.nowMs() - atMs < printedWithinMs);
    const known = laid.find(({ id }) => id.startsWith(base));
    const isLost = known !== undefined && ours.some(({ id }) => id === known.id) && !isPrinting;
    if (known !== undefined && !isLost) return known;
    const again = ours.length > 0 || ("again" in message && message.again);
    const framed = { again, ...("verified" in message ? { verified: message.verified } : {}) };
    return {
      id: `${base}${ours.length + 1}`,
      at: ["start", "prompt", "edit", "stop"],
      files: [],
      text: deliveryText({ ...framed, envelope: bounded(message.envelope) }),
    };
  }
}

function bounded(envelope: Envelope): Envelope {
  if (envelope.text.length <= longestText) return envelope;
  const cut = envelope.text.length - longestText;
  const whole = `constel query "select text from messages where message_id = '${envelope.id ?? ""}'"`;
  return { ...envelope, text: `${envelope.text.slice(0, longestText)}\n… ${cut} more characters: ${whole}` };
}
