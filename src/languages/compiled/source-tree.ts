// One tree as the checkers of compiled languages see it: its files by directory, and their summaries, brought from the cache by
// blob id or by parsing. Also says what had to be passed over.

import type { FactsOf } from "../facts-memory.ts";
import { type ParseSource, type SourceSummary, sourceSummaryVersion } from "./facts.ts";
import { isForNow } from "../../ports/budget.ts";
import type { ReadBlob, Side, TreeView } from "../../ports/semantic.ts";

export interface SourcePorts {
  readonly parse: ParseSource;
  /** By blob id. */
  readonly cache: FactsOf<SourceSummary>;
}

/** Paths of the language that each side changed. */
export type Changes = Readonly<Record<Side, ReadonlySet<string>>>;
export type Trees = Readonly<Record<"base" | Side | "merged", SourceTree>>;

export class SourceTree {
  readonly view: TreeView;
  /** Files that either side changed: what stands elsewhere is the same in every tree. */
  readonly focus: ReadonlySet<string>;
  /** The results that resolvers work out once for each tree. */
  readonly memory = new Map<string, unknown>();
  /** The files that are found by directory. */
  private readonly reads: RegExp;
  private readonly ports: SourcePorts;
  private readonly read: ReadBlob;
  private readonly known = new Map<string, Promise<SourceSummary | undefined>>();

  constructor(view: TreeView, reads: RegExp, ports: SourcePorts, read: ReadBlob, focus: ReadonlySet<string>) {
    this.view = view;
    this.reads = reads;
    this.focus = focus;
    this.ports = ports;
    this.read = read;
  }

  has(path: string): boolean {
    return this.view.blobs.has(path);
  }

  /** undefined when the file is not in the tree or is no text. */
  summary(path: string): Promise<SourceSummary | undefined> {
    const blob = this.view.blobs.get(path);
    if (blob === undefined) return Promise.resolve(undefined);
    let summary = this.known.get(blob);
    if (summary === undefined) {
      summary = this.bring(blob, path);
      this.known.set(blob, summary);
    }
    return summary;
  }

  async text(path: string): Promise<string> {
    const blob = this.view.blobs.get(path);
    return blob === undefined ? "" : ((await this.read(blob)) ?? "");
  }

  /** Names of the files directly in a directory. */
  files(directory: string): readonly string[] {
    return filesByDirectory(this.view, this.reads).get(directory) ?? [];
  }

  directories(): Iterable<string> {
    return filesByDirectory(this.view, this.reads).keys();
  }

  /** The same answer to the same question, worked out once. */
  remember<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.memory.get(key) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const answer = make();
    this.memory.set(key, answer);
    return answer;
  }

  private async bring(blob: string, path: string): Promise<SourceSummary | undefined> {
    const cached = this.ports.cache.get(blob);
    if (cached?.version === sourceSummaryVersion) return cached;
    const source = await this.read(blob);
    if (source === undefined) return undefined;
    const summary = await this.ports.parse(source, path);
    if (!isForNow(summary.skipped)) this.ports.cache.set(blob, summary);
    return summary;
  }
}

const indexes = new WeakMap<TreeView, Map<string, Map<string, string[]>>>();

/** Worked out once for each tree and language. */
function filesByDirectory(view: TreeView, reads: RegExp): ReadonlyMap<string, readonly string[]> {
  const known = indexes.get(view) ?? new Map<string, Map<string, string[]>>();
  indexes.set(view, known);
  const before = known.get(reads.source);
  if (before !== undefined) return before;
  const index = new Map<string, string[]>();
  for (const path of view.blobs.keys()) {
    if (!reads.test(path)) continue;
    const directory = directoryOf(path);
    const files = index.get(directory);
    if (files === undefined) index.set(directory, [path]);
    else files.push(path);
  }
  known.set(reads.source, index);
  return index;
}

export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joined(directory: string, name: string): string {
  return directory === "" ? name : name === "" ? directory : `${directory}/${name}`;
}
