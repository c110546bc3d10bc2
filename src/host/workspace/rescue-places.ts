// Finds the places where rescues are kept: refs of the repository that a workspace came from, or bundles in a directory of ours. Names of
// rescues come from rows and from files that others can write; only what is named like a rescue is ever opened or deleted.

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { Refusal } from "../../protocol/errors.ts";
import { isObject } from "./manifest.ts";
import type { WorkGit } from "./work-git.ts";

export type KeptAs =
  | { readonly kind: "ref"; readonly ref: string }
  | { readonly kind: "bundle"; readonly name: string };

/** Reads `where`: `ref:refs/constel/rescue/…`, or `bundle:` and a file directly in our directory. */
export function keptAs(where: string, bundles: string): KeptAs {
  const [kind, name] = [where.slice(0, where.indexOf(":")), where.slice(where.indexOf(":") + 1)];
  if (kind === "bundle" && dirname(name) === bundles && /^[^/]+\.bundle$/.test(basename(name)))
    return { kind, name: basename(name) };
  const isRef = /^refs\/constel\/rescue\/[^\s~^:?*[\\]+$/.test(name) && !name.includes("..");
  if (kind === "ref" && isRef) return { kind, ref: name };
  throw new Refusal("workspace.no-rescue", `${where} is not a rescue`, { where });
}

/** The path of a bundle that is a plain file of ours; undefined when there is none. */
export function bundleNamed(git: WorkGit, bundles: string, name: string): string | undefined {
  const { root, relative } = git.placeOf(bundles);
  const isThere = absentAsUndefined(() => {
    using directory = TrustedDirectory.open(root, relative);
    return directory.stat(name)?.isFile();
  });
  return isThere === true ? join(bundles, name) : undefined;
}

/** The repository that a workspace came from, when it is still there. */
export const existingSource = (source: string): string | undefined =>
  existsSync(join(source, "objects")) ? source : undefined;

export async function refCommit(git: WorkGit, source: string, ref: string): Promise<string | undefined> {
  if (existingSource(source) === undefined) return undefined;
  const commit = await git.ask({ args: ["rev-parse", "-q", "--verify", ref], variables: { GIT_DIR: source } });
  return commit !== undefined && isObject(commit) ? commit : undefined;
}
