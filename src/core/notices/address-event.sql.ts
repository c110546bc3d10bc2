// The words of an event, once for all its recipients.

import type { Tx } from "../../store/group-commit.ts";
import type { AddressedEventsTable } from "../../store/tables/notices.ts";

export async function insertEvent(tx: Tx, row: AddressedEventsTable): Promise<void> {
  await tx.insert("addressed_events", row);
}
