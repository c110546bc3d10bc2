// Loads one version of a specification: its entry file, and every file its references lead to. All reading happens here, before
// anything is compared; afterwards a reference is a look-up. Nothing is fetched: a reference to another machine, out of the snapshot
// or to nothing is remembered as opaque, and a note says so.

import { dirname, join } from "node:path/posix";
import type { ContractProblem, ContractSource } from "./format.ts";
import { field, isRecord } from "./json-value.ts";
import { type ReadDocument, readDocument } from "./read-document.ts";
import { anchorKey, type FoundReference, pointerKeys, referenceOf, ReferenceWalk } from "./references.ts";

/** The thing behind a reference that was not followed. `text` is the reference as written, without the place it was written at. */
export interface Opaque {
  readonly opaque: string;
}

export interface LoadedContract {
  readonly root: Record<string, unknown>;
  /** Returns what a node with a reference refers to, one step on. */
  readonly target: (node: Record<string, unknown>) => unknown;
  readonly notes: readonly string[];
  /** The number of objects and lists it consists of, each counted once however often aliases repeat it. */
  readonly size: number;
}

export type LoadResult =
  | { readonly kind: "loaded"; readonly contract: LoadedContract }
  | { readonly kind: "unreadable"; readonly problems: readonly ContractProblem[] };

const maximumFiles = 10_000;
const maximumTotalLength = 64 * 1024 * 1024;
const maximumNotes = 20;
/** References that lead only to references. */
const maximumHops = 50;

export async function loadContract(
  source: ContractSource,
  side: ContractProblem["side"],
  signal?: AbortSignal,
): Promise<LoadResult> {
  const loading = new Loading(source, signal);
  const entry = inside(source.entry) ?? source.entry;
  const read = await loading.file(entry);
  if (read.kind === "unreadable") {
    return { kind: "unreadable", problems: [{ side, path: entry, line: read.line, message: read.message }] };
  }
  const root = read.value;
  // Files that others refer to may hold anything; a specification is an object.
  if (!isRecord(root)) {
    const message = "holds no object, so it is not a specification";
    return { kind: "unreadable", problems: [{ side, path: entry, line: 1, message }] };
  }
  await loading.followAll();
  const problems = loading.broken.map((problem) => ({ side, ...problem }));
  if (problems.length > 0) return { kind: "unreadable", problems };
  return {
    kind: "loaded",
    contract: { root, target: (node) => loading.targetOf(node), notes: loading.notes(), size: loading.size },
  };
}

class Loading {
  readonly broken: Omit<ContractProblem, "side">[] = [];
  private readonly files = new Map<string, { readonly text: string; readonly root: unknown }>();
  private readonly walk = new ReferenceWalk();
  private readonly targets = new WeakMap<object, unknown>();
  /** Most references are one of a few. */
  private readonly followed = new Map<string, unknown>();
  private readonly following = new Set<string>();
  private readonly unread = new Map<string, string>();
  private length = 0;

  private readonly source: ContractSource;
  private readonly signal: AbortSignal | undefined;

  constructor(source: ContractSource, signal: AbortSignal | undefined) {
    this.source = source;
    this.signal = signal;
  }

  /** The value of a file, or why there is none. Walks it for references. */
  async file(path: string): Promise<ReadDocument> {
    this.signal?.throwIfAborted();
    const text = await this.source.read(path);
    if (text === undefined) return { kind: "unreadable", line: null, message: "is not there, or is not text" };
    this.length += text.length;
    if (this.length > maximumTotalLength) {
      const message = "was not read: the files of this specification have more than 64 MB together";
      return { kind: "unreadable", line: null, message };
    }
    const read = readDocument(text);
    this.files.set(path, { text, root: read.kind === "read" ? read.value : undefined });
    if (read.kind === "read") this.walk.visit(read.value, path);
    return read;
  }

  async followAll(): Promise<void> {
    for (let reference = this.walk.next(); reference !== undefined; reference = this.walk.next()) {
      this.targets.set(reference.node, await this.follow(reference));
    }
  }

  targetOf(node: Record<string, unknown>): unknown {
    return this.targets.get(node);
  }

  get size(): number {
    return this.walk.size;
  }

  notes(): string[] {
    const notes = [...this.unread.values()];
    if (notes.length <= maximumNotes) return notes;
    return [...notes.slice(0, maximumNotes), `${notes.length - maximumNotes} more references were not followed`];
  }

  /**
   * A reference that leads through other references is looked up once as well: of two that each lead twice through the next, the ways
   * would double.
   */
  private async follow(reference: FoundReference, hops = 0): Promise<unknown> {
    const { text, file, base = "" } = reference;
    const key = `${file}\n${base}\n${text}`;
    if (this.followed.has(key)) return this.followed.get(key);
    if (hops > maximumHops || this.following.has(key)) return this.opaque(reference, "which leads back to itself");
    this.following.add(key);
    const found = await this.lookUp(reference, hops);
    this.following.delete(key);
    this.followed.set(key, found);
    return found;
  }

  private async lookUp(reference: FoundReference, hops: number): Promise<unknown> {
    const { text, file, base } = reference;
    const hash = text.indexOf("#");
    const fragment = hash === -1 ? "" : text.slice(hash + 1);
    const place = hash === -1 ? text : text.slice(0, hash);
    const known = this.walk.byId(place, base);
    if (known !== undefined) return this.within(reference, known.node, known.key, known.file, fragment, hops);
    if (place === "") {
      const root = this.files.get(file)?.root;
      return this.within(reference, root, file, file, fragment, hops);
    }
    if (/^[a-z][a-z0-9+.-]*:/i.test(place) || place.startsWith("//")) {
      return this.opaque(reference, "which is not in this snapshot and is never fetched");
    }
    const path = inside(join(dirname(file), decoded(place)));
    if (path === undefined || place.startsWith("/")) return this.opaque(reference, "which leads out of this snapshot");
    const root = await this.otherFile(reference, path);
    return root === undefined ? { opaque: text } : this.within(reference, root, path, path, fragment, hops);
  }

  /** undefined where there is nothing to be had; why has been noted. */
  private async otherFile(reference: FoundReference, path: string): Promise<unknown> {
    const loaded = this.files.get(path);
    if (loaded !== undefined) return loaded.root;
    if (this.files.size >= maximumFiles) {
      this.opaque(reference, `which was not read: a specification may have ${maximumFiles} files`);
      return undefined;
    }
    const read = await this.file(path);
    if (read.kind === "read") return read.value;
    // A file that is there and cannot be read makes the whole specification unreadable; one that is missing, only that part.
    if (this.files.has(path)) this.broken.push({ path, line: read.line, message: read.message });
    else {
      this.files.set(path, { text: "", root: undefined });
      this.opaque(reference, `which ${read.message}`);
    }
    return undefined;
  }

  private async within(
    reference: FoundReference,
    root: unknown,
    key: string,
    file: string,
    fragment: string,
    hops: number,
  ): Promise<unknown> {
    const pointer = decoded(fragment);
    const target =
      pointer === "" || pointer.startsWith("/")
        ? await this.pointedAt(root, pointer, file, hops)
        : (this.walk.anchors.get(anchorKey(key, pointer)) ?? this.walk.anchors.get(anchorKey(file, pointer)));
    if (target === undefined) return this.opaque(reference, "which does not exist");
    // A part that a reference reaches and the walk did not (an extension, say) may hold references of its own.
    if (isRecord(target)) this.walk.visit(target, file);
    return target;
  }

  /** Specifications in many files often say `schemas: {$ref: schemas/all.yaml}`, so a pointer may lead through references. */
  private async pointedAt(root: unknown, pointer: string, file: string, hops: number): Promise<unknown> {
    let found = root;
    let left = maximumHops;
    for (const key of pointerKeys(pointer)) {
      for (let text = through(found, key); text !== undefined && left > 0; text = through(found, key)) {
        left -= 1;
        const node = found as Record<string, unknown>;
        found = this.targets.get(node) ?? (await this.follow({ node, text, file, base: undefined }, hops + 1));
      }
      found = Array.isArray(found) ? found[Number(key)] : field(found, key);
    }
    return found;
  }

  private opaque(reference: FoundReference, why: string): Opaque {
    const { file, text } = reference;
    if (!this.unread.has(text)) {
      this.unread.set(
        text,
        `${file}${this.lineOf(file, text)} refers to ${text}, ${why}; what it describes was not compared`,
      );
    }
    return { opaque: text };
  }

  /** Only of those that are told: each is searched for in the whole file. */
  private lineOf(file: string, text: string): string {
    const whole = this.files.get(file)?.text;
    const at = this.unread.size < maximumNotes ? (whole?.indexOf(text) ?? -1) : -1;
    return at === -1 ? "" : `:${whole?.slice(0, at).split("\n").length}`;
  }
}

/** A path below the snapshot's root, or undefined where it leads out of it. */
function inside(path: string): string | undefined {
  const normal = join(path);
  return normal === ".." || normal.startsWith("../") || normal.startsWith("/") ? undefined : normal;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The reference that has to be followed before a key can be looked up. */
function through(value: unknown, key: string): string | undefined {
  return isRecord(value) && !Object.hasOwn(value, key) ? referenceOf(value) : undefined;
}
