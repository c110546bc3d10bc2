// Finds what is known about the repository that a workspace comes from: where its git directory is, where its work truly lands, and which
// branch that is. Only reads.

import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { SourceFacts } from "../../ports/workspace.ts";
import { readSettings } from "../git/repository/allowed-settings.ts";
import {
  commonDirectoryOf,
  gitDirectoryOf,
  type Location,
  locate,
  notARepository,
  readSmall,
} from "../git/repository/locate.ts";
import type { WorkGit } from "./work-git.ts";

export interface Source extends SourceFacts {
  readonly location: Location;
  readonly hasOrigin: boolean;
  /** Ref name to object id: the heads, the origin's branches and the tags. */
  readonly refs: ReadonlyMap<string, string>;
}

export async function inspectSource(git: WorkGit, path: string): Promise<Source> {
  // Most often the path is the top of a checkout, and what is to be asked of its repository can be asked at once.
  const guess = gitDirectoryOf(path);
  const likely = guess === undefined ? undefined : commonDirectoryOf(guess);
  const early = likely === undefined ? undefined : askRepository(git, likely, path);
  early?.catch(() => undefined); // who waits for it hears of it; nobody waits when the guess was wrong
  const location = await locate(git.reading, path);
  if ("reason" in location) {
    if (location.anothers !== undefined) throw notARepository(path, location);
    throw new Refusal("git.not-a-repository", location.reason, { path });
  }
  const { commonDirectory, top } = location;
  const asked = early !== undefined && likely === commonDirectory ? early : askRepository(git, commonDirectory, top);
  const [{ remotes }, refs] = await asked;
  const url = remotes.get("origin");
  const hasOrigin = url !== undefined;
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

function askRepository(git: WorkGit, commonDirectory: string, top: string | undefined) {
  return Promise.all([readSettings(git.reading, commonDirectory, top), refsOf(git, commonDirectory)]);
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
  const named = (await pointedTo(git, commonDirectory, pointer)) ?? "";
  if (named.startsWith(prefix)) return named.slice(prefix.length);
  const branches = [...refs.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const usual = ["main", "master", "trunk"].find((name) => branches.includes(name));
  if (usual !== undefined) return usual;
  // A clone of what was empty then does not know which branch is the origin's first. The only one is; else the one that people stand on.
  if (branches.length === 1) return branches[0] ?? "main";
  const standsOn = (await pointedTo(git, commonDirectory, "HEAD"))?.replace(/^refs\/heads\//, "");
  return branches.find((name) => name === standsOn) ?? "main";
}

/** Returns the name that a symbolic name stands for. It is always in a file of its own, except in the one format that has no files. */
async function pointedTo(git: WorkGit, commonDirectory: string, name: string): Promise<string | undefined> {
  if (!existsSync(join(commonDirectory, "reftable")))
    return /^ref: *(.+)$/m.exec(readSmall(join(commonDirectory, name)) ?? "")?.[1]?.trim();
  return git.ask({ args: ["symbolic-ref", "-q", name], variables: { GIT_DIR: commonDirectory } });
}
