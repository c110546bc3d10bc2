// Finds the references of a specification: every object with a `$ref`, the file it stands in, and what `$id` and `$anchor` name.
// Walks each value once, however often aliases repeat it, and does not look into examples and values, which only look like
// specifications.

export interface FoundReference {
  readonly node: Record<string, unknown>;
  readonly text: string;
  readonly file: string;
  /** The nearest `$id` around it; undefined where there is none. */
  readonly base: string | undefined;
}

interface Identified {
  readonly node: unknown;
  readonly key: string;
  readonly file: string;
}

/** Below these names anything may stand; references in it mean nothing. */
const values = new Set(["example", "examples", "default", "enum", "const", "x-example", "x-examples"]);
/** Below these names every key is a name somebody chose, so `default` there is no keyword. */
const named = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "schemas",
  "responses",
  "parameters",
]);

const dollar = 36;

function isDollar(key: string): boolean {
  return key.charCodeAt(0) === dollar;
}

export class ReferenceWalk {
  readonly anchors = new Map<string, unknown>();
  private readonly ids = new Map<string, Identified>();
  private readonly seen = new Set<object>();
  private readonly found: FoundReference[] = [];
  private taken = 0;

  /** The number of objects and lists walked. */
  get size(): number {
    return this.seen.size;
  }

  /** References are handed out in the order they were found; following one may find more. */
  next(): FoundReference | undefined {
    return this.found[this.taken++];
  }

  /** Finds what an absolute or relative identifier names, if a `$id` of the loaded files says so. */
  byId(place: string, base: string | undefined): Identified | undefined {
    if (place === "") return base === undefined ? undefined : this.ids.get(base);
    return this.ids.get(resolved(place, base)) ?? this.ids.get(place);
  }

  visit(value: unknown, file: string, base?: string, names = false): void {
    if (typeof value !== "object" || value === null || this.seen.has(value)) return;
    this.seen.add(value);
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, file, base);
      return;
    }
    const node = value as Record<string, unknown>;
    const keys = Object.keys(node);
    let here = base;
    if (keys.some(isDollar)) {
      if (!names) here = this.identify(node, file, base);
      this.refer(node, file, here);
    }
    for (const key of keys) {
      const below = node[key];
      if (typeof below !== "object" || below === null) continue;
      if (names || !values.has(key)) this.visit(below, file, here, !names && named.has(key));
    }
  }

  private identify(node: Record<string, unknown>, file: string, base: string | undefined): string | undefined {
    const id = node["$id"] ?? (base === undefined && "$schema" in node ? node["id"] : undefined);
    let here = base;
    if (typeof id === "string" && id !== "" && !id.startsWith("#")) {
      here = withoutFragment(resolved(id, base));
      if (!this.ids.has(here)) this.ids.set(here, { node, key: here, file });
    }
    for (const anchor of [
      node["$anchor"],
      node["$dynamicAnchor"],
      typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined,
    ]) {
      if (typeof anchor !== "string") continue;
      for (const key of [here ?? file, file]) {
        if (!this.anchors.has(anchorKey(key, anchor))) this.anchors.set(anchorKey(key, anchor), node);
      }
    }
    return here;
  }

  private refer(node: Record<string, unknown>, file: string, base: string | undefined): void {
    const text = referenceOf(node);
    if (text !== undefined) this.found.push({ node, text, file, base });
  }
}

/** The reference an object holds; a dynamic one is read as if nothing overrode it. */
export function referenceOf(node: Record<string, unknown>): string | undefined {
  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    const text = Object.hasOwn(node, keyword) ? node[keyword] : undefined;
    if (typeof text === "string") return text;
  }
  return undefined;
}

export function anchorKey(where: string, anchor: string): string {
  return `${where}#${anchor}`;
}

export function pointerKeys(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function resolved(place: string, base: string | undefined): string {
  return URL.parse(place, base)?.href ?? place;
}

function withoutFragment(id: string): string {
  const hash = id.indexOf("#");
  return hash === -1 ? id : id.slice(0, hash);
}
