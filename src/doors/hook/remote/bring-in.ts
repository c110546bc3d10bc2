// Brings what another agent handed over into the workspace of its task, as one commit on the workspace's branch. A diff is applied by git, three
// ways where it can; a branch is fetched from the workspace's own origin, never from an address that was handed over. The workspace is
// left as it was where that does not work.

import type { Processes } from "../../../ports/machine.ts";
import { complaintAboutDiff } from "./handed-over.ts";

export interface Workspace {
  readonly path: string;
  readonly branch: string;
}

export interface BringParts {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined: it is committed. */
export async function bringDiff(
  parts: BringParts,
  { path }: Workspace,
  diff: string,
  message: { readonly text: string; readonly author: string },
): Promise<string | undefined> {
  const complaint = complaintAboutDiff(diff);
  if (complaint !== undefined) return complaint;
  const git = gitIn(parts, path);
  const unclean = await git(["status", "--porcelain", "--untracked-files=no"]);
  if (unclean.out.trim() !== "" || !unclean.ok) return "the workspace has changes of its own";
  const applied = await git(
    ["apply", "--index", "--3way", "--whitespace=nowarn", "-"],
    diff.endsWith("\n") ? diff : `${diff}\n`,
  );
  const staged = applied.ok ? await git(["diff", "--cached", "--quiet"]) : undefined;
  if (staged?.ok === true) return "it changes nothing here: the workspace has it already";
  const done = applied.ok
    ? await git(["commit", "--no-verify", "-q", "-m", message.text, "--author", message.author])
    : applied;
  if (done.ok) return undefined;
  await git(["reset", "-q", "--hard", "HEAD"]);
  return `git does not take it: ${done.error.trim().slice(-400)}`;
}

/** Undefined: it is merged. */
export async function bringBranch(parts: BringParts, { path }: Workspace, branch: string): Promise<string | undefined> {
  const git = gitIn(parts, path);
  const fetched = await git(["fetch", "-q", "--no-tags", "--no-recurse-submodules", "origin", `refs/heads/${branch}`]);
  if (!fetched.ok) return `the origin gives no branch ${branch}: ${fetched.error.trim().slice(-400)}`;
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

function gitIn({ processes, env }: BringParts, cwd: string) {
  return async (words: readonly string[], stdin?: string): Promise<GitSaid> => {
    // No hook of the repository runs for what a stranger wrote.
    const { code, stdout, stderr } = await processes.run(["git", "-c", "core.hooksPath=/dev/null", ...words], {
      cwd,
      env: { ...env, GIT_TERMINAL_PROMPT: "0" },
      deadlineMs: 120_000,
      ...(stdin === undefined ? {} : { stdin }),
    });
    return { ok: code === 0, out: new TextDecoder().decode(stdout), error: stderr };
  };
}
