// Moves a branch of the origin's from the commit we know there to the commit we built, or not at all; and tells a no from a failure.
// An origin whose disk is full, whose hook cannot start or whose network is gone says nothing about the work: that is an outage,
// to be tried again. Nor does one that is closed to us: a protected branch, a checkout that we may not change. Only what the origin
// means as a no to the work comes back as one. These are the origin's own words, never an agent's.

import { Outage } from "../../protocol/errors.ts";
import { shellLine } from "../../protocol/shell-line.ts";
import type { PushOutcome } from "../../ports/harvest.ts";
import { umaskFor } from "../git/repository/open-as.ts";
import type { GroundParts } from "./landing-parts.ts";

export async function push(
  parts: GroundParts,
  wish: { branch: string; expected: string | undefined; tip: string },
): Promise<PushOutcome> {
  const { git, directory, wish: ground } = parts;
  const ref = `refs/heads/${wish.branch}`;
  // The lease says "only from here", or "only if it is not there". For the target, the new tip stands on the old one.
  const lease = `--force-with-lease=${ref}:${wish.expected ?? ""}`;
  const outcome = await git.talk({
    args: ["push", "--porcelain", "--no-verify", lease, "--", ground.origin, `${wish.tip}:${ref}`],
    variables: { GIT_DIR: directory },
    umask: umaskFor(ground.origin),
  });
  if (outcome.code === 0) return { kind: "pushed" };
  const said = new TextDecoder().decode(outcome.stdout);
  const words = wordsOf(said, outcome.stderr);
  if (words === undefined || outcome.timedOut) {
    const why = outcome.timedOut ? "it did not answer in time" : outcome.stderr.trim().slice(-500);
    throw new Outage("push", `${wish.branch} to ${ground.origin}`, why, { mayRetry: true });
  }
  if (words.kind === "failed")
    throw new Outage("push", `${wish.branch} to ${ground.origin}`, words.why, { mayRetry: true });
  if (words.kind === "closed") return { kind: "closed", why: closedWords(ground, words.why) };
  return words.kind === "moved" ? { kind: "moved" } : { kind: "refused", why: words.why };
}

/** A repository without an origin is its own, and mostly stands on the branch that work lands on. */
function closedWords({ origin, source, target }: GroundParts["wish"], said: string): string {
  if (protectedBranch.test(said))
    return `the origin takes no push: ${said}\n${target} is protected. To land by pull request: \`constel task update NUMBER --by pull-request\` for one task, or \`by = "pull-request"\` under [land] in constel.toml for all`;
  if (!checkedOut.test(said)) return `the origin takes no push: ${said}`;
  const place = origin.replace(/\/\.git\/?$/, "");
  const isOwn = origin === source;
  return [
    `${target} is checked out in ${place}${isOwn ? ", which has no origin" : ""}, and constel changes no checkout.`,
    isOwn ? "Give it an origin, or" : "Make it a bare repository, or",
    `let it stand on no branch while work lands: ${shellLine(["git", "-C", place, "switch", "--detach"])}, harvest again, then switch back to ${target}`,
  ].join(" ");
}

const checkedOut = /branch is currently checked out/i;

/** Says why a push did not arrive. Undefined when the origin gave no verdict at all. */
export function wordsOf(
  porcelain: string,
  stderr: string,
): { readonly kind: "moved" | "refused" | "closed" | "failed"; readonly why: string } | undefined {
  const rejected = /^!\t\S+\t\[([^\]\n]+)\](?: \((.*)\))?$/m.exec(porcelain);
  if (rejected === null) return undefined;
  const reason = rejected[2] ?? rejected[1] ?? "";
  // What a hook of the origin's printed says more than "hook declined".
  const remote = stderr
    .split("\n")
    .filter((line) => line.startsWith("remote:"))
    .map((line) => line.slice("remote:".length).trim())
    .filter((line) => line !== "");
  const why = [reason, ...remote.slice(-10)].join("\n");
  if (failures.test(why)) return { kind: "failed", why };
  if (closed.some((pattern) => pattern.test(why))) return { kind: "closed", why };
  return { kind: races.test(reason) ? "moved" : "refused", why };
}

const races = /stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value/i;

const protectedBranch =
  /protected branch|gh006|gh013|repository rule violations|not allowed to push|deny updating a hidden ref/i;

const closed = [
  checkedOut,
  protectedBranch,
  /permission to \S+ denied|(write|push) access .*(denied|not granted)|repository (is|was) archived|read-only repository/i,
];

const failures = new RegExp(
  [
    "no space left|disk quota|disk (is )?full|quota exceeded|read-only file system|input/output error",
    "out of memory|cannot allocate|too many open files|resource temporarily unavailable|cannot fork|broken pipe",
    "unpacker error|unpack failed|unable to (write|create|migrate)|failed to write|insufficient permission for adding",
    "cannot (run|exec)|exec format error|no such file or directory|: not found$|command not found",
    "connection (refused|reset|closed|timed out)|could not (resolve|connect)|network is unreachable|timed out|timeout",
    "temporar(y|ily) (failure|unavailable)|internal (server )?error|service unavailable|bad gateway",
    "(http|status|error):? 50[0234]\\b|remote (end )?hung up|early eof",
  ].join("|"),
  "im",
);
