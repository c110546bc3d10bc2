// Mirrors the bus into the table `messages`: its journal as it grows, and now and then the files themselves, because a
// process that died between a step and its journal line left only the file.

import { accountFor, type MessageSighting } from "../core/messages/account.ts";
import { hearReplies } from "../core/tasks/replies.ts";
import type { Bus } from "../floor/bus/bus.ts";
import type { Envelope } from "../protocol/envelope.ts";
import { keyHolderFor } from "../protocol/bus-names.ts";
import { abridged, type BusRecord, readJournal } from "../floor/bus/bus-journal.ts";
import { readMessageName } from "../floor/bus/message-name.ts";
import { type Sighting, sightedEnvelope, sightings } from "../floor/bus/sightings.ts";
import { busTrust } from "../host/keys/bus-trust.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import { constellationHolder } from "../ports/keys.ts";
import type { Letter } from "../ports/deliver.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";
import { RecordFiles } from "./record-files.ts";
import { takeInFile } from "./take-in-file.ts";

/** Looking at every file is the truth, and costs; the journal is nearly always enough. */
const reconcileEveryMs = 60_000;
const batch = 500;
/** Weaker than a sealed line: whoever can write in the mailbox can move a file. */
const byItsPlace = "by its place in the mailbox";

export function mirrorLoop(parts: LoopParts): Round {
  const { store, clock, random } = parts;
  const { home } = parts.settings;
  const bus: Bus = {
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  };
  const files = new RecordFiles(parts, ["bus"]);
  let reconciledMs = -Infinity;
  const { constellation } = store;
  return {
    async round() {
      for (const file of files.grown()) {
        const letters: Letter[] = [];
        await takeInFile(store, file, (offset) => {
          const { records, nextOffset } = readJournal(bus, file.name, offset);
          return {
            nextOffset,
            async write(tx) {
              const told = await accountFor(tx, constellation, records.flatMap(fromRecord));
              letters.push(...(await hearReplies({ random, constellation }, tx, told)));
            },
          };
        });
        // After the transaction: should it be lost in a crash, the task's story still has it.
        for (const letter of letters) parts.taskMachine.deliver?.put(letter);
        files.takenIn(file);
      }
      await files.tidy();
      if (clock.monotonicMs() - reconciledMs >= reconcileEveryMs) {
        await reconcile(parts, bus);
        reconciledMs = clock.monotonicMs();
      }
      return undefined;
    },
  };
}

/** Writes only what the table does not have: in a quiet hour this reads names and nothing else. */
async function reconcile({ store, random }: LoopParts, bus: Bus): Promise<void> {
  const known = new Map<string, { state: string; isRead: boolean }>();
  const rows = await store.db
    .selectFrom("messages")
    .select(["receiver", "name", "state", (eb) => eb("text", "is not", null).as("isRead")])
    .where("constellation", "=", store.constellation)
    .execute();
  for (const row of rows) known.set(`${row.receiver}/${row.name}`, { state: row.state, isRead: Boolean(row.isRead) });
  const missing = [...sightings(bus)].flatMap((sighting): MessageSighting[] => {
    const row = known.get(`${sighting.receiver}/${sighting.name}`);
    const found = row?.isRead === true ? undefined : contentIn(bus, sighting);
    const isNews = row === undefined || (sighting.state !== "sent" && row.state !== sighting.state);
    return isNews || found !== undefined ? [{ ...sighting, ...found, because: byItsPlace, evidence: "weak" }] : [];
  });
  for (let from = 0; from < missing.length; from += batch) {
    await store.write(async (tx) => {
      const told = await accountFor(tx, store.constellation, missing.slice(from, from + batch));
      await hearReplies({ random, constellation: store.constellation }, tx, told);
    });
  }
}

/** Its file is all that is left of a message whose sender died before it could note it. */
function contentIn(bus: Bus, sighting: Sighting): Pick<MessageSighting, "content" | "verifiedBy"> | undefined {
  const envelope = sightedEnvelope(bus, sighting);
  if (envelope === undefined) return undefined;
  const { envelope: kept, textBytes } = abridged(envelope);
  const verifiedBy = bus.verify?.(envelope) === true ? keyHolderFor(envelope.from) : undefined;
  return { content: contentOf(kept, textBytes), verifiedBy };
}

function fromRecord(record: BusRecord): MessageSighting[] {
  const atMs = Date.parse(record.at);
  const { envelope, name, state, because, sealedBy } = record;
  // Anybody can write a line. One that is nobody's says nothing: the files themselves are looked at now and then.
  if (sealedBy === undefined) return [];
  const sender = envelope?.from ?? readMessageName(name)?.sender;
  if (Number.isNaN(atMs) || sender === undefined) return [];
  const content = envelope === undefined ? undefined : contentOf(envelope, record.textBytes);
  const verifiedBy = state === "sent" ? sealedBy : undefined;
  return [{ name, receiver: record.to, sender, state, atMs, because, content, evidence: "bound", verifiedBy }];
}

function contentOf(envelope: Envelope, textBytes: number | undefined): MessageSighting["content"] {
  return {
    message_id: envelope.id ?? null,
    kind: envelope.kind ?? null,
    thread: envelope.thread ?? null,
    in_reply_to: envelope.in_reply_to ?? null,
    task: envelope.task ?? null,
    text: envelope.text,
    text_bytes: textBytes ?? null,
  };
}
