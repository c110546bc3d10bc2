// Reads what `git merge-tree --stdin -z --messages` says of each pair: the merged tree, the stages of every conflicted
// path, and git's messages with their stable types; and names each conflict in our words.

import type { Conflict, ConflictKind, ConflictStage } from "../../../ports/git.ts";
import { pathFromBytes } from "../objects/path-text.ts";

export interface MergeReport {
  readonly isClean: boolean;
  readonly tree: string;
  readonly stages: readonly StagedPath[];
  readonly messages: readonly MergeMessage[];
}

interface StagedPath {
  readonly path: string;
  readonly stage: number;
  readonly mode: string;
  readonly blob: string;
}

interface MergeMessage {
  readonly paths: readonly string[];
  readonly type: string;
  readonly text: string;
}

/** The reports of the pairs that were worked out, in order; fewer than asked for when git gave up at one. */
export function readReports(output: Uint8Array): MergeReport[] {
  const fields = new Fields(output);
  const reports: MergeReport[] = [];
  for (let status = fields.next(); status !== undefined; status = fields.next()) {
    const tree = fields.next();
    const stages: StagedPath[] = [];
    for (let field = fields.nextBytes(); field !== undefined && field.length > 0; field = fields.nextBytes()) {
      stages.push(readStage(field));
    }
    const messages: MergeMessage[] = [];
    // An empty field ends the messages; for a submodule, git 2.39 puts advice meant for people there.
    for (let count = fields.next(); count !== undefined && /^\d+$/.test(count); count = fields.next()) {
      const paths: string[] = [];
      for (let index = 0; index < Number(count); index++) paths.push(pathFromBytes(fields.nextBytes() ?? Buffer.of()));
      messages.push({ paths, type: fields.next() ?? "", text: (fields.next() ?? "").trim() });
    }
    if (tree === undefined || !fields.isWhole) break;
    reports.push({ isClean: status === "1", tree, stages, messages });
  }
  return reports;
}

/** A conflict before its lines are known; `treePath` is where the merged tree has the file with its markers. */
export type NamedConflict = Omit<Conflict, "oursHunks" | "theirsHunks" | "uncertain"> & { readonly treePath: string };

/** One conflict for each path that git leaves unmerged, and one for each complaint that leaves no path behind. */
export function nameConflicts(report: MergeReport, sides: readonly [string, string]): NamedConflict[] {
  const plain = (path: string): string => withoutSide(path, sides);
  const complaints = report.messages.filter((message) => message.type.startsWith("CONFLICT"));
  const byPath = new Map<string, StagedPath[]>();
  for (const staged of report.stages) byPath.set(staged.path, [...(byPath.get(staged.path) ?? []), staged]);
  const conflicts: NamedConflict[] = [];
  const explained = new Set<MergeMessage>();
  for (const [treePath, stages] of byPath) {
    const about = complaints.filter((message) => message.paths.includes(treePath));
    for (const message of about) explained.add(message);
    conflicts.push({ treePath, ...describe(plain(treePath), stages, about, plain) });
  }
  for (const message of complaints) {
    const path = message.paths[0];
    if (explained.has(message) || path === undefined || message.paths.some((one) => byPath.has(one))) continue;
    conflicts.push({ treePath: path, ...describe(plain(path), [], [message], plain) });
  }
  return conflicts;
}

function describe(
  path: string,
  stages: readonly StagedPath[],
  about: readonly MergeMessage[],
  plain: (path: string) => string,
): Omit<NamedConflict, "treePath"> {
  const stage = (number: number): ConflictStage | undefined => {
    const found = stages.find((one) => one.stage === number);
    return found === undefined ? undefined : { mode: found.mode, blob: found.blob };
  };
  const [base, ours, theirs] = [stage(1), stage(2), stage(3)];
  const ranked = about
    .map((message) => ({ message, kind: kindOf(message) }))
    .sort((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind));
  const kind = refine(ranked[0]?.kind ?? "content", base, ours, theirs);
  const others = new Set(about.flatMap((message) => message.paths.map(plain)));
  others.delete(path);
  return {
    path,
    kind,
    otherPaths: [...others],
    base,
    ours,
    theirs,
    message: ranked.map(({ message }) => message.text).join("\n"),
  };
}

// When several complaints name one path, the first of these says most.
const ranks: readonly ConflictKind[] = [
  "rename/rename",
  "rename/delete",
  "rename/add",
  "file/directory",
  "directory-rename",
  "type",
  "submodule",
  "modify/delete",
  "binary",
  "add/add",
  "content",
];

function kindOf(message: MergeMessage): ConflictKind {
  const { type, text } = message;
  if (type.includes("submodule")) return "submodule";
  if (type.includes("rename/rename")) return "rename/rename";
  if (type.includes("rename/delete")) return "rename/delete";
  if (type.includes("rename involved in collision")) return "rename/add";
  if (type.includes("directory rename")) return "directory-rename";
  if (type.includes("file/directory")) return "file/directory";
  if (type.includes("distinct modes")) return "type";
  if (type.includes("modify/delete")) return "modify/delete";
  if (type.includes("binary")) return "binary";
  const reason = /^CONFLICT \(([^)]*)\)/.exec(text)?.[1];
  return reason === "add/add" ? "add/add" : reason === "submodule" ? "submodule" : "content";
}

/** Same bytes on both sides: only the mode is in dispute. */
function refine(
  kind: ConflictKind,
  base: ConflictStage | undefined,
  ours: ConflictStage | undefined,
  theirs: ConflictStage | undefined,
): ConflictKind {
  if (kind !== "content" && kind !== "add/add") return kind;
  if (ours === undefined || theirs === undefined) return kind;
  if (ours.blob === theirs.blob && ours.mode !== theirs.mode) return "mode";
  return base === undefined ? "add/add" : kind;
}

/** git sets a file aside as `path~side`; our sides are commit ids, so that the suffix cannot be part of a real name. */
function withoutSide(path: string, sides: readonly [string, string]): string {
  const at = path.lastIndexOf("~");
  const suffix = path.slice(at + 1).replace(/_\d+$/, "");
  return at > 0 && sides.includes(suffix) ? path.slice(0, at) : path;
}

function readStage(field: Uint8Array): StagedPath {
  const tab = field.indexOf(9);
  const [mode = "", blob = "", stage = ""] = Buffer.from(field.subarray(0, tab)).toString("latin1").split(" ");
  return { mode, blob, stage: Number(stage), path: pathFromBytes(field.subarray(tab + 1)) };
}

/** NUL-ended fields, one after the other. `isWhole` turns false when one was cut short. */
class Fields {
  isWhole = true;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  nextBytes(): Uint8Array | undefined {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) {
      this.isWhole = false;
      return undefined;
    }
    const field = this.#bytes.subarray(this.#at, end);
    this.#at = end + 1;
    return field;
  }

  next(): string | undefined {
    const field = this.nextBytes();
    return field === undefined ? undefined : Buffer.from(field).toString("utf8");
  }
}
