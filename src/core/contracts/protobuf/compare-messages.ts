// Messages: fields by number, oneofs, reservations, extension ranges and the options that change code or encoding.

import { listed } from "../../../protocol/listed.ts";
import { compareField } from "./compare-field.ts";
import { optionValue } from "./features.ts";
import type { LinkedField, LinkedMessage } from "./linked.ts";
import type { Pairing } from "./pairing.ts";
import { pairDefinitions } from "./presence.ts";
import { covers, nameReserved } from "./ranges.ts";
import type { Report } from "./report.ts";
import { lastName } from "./report.ts";
import { compareReserved } from "./compare-reserved.ts";
import { compareVisibility, compareDeprecated, compareJsonFormat } from "./compare-traits.ts";

export function compareMessages(pairing: Pairing, report: Report): void {
  const { before, after } = pairing;
  for (const [old, young] of pairDefinitions("message", before.messages, after.messages, pairing, report)) {
    const { reserved } = young.syntax;
    const members = old.fields.size + young.fields.size + old.syntax.reserved.length + reserved.length;
    if (!report.mayCompare(young.fullName, members)) continue;
    compareFields(old, young, pairing, report);
    compareOneofs(old, young, report);
    compareReserved("message", old, young, report);
    compareExtensionRanges(old, young, report);
    compareOptions(old, young, report);
    compareJsonFormat("message", old, young, report);
    compareVisibility("message", old, young, report);
    compareDeprecated(
      "message",
      young.fullName,
      [lastName(young.fullName)],
      old.syntax.options,
      young.syntax.options,
      report,
    );
  }
}

function compareFields(old: LinkedMessage, young: LinkedMessage, pairing: Pairing, report: Report): void {
  const nameNow = new Map([...young.fields.values()].map((field) => [field.name, field]));
  const names = new Set([...old.fields.values()].map(({ name }) => name));
  for (const [number, field] of old.fields) {
    const now = young.fields.get(number);
    if (now !== undefined) compareField(`${young.fullName}.${now.name}`, field, now, pairing, report);
    else fieldGone(old, young, field, nameNow.get(field.name), report);
  }
  for (const [number, field] of young.fields)
    if (!old.fields.has(number)) fieldAdded(young, field, names.has(field.name), report);
}

function fieldGone(
  old: LinkedMessage,
  young: LinkedMessage,
  field: LinkedField,
  renumbered: LinkedField | undefined,
  report: Report,
): void {
  const told = { path: `${old.fullName}.${field.name}`, names: [field.name, lastName(old.fullName)] };
  if (renumbered !== undefined && !old.fields.has(renumbered.number)) {
    report.breaking("field-number-changed", {
      ...told,
      before: String(field.number),
      after: String(renumbered.number),
      text: `${told.path} changed its number from ${field.number} to ${renumbered.number}: old and new no longer read each other's bytes.`,
    });
    return;
  }
  const unreserved = [
    ...(covers(young.syntax.reserved, field.number) ? [] : [`number ${field.number}`]),
    ...(nameReserved(young.syntax, field.name) ? [] : [`name "${field.name}"`]),
  ];
  const reuse =
    unreserved.length === 0
      ? ""
      : `; its ${listed(unreserved)} ${unreserved.length > 1 ? "are" : "is"} not reserved, so a later field may take ${unreserved.length > 1 ? "them" : "it"}`;
  const rule = unreserved.length === 0 ? "field-deleted" : "field-deleted-without-reserving";
  report.breaking(field.cardinality === "required" ? "required-field-deleted" : rule, {
    ...told,
    before: `${field.type.name} ${field.name} = ${field.number}`,
    text: `${told.path} (${field.number}) was deleted: code that uses it no longer compiles${reuse}.`,
  });
}

function fieldAdded(message: LinkedMessage, field: LinkedField, renumbered: boolean, report: Report): void {
  const told = {
    path: `${message.fullName}.${field.name}`,
    after: `${field.type.name} ${field.name} = ${field.number}`,
    names: [field.name, lastName(message.fullName)],
  };
  if (field.cardinality === "required") {
    const text = `The required field ${told.path} (${field.number}) was added: messages from older senders are rejected.`;
    report.breaking("required-field-added", { ...told, text });
  } else if (!renumbered) {
    report.compatible("field-added", { ...told, text: `The field ${told.path} (${field.number}) was added.` });
  }
}

function compareOneofs(old: LinkedMessage, young: LinkedMessage, report: Report): void {
  const [was, is] = [old, young].map(({ syntax }) => new Set(syntax.oneofs.map(({ name }) => name)));
  for (const name of was ?? []) {
    if (is?.has(name) === true) continue;
    report.breaking("oneof-deleted", {
      path: `${young.fullName}.${name}`,
      before: name,
      text: `The oneof ${young.fullName}.${name} was deleted: code that asks which of its fields is set no longer compiles.`,
      names: [name, lastName(young.fullName)],
    });
  }
  for (const name of is ?? []) {
    if (was?.has(name) === true) continue;
    const path = `${young.fullName}.${name}`;
    report.compatible("oneof-added", { path, after: name, text: `The oneof ${path} was added.`, names: [name] });
  }
}

function compareExtensionRanges(old: LinkedMessage, young: LinkedMessage, report: Report): void {
  for (const range of old.syntax.extensionRanges) {
    if (covers(young.syntax.extensionRanges, range.start, range.end)) continue;
    report.breaking("extension-range-deleted", {
      path: young.fullName,
      before: `${range.start} to ${range.end}`,
      text: `${young.fullName} no longer leaves ${range.start} to ${range.end} to extensions: files that extend it there no longer compile.`,
      names: [lastName(young.fullName)],
    });
  }
}

function compareOptions(old: LinkedMessage, young: LinkedMessage, report: Report): void {
  const isSet = ({ syntax }: LinkedMessage, option: string): boolean => optionValue(syntax.options, option) === "true";
  const told = { path: young.fullName, names: [lastName(young.fullName)] };
  if (isSet(old, "message_set_wire_format") !== isSet(young, "message_set_wire_format")) {
    report.breaking("message-set-wire-format-changed", {
      ...told,
      before: String(isSet(old, "message_set_wire_format")),
      after: String(isSet(young, "message_set_wire_format")),
      text: `message_set_wire_format of ${young.fullName} changed: old and new no longer read each other's bytes.`,
    });
  }
  if (!isSet(old, "no_standard_descriptor_accessor") && isSet(young, "no_standard_descriptor_accessor")) {
    report.breaking("message-descriptor-accessor-removed", {
      ...told,
      before: "false",
      after: "true",
      text: `${young.fullName} no longer has the accessor descriptor(): code that calls it no longer compiles.`,
    });
  }
}
