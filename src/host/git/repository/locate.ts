// From a path to the repository it is in, and from a worktree to its git directory. Only reads, and only with commands
// that start no other program whatever the repository's configuration says.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Refusal } from "../../../protocol/errors.ts";
import { likelyOwnPlace } from "../../../protocol/own-place.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import { type Git, GitFailure } from "../git.ts";

export interface Location {
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  /** undefined for a bare repository and inside a git directory. */
  readonly top: string | undefined;
  readonly isBare: boolean;
  readonly isShallow: boolean;
  readonly objectFormat: ObjectFormat;
}

export type ObjectFormat = "sha1" | "sha256";

export interface NoLocation {
  readonly reason: string;
  /** git could not say: it was ended, or could not read what is there. */
  readonly isUnknown?: boolean;
  /** The directory that is another account's, so that git does not work in it until its user says that it may. */
  readonly anothers?: string;
}

/** Finds the repository that the path belongs to, or says why that is not known. */
export async function locate(git: Git, path: string): Promise<Location | NoLocation> {
  let directory: string;
  try {
    const real = realpathSync(path);
    directory = lstatSync(real).isDirectory() ? real : dirname(real);
  } catch {
    return { reason: `${path} does not exist` };
  }
  // true/false answers stand between the paths, because a path may hold a newline. --show-toplevel fails in a bare
  // repository, after everything else was said.
  const args = ["rev-parse", "--path-format=absolute", "--git-dir", "--is-bare-repository", "--git-common-dir"];
  args.push("--is-shallow-repository", "--show-object-format", "--show-toplevel");
  const call = { args, cwd: directory };
  const asked = await git.try(call);
  // The user's settings say which directories of others the user calls safe. They are not read otherwise.
  const outcome = anothersIn(asked.stderr) === undefined ? asked : await git.try({ ...call, withUserConfig: true });
  const said = Buffer.from(outcome.stdout).toString("utf8");
  const match = /^(.+)\n(true|false)\n(.+)\n(true|false)\n(sha1|sha256)\n(?:(.+)\n)?$/s.exec(said);
  if (match === null) {
    if (!outcome.timedOut && /not a git repository/i.test(outcome.stderr))
      return { reason: `${directory} is not in a git repository` };
    const anothers = anothersIn(outcome.stderr);
    if (anothers !== undefined) return { reason: `${anothers} belongs to another account`, anothers };
    return { reason: new GitFailure(args.slice(0, 1), outcome).message, isUnknown: true };
  }
  const [, gitDirectory = "", isBare, commonDirectory = "", isShallow, objectFormat, top] = match;
  return {
    gitDirectory: realOr(gitDirectory),
    commonDirectory: realOr(commonDirectory),
    top: top === undefined ? undefined : realOr(top),
    isBare: isBare === "true",
    isShallow: isShallow === "true",
    objectFormat: objectFormat === "sha256" ? "sha256" : "sha1",
  };
}

/** The directory that git does not work in because it is another account's. */
export const anothersIn = (said: string): string | undefined =>
  /dubious ownership in repository at '(.+)'$/m.exec(said)?.[1];

export function notARepository(path: string, { reason, isUnknown, anothers }: NoLocation): Refusal {
  const facts = { path, detail: reason };
  if (anothers !== undefined) {
    const hint = `If you trust what is in it: ${shellLine(["git", "config", "--global", "--add", "safe.directory", anothers])}`;
    return new Refusal("git.not-a-repository", `${reason}, so git does not work in it`, facts, hint);
  }
  const why = isUnknown ? `${path} cannot be looked at: ${reason}` : `${path} is not in a git repository`;
  return new Refusal("git.not-a-repository", why, facts);
}

/** The git directory that `<top>/.git` stands for, by real path; undefined when there is none. */
export function gitDirectoryOf(top: string): string | undefined {
  const entry = join(top, ".git");
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) return realOr(entry);
  const text = readSmall(entry);
  const match = /^gitdir: (.+?)\r?\n?$/s.exec(text ?? "");
  const target = match?.[1];
  if (target === undefined) return undefined;
  const path = isAbsolute(target) ? target : resolve(top, target);
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realOr(path);
}

/** The directory shared by the worktrees of a clone. */
export function commonDirectoryOf(gitDirectory: string): string {
  const target = readSmall(join(gitDirectory, "commondir"))?.replace(/\r?\n$/, "");
  return target === undefined ? gitDirectory : realOr(resolve(gitDirectory, target));
}

const largestSmall = 64 * 1024 * 1024;

/** A small file of git's own as text; undefined when it is absent, not a plain file, or too large to be what it should. */
export function readSmall(path: string | Buffer): string | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    // Without O_NONBLOCK a pipe would never be opened, also where a link leads to one.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (leadsOut(path, fd)) return undefined;
      return stat.isFile() && stat.size <= largestSmall ? readFileSync(fd, "utf8") : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // it went away, or may not be read: the same to us
  }
}

/**
 * Tells whether a file that was opened in a confined agent's own place lies outside of it: a link of the agent's led to what the agent
 * itself cannot read. Asked of the open file, which no later link can change.
 */
export function leadsOut(path: string | Buffer, fd: number): boolean {
  const place = likelyOwnPlace(path.toString());
  if (place === undefined) return false;
  const opened = process.platform === "linux" ? realOr(`/proc/self/fd/${fd}`) : realOr(path.toString());
  return !opened.startsWith(`${realOr(place)}/`);
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
