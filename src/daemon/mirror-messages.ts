// Mirrors the bus into the table `messages`: its journal as it grows, and now and then the files themselves, because a
// process that died between a step and its journal line left only the file.

import { statSync } from "node:fs";
import { join } from "node:path";
import { accountFor, type MessageSighting } from "../core/messages/account.ts";
import { hearReplies } from "../core/tasks/replies.ts";
import type { Bus } from "../floor/bus/bus.ts";
import { type BusRecord, readJournal } from "../floor/bus/journal.ts";
import { readMessageName } from "../floor/bus/message-name.ts";
import { sightings } from "../floor/bus/sightings.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import type { Letter } from "../protocol/deliver.ts";
import { inHome } from "../settings/paths.ts";
import { listTrusted } from "../settings/trusted-files.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { LoopDeclaration } from "./loops.ts";
import { takeInFile } from "./take-in-file.ts";

const everyMs = 1_000;
/** Looking at every file is the truth, and costs; the journal is nearly always enough. */
const reconcileEveryMs = 60_000;
const batch = 500;

export function mirrorLoop(parts: LoopParts): LoopDeclaration {
  const { store, clock, random } = parts;
  const { home } = parts.settings;
  const bus: Bus = { home, clock, random, liveness: systemLiveness };
  const seen = new Map<string, number>();
  let reconciledMs = -Infinity;
  const { constellation } = store;
  return {
    name: "messages",
    everyMs,
    async round() {
      for (const file of listTrusted(home, inHome.logs).filter((name) => /^bus-\d{4}-\d\d-\d\d\.jsonl$/.test(name))) {
        const { size, ino } = statSync(join(home, inHome.logs, file));
        if (seen.get(file) === size) continue;
        const letters: Letter[] = [];
        await takeInFile(store, file, ino, (offset) => {
          const { records, nextOffset } = readJournal(bus, file, offset);
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
        seen.set(file, size);
      }
      if (clock.monotonicMs() - reconciledMs >= reconcileEveryMs) {
        await reconcile(parts, bus);
        reconciledMs = clock.monotonicMs();
      }
      return undefined;
    },
  };
}

/** Writes only what the table does not have: in a quiet hour this reads names and nothing else. */
async function reconcile({ store }: LoopParts, bus: Bus): Promise<void> {
  const known = new Map<string, string>();
  const rows = await store.db
    .selectFrom("messages")
    .select(["receiver", "name", "state"])
    .where("constellation", "=", store.constellation)
    .execute();
  for (const row of rows) known.set(`${row.receiver}/${row.name}`, row.state);
  const missing = [...sightings(bus)].filter((sighting) => {
    const state = known.get(`${sighting.receiver}/${sighting.name}`);
    return state === undefined || (sighting.state !== "sent" && state !== sighting.state);
  });
  for (let from = 0; from < missing.length; from += batch) {
    await store.write((tx) => accountFor(tx, store.constellation, missing.slice(from, from + batch)));
  }
}

function fromRecord(record: BusRecord): MessageSighting[] {
  const atMs = Date.parse(record.at);
  const sender = record.envelope?.from ?? readMessageName(record.name)?.sender;
  if (Number.isNaN(atMs) || sender === undefined) return [];
  const { envelope } = record;
  return [
    {
      name: record.name,
      receiver: record.to,
      sender,
      state: record.state,
      atMs,
      because: record.because,
      ...(envelope === undefined
        ? {}
        : {
            content: {
              message_id: envelope.id ?? null,
              kind: envelope.kind ?? null,
              thread: envelope.thread ?? null,
              in_reply_to: envelope.in_reply_to ?? null,
              task: envelope.task ?? null,
              text: envelope.text,
              text_bytes: record.textBytes ?? null,
            },
          }),
    },
  ];
}
