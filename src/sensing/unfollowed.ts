// Reports what a comparison does not follow: symbolic links, submodules, and names that only some machines keep apart. A link's file is read
// under its own path alone, and a submodule is another repository. Where the other side's new lines name one whose content a side changed,
// the silence says so.

import { dirname, join } from "node:path/posix";
import { ours, theirs } from "../core/findings/pair-finding.ts";
import type { PairScene, SideChanges } from "../core/findings/scene.ts";
import { sameName } from "../languages/text-names.ts";
import type { ChangedFile } from "../ports/git.ts";
import type { TreeView } from "../ports/semantic.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { isProse, namesOf } from "./unread-names.ts";
import { rememberUnlessFailed } from "../ports/unless-failed.ts";

type Scene = Pick<PairScene, "ours" | "theirs" | "excluded" | "read" | "tree">;

/** A tree with more links than this was made by a program. */
const mostLinks = 3_000;

export async function openUnfollowed(scene: Scene): Promise<OpenPart[]> {
  return [
    ...caseTwins(scene.ours, scene.theirs),
    ...unions(scene),
    ...(await passedBy(scene, scene.ours, scene.theirs, [ours, theirs])),
    ...(await passedBy(scene, scene.theirs, scene.ours, [theirs, ours])),
  ];
}

/** Links and submodules that lead elsewhere on one side, and that the other side's new lines name, or what they stand in brings in. */
async function passedBy(
  scene: Scene,
  side: SideChanges,
  others: SideChanges,
  [mine, other]: readonly [string, string],
): Promise<OpenPart[]> {
  const parts: OpenPart[] = [];
  const { used } = await namesOf(others, scene);
  const say = async (path: string, why: string): Promise<void> => {
    const place = used.get(sameName(nameOf(path)))?.[0] ?? (await bringsIn(scene, others, nameOf(path)));
    if (place === undefined) return;
    const paths = [path, place.path];
    parts.push({
      what: "language",
      why: `${place.path}:${place.line} (${other}) names ${nameOf(path)}: ${why}`,
      paths,
    });
  };
  for (const file of side.files) {
    if (hasMode(file, "160000"))
      await say(file.path, `what ${mine} changes inside the submodule ${file.path} was not read`);
    if (hasMode(file, "120000"))
      await say(file.path, `${mine} changes where the symbolic link ${file.path} leads, which was not followed`);
  }
  if (side.files.length === 0) return parts;
  const tree = await scene.tree("base");
  if ((tree.links?.size ?? 0) > mostLinks && mine === ours)
    parts.push({ what: "bound", why: `there are more than ${mostLinks} symbolic links; the others were not followed` });
  for (const [link, target] of await linksOf(tree, scene.read)) {
    const changed = [...side.paths].find((path) => path === target || path.startsWith(`${target}/`));
    if (changed !== undefined)
      await say(link, `the symbolic link ${link} leads to ${changed}, which ${mine} changes, and was not followed`);
  }
  return parts;
}

/** Lines by which files of most languages bring others in. */
const importing = /\b(import|from|require|include|use|using|source|load|mod|extends)\b|^\s*(?:\w+\s*)?["'`]/;
/** A side with more files than this has caught up with others. */
const mostFiles = 400;

/** A changed file that brings in something by way of this name: what is new in it may use that under any other. */
async function bringsIn(
  { read, excluded }: Scene,
  { files }: SideChanges,
  name: string,
): Promise<{ readonly path: string; readonly line: number } | undefined> {
  const part = new RegExp(`(^|[\\s"'\`./<(,])${RegExp.escape(name)}($|[\\s"'\`./>),;])`);
  for (const { path, after } of files.slice(0, mostFiles)) {
    if (after?.mode.startsWith("100") !== true || isProse(path) || excluded(path) !== undefined) continue;
    const lines = (await read(after.blob))?.split(/\r?\n/) ?? [];
    const at = lines.findIndex((line) => line.length < longestLine && importing.test(line) && part.test(line));
    if (at !== -1) return { path, line: at + 1 };
  }
  return undefined;
}

/** Longer lines are data. */
const longestLine = 2_000;

const hasMode = ({ before, after }: ChangedFile, mode: string): boolean =>
  before?.mode === mode || after?.mode === mode;

/** As code names it: without its ending. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/(.)\.\w+$/, "$1");

const known = new WeakMap<TreeView, Promise<ReadonlyMap<string, string>>>();

/** Returns where the links of a tree lead inside it. */
function linksOf(tree: TreeView, read: Scene["read"]): Promise<ReadonlyMap<string, string>> {
  // A link that the clone lacks may come, and whoever asks next is to notice that it does not have it.
  const noticing: Scene["read"] = async (blob) => {
    const text = await read(blob);
    if (text === undefined) known.delete(tree);
    return text;
  };
  return rememberUnlessFailed(known, tree, () => readLinks(tree, noticing));
}

async function readLinks(
  { links = new Map<string, string>() }: TreeView,
  read: Scene["read"],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [path, blob] of [...links].slice(0, mostLinks)) {
    const text = await read(blob);
    if (text === undefined || text.startsWith("/")) continue;
    const target = join(dirname(path), text);
    if (!target.startsWith("..")) found.set(path, target);
  }
  return found;
}

/** Files that both changed and that git merges by keeping all lines: it never says that they collide. In a list for people they do not. */
function unions({ ours: our, theirs: their, excluded }: Scene): OpenPart[] {
  return [...our.paths]
    .filter(
      (path) =>
        their.paths.has(path) &&
        !isProse(path) &&
        excluded(path) === undefined &&
        excluded.mergedBy?.(path) === "union",
    )
    .map((path) => ({
      what: "file",
      why: `${path} is merged by keeping the lines of both (merge=union in .gitattributes): what they mean together was not checked`,
      paths: [path],
    }));
}

/** Two new files whose names are one where upper and lower case are not kept apart. */
function caseTwins(our: SideChanges, their: SideChanges): OpenPart[] {
  const folded = (path: string): string => path.normalize("NFC").toLowerCase();
  const mine = new Map(our.added.map(({ path }) => [folded(path), path]));
  return their.added.flatMap(({ path }): OpenPart[] => {
    const twin = mine.get(folded(path));
    if (twin === undefined || twin === path) return [];
    const why = `${twin} (${ours}) and ${path} (${theirs}) are one file on macOS and Windows, where upper and lower case are the same`;
    return [{ what: "file", why, paths: [twin, path] }];
  });
}
