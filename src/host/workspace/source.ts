// What is known of the repository a workspace comes from: where its git directory is, where its work truly lands, and
// which branch that is. Only reads.

import { isAbsolute, resolve } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { SourceFacts } from "../../protocol/workspace.ts";
import { readSettings } from "../git/allowed-settings.ts";
import { type Location, locate } from "../git/locate.ts";
import type { WorkGit } from "./work-git.ts";

export interface Source extends SourceFacts {
  readonly location: Location;
  readonly hasOrigin: boolean;
  /** Ref name to object id: the heads, the origin's branches and the tags. */
  readonly refs: ReadonlyMap<string, string>;
}

export async function inspectSource(git: WorkGit, path: string): Promise<Source> {
  const location = await locate(git.reading, path);
  if ("reason" in location) throw new Refusal("git.not-a-repository", location.reason, { path });
  const { commonDirectory, top } = location;
  const { remotes } = await readSettings(git.reading, commonDirectory, top);
  const url = remotes.get("origin");
  const hasOrigin = url !== undefined;
  const refs = await refsOf(git, commonDirectory);
  return {
    location,
    commonDirectory,
    top,
    hasOrigin,
    refs,
    origin: hasOrigin ? absoluteUrl(url, top ?? commonDirectory) : commonDirectory,
    defaultTarget: await defaultTarget(git, commonDirectory, hasOrigin, refs),
  };
}

export async function refsOf(git: WorkGit, gitDirectory: string): Promise<Map<string, string>> {
  const text = await git.text({
    args: ["for-each-ref", "--format=%(objectname) %(refname)"],
    variables: { GIT_DIR: gitDirectory },
  });
  const refs = new Map<string, string>();
  for (const line of text.split("\n")) {
    const cut = line.indexOf(" ");
    if (cut > 0) refs.set(line.slice(cut + 1), line.slice(0, cut));
  }
  return refs;
}

/** A path stays valid when it is read from another directory; anything with a scheme or a host is left alone. */
function absoluteUrl(url: string, base: string): string {
  const isPath = !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !/^[^/]+:/.test(url);
  return isPath && !isAbsolute(url) ? resolve(base, url) : url;
}

async function defaultTarget(
  git: WorkGit,
  commonDirectory: string,
  hasOrigin: boolean,
  refs: ReadonlyMap<string, string>,
): Promise<string> {
  const prefix = hasOrigin ? "refs/remotes/origin/" : "refs/heads/";
  const pointer = hasOrigin ? "refs/remotes/origin/HEAD" : "HEAD";
  const outcome = await git.try({
    args: ["symbolic-ref", "-q", pointer],
    variables: { GIT_DIR: commonDirectory },
  });
  const named = Buffer.from(outcome.stdout).toString("utf8").trim();
  if (outcome.code === 0 && named.startsWith(prefix)) return named.slice(prefix.length);
  return ["main", "master"].find((name) => refs.has(prefix + name)) ?? "main";
}
