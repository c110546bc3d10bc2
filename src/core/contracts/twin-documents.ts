// Two versions of a specification that is one file of JSON and refers only to itself, read together: most large specifications are like
// that, and most of both versions is the same. What is written in the same words is read once, and is one object in both. One walk through
// both counts keys (two equal ones in one object are a fault that JSON.parse hides), collects references, and says which parts are the same
// word for word. Anything else, and anything wrong, is undefined here and left to load-contract.ts, which takes one file after the other
// with care.

import { readBothVersions, type ReadVersion } from "./cut-json.ts";
import type { ContractSource } from "./format.ts";
import type { LoadedContract } from "./load-contract.ts";
import { referenceOf } from "./references.ts";
import { type Part, settle, type Targets, targetsIn } from "./twin-references.ts";
import type { SamePart } from "./unchanged.ts";

export interface Twins {
  readonly before: LoadedContract;
  readonly after: LoadedContract;
  /** By the part of the version before. */
  readonly parts: ReadonlyMap<object, SamePart>;
}

/** Larger files are read with their bounds in mind. */
const maximumLength = 32 * 1024 * 1024;
const maximumDepth = 200;
const dollar = 36;
/** The keywords that give a part another name than its place has, and references of other kinds. */
const needsCare = new Set([
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveRef",
  "$recursiveAnchor",
  "$schema",
]);

export async function readTwins(before: ContractSource, after: ContractSource): Promise<Twins | undefined> {
  const texts = [await before.read(before.entry), await after.read(after.entry)] as const;
  const versions = read(...texts);
  if (versions === undefined) return undefined;
  const [was, is] = versions;
  const walk = new TwinWalk();
  walk.both(was.root, is.root, 0, undefined, 2);
  if (walk.isOdd || walk.left.keys !== was.keys || walk.right.keys !== is.keys) return undefined;
  const one = targetsIn(was.root, [walk.shared, walk.left.references]);
  const other = one && targetsIn(is.root, [walk.shared, walk.right.references], { targets: one, parts: walk.parts });
  if (one === undefined || other === undefined) return undefined;
  settle(walk.parts, one, other);
  return { before: contractOf(was, one), after: contractOf(is, other), parts: walk.parts };
}

function read(before: string | undefined, after: string | undefined): readonly [ReadVersion, ReadVersion] | undefined {
  if (!isPlain(before) || !isPlain(after)) return undefined;
  try {
    return readBothVersions(before, after);
  } catch {
    return undefined;
  }
}

/** Tells whether a text is plain JSON. A text that begins otherwise is YAML, or begins with a mark. */
function isPlain(text: string | undefined): text is string {
  return text !== undefined && text.length <= maximumLength && text[0] === "{";
}

interface Side {
  keys: number;
  /** References of this side that the other does not have at the same place. */
  readonly references: Set<string>;
}

class TwinWalk {
  readonly left: Side = { keys: 0, references: new Set() };
  readonly right: Side = { keys: 0, references: new Set() };
  readonly shared = new Set<string>();
  readonly parts = new Map<object, Part>();
  isOdd = false;

  /** Tells whether two values say the same. `partDepth`: how deep the parts lie that are asked for later: paths, schemas. */
  both(one: object, other: object, depth: number, around: string[] | undefined, partDepth: number): boolean {
    if (depth > maximumDepth) this.isOdd = true;
    if (this.isOdd) return false;
    const references = depth === partDepth ? [] : around;
    if (one === other) this.once(one, depth, references);
    const isSame =
      one === other ||
      (Array.isArray(one)
        ? this.lists(one, other, depth, references, partDepth)
        : this.records(one as Record<string, unknown>, other as Record<string, unknown>, depth, references, partDepth));
    if (depth === partDepth)
      this.parts.set(one, { after: other, isSame, isSettled: false, references: references ?? [] });
    return isSame;
  }

  private lists(
    one: readonly unknown[],
    other: object,
    depth: number,
    references: string[] | undefined,
    partDepth: number,
  ): boolean {
    const list = other as readonly unknown[];
    let isSame = one.length === list.length;
    for (let at = 0; at < one.length || at < list.length; at += 1) {
      const was = one[at];
      const is = list[at];
      if (was !== is && !this.values(was, is, depth, references, partDepth)) isSame = false;
    }
    return isSame;
  }

  private records(
    one: Record<string, unknown>,
    other: Record<string, unknown>,
    depth: number,
    references: string[] | undefined,
    partDepth: number,
  ): boolean {
    let isSame = true;
    let matched = 0;
    // What came out of JSON.parse inherits nothing that could be gone through, and this makes no list of keys for each object.
    // oxlint-disable-next-line guard-for-in -- see above
    for (const key in one) {
      this.left.keys += 1;
      const was = one[key];
      const is = other[key];
      if (key.charCodeAt(0) === dollar) this.keyword(key, was, is, references);
      // Also where the other side inherits it.
      if (key === "__proto__") this.isOdd = true;
      if (is === undefined || typeof is === "function") {
        isSame = false;
        if (typeof was === "object" && was !== null) this.alone(was, this.left, depth + 1);
        continue;
      }
      matched += 1;
      if (was === is && (typeof was !== "object" || was === null)) continue;
      const below = depth === 0 && key === "components" ? 3 : partDepth;
      if (!this.values(was, is, depth, references, below)) isSame = false;
    }
    const others = Object.keys(other).length;
    this.right.keys += others;
    if (others === matched) return isSame;
    for (const key of Object.keys(other)) {
      if (key === "__proto__") this.isOdd = true;
      if (Object.hasOwn(one, key)) continue;
      const is = other[key];
      if (key.charCodeAt(0) === dollar) this.keyword(key, undefined, is, undefined);
      if (typeof is === "object" && is !== null) this.alone(is, this.right, depth + 1);
    }
    return false;
  }

  /** Two values that are not identical. */
  private values(
    was: unknown,
    is: unknown,
    depth: number,
    references: string[] | undefined,
    partDepth: number,
  ): boolean {
    const isObject = typeof was === "object" && was !== null;
    const isOtherObject = typeof is === "object" && is !== null;
    if (isObject && isOtherObject && Array.isArray(was) === Array.isArray(is))
      return this.both(was, is, depth + 1, references, partDepth);
    if (isObject) this.alone(was, this.left, depth + 1);
    if (isOtherObject) this.alone(is, this.right, depth + 1);
    return false;
  }

  private keyword(key: string, was: unknown, is: unknown, references: string[] | undefined): void {
    if (needsCare.has(key)) this.isOdd = true;
    if (key !== "$ref") return;
    if (was === is && typeof was === "string") {
      this.shared.add(was);
      references?.push(was);
      return;
    }
    if (typeof was === "string") this.left.references.add(was);
    if (typeof is === "string") this.right.references.add(is);
  }

  /** A value that is written in the same words on both sides. */
  private once(value: object, depth: number, references: string[] | undefined): void {
    if (depth > maximumDepth) this.isOdd = true;
    if (this.isOdd) return;
    if (Array.isArray(value)) {
      for (const item of value as unknown[])
        if (typeof item === "object" && item !== null) this.once(item, depth + 1, references);
      return;
    }
    let keys = 0;
    // oxlint-disable-next-line guard-for-in -- nothing is inherited, as in records
    for (const key in value) {
      const item = (value as Readonly<Record<string, unknown>>)[key];
      keys += 1;
      if (key.charCodeAt(0) === dollar) this.keyword(key, item, item, references);
      else if (key === "__proto__") this.isOdd = true;
      if (typeof item === "object" && item !== null) this.once(item, depth + 1, references);
    }
    this.left.keys += keys;
    this.right.keys += keys;
  }

  /** A value that only one side has. */
  private alone(value: object, side: Side, depth: number): void {
    if (depth > maximumDepth) this.isOdd = true;
    if (this.isOdd) return;
    if (Array.isArray(value)) {
      for (const item of value as unknown[])
        if (typeof item === "object" && item !== null) this.alone(item, side, depth + 1);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      side.keys += 1;
      if (needsCare.has(key) || key === "__proto__") this.isOdd = true;
      if (key === "$ref" && typeof item === "string") side.references.add(item);
      if (typeof item === "object" && item !== null) this.alone(item as object, side, depth + 1);
    }
  }
}

function contractOf({ root, keys }: ReadVersion, targets: Targets): LoadedContract {
  const target = (node: Record<string, unknown>): unknown => {
    const written = referenceOf(node);
    return written === undefined ? undefined : targets.get(written);
  };
  return { root, target, notes: [], size: keys };
}
