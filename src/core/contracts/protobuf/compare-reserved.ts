// Reservations of messages and enums: they keep the numbers and names of what was deleted from being used again.

import type { LinkedEnum, LinkedMessage } from "./linked.ts";
import { covers } from "./ranges.ts";
import type { Report } from "./report.ts";
import { lastName } from "./report.ts";

export function compareReserved<Item extends LinkedMessage | LinkedEnum>(
  kind: "message" | "enum",
  old: Item,
  young: Item,
  report: Report,
): void {
  const told = { path: young.fullName, names: [lastName(young.fullName)] };
  const what = kind === "message" ? "field" : "value";
  for (const { start, end } of old.syntax.reserved) {
    if (covers(young.syntax.reserved, start, end)) continue;
    const range = start === end ? String(start) : `${start} to ${end}`;
    report.breaking(`${kind}-reserved-range-deleted`, {
      ...told,
      before: range,
      text: `${young.fullName} no longer reserves ${range}: a new ${what} with such a number is read as the deleted one by older programs.`,
    });
  }
  const still = new Set(young.syntax.reservedNames);
  for (const name of new Set(old.syntax.reservedNames)) {
    if (still.has(name)) continue;
    report.breaking(`${kind}-reserved-name-deleted`, {
      ...told,
      before: name,
      text: `${young.fullName} no longer reserves the name ${name}: a new ${what} of that name is read as the deleted one in JSON.`,
    });
  }
}
