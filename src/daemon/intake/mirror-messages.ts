// Mirrors the bus into the table `messages`: its journal as it grows, and now and then the files themselves, because a
// process that died between a step and its journal line left only the file.

import { accountFor, type MessageSighting } from "../../core/messages/account.ts";
import { hearReplies } from "../../core/tasks/assigning/replies.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { type BusRecord, readJournal } from "../../floor/bus/bus-journal.ts";
import { readMessageName } from "../../floor/bus/message-name.ts";
import { finishingToMany } from "../../floor/bus/send-to-many.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { constellationHolder } from "../../ports/keys.ts";
import type { Letter } from "../../ports/deliver.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import { contentOf } from "./message-content.ts";
import type { Round } from "../loops/react.ts";
import { Reconciliation } from "./reconcile-messages.ts";
import { RecordFiles } from "./record-files.ts";
import { takeInFile } from "./take-in-file.ts";

/** The files are the truth; the journal is nearly always enough. */
const reconcileEveryMs = 60_000;

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
  const reconciliation = new Reconciliation(store, random, bus);
  let reconciledMs = -Infinity;
  const { constellation } = store;
  return {
    async round() {
      // Making what went to fifty agents last is fifty waits for the disk: whoever asks meanwhile has their answer first.
      for (const _ of finishingToMany(bus)) await new Promise((resolve) => setImmediate(resolve));
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
        if (await reconciliation.round()) reconciledMs = clock.monotonicMs();
      }
      return undefined;
    },
  };
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
