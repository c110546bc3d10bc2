// Files that a tree names and the clone does not have, as in one that was made with `--filter=blob:none`. Readers get no text of them, as of a
// file that is no text, and go on as if it were not there: a package.json, a go.mod, a .gitattributes. So whatever was asked for in vain is
// noted here and named, and nothing that was worked out without it is kept.

import { counted } from "../protocol/counted.ts";
import { type PairScene, readText } from "../core/findings/scene.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { ReadBlob } from "../ports/semantic.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { some } from "./open-parts.ts";

/** More than these say nothing new to a reader. */
const mostNamed = 5;

/** Notes the blobs that are asked for and lacking. */
export function noteLacking(observer: RepositoryObserver, lacking: Set<string>): ReadBlob {
  const read = readText(observer);
  return async (blob) => {
    const text = await read(blob);
    if (text === undefined && blob !== "" && !lacking.has(blob) && !(await observer.isThere(blob))) lacking.add(blob);
    return text;
  };
}

/** `told`: paths that are named already. */
export async function openLacking(
  scene: Pick<PairScene, "tree">,
  lacking: ReadonlySet<string>,
  told: ReadonlySet<string>,
): Promise<OpenPart[]> {
  if (lacking.size === 0) return [];
  const paths = new Set<string>();
  for (const which of ["base", "ours", "theirs", "merged"] as const) {
    const { blobs, links = new Map<string, string>() } = await scene.tree(which);
    for (const files of [blobs, links])
      for (const [path, blob] of files) if (lacking.has(blob) && !told.has(path)) paths.add(path);
  }
  const all = [...paths].sort();
  const named = all.slice(0, mostNamed).map((path): OpenPart => ({
    what: "file",
    why: `${path} was not read: this clone does not have it (git fetches it when it is checked out)`,
    paths: [path],
  }));
  const left = all.slice(mostNamed);
  if (left.length === 0) return named;
  const why = `${counted(left.length, "more file")} that this clone does not have ${left.length === 1 ? "was" : "were"} not read`;
  return [...named, { what: "file", why, paths: some(left) }];
}
