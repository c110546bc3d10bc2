// The steps of a delivery between which the daemon may die, besides the bus's own. Fault tests end it at each in turn.

import { killPoint } from "../../settings/kill-at.ts";

export const deliverySteps = [
  "deliver.handed-out",
  "deliver.pasted",
  "deliver.entered",
  "deliver.proven",
  "deliver.settled",
] as const;

export const step = (name: (typeof deliverySteps)[number]): void => killPoint(name);
