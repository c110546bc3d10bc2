// Features of editions, and what proto2 and proto3 mean in their terms, so that one comparison serves every syntax.
// The defaults are the tables of protobuf.dev, "Feature Settings for Editions".

import type { Option } from "./syntax.ts";

export interface Features {
  readonly field_presence: string;
  readonly enum_type: string;
  readonly repeated_field_encoding: string;
  readonly utf8_validation: string;
  readonly message_encoding: string;
  readonly json_format: string;
  readonly "(pb.cpp).string_type": string;
  readonly "(pb.java).utf8_validation": string;
}

const edition2023: Features = {
  field_presence: "EXPLICIT",
  enum_type: "OPEN",
  repeated_field_encoding: "PACKED",
  utf8_validation: "VERIFY",
  message_encoding: "LENGTH_PREFIXED",
  json_format: "ALLOW",
  "(pb.cpp).string_type": "STRING",
  "(pb.java).utf8_validation": "DEFAULT",
};

const edition2024: Features = { ...edition2023, "(pb.cpp).string_type": "VIEW" };

const defaults: Readonly<Record<string, Features>> = {
  proto2: {
    ...edition2023,
    enum_type: "CLOSED",
    repeated_field_encoding: "EXPANDED",
    utf8_validation: "NONE",
    json_format: "LEGACY_BEST_EFFORT",
  },
  proto3: { ...edition2023, field_presence: "IMPLICIT" },
  "2023": edition2023,
  "2024": edition2024,
  "2026": edition2024,
};

export function defaultFeatures(syntax: string): Features {
  return defaults[syntax] ?? edition2024;
}

/** Returns the features that hold inside something that has these options. */
export function inheritFeatures(outer: Features, options: readonly Option[]): Features {
  const said = options.filter(({ name }) => name.startsWith("features."));
  if (said.length === 0) return outer;
  const inner: Record<string, string> = { ...outer };
  for (const { name, value } of said) inner[name.slice("features.".length)] = value;
  return inner as unknown as Features;
}

export function optionValue(options: readonly Option[], name: string): string | null {
  return options.findLast((option) => option.name === name)?.value ?? null;
}
