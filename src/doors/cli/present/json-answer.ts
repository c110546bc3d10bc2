// The one convention for what `--json` prints: an object at the top, names in snake_case, and the version of the format. Every answer, every line of a
// command that streams, and every error passes here; test/json-shapes.test.ts holds the shape of each.

/** Raised when a field is renamed, removed or means something else. A new field does not raise it. */
export const formatVersion = 1;

/** An object; a list is a bug, which `jsonLine` tells. */
export type JsonAnswer = object;

/** Data whose names are somebody else's: columns of a query, an envelope as it was signed. They stay as they are. */
export class Verbatim {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** One line of JSON, without its end. */
export function jsonLine(answer: JsonAnswer): string {
  if (Array.isArray(answer)) throw new Error("a list has no place at the top of an answer");
  return JSON.stringify({ format_version: formatVersion, ...(inSnakeCase(answer) as object) }, (_, one: unknown) =>
    typeof one === "bigint" ? exact(one) : one,
  );
}

/** A number where that is exact, else its digits. */
const exact = (value: bigint): number | string => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));

function inSnakeCase(value: unknown): unknown {
  if (value instanceof Verbatim) return value.value;
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snakeCase(name), inSnakeCase(one)]));
}

/** Only what is plainly a name in camelCase: paths, settings and ids are data. */
const snakeCase = (name: string): string =>
  /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
