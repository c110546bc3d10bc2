// The refusal of a text that holds a secret: what it seems to be and where, never what it is.

import { Refusal } from "./errors.ts";

export interface Found {
  readonly start: number;
  readonly kind: string;
}

export function secretRefusal(field: string, text: string, [found]: readonly Found[]): Refusal {
  const { kind = "a secret", start = 0 } = found ?? {};
  const before = text.slice(0, start).split("\n");
  const place = { field, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return new Refusal(
    "secret.found",
    `${field} holds what looks like ${kind}, at line ${place.line}, column ${place.column}; nothing was sent or written`,
    { kind, ...place },
  );
}
