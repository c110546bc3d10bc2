// Pure decisions of a holder about a turn of its program: whether it was one, and what was done in it.

import { callHash } from "../../host/runtime/hook-record.ts";
import type { TurnEnd, TurnEvent } from "../../ports/driver.ts";

const withoutModel = "its program ended the turn, and its model gave no sign";
const markLength = 6;

/** Some programs call it the end of a turn when their model refused, or was never asked. What was said to them is not answered. */
export function endOfTurn(end: TurnEnd, isAcknowledged: boolean): TurnEnd {
  return end.ok && !isAcknowledged && end.text.trim() === "" ? { ...end, ok: false, error: withoutModel } : end;
}

/** Each call carries a mark of its input: the same answer after other calls is progress. */
export function noteDone(did: string[], event: TurnEvent): void {
  if (event.kind !== "tool-began" && event.kind !== "tool-ended") return;
  const { kind, tool, files = [], input } = event;
  if (kind === "tool-began") did.push([tool, ...files].join(" "));
  if (input === undefined) return;
  // Some programs tell it only at the end of the call, and what began in between has its own.
  const open = did.findLastIndex((one) => !one.includes(" #") && `${one} `.startsWith(`${tool} `));
  if (open >= 0) did[open] += ` #${callHash(input).slice(0, markLength)}`;
}
