// Summaries by blob: from the cache, else parsed once. Holds what this one check needs, so that questions can be
// answered without waiting.

import { LRUCache } from "lru-cache";
import { isForNow } from "../../../ports/budget.ts";
import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import type { FactsOf } from "../../facts-memory.ts";
import type { ParseTypeScript, SummaryDepth, TypeScriptSummary } from "../facts.ts";
import type { Program } from "./program.ts";
import { readProjectSettings, settingsFiles, type ProjectSettings } from "./project-settings.ts";

interface KnownSettings {
  readonly byFiles: LRUCache<string, ProjectSettings>;
  readonly byTree: WeakMap<TreeView, ProjectSettings>;
}

/** Settings live as long as the cache of summaries they belong to. */
const settingsBeside = new WeakMap<FactsOf<TypeScriptSummary>, KnownSettings>();
const keptSettings = 50;
/** Texts in memory at once. */
const textsAtOnce = 32;

export class Summaries {
  /** Files that could not be read or parsed, with the reason. */
  readonly passedOver = new Map<string, string>();
  /** On their way to be parsed. */
  private readonly texts = new Map<string, string>();
  private readonly loaded = new Map<string, TypeScriptSummary | null>();
  private readonly parse: ParseTypeScript;
  private readonly cache: FactsOf<TypeScriptSummary>;
  private readonly read: ReadBlob;

  constructor(parse: ParseTypeScript, cache: FactsOf<TypeScriptSummary>, read: ReadBlob) {
    this.parse = parse;
    this.cache = cache;
    this.read = read;
  }

  /** The fullest summary at hand. */
  readonly get = (blobId: string, path: string): TypeScriptSummary | null | undefined => {
    const key = keyOf(blobId, path);
    const known = this.loaded.get(key);
    if (known !== undefined) return known;
    const cached = this.cache.get(`${key}:full`) ?? this.cache.get(`${key}:outline`);
    if (cached === undefined) return undefined;
    this.loaded.set(key, cached);
    return this.noted(path, cached);
  };

  async load(tree: TreeView, path: string, depth: SummaryDepth = "outline"): Promise<TypeScriptSummary | null> {
    const blobId = tree.blobs.get(path);
    if (blobId === undefined) return null;
    const known = this.get(blobId, path);
    if (known === null || known?.depth === "full" || (known !== undefined && depth === "outline"))
      return this.noted(path, known);
    const text = this.texts.get(blobId) ?? (await this.read(blobId));
    const summary = text === undefined ? null : this.parse(path, text, depth);
    const key = keyOf(blobId, path);
    this.loaded.set(key, summary);
    if (summary !== null && !isForNow(summary.broken)) this.cache.set(`${key}:${summary.depth}`, summary);
    return this.noted(path, summary);
  }

  /** The same for many files: their texts are asked for together. */
  async loadAll(tree: TreeView, paths: readonly string[], depth: SummaryDepth = "outline"): Promise<void> {
    const missing = paths.filter((path) => {
      const known = this.get(tree.blobs.get(path) ?? "", path);
      return tree.blobs.has(path) && (known === undefined || (known?.depth === "outline" && depth === "full"));
    });
    for (let from = 0; from < missing.length; from += textsAtOnce) {
      const some = missing.slice(from, from + textsAtOnce);
      const blobs = some.map((path) => tree.blobs.get(path) ?? "");
      const texts = await Promise.all(blobs.map((blob) => this.read(blob)));
      for (const [at, text] of texts.entries()) if (text !== undefined) this.texts.set(blobs[at] ?? "", text);
      for (const path of some) await this.load(tree, path, depth);
      this.texts.clear();
    }
  }

  /** Returns what the tree says of module names. It is read again only when one of its settings files differs. */
  async settingsOf(tree: TreeView): Promise<ProjectSettings> {
    const known = settingsBeside.get(this.cache) ?? {
      byFiles: new LRUCache<string, ProjectSettings>({ max: keptSettings }),
      byTree: new WeakMap<TreeView, ProjectSettings>(),
    };
    settingsBeside.set(this.cache, known);
    const ofTree = known.byTree.get(tree);
    if (ofTree !== undefined) return ofTree;
    const files = settingsFiles(tree);
    const key = files.flat().join("\n");
    const before = known.byFiles.get(key);
    if (before !== undefined) {
      known.byTree.set(tree, before);
      return before;
    }
    let isWhole = true;
    const found = await readProjectSettings(files, async (blob) => {
      const text = await this.read(blob);
      isWhole &&= text !== undefined;
      return text;
    });
    // What one clone lacks another may have, and whoever asks next is to notice it too.
    if (isWhole) {
      known.byFiles.set(key, found);
      known.byTree.set(tree, found);
    }
    return found;
  }

  /** Loads what questions led to; false when nothing was wished for. */
  async grant(program: Program): Promise<boolean> {
    const wishes = [...program.wishes];
    program.wishes.clear();
    await this.loadAll(program.tree, wishes);
    for (const path of wishes) await this.load(program.tree, path);
    return wishes.length > 0;
  }

  private noted(path: string, summary: TypeScriptSummary | null): TypeScriptSummary | null {
    if (summary === null) this.passedOver.set(path, "cannot be read as text");
    else if (summary.broken !== undefined && summary.dialect !== "json")
      this.passedOver.set(path, `does not parse: ${summary.broken}`);
    return summary;
  }
}

/** The same text means another thing under another extension. */
function keyOf(blobId: string, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `${blobId}:${/(\.d)?\.[^.]+$/.exec(name)?.[0] ?? ""}`;
}
