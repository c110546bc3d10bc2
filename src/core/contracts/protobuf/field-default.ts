// Says what a reader sees in a field that was not sent, in words that compare: numbers by value, enum values by number.

import { optionValue } from "./features.ts";
import type { LinkedField, LinkedProto } from "./linked.ts";

export function defaultOf({ type, options }: LinkedField, { enums }: LinkedProto): string | null {
  const said = optionValue(options, "default");
  if (type.kind === "enum") {
    const values = enums.get(type.name)?.syntax.values ?? [];
    const value = said === null ? values[0] : values.find(({ name }) => name === said);
    return value === undefined ? said : String(value.number);
  }
  if (type.kind !== "scalar") return null;
  if (type.name === "string" || type.name === "bytes") return said ?? '""';
  if (type.name === "bool") return said ?? "false";
  return said === null ? "0" : numberText(said);
}

function numberText(said: string): string {
  if (/^-?(?:inf|nan)$/.test(said) || said.length > longestNumber) return said;
  const sign = said.startsWith("-") ? "-" : "";
  const digits = sign === "" ? said : said.slice(1);
  // 64-bit numbers do not fit a double, so integers are compared as such.
  if (/^0[0-7]+$/.test(digits)) return sign + BigInt(`0o${digits.slice(1)}`).toString();
  if (/^(?:\d+|0[xX][0-9a-fA-F]+)$/.test(digits)) return normalZero(sign, BigInt(digits).toString());
  return normalZero(sign, String(Number(digits.replace(/f$/i, ""))));
}

/** Longer than any number that fits 64 bits: reading it as one takes the longer the more digits it has. */
const longestNumber = 64;

function normalZero(sign: string, digits: string): string {
  return digits === "0" ? "0" : sign + digits;
}
