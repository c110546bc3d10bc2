// Brings the summary of a file: from the cache by blob id, else by reading and parsing. Says what it had to pass over.

import type { FactsOf } from "../../facts-memory.ts";
import type { ParsePython, PythonSummary } from "../facts.ts";
import { pythonSummaryVersion } from "../facts.ts";
import { isForNow } from "../../../ports/budget.ts";
import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import type { ProjectTree } from "./project-tree.ts";

export interface PythonPorts {
  readonly parse: ParsePython;
  /** By blob id. */
  readonly cache: FactsOf<PythonSummary>;
  /** The number of lookups one tree may take. */
  readonly maxEffort?: number;
}

export class Summaries {
  private readonly ports: PythonPorts;
  private readonly read: ReadBlob;
  private readonly known = new Map<string, Promise<PythonSummary | undefined>>();

  constructor(ports: PythonPorts, read: ReadBlob) {
    this.ports = ports;
    this.read = read;
  }

  /** undefined when the file is not in the tree or is no text. */
  of(view: TreeView, path: string): Promise<PythonSummary | undefined> {
    const blob = view.blobs.get(path);
    if (blob === undefined) return Promise.resolve(undefined);
    let summary = this.known.get(blob);
    if (summary === undefined) {
      summary = this.bring(blob, path);
      this.known.set(blob, summary);
    }
    return summary;
  }

  /** Loads everything a tree's lookups asked for. */
  async fill(tree: ProjectTree): Promise<void> {
    const wanted = [...tree.wanted];
    const found = await Promise.all(wanted.map((path) => this.of(tree.view, path)));
    for (const [index, path] of wanted.entries()) tree.put(path, found[index]);
  }

  private async bring(blob: string, path: string): Promise<PythonSummary | undefined> {
    const cached = this.ports.cache.get(blob);
    if (cached?.version === pythonSummaryVersion) return cached;
    const source = await this.read(blob);
    if (source === undefined) return undefined;
    const summary = await this.ports.parse(source, path);
    if (!isForNow(summary.skipped)) this.ports.cache.set(blob, summary);
    return summary;
  }
}
