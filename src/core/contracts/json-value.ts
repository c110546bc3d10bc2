// Small questions about values that came out of JSON or YAML. Only own fields count: a specification may have a property that is
// called `constructor` or `__proto__`.

export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field of an object; undefined where there is no object or no such field. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function fieldsOf(value: unknown, name?: string): Fields {
  const found = name === undefined ? value : field(value, name);
  return isRecord(found) ? found : {};
}

export function listOf(value: unknown, name?: string): readonly unknown[] {
  const found = name === undefined ? value : field(value, name);
  return Array.isArray(found) ? found : [];
}

export function textOf(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === "string" ? found : undefined;
}

export function numberOf(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function textsOf(value: unknown, name: string): string[] {
  return listOf(value, name).filter((item) => typeof item === "string");
}

/** The limits within which values are compared: aliases can make a small value endless. */
const maximumNodes = 20_000;
const maximumNesting = 300;

export function sameValue(one: unknown, other: unknown): boolean {
  let left = maximumNodes;
  const same = (a: unknown, b: unknown, depth = 0): boolean => {
    if (a === b) return true;
    if (left-- <= 0 || depth > maximumNesting) return false;
    if (Array.isArray(a)) {
      return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index], depth + 1));
    }
    if (!isRecord(a) || !isRecord(b)) return false;
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name], depth + 1))
    );
  };
  return same(one, other);
}

/** The number of parts of a value that its key tells. */
const maximumKeyParts = 500;

/** Equal values have equal keys, however their fields are ordered; unequal ones have others, as far as the key goes. */
function keyOf(value: unknown): string {
  let left = maximumKeyParts;
  const key = (one: unknown): string => {
    if (left-- <= 0) return "…";
    if (Array.isArray(one)) return `[${partKeys(one.values(), key, () => left > 0)}]`;
    if (!isRecord(one)) return `${typeof one} ${String(one)}`;
    const entries = Object.keys(one).sort().values();
    return `{${partKeys(
      entries,
      (name: string) => `${JSON.stringify(name)}:${key(one[name])}`,
      () => left > 0,
    )}}`;
  };
  return key(value);
}

function partKeys<T>(parts: Iterable<T>, key: (part: T) => string, more: () => boolean): string {
  const keys: string[] = [];
  for (const part of parts) {
    if (!more()) break;
    keys.push(key(part));
  }
  return keys.join(",");
}

/** A set of values from a file. Looking one up costs the size of that value, however many there are. */
export class ValueSet {
  private readonly plain = new Set<unknown>();
  private readonly others = new Map<string, unknown[]>();

  constructor(values: readonly unknown[]) {
    for (const value of values) {
      if (typeof value !== "object" || value === null) this.plain.add(value);
      else {
        const key = keyOf(value);
        const row = this.others.get(key);
        if (row === undefined) this.others.set(key, [value]);
        else if (row.length < maximumAlike) row.push(value);
      }
    }
  }

  has(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return this.plain.has(value);
    return this.others.get(keyOf(value))?.some((one) => sameValue(one, value)) === true;
  }
}

/** Values that begin alike and are so large that their keys do not tell them apart. */
const maximumAlike = 50;

/** A value as a person would write it, cut short. */
export function written(value: unknown, most = 120): string {
  if (typeof value === "string") return cut(value, most);
  let left = 200;
  const seen = new Set<unknown>();
  const shown = JSON.stringify(value, (_key, part: unknown) => {
    if (left-- <= 0 || seen.has(part)) return "…";
    if (typeof part === "object" && part !== null) seen.add(part);
    return part;
  });
  return cut(shown ?? "nothing", most);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
