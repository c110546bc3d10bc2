// An input as its operation declares it, or a refusal that says what is wrong with it. Whoever answers operations begins here: the
// daemon, and a command that reads without one.

import { Refusal } from "./errors.ts";
import { inputComplaint } from "./input-complaint.ts";
import type { Operation } from "./operation.ts";

export function checkedInput({ name, input, speaks = [] }: Operation, given: unknown): unknown {
  const checked = input.safeParse(given);
  if (checked.success) return withWholeWords(checked.data, speaks);
  const { issues } = checked.error;
  const [issue] = issues;
  const complaint = issue === undefined ? "the input is not as declared" : inputComplaint(issue);
  throw new Refusal("input.invalid", `${name}: ${complaint}`, {
    operation: name,
    issues: issues.map((one) => ({ path: one.path.join("."), message: inputComplaint(one) })),
  });
}

/** JSON can spell half a character, which no file, database or signature takes. In words for others it becomes a replacement character. */
function withWholeWords(input: unknown, speaks: readonly string[]): unknown {
  if (speaks.length === 0 || typeof input !== "object" || input === null) return input;
  if (speaks.every((name) => isWhole((input as Readonly<Record<string, unknown>>)[name]))) return input;
  const fields = Object.entries(input).map(([name, value]) => [name, speaks.includes(name) ? whole(value) : value]);
  return Object.fromEntries(fields) as unknown;
}

function isWhole(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWhole);
}

function whole(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]));
}
