// Answers a read operation in the caller's own process when no daemon runs, from a snapshot: looking starts and creates
// nothing.

import type { Kysely } from "kysely";
import type { ReadContext } from "../core/context.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { checkedInput } from "../protocol/checked-input.ts";
import { Refusal } from "../protocol/errors.ts";
import type { Operation } from "../protocol/operation.ts";
import { operations } from "../protocol/operations/all.ts";
import { finished } from "../settings/checked-answer.ts";
import type { Settings } from "../settings/settings.ts";
import { refuseOtherSchema } from "../store/migrate.ts";
import { allMigrations } from "../store/migrations/all.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { readOperations } from "./read-operations.ts";
import { storeOptions } from "./store-options.ts";

type Read = (context: ReadContext, input: never) => Promise<unknown>;

export async function readInProcess(settings: Settings, name: string, input: unknown): Promise<unknown> {
  const read: Read | undefined = (readOperations as Readonly<Record<string, Read>>)[name];
  if (read === undefined) throw new Error(`${name} cannot be answered without the daemon`);
  const operation: Operation = operations[name as keyof typeof operations];
  const checked = checkedInput(operation, input);
  const options = storeOptions(settings);
  // Before the snapshot is taken: what is acknowledged later is not in it.
  const head = name === "audit.verify" ? options.head?.read() : undefined;
  const snapshot = await openSnapshot(options);
  try {
    const context = {
      store: { db: snapshot.db, constellation: options.constellation, dialect: snapshot.dialect },
      clock: options.clock,
      audit: { ...auditEvidence(settings.home), acknowledged: head === "unreadable" ? undefined : head },
    };
    return finished(operation, checked, await read(context, checked as never));
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    const { db, dialect } = snapshot;
    throw (await refuseOtherSchema({ db: db as unknown as Kysely<unknown>, dialect }, allMigrations)) ?? cause;
  } finally {
    await snapshot.close();
  }
}
