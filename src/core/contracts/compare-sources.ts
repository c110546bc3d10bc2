// Does the part of comparing that is the same in every format that is JSON or YAML: load both versions, refuse what is not of the format,
// and put the changes and the notes together.

import { Budget } from "./budget.ts";
import { ChangeList } from "./change-list.ts";
import type { ContractComparison, ContractProblem, ContractSource } from "./format.ts";
import { type LoadedContract, loadContract, type LoadResult } from "./load-contract.ts";
import type { SchemaComparer } from "./schema/compare-schemas.ts";
import { changedFamilies } from "./schema/families.ts";
import { readTwins } from "./twin-documents.ts";
import { Unchanged } from "./unchanged.ts";

export interface Judging {
  readonly before: ContractSource;
  readonly after: ContractSource;
  readonly signal: AbortSignal | undefined;
  readonly budget: Budget | undefined;
  /** Returns the reason why a document is not of the format. Undefined if it is. */
  readonly refusal: (root: Readonly<Record<string, unknown>>) => string | undefined;
  /** Adds the changes, and says by which comparer of schemas and what was left out. */
  readonly judge: (
    was: LoadedContract,
    is: LoadedContract,
    changes: ChangeList,
    /** Tells whether two parts say the same word for word. */
    same: (before: unknown, after: unknown) => boolean,
    budget: Budget,
  ) => { readonly schemas: SchemaComparer; readonly notes: readonly string[] };
}

export async function compareSources({
  signal,
  refusal,
  judge,
  budget,
  ...sources
}: Judging): Promise<ContractComparison> {
  const [before, after] = [readingOnce(sources.before), readingOnce(sources.after)];
  const twins = await readTwins(before, after);
  const was: LoadResult = twins === undefined ? await loadContract(before, "before", signal) : loaded(twins.before);
  const is: LoadResult = twins === undefined ? await loadContract(after, "after", signal) : loaded(twins.after);
  const problems: ContractProblem[] = [];
  for (const [version, { entry }, side] of [
    [was, before, "before"],
    [is, after, "after"],
  ] as const) {
    if (version.kind === "unreadable") problems.push(...version.problems);
    else {
      const message = refusal(version.contract.root);
      if (message !== undefined) problems.push({ side, path: entry, line: 1, message });
    }
  }
  if (was.kind === "unreadable" || is.kind === "unreadable" || problems.length > 0)
    return { kind: "unreadable", problems };
  signal?.throwIfAborted();
  const changes = new ChangeList();
  const byWord = new Unchanged(was.contract, is.contract, twins?.parts);
  const grown = changedFamilies(was.contract, is.contract, byWord.same);
  // What was found out while the two were read knows nothing of them.
  const unchanged = grown.length === 0 ? byWord : new Unchanged(was.contract, is.contract, undefined, grown);
  const { schemas, notes: left } = judge(was.contract, is.contract, changes, unchanged.same, budget ?? new Budget());
  const notes = [...new Set([...was.contract.notes, ...is.contract.notes, ...left])];
  const complete = notes.length === 0 && changes.complete;
  if (schemas.abridged) notes.push("changes of a schema that many places share are listed for the first 20 of them");
  return { kind: "compared", changes: changes.sorted(), notes: [...notes, ...changes.notes()], complete };
}

const loaded = (contract: LoadedContract): LoadResult => ({ kind: "loaded", contract });

/** The entry is read for both ways of loading, and asked for once. */
function readingOnce(source: ContractSource): ContractSource {
  let entry: Promise<string | undefined> | undefined;
  return {
    ...source,
    read: (path) => (path === source.entry ? (entry ??= source.read(path)) : source.read(path)),
  };
}
