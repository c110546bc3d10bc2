// Enums: values by number, because that is what is sent; names, because JSON and generated code use them.

import { compareReserved } from "./compare-reserved.ts";
import { compareDeprecated, compareJsonFormat, compareVisibility } from "./compare-traits.ts";
import type { LinkedEnum } from "./linked.ts";
import type { Pairing } from "./pairing.ts";
import { pairDefinitions } from "./presence.ts";
import { covers, nameReserved } from "./ranges.ts";
import type { Report } from "./report.ts";
import { lastName } from "./report.ts";
import type { EnumValueSyntax } from "./syntax.ts";

export function compareEnums(pairing: Pairing, report: Report): void {
  const { before, after } = pairing;
  for (const [old, young] of pairDefinitions("enum", before.enums, after.enums, pairing, report)) {
    if (!report.mayCompare(young.fullName, old.syntax.values.length + young.syntax.values.length)) continue;
    compareValues(old, young, report);
    compareReserved("enum", old, young, report);
    compareOpenness(old, young, report);
    compareJsonFormat("enum", old, young, report);
    compareVisibility("enum", old, young, report);
    compareDeprecated(
      "enum",
      young.fullName,
      [lastName(young.fullName)],
      old.syntax.options,
      young.syntax.options,
      report,
    );
  }
}

function compareValues(old: LinkedEnum, young: LinkedEnum, report: Report): void {
  const [was, is] = [byNumber(old), byNumber(young)];
  const names = new Set(old.syntax.values.map(({ name }) => name));
  const numbers = new Map(young.syntax.values.map(({ name, number }) => [name, number]));
  for (const [number, values] of was) {
    const now = is.get(number);
    if (now === undefined) for (const value of values) valueGone(old, young, value, numbers.get(value.name), report);
    else compareNames(young, values, now, report);
  }
  for (const [number, values] of is) {
    const known = new Set((was.get(number) ?? []).map(({ name }) => name));
    // Where no old name stays, the new one was told as a renaming.
    if (known.size > 0 && !values.some(({ name }) => known.has(name))) continue;
    for (const { name } of values) {
      // A value that changed its number was told as such.
      if (!known.has(name) && !names.has(name)) valueAdded(young, name, number, was.has(number), report);
    }
  }
}

function byNumber({ syntax }: LinkedEnum): Map<number, EnumValueSyntax[]> {
  const values = new Map<number, EnumValueSyntax[]>();
  for (const value of syntax.values) {
    const same = values.get(value.number);
    if (same === undefined) values.set(value.number, [value]);
    else same.push(value);
  }
  return values;
}

function valueGone(
  old: LinkedEnum,
  young: LinkedEnum,
  value: EnumValueSyntax,
  renumbered: number | undefined,
  report: Report,
): void {
  const told = {
    path: `${old.fullName}.${value.name}`,
    names: [value.name, lastName(old.fullName)],
    before: String(value.number),
  };
  if (renumbered !== undefined) {
    const text = `${told.path} changed its number from ${value.number} to ${renumbered}: old and new read each other's values wrongly.`;
    report.breaking("enum-value-number-changed", { ...told, after: String(renumbered), text });
    return;
  }
  const reserved = covers(young.syntax.reserved, value.number) && nameReserved(young.syntax, value.name);
  const reuse = reserved ? "" : "; its number and name are not both reserved, so a later value may take them";
  report.breaking(reserved ? "enum-value-deleted" : "enum-value-deleted-without-reserving", {
    ...told,
    text: `${told.path} (${value.number}) was deleted: code that uses it no longer compiles${reuse}.`,
  });
}

/** Of several names for one number all must stay; more may come. */
function compareNames(
  young: LinkedEnum,
  old: readonly EnumValueSyntax[],
  now: readonly EnumValueSyntax[],
  report: Report,
): void {
  const still = new Map(now.map((value) => [value.name, value]));
  const names = new Set(old.map(({ name }) => name));
  const fresh = now.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  for (const value of old) {
    const { name, number } = value;
    const same = still.get(name);
    const path = `${young.fullName}.${name}`;
    if (same !== undefined) {
      compareDeprecated("enum-value", path, [name], value.options, same.options, report);
      continue;
    }
    const after = fresh.length === 0 ? null : fresh.slice(0, 5).join(", ");
    report.breaking("enum-value-renamed", {
      path,
      before: name,
      after,
      text: `Value ${number} of ${young.fullName} is no longer called ${name}${after === null ? "" : `, but ${after}`}: code that uses the name no longer compiles, and JSON differs.`,
      names: [name, lastName(young.fullName)],
    });
  }
}

function valueAdded(young: LinkedEnum, name: string, number: number, isAlias: boolean, report: Report): void {
  const path = `${young.fullName}.${name}`;
  const text = isAlias ? `${path} is another name for value ${number}.` : `The value ${path} (${number}) was added.`;
  const names = [name, lastName(young.fullName)];
  report.compatible(isAlias ? "enum-alias-added" : "enum-value-added", { path, after: String(number), text, names });
}

function compareOpenness(old: LinkedEnum, young: LinkedEnum, report: Report): void {
  const [was, is] = [old.features.enum_type, young.features.enum_type];
  if (was === is) return;
  const text = `${young.fullName} went from ${was.toLowerCase()} to ${is.toLowerCase()}: values that a reader does not know are treated differently.`;
  report.breaking("enum-type-changed", {
    path: young.fullName,
    before: was,
    after: is,
    text,
    names: [lastName(young.fullName)],
  });
}
