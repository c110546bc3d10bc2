// One field with its defaults: JSON name, presence, packing and encoding, in terms that hold for every syntax.

import { optionValue } from "./features.ts";
import type { Features } from "./features.ts";
import type { Cardinality, LinkedField, TypeReference } from "./linked.ts";
import type { FieldSyntax } from "./syntax.ts";

export function linkField(
  field: FieldSyntax,
  type: TypeReference,
  extendee: string | null,
  features: Features,
  syntax: string,
): LinkedField {
  const { name, number, mapKey, oneof, options, line, group } = field;
  const isMessage = type.kind === "message" || group;
  const cardinality = cardinalityOf(field, isMessage, features, syntax);
  return {
    name,
    number,
    jsonName: unquote(optionValue(options, "json_name")) ?? jsonNameOf(name),
    type,
    mapKey,
    cardinality,
    oneof,
    extendee,
    // "map fields are always length-prefixed"
    delimited: isMessage && mapKey === null && (group || features.message_encoding === "DELIMITED"),
    packed: cardinality === "repeated" && isPacked(field, type, features),
    features: cppStrings(features, field),
    options,
    line,
  };
}

function cardinalityOf(field: FieldSyntax, isMessage: boolean, features: Features, syntax: string): Cardinality {
  if (field.mapKey !== null) return "map";
  if (field.label === "repeated") return "repeated";
  if (field.label === "required" || features.field_presence === "LEGACY_REQUIRED") return "required";
  if (isMessage || field.oneof !== null || field.extendee !== null) return "optional";
  if (syntax === "proto3" && field.label === "optional") return "optional";
  return features.field_presence === "IMPLICIT" ? "implicit" : "optional";
}

function isPacked({ options }: FieldSyntax, { kind, name }: TypeReference, features: Features): boolean {
  if (kind === "message" || name === "string" || name === "bytes") return false;
  const said = optionValue(options, "packed");
  return said === null ? features.repeated_field_encoding === "PACKED" : said === "true";
}

/** `ctype` is what editions call `features.(pb.cpp).string_type`. */
function cppStrings(features: Features, { options, type }: FieldSyntax): Features {
  const ctype = type === "string" || type === "bytes" ? optionValue(options, "ctype") : null;
  if (ctype === null) return features;
  return { ...features, "(pb.cpp).string_type": ctype };
}

/** As the compiler does: underscores go, and the letter after one is capital. */
function jsonNameOf(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}

function unquote(value: string | null): string | null {
  if (value === null) return null;
  return value.startsWith('"') ? (JSON.parse(value) as string) : value;
}
