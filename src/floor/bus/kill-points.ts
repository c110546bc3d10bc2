// The steps of the bus between which a process may die. Fault tests end a process at each of them in turn; `step` is where
// the code passes one.

import { killPoint } from "../../settings/kill-at.ts";

export const sendSteps = [
  "bus.send.temp-created",
  "bus.send.temp-written",
  "bus.send.temp-synced",
  "bus.send.order-noted",
  "bus.send.linked",
  "bus.send.temp-removed",
  "bus.send.synced",
  "bus.send.recorded",
] as const;

export const sendToManySteps = ["bus.many.named", "bus.many.linked", "bus.many.recorded"] as const;

export const receiveSteps = [
  "bus.claim.listed",
  "bus.claim.renamed",
  "bus.claim.judged",
  "bus.claim.seen-written",
  "bus.claim.seen-linked",
  "bus.claim.seen-marked",
  "bus.claim.handed-out",
  "bus.claim.synced",
  "bus.settle.moved",
  "bus.settle.synced",
  "bus.settle.recorded",
] as const;

export const poisonSteps = ["bus.poison.reason-written", "bus.poison.moved"] as const;

export type BusStep =
  | (typeof sendSteps)[number]
  | (typeof sendToManySteps)[number]
  | (typeof receiveSteps)[number]
  | (typeof poisonSteps)[number];

export const step = (name: BusStep): void => killPoint(name);
