// Words the message about a clock that jumped, for `doctor`, `status` and `clock status` alike.

import { believedAfterMs, type Jump } from "../ports/witnessed-time.ts";
import { counted } from "../protocol/counted.ts";

const hourMs = 3_600_000;

export function tellJump({ aheadMs, steadyMs }: Jump): string {
  const far = spanOf(Math.abs(aheadMs));
  if (aheadMs < 0) return `The clock was set back by ${far}; nothing is removed early by that.`;
  const left = spanOf(believedAfterMs - steadyMs);
  return `The clock is ${far} ahead of the time that passed; nothing is removed or ended by its word for another ${left}.`;
}

const spanOf = (ms: number): string =>
  ms >= 48 * hourMs
    ? counted(Math.round(ms / (24 * hourMs)), "day")
    : counted(Math.max(1, Math.round(ms / hourMs)), "hour");
