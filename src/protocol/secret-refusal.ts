// The refusal of a text that holds a secret: what it seems to be and where, never what it is.

import { Refusal } from "./errors.ts";

export interface Found {
  readonly start: number;
  readonly kind: string;
}

/** The same where it is let pass, in plain ASCII: `field` is a name of an input of ours, or a place in it. */
export function secretWarning(field: string, text: string, found: readonly Found[]): string {
  const { kind, line, column } = placeOf(field, text, found);
  const warning = `${field} holds what looks like ${kind}, at line ${line}, column ${column}; it passed, and this is recorded`;
  return warning.replaceAll(/[^ -~]/g, "?").slice(0, 500);
}

function placeOf(field: string, text: string, [found]: readonly Found[]) {
  const { kind = "a secret", start = 0 } = found ?? {};
  const before = text.slice(0, start).split("\n");
  return { kind, field, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export function secretRefusal(field: string, text: string, found: readonly Found[]): Refusal {
  const { kind, ...place } = placeOf(field, text, found);
  return new Refusal(
    "secret.found",
    `${field} holds what looks like ${kind}, at line ${place.line}, column ${place.column}; nothing was sent or written`,
    { kind, ...place },
  );
}
