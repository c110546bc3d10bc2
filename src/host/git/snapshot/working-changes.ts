// Finds the files of a worktree that differ from a private index: by stat for tracked files, by listing for untracked ones. A file's content
// is read only where stat leaves a doubt, and what was learnt is kept in the private index. One process says all; where it cannot (it also
// compares with HEAD, whose trees may be missing), two others do.

import { type Git, GitFailure } from "../git.ts";
import { fieldsOf, pathFromBytes } from "../objects/path-text.ts";

export interface WorkingChanges {
  /** Tracked and different, or in conflict, but there. */
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  readonly untracked: readonly string[];
  /** Untracked repositories inside the worktree. */
  readonly nested: readonly string[];
}

export async function workingChanges(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
  paths: readonly string[],
): Promise<WorkingChanges> {
  const only = paths.length === 0 ? [] : ["--", ...paths];
  const outcome = await git.try({
    // Never without --ignore-submodules: that would run git inside the submodule, with the submodule's configuration.
    args: ["status", "--porcelain=v2", "-z", "-uall", "--no-renames", "--ignore-submodules=dirty", ...only],
    variables,
    cwd: worktree,
    keepsIndex: true,
  });
  if (outcome.timedOut || outcome.truncated) throw new GitFailure(["status"], outcome);
  return outcome.code === 0 ? readStatus(outcome.stdout) : await askTwice(git, variables, worktree, only);
}

/** The number of words before the path: `1` for changed entries, `u` for those in conflict, `?` for untracked files. */
const wordsBefore: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };

function readStatus(output: Uint8Array): WorkingChanges {
  const modified: string[] = [];
  const deleted: string[] = [];
  const untracked: string[] = [];
  const nested: string[] = [];
  for (const field of fieldsOf(output)) {
    const kind = String.fromCharCode(field[0] ?? 0);
    let at = 0;
    for (let words = wordsBefore[kind] ?? 1; words > 0; words--) at = field.indexOf(32, at) + 1;
    const path = pathFromBytes(field.subarray(at));
    if (kind === "?") {
      if (path.endsWith("/")) nested.push(path.slice(0, -1));
      else untracked.push(path);
      continue;
    }
    // The second letter says how the file differs from the index. In conflict it says other things: the mode on disk
    // comes before the three ids.
    const words = Buffer.from(field.subarray(0, at)).toString("latin1").split(" ");
    const how = words[1]?.charAt(1);
    if (kind === "u") (words[6] === "000000" ? deleted : modified).push(path);
    else if (how === "D") deleted.push(path);
    else if (how !== ".") modified.push(path);
  }
  return { modified, deleted, untracked, nested };
}

async function askTwice(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
  only: readonly string[],
): Promise<WorkingChanges> {
  const [tracked, untracked] = await Promise.all([
    git.bytes({
      // Never --ignore-submodules=none: that would run git inside the submodule, with the submodule's configuration.
      args: ["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=dirty", ...only],
      variables,
      cwd: worktree,
    }),
    git.bytes({ args: ["ls-files", "-z", "--others", "--exclude-standard", ...only], variables, cwd: worktree }),
  ]);
  const modified = new Set<string>();
  const deleted = new Set<string>();
  const fields = fieldsOf(tracked);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const status = String.fromCharCode(fields[index]?.[0] ?? 0);
    const path = pathFromBytes(fields[index + 1] ?? new Uint8Array());
    (status === "D" ? deleted : modified).add(path);
  }
  // An unmerged path is told twice, as U and as its difference to our own version; deleted is the truer word.
  for (const path of deleted) modified.delete(path);
  const others = fieldsOf(untracked).map(pathFromBytes);
  return {
    modified: [...modified],
    deleted: [...deleted],
    untracked: others.filter((path) => !path.endsWith("/")),
    nested: others.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
  };
}
