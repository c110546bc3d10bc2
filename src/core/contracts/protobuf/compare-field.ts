// One field with one number on both sides. What goes over the wire is decided by number and type, JSON by name, generated
// code by all of them.

import { compareDeprecated } from "./compare-traits.ts";
import { defaultOf } from "./field-default.ts";
import { optionValue } from "./features.ts";
import type { Cardinality, LinkedField } from "./linked.ts";
import type { Pairing } from "./pairing.ts";
import { sameType } from "./pairing.ts";
import type { Report } from "./report.ts";
import { typeChangeEffect, typeName } from "./wire.ts";

export function compareField(
  path: string,
  old: LinkedField,
  young: LinkedField,
  pairing: Pairing,
  report: Report,
): void {
  const place: Place = { path: `${path} (${young.number})`, names: [...new Set([old.name, young.name])] };
  compareNames(place, old, young, report);
  compareTypes(place, old, young, pairing, report);
  compareCardinality(place, old, young, report);
  compareOneof(place, old, young, report);
  compareDefault(place, old, young, pairing, report);
  compareCode(place, old, young, report);
  if (old.packed !== young.packed && old.cardinality === young.cardinality) {
    const text = `${place.path} is sent ${young.packed ? "packed" : "unpacked"} now; every parser reads both.`;
    report.compatible("field-packing-changed", {
      ...place,
      before: String(old.packed),
      after: String(young.packed),
      text,
    });
  }
  compareDeprecated("field", place.path, place.names, old.options, young.options, report);
}

interface Place {
  readonly path: string;
  readonly names: readonly string[];
}

function compareNames(place: Place, old: LinkedField, young: LinkedField, report: Report): void {
  if (old.name !== young.name) {
    const text = `Field ${young.number} was renamed from ${old.name} to ${young.name}: code that uses the old name no longer compiles, and JSON has another key.`;
    report.breaking("field-renamed", { ...place, before: old.name, after: young.name, text });
  } else if (old.jsonName !== young.jsonName) {
    const text = `The JSON name of ${place.path} changed from ${old.jsonName} to ${young.jsonName}: old and new no longer read each other's JSON.`;
    report.breaking("field-json-name-changed", { ...place, before: old.jsonName, after: young.jsonName, text });
  }
}

function compareTypes(place: Place, old: LinkedField, young: LinkedField, pairing: Pairing, report: Report): void {
  const same = sameType(pairing, old.type, young.type) && old.mapKey === young.mapKey;
  if (same && old.delimited === young.delimited) return;
  const [before, after] = [typeName(old), typeName(young)];
  if (same) {
    const text = `${place.path} is encoded as ${young.delimited ? "a group" : "a length-prefixed message"} now: old and new no longer read each other's bytes.`;
    report.breaking("field-message-encoding-changed", { ...place, before, after, text });
    return;
  }
  // From map to the entries it stands for is told as a change of cardinality.
  if (old.cardinality !== young.cardinality && (old.mapKey === null) !== (young.mapKey === null)) return;
  const text = `The type of ${place.path} changed from ${before} to ${after}: ${typeChangeEffect(old, young)}.`;
  report.breaking("field-type-changed", { ...place, before, after, text });
}

const cardinalities: Readonly<Record<Cardinality, string>> = {
  required: "required",
  optional: "optional with explicit presence",
  implicit: "optional with implicit presence",
  repeated: "repeated",
  map: "a map",
};

function compareCardinality(place: Place, old: LinkedField, young: LinkedField, report: Report): void {
  const [was, is] = [old.cardinality, young.cardinality];
  // In a oneof presence is always explicit; moving there is told as such.
  if (was === is || (old.oneof !== young.oneof && !isMany(was) && !isMany(is))) return;
  const told = { ...place, before: cardinalities[was], after: cardinalities[is] };
  if (was === "required" || is === "required") {
    const effect =
      is === "required"
        ? "messages without it, which older senders may send, are rejected"
        : "older receivers reject messages without it";
    report.breaking("field-required-changed", {
      ...told,
      text: `${place.path} went from ${cardinalities[was]} to ${cardinalities[is]}: ${effect}.`,
    });
    return;
  }
  const effect =
    isMany(was) || isMany(is)
      ? "generated code and JSON have another shape"
      : "generated code asks differently whether it is set";
  const rule = isMany(was) || isMany(is) ? "field-cardinality-changed" : "field-presence-changed";
  report.breaking(rule, {
    ...told,
    text: `${place.path} went from ${cardinalities[was]} to ${cardinalities[is]}: ${effect}.`,
  });
}

function isMany(cardinality: Cardinality): boolean {
  return cardinality === "repeated" || cardinality === "map";
}

function compareOneof(place: Place, old: LinkedField, young: LinkedField, report: Report): void {
  const [was, is] = [old.oneof, young.oneof];
  if (was === is) return;
  const rule =
    was === null ? "field-moved-into-oneof" : is === null ? "field-moved-out-of-oneof" : "field-moved-to-another-oneof";
  const story =
    was === null ? `into the oneof ${is}` : is === null ? `out of the oneof ${was}` : `from the oneof ${was} to ${is}`;
  const text = `${place.path} moved ${story}: generated code differs, and values may be lost when both versions handle a message.`;
  report.breaking(rule, { ...place, before: was, after: is, text });
}

function compareDefault(
  place: Place,
  old: LinkedField,
  young: LinkedField,
  { before, after }: Pairing,
  report: Report,
): void {
  // Another type has another default, which is told with the type.
  const sameKind = old.type.kind === young.type.kind && (old.type.kind === "enum" || old.type.name === young.type.name);
  if (!sameKind || isMany(old.cardinality) || isMany(young.cardinality)) return;
  const [was, is] = [defaultOf(old, before), defaultOf(young, after)];
  if (was === is) return;
  const text = `The default of ${place.path} changed from ${was} to ${is}: old and new read a message without it differently.`;
  report.breaking("field-default-changed", { ...place, before: was, after: is, text });
}

/** Options that only change what is generated. */
function compareCode(place: Place, old: LinkedField, young: LinkedField, report: Report): void {
  const changed = (rule: string, what: string, was: string, is: string): void => {
    if (was === is) return;
    const text = `${what} of ${place.path} changed from ${was} to ${is}: generated code differs.`;
    report.breaking(rule, { ...place, before: was, after: is, text });
  };
  const jstype = ({ options }: LinkedField): string => optionValue(options, "jstype") ?? "JS_NORMAL";
  changed("field-jstype-changed", "jstype", jstype(old), jstype(young));
  if (isString(old) && isString(young)) {
    changed(
      "field-utf8-validation-changed",
      "UTF-8 validation",
      old.features.utf8_validation,
      young.features.utf8_validation,
    );
    changed("field-java-utf8-validation-changed", "Java's UTF-8 validation", javaUtf8(old), javaUtf8(young));
  }
  if (isText(old) && isText(young)) {
    const strings = ({ features }: LinkedField): string => features["(pb.cpp).string_type"];
    changed("field-cpp-string-type-changed", "The C++ string type", strings(old), strings(young));
  }
}

function isString({ type, mapKey }: LinkedField): boolean {
  return type.name === "string" || mapKey === "string";
}

function isText({ type, mapKey }: LinkedField): boolean {
  return type.name === "string" || type.name === "bytes" || mapKey === "string";
}

function javaUtf8({ features }: LinkedField): string {
  return features["(pb.java).utf8_validation"] === "VERIFY" || features.utf8_validation === "VERIFY"
    ? "VERIFY"
    : "NONE";
}
