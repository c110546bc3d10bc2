// Compares the mailboxes with the table `messages` and writes what the table does not have: a process that died between a step and
// its line in the bus's journal left only the file. In a quiet hour this costs a stat for each room; in a busy one it reads names, and
// of a long box only those that came since the last look. It lets others have their turn all the time.

import { accountFor, type MessageSighting } from "../../core/messages/account.ts";
import { hearReplies } from "../../core/tasks/assigning/replies.ts";
import { abridged } from "../../floor/bus/bus-journal.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { agentsWithMailbox } from "../../floor/bus/list.ts";
import { changedMark, type Sighting, sightedEnvelope, sightingsIn } from "../../floor/bus/sightings.ts";
import { keyHolderFor } from "../../protocol/bus-names.ts";
import type { Store } from "../../store/open.ts";
import type { Random } from "../../ports/machine.ts";
import { contentOf } from "./message-content.ts";
import { accountedMessages } from "./reconcile-messages.sql.ts";

/** Weaker than a sealed line: whoever can write in the mailbox can move a file. */
const byItsPlace = "by its place in the mailbox";
/** So many are compared in one go; each may be a file to be read. */
const batch = 100;
/** Then the journal has its turn. */
const batchesARound = 10;
/** Clocks differ and files move: what is this much older than the last look is looked at once more. */
const overlapMs = 3_600_000;

export class Reconciliation {
  readonly #store: Store;
  readonly #random: Random;
  readonly #bus: Bus;
  #walk: AsyncGenerator<void> | undefined;
  readonly #looked = new Map<string, { readonly mark: string; readonly atMs: number }>();

  constructor(store: Store, random: Random, bus: Bus) {
    this.#store = store;
    this.#random = random;
    this.#bus = bus;
  }

  /** Goes on from where the last round ended. True when every mailbox was looked at. */
  async round(): Promise<boolean> {
    this.#walk ??= this.#everything();
    for (let done = 0; done < batchesARound; done++) {
      if ((await this.#walk.next()).done !== true) continue;
      this.#walk = undefined;
      return true;
    }
    return false;
  }

  async *#everything(): AsyncGenerator<void> {
    for (const agent of agentsWithMailbox(this.#bus)) {
      const before = this.#looked.get(agent);
      // Read before the names are: what comes while we look is looked at the next time.
      const now = { mark: changedMark(this.#bus, agent), atMs: this.#bus.clock.nowMs() };
      if (before?.mark === now.mark) continue;
      const sinceMs = before === undefined ? 0 : before.atMs - overlapMs;
      let some: Sighting[] = [];
      for (const sighting of sightingsIn(this.#bus, agent, sinceMs)) {
        if (some.push(sighting) < batch) continue;
        yield this.#compare(agent, some);
        some = [];
      }
      yield this.#compare(agent, some);
      this.#looked.set(agent, now);
    }
  }

  async #compare(agent: string, sightings: readonly Sighting[]): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (sightings.length === 0) return;
    const { db, constellation } = this.#store;
    const names = [...new Set(sightings.map(({ name }) => name))];
    const rows = await accountedMessages(db, constellation, { receiver: agent, names });
    const known = new Map(rows.map((row) => [row.name, row]));
    const missing = sightings.flatMap((sighting): MessageSighting[] => {
      const row = known.get(sighting.name);
      const found = row?.isRead ? undefined : this.#contentIn(sighting);
      const isNews = row === undefined || (sighting.state !== "sent" && row.state !== sighting.state);
      return isNews || found !== undefined ? [{ ...sighting, ...found, because: byItsPlace, evidence: "weak" }] : [];
    });
    if (missing.length === 0) return;
    await this.#store.write(async (tx) => {
      const told = await accountFor(tx, constellation, missing);
      await hearReplies({ random: this.#random, constellation }, tx, told);
    });
  }

  /** Its file is all that is left of a message whose sender died before it could note it. */
  #contentIn(sighting: Sighting): Pick<MessageSighting, "content" | "verifiedBy"> | undefined {
    const envelope = sightedEnvelope(this.#bus, sighting);
    if (envelope === undefined) return undefined;
    const { envelope: kept, textBytes } = abridged(envelope);
    const verifiedBy = this.#bus.verify?.(envelope) === true ? keyHolderFor(envelope.from, envelope.origin) : undefined;
    return { content: contentOf(kept, textBytes), verifiedBy };
  }
}
