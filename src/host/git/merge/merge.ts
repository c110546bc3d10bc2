// The real three-way merge of pairs of snapshots, many pairs to a question (tree-merges.ts). git chooses the merge base (or builds one, for
// criss-cross histories); we never compare with a branch that happens to be called main.

import type { Conflict, ConflictStage, MergeOutcome, SnapshotPair } from "../../../ports/git.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { Git } from "../git.ts";
import { type Hunks, readHunks } from "./hunks.ts";
import { markerSize } from "./merge-context.ts";
import { type MergeReport, type NamedConflict, nameConflicts } from "./merge-report.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { newerCommit, withSubmoduleAt } from "../snapshot/submodules.ts";
import type { HeardReport, TreeMerges } from "./tree-merges.ts";

export interface MergePlace {
  readonly git: Git;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly merges: TreeMerges;
  /** Returns the file at a path of a tree, if that is known without git. */
  readonly find: (tree: string, path: string) => Promise<ConflictStage | undefined>;
  /** The worktrees in which a submodule may be filled. */
  readonly tops: () => Iterable<string>;
  /** A git directory of ours. */
  readonly variables: () => Readonly<Record<string, string>>;
}

type Worked = Exclude<MergeOutcome, { kind: "skipped" }>;
type Bare = { [Kind in Worked["kind"]]: Omit<Extract<Worked, { kind: Kind }>, "bases"> }[Worked["kind"]];
/** As the port's outcome, without the bases, which the caller knows. */
export type BareOutcome = Bare | Extract<MergeOutcome, { kind: "skipped" }>;

const maxHunkFileBytes = 1024 * 1024;
/** The number of reports judged together: their questions to git go out together, and what they read is in memory together. */
const judgedAtOnce = 8;

/** One outcome per pair, in order. `heard`: each as it comes, where git tells of a few one by one. */
export async function mergePairs(
  place: MergePlace,
  pairs: readonly SnapshotPair[],
  heard: (index: number, outcome: BareOutcome) => void = () => {},
): Promise<BareOutcome[]> {
  const outcomes: BareOutcome[] = Array.from({ length: pairs.length });
  const byContext = new Map<string, number[]>();
  for (const [index, pair] of pairs.entries()) {
    const group = byContext.get(pair.ours.context);
    if (group === undefined) byContext.set(pair.ours.context, [index]);
    else group.push(index);
  }
  for (const [context, indexes] of byContext) {
    let rest = indexes;
    while (rest.length > 0) {
      const asked = rest.flatMap((index) => pairs[index] ?? []);
      const early = new Map<number, Promise<BareOutcome>>();
      const { reports, failure } = await mergeBatch(place, context, asked, (report, at) => {
        const [index, pair] = [rest[at], asked[at]];
        if (index === undefined || pair === undefined) return;
        const judged = judge(place, pair, report);
        early.set(at, judged);
        // A failure is reported below.
        judged.then((outcome) => heard(index, outcome)).catch(() => {});
      });
      for (let from = 0; from < reports.length; from += judgedAtOnce) {
        const group = reports.slice(from, from + judgedAtOnce).map(async (report, at) => {
          const index = rest[from + at];
          const pair = index === undefined ? undefined : pairs[index];
          if (index === undefined || pair === undefined) return;
          outcomes[index] = await (early.get(from + at) ?? judge(place, pair, report));
        });
        await Promise.all(group);
      }
      // git ends at a pair that it cannot merge: that one is answered, and the others go on in a new process.
      const stuck = rest[reports.length];
      if (stuck !== undefined) outcomes[stuck] = failure;
      rest = rest.slice(reports.length + 1);
    }
  }
  return outcomes;
}

async function mergeBatch(
  place: MergePlace,
  context: string,
  pairs: readonly SnapshotPair[],
  heard: HeardReport,
): Promise<{ reports: readonly MergeReport[]; failure: BareOutcome }> {
  const { reports, detail } = await place.merges.of(context, pairs, heard);
  // Two that have no commit in common do not come here. git says so too of histories that it cannot read just now.
  const reason = /unable to read|could not read|bad object|missing|could not parse|not something we can merge/i.test(
    detail,
  )
    ? "missing-objects"
    : "failed";
  return { reports, failure: { kind: "skipped", reason, detail } };
}

async function judge(place: MergePlace, pair: SnapshotPair, report: MergeReport): Promise<BareOutcome> {
  if (report.isClean) return { kind: "clean", tree: report.tree };
  const flagged = new Set([...pair.ours.flags, ...pair.theirs.flags].map((flag) => flag.path));
  const named = nameConflicts(report, [pair.ours.commit, pair.theirs.commit]);
  const conflicts: Conflict[] = [];
  let { tree } = report;
  for (const { treePath, ...known } of named) {
    // git itself would look into a submodule's history, where one side may contain the other.
    const newer = known.kind === "submodule" ? await newerCommit(place, known) : undefined;
    const merged =
      newer === undefined || newer === "apart" ? undefined : await withSubmoduleAt(place, tree, known.path, newer);
    if (merged !== undefined) {
      tree = merged;
      continue;
    }
    const hunks = await hunksOf(readers(place), report.tree, treePath, known);
    const isUnseen = known.kind === "submodule" && newer === undefined;
    const uncertain = isUnseen || [known.path, ...known.otherPaths].some((path) => flagged.has(path));
    conflicts.push({ ...known, oursHunks: hunks.ours, theirsHunks: hunks.theirs, uncertain });
  }
  return conflicts.length === 0 ? { kind: "clean", tree } : { kind: "conflicted", tree, conflicts };
}

/** A file in a tree that git has just written is found without asking git. */
function readers({ blobs, find }: MergePlace): Pick<Blobs, "read" | "readAt"> {
  return {
    read: (id, maxBytes) => blobs.read(id, maxBytes),
    readAt: async (tree, path, maxBytes) => {
      const found = await find(tree, path);
      return found === undefined ? await blobs.readAt(tree, path, maxBytes) : await blobs.read(found.blob, maxBytes);
    },
  };
}

export async function hunksOf(
  blobs: Pick<Blobs, "read" | "readAt">,
  tree: string,
  path: string,
  conflict: Omit<NamedConflict, "treePath">,
): Promise<Hunks> {
  const none: Hunks = { ours: [], theirs: [] };
  const { ours, theirs } = conflict;
  const isText = conflict.kind !== "binary" && conflict.kind !== "submodule" && conflict.kind !== "mode";
  if (!isText || ours === undefined || theirs === undefined) return none;
  const [merged, left, right] = await Promise.all([
    blobs.readAt(tree, path, 2 * maxHunkFileBytes),
    blobs.read(ours.blob, maxHunkFileBytes),
    blobs.read(theirs.blob, maxHunkFileBytes),
  ]);
  if (merged === undefined || left === undefined || right === undefined) return none;
  return readHunks(textOf(merged), textOf(left), textOf(right), markerSize);
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
