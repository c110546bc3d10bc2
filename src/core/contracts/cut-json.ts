// Finds the parts of a JSON document in its text without reading them: what lies below `paths`, `components.schemas` and the like. Of two
// versions most parts are the same words, and so the second is read beside the first: what is written there in the same words is taken
// from it (twin-documents.ts). Of the first it is known that it is JSON; of the second all that differs is read by JSON.parse, and what
// holds the parts together is looked at strictly.

import { JsonText } from "./json-text.ts";

/** An object whose values are parts, or hold parts themselves. All lists go by the entries' order in the text. */
interface Holder {
  readonly keys: string[];
  /** The positions where an entry's key begins, where its value begins, and where its value ends. */
  readonly starts: number[];
  readonly values: number[];
  readonly ends: number[];
  /** The number of keys that an entry has, its own among them. */
  readonly counts: number[];
  /** The contents of an entry. Undefined if it is a part. */
  readonly below: (Holder | undefined)[];
  /** The index of each entry in the lists. Made when something has moved. */
  places: Map<string, number> | undefined;
}

export interface ReadVersion {
  readonly root: Record<string, unknown>;
  /** The number of keys in the text, all objects together. It is more than in the value if a key is there twice. */
  readonly keys: number;
}

/** Both versions, or undefined where one is no object or not held together as JSON is. Throws what JSON.parse throws. */
export function readBothVersions(before: string, after: string): readonly [ReadVersion, ReadVersion] | undefined {
  const was = JSON.parse(before) as Record<string, unknown>;
  const [first, second] = [new JsonText(before), new JsonText(after)];
  const holder = cut(first, 2, true);
  if (holder === undefined || !first.isAtEnd()) return undefined;
  const is = new Beside(second, first).read(holder, was, 2, true);
  if (is === undefined || !second.isAtEnd()) return undefined;
  return [
    { root: was, keys: first.keys },
    { root: is, keys: second.keys },
  ];
}

const comma = 44;
const openBrace = 123;
const closeBrace = 125;

/** Returns how far down the parts below an entry lie. The parts of `components` are those of its schemas, parameters and so on. */
function levelsBelow(key: string, levels: number, isRoot: boolean): number {
  return isRoot && key === "components" ? levels : levels - 1;
}

function noHolder(): Holder {
  return { keys: [], starts: [], values: [], ends: [], counts: [], below: [], places: undefined };
}

function cut(json: JsonText, levels: number, isRoot = false): Holder | undefined {
  const holder = noHolder();
  if (!json.opens()) return json.isBroken ? undefined : holder;
  for (;;) {
    json.next();
    const [start, keys] = [json.at, json.keys];
    const key = json.key();
    if (key === undefined) return undefined;
    const left = levelsBelow(key, levels, isRoot);
    const isHolder = json.next() === openBrace && left > 0;
    const value = json.at;
    const below = isHolder ? cut(json, left) : undefined;
    if (isHolder ? below === undefined : !json.skip()) return undefined;
    holder.keys.push(key);
    holder.starts.push(start);
    holder.values.push(value);
    holder.ends.push(json.at);
    holder.counts.push(json.keys - keys);
    holder.below.push(below);
    const end = json.take();
    if (end === closeBrace) return holder;
    if (end !== comma) return undefined;
  }
}

/** Reads a text beside another one whose value is known. */
class Beside {
  private readonly json: JsonText;
  private readonly other: JsonText;
  /** The number of entries tried at once: changes stand together, and so do entries that did not change. */
  private run = 8;

  constructor(json: JsonText, other: JsonText) {
    this.json = json;
    this.other = other;
  }

  read(
    holder: Holder,
    known: Readonly<Record<string, unknown>>,
    levels: number,
    isRoot = false,
  ): Record<string, unknown> | undefined {
    const { json } = this;
    const value: Record<string, unknown> = {};
    if (!json.opens()) return json.isBroken ? undefined : value;
    let expected = 0;
    for (;;) {
      const last = levels === 1 ? this.take(holder, expected) : expected;
      for (let at = expected; at < last; at += 1) {
        const key = holder.keys[at] ?? "";
        value[key] = known[key];
      }
      if (last === expected) {
        const key = json.key();
        // A field of that name cannot be set like another.
        if (key === undefined || key === "__proto__") return json.broken();
        const place = holder.keys[expected] === key ? expected : placeOf(holder, key);
        const read = this.entry(holder, place, known[key], levelsBelow(key, levels, isRoot));
        if (json.isBroken) return undefined;
        value[key] = read;
        expected = (place ?? expected) + 1;
      } else expected = last;
      const end = json.take();
      if (end === closeBrace) return value;
      if (end !== comma) return json.broken();
    }
  }

  /** Goes over the entries that come next in the same words as in the other text, and says where they end. */
  private take(holder: Holder, first: number): number {
    const { json, other } = this;
    json.next();
    for (let size = Math.min(this.run, holder.keys.length - first); size > 0; size >>= 1) {
      const [start, end] = [holder.starts[first], holder.ends[first + size - 1]];
      if (start === undefined || end === undefined || !json.continues(other.text.slice(start, end))) continue;
      for (let at = first; at < first + size; at += 1) json.keys += holder.counts[at] ?? 0;
      this.run = size * 2;
      return first + size;
    }
    this.run = 1;
    return first;
  }

  private entry(holder: Holder, place: number | undefined, known: unknown, levels: number): unknown {
    const { json, other } = this;
    const below = place === undefined ? undefined : holder.below[place];
    if (json.next() === openBrace && levels > 0)
      return below === undefined
        ? this.read(noHolder(), {}, levels)
        : this.read(below, known as Readonly<Record<string, unknown>>, levels);
    const start = json.at;
    if (!json.skip()) return undefined;
    const written = json.text.slice(start, json.at);
    // An entry that only moved is the same too.
    const isKnown =
      place !== undefined &&
      below === undefined &&
      written === other.text.slice(holder.values[place], holder.ends[place]);
    return isKnown ? known : JSON.parse(written);
  }
}

function placeOf(holder: Holder, key: string): number | undefined {
  holder.places ??= new Map(holder.keys.map((name, at) => [name, at]));
  return holder.places.get(key);
}
