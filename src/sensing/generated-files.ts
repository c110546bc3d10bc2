// The generated files of a repository: what their first lines say, when they were last made, and which names they hold. All from
// trees and commits; whether a file is older than its contract is decided in core/services/stale-generated.ts.

import { posix } from "node:path";
import {
  generatedHeader,
  type GeneratedHeader,
  headerBytes,
  isGeneratedName,
  mayBeGenerated,
} from "../core/contracts/generated-header.ts";
import type { GeneratedFile, GeneratedState } from "../core/services/repository-interfaces.ts";
import type { Bounded } from "../ports/bounded.ts";
import type { RepositoryObserver, Snapshot, TreeEntry } from "../ports/git.ts";
import { textOf } from "../ports/text-of.ts";

const mostOpened = 20_000;
const mostFiles = 5_000;
const mostBytes = 4 * 1024 * 1024;
/** All generated files of one contract together; more are not searched for names. */
const mostSearched = 16 * 1024 * 1024;
/** git is asked about so many paths at once. */
const mostPaths = 300;
const isForeign = /(^|\/)(node_modules|vendor|dist|build|\.venv|venv|site-packages)\//;

/** Files that a generator made and that name no file of their own repository as what they were made from. `headers`: by content. */
export async function generatedFiles(
  observer: RepositoryObserver,
  { tree: id }: Snapshot,
  headers: Bounded<GeneratedHeader>,
): Promise<GeneratedFile[]> {
  const tree = await observer.tree(id);
  const basenames = new Set([...tree.keys()].map((path) => posix.basename(path)));
  const isOwn = (written: string): boolean => basenames.has(posix.basename(written)) && isThere(tree, written);
  const candidates = [...tree].filter(
    ([file, entry]) => isFile(entry) && !isForeign.test(file) && mayBeGenerated(file),
  );
  // What is surely generated comes first, where there are too many to open.
  candidates.sort(([one], [other]) => Number(isGeneratedName(other)) - Number(isGeneratedName(one)));
  const found: GeneratedFile[] = [];
  for (const [file, { blob }] of candidates.slice(0, mostOpened)) {
    if (found.length >= mostFiles) break;
    const header = headers.get(blob) ?? (await headerOf(observer, blob));
    headers.set(blob, header);
    const { from, format, isMarked } = header;
    if (!isMarked && (!isGeneratedName(file) || from.length === 0) && !isProtobufName(file)) continue;
    // What is made from a file beside it is seen where both lie.
    if (from.length > 0 && from.every(isOwn)) continue;
    found.push({ file, from: from.filter((one) => !isOwn(one)), format });
  }
  return found;
}

/** Tells the state of the files in a worktree that were made from one contract. Undefined if none of them is there. */
export async function generatedState(
  observer: RepositoryObserver,
  snapshot: Snapshot,
  paths: readonly string[],
): Promise<GeneratedState | undefined> {
  const [head] = snapshot.parents;
  const tree = await observer.tree(snapshot.tree);
  const files = below(tree, paths);
  if (files.length === 0 || head === undefined) return undefined;
  const committed = await observer.tree(head);
  const isEdited = files.some((file) => tree.get(file)?.blob !== committed.get(file)?.blob);
  const madeMs = await observer.lastTouchedMs(head, paths.slice(0, mostPaths));
  return { files: files.slice(0, mostFiles), isEdited, madeMs: madeMs ?? null };
}

/**
 * Says which of the names the generated files hold, however the generator spells them: `order_id` is `orderId` and `getOrderId` too.
 * Undefined if not all of the files could be searched: that a name is not there would prove nothing.
 */
export async function namesInGenerated(
  observer: RepositoryObserver,
  { tree: id }: Snapshot,
  paths: readonly string[],
  names: readonly string[],
): Promise<string[] | undefined> {
  const tree = await observer.tree(id);
  const words = new Set<string>();
  const texts: string[] = [];
  let searched = 0;
  for (const file of below(tree, paths)) {
    const entry = tree.get(file);
    const bytes = entry === undefined ? undefined : await observer.read(entry.blob, mostBytes);
    if (bytes === undefined || searched > mostSearched) return undefined;
    const text = textOf(bytes) ?? "";
    searched += text.length;
    texts.push(text);
    for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) words.add(plain(word));
  }
  return names.filter((name) => {
    const bare = plain(name);
    if (bare !== "" && ["", "get", "set", "has"].some((before) => words.has(`${before}${bare}`))) return true;
    return /[^\p{L}\p{N}_]/u.test(name) && texts.some((text) => text.includes(name));
  });
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

const isFile = ({ mode }: TreeEntry): boolean => mode === "100644" || mode === "100755";

/** A protobuf compiler's own naming needs no first line. */
const isProtobufName = (file: string): boolean =>
  /(_pb2(_grpc)?\.pyi?|\.pb(\.gw)?\.go|_pb\.(js|ts|d\.ts)|\.pb\.(cc|h))$/.test(file);

async function headerOf(observer: RepositoryObserver, blob: string): Promise<GeneratedHeader> {
  const bytes = await observer.read(blob, mostBytes);
  // A character that is cut at the end of the first lines is no reason to pass over them.
  return generatedHeader(bytes === undefined ? "" : new TextDecoder().decode(bytes.subarray(0, headerBytes)));
}

/** A file of the tree at this path, or whose path ends with it. */
function isThere(tree: ReadonlyMap<string, TreeEntry>, written: string): boolean {
  const path = written.replace(/^(\.{0,2}\/)+/, "");
  if (written.includes("://")) return false;
  if (tree.has(path)) return true;
  return [...tree.keys()].some((one) => one.endsWith(`/${path}`));
}

/** The files at these paths, and those below where one is a directory. */
function below(tree: ReadonlyMap<string, TreeEntry>, paths: readonly string[]): string[] {
  const single = paths.filter((path) => tree.has(path));
  const directories = paths.filter((path) => !tree.has(path)).map((path) => `${path}/`);
  if (directories.length === 0) return single;
  return [...single, ...[...tree.keys()].filter((file) => directories.some((one) => file.startsWith(one)))];
}
