// Brings what another agent handed over into the workspace of its task, as one commit on the workspace's branch. A diff is applied by git, three
// ways where it can; a branch is fetched from the workspace's own origin, never from an address that was handed over.
//
// A diff is first made a commit beside the workspace, by an index of its own, and judged by what git read in it. Only then the workspace goes
// forward to that commit. So one that is refused has touched no file.

import { removeTrusted } from "../../../files/trusted-files.ts";
import type { Processes } from "../../../ports/machine.ts";
import { complaintAboutDiff } from "./handed-over.ts";
import { complaintAboutPaths } from "./staged-paths.ts";

export interface Workspace {
  readonly path: string;
  readonly branch: string;
}

export interface BringParts {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
}

export interface BringMessage {
  readonly text: string;
  readonly author: { readonly name: string; readonly email: string };
}

const indexName = "constel-handed-over";

/** Undefined: it is committed. */
export async function bringDiff(
  parts: BringParts,
  { path }: Workspace,
  diff: string,
  message: BringMessage,
): Promise<string | undefined> {
  const complaint = complaintAboutDiff(diff);
  if (complaint !== undefined) return complaint;
  const git = await gitIn(parts, path);
  const unclean = await git(["status", "--porcelain", "--untracked-files=no"]);
  if (unclean.out.trim() !== "" || !unclean.ok) return "the workspace has changes of its own";
  const place = await git(["rev-parse", "--absolute-git-dir"]);
  const directory = place.out.trim();
  if (!place.ok || directory === "") return `git does not take it: ${place.error.trim().slice(-400)}`;
  const clear = (): void => {
    for (const name of [indexName, `${indexName}.lock`]) removeTrusted(directory, name);
  };
  clear();
  try {
    const made = await commitOf(git, `${directory}/${indexName}`, diff.endsWith("\n") ? diff : `${diff}\n`, message);
    if (made.complaint !== undefined) return made.complaint;
    const forward = await git(["merge", "-q", "--ff-only", "--no-verify", made.commit]);
    return forward.ok ? undefined : `git does not take it: ${forward.error.trim().slice(-400)}`;
  } finally {
    clear();
  }
}

type Made = { readonly commit: string; readonly complaint?: undefined } | { readonly complaint: string };

async function commitOf(git: GitRunner, index: string, diff: string, { text, author }: BringMessage): Promise<Made> {
  const env = { GIT_INDEX_FILE: index, GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email };
  const applied = await inTurn(
    () => git(["read-tree", "HEAD"], { env }),
    () => git(["apply", "--cached", "--3way", "--whitespace=nowarn", "-"], { env, stdin: diff }),
  );
  if (!applied.ok) return { complaint: `git does not take it: ${applied.error.trim().slice(-400)}` };
  const changed = await git(["diff", "--cached", "--raw", "-z", "--no-renames", "HEAD"], { env });
  if (changed.ok && changed.out === "") return { complaint: "it changes nothing here: the workspace has it already" };
  const complaint = changed.ok ? complaintAboutPaths(changed.out) : changed.error.trim().slice(-400);
  if (complaint !== undefined) return { complaint };
  const tree = await git(["write-tree"], { env });
  const commit = tree.ok
    ? await git(["commit-tree", "-p", "HEAD", "-F", "-", tree.out.trim()], { env, stdin: text })
    : tree;
  if (!commit.ok) return { complaint: `git does not take it: ${commit.error.trim().slice(-400)}` };
  return { commit: commit.out.trim() };
}

/** Undefined: it is merged. */
export async function bringBranch(parts: BringParts, { path }: Workspace, branch: string): Promise<string | undefined> {
  const git = await gitIn(parts, path);
  const fetched = await git(["fetch", "-q", "--no-tags", "--no-recurse-submodules", "origin", `refs/heads/${branch}`]);
  if (!fetched.ok) return `the origin gives no branch ${branch}: ${fetched.error.trim().slice(-400)}`;
  const brings = await git(["diff", "--raw", "-z", "--no-renames", "HEAD...FETCH_HEAD"]);
  const complaint = brings.ok ? complaintAboutPaths(brings.out) : brings.error.trim().slice(-400);
  if (complaint !== undefined) return `the branch ${branch} is not merged: ${complaint}`;
  const merged = await git(["merge", "-q", "--no-edit", "--no-verify", "FETCH_HEAD"]);
  if (merged.ok) return undefined;
  await git(["merge", "--abort"]);
  return `the branch ${branch} does not merge: ${(merged.error + merged.out).trim().slice(-400)}`;
}

interface GitSaid {
  readonly ok: boolean;
  readonly out: string;
  readonly error: string;
}

type GitRunner = (
  words: readonly string[],
  more?: { readonly env?: Readonly<Record<string, string>>; readonly stdin?: string },
) => Promise<GitSaid>;

const inTurn = async (...steps: readonly (() => Promise<GitSaid>)[]): Promise<GitSaid> => {
  let last: GitSaid = { ok: true, out: "", error: "" };
  for (const step of steps) {
    last = await step();
    if (!last.ok) return last;
  }
  return last;
};

/** No hook of the repository and no filter of the owner's runs for what a stranger wrote, and names are judged as every file system reads them. */
const guards: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.fsmonitor", "false"],
  ["submodule.recurse", "false"],
];

async function gitIn({ processes, env }: BringParts, cwd: string): Promise<GitRunner> {
  const run =
    (settings: readonly (readonly [string, string])[]): GitRunner =>
    async (words, { env: more = {}, stdin } = {}) => {
      const given = settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]);
      const { code, stdout, stderr } = await processes.run(["git", ...words], {
        cwd,
        env: {
          ...env,
          GIT_TERMINAL_PROMPT: "0",
          GIT_CONFIG_COUNT: String(settings.length),
          ...Object.fromEntries(given),
          ...more,
        },
        deadlineMs: 120_000,
        ...(stdin === undefined ? {} : { stdin }),
      });
      return { ok: code === 0, out: new TextDecoder().decode(stdout), error: stderr };
    };
  const named = await run(guards)(["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\..*`]);
  const filters = named.out
    .split("\0")
    .filter((key) => /\.(smudge|clean|process|required)$/i.test(key))
    .map((key) => [key, key.toLowerCase().endsWith(".required") ? "false" : ""] as const);
  return run([...guards, ...filters]);
}
