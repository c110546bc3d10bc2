// Extensions: fields that one file adds to a message of another, known by their full names.

import { compareField } from "./compare-field.ts";
import type { Pairing } from "./pairing.ts";
import { pairDefinitions } from "./presence.ts";
import type { Report } from "./report.ts";

export function compareExtensions(pairing: Pairing, report: Report): void {
  const { before, after, renamed } = pairing;
  for (const [old, young] of pairDefinitions("extension", before.extensions, after.extensions, pairing, report)) {
    const told = { path: young.fullName, names: [young.field.name] };
    const [was, is] = [old.field, young.field];
    if (renamed(was.extendee ?? "") !== is.extendee) {
      const text = `${young.fullName} extends ${is.extendee} instead of ${was.extendee}: code that sets it no longer compiles.`;
      report.breaking("extension-extendee-changed", { ...told, before: was.extendee, after: is.extendee, text });
    }
    if (was.number !== is.number) {
      const text = `${young.fullName} changed its number from ${was.number} to ${is.number}: old and new no longer read each other's bytes.`;
      report.breaking("extension-number-changed", {
        ...told,
        before: String(was.number),
        after: String(is.number),
        text,
      });
    }
    compareField(young.fullName, was, is, pairing, report);
  }
}
