// An event as routing knows it, and its copies.

import type { Addressing, EventSeverity } from "../../protocol/event-types.ts";
import type { DeliveriesTable, PublishedTable } from "../../store/tables/told.ts";
import type { AddressedEvent } from "../notices/address-event.ts";

/** What only informs is told with the low ones. */
export function routedAs(row: PublishedTable, addressing: Addressing): AddressedEvent {
  const { recipients, paths, repository, topics, services, capability, task } = addressing;
  const severity = row.severity as EventSeverity;
  return {
    event: row.type,
    causedBy: row.actor,
    informed: recipients,
    severity: severity === "info" ? "low" : severity,
    text: row.text,
    paths,
    topics,
    services,
    ...(repository === null ? {} : { repository }),
    ...(capability === null ? {} : { capability }),
    ...(task === null ? {} : { task }),
  };
}

export function copyOf(
  { id, constellation }: Pick<PublishedTable, "id" | "constellation">,
  recipient: string,
  state: "waiting" | "held" | "noticed",
  notice: string | null = null,
): DeliveriesTable {
  return { constellation, event: id, recipient, state, message_id: id, sent_ms: null, problem: null, notice };
}
