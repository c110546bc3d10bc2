// Moves the origin's branch from the commit we built on to the commit we built, or not at all.

import { Outage } from "../../protocol/errors.ts";
import type { PushOutcome } from "../../ports/harvest.ts";
import type { GroundParts } from "./landing-parts.ts";

export async function push(parts: GroundParts, wish: { expected: string; tip: string }): Promise<PushOutcome> {
  const { git, directory, wish: ground } = parts;
  const ref = `refs/heads/${ground.target}`;
  // The lease says "only from here"; that the new tip stands on the old one makes it a fast-forward.
  const outcome = await git.talk({
    args: [
      "push",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${ref}:${wish.expected}`,
      "origin",
      `${wish.tip}:${ref}`,
    ],
    variables: { GIT_DIR: directory },
  });
  if (outcome.code === 0) return { kind: "pushed" };
  const said = new TextDecoder().decode(outcome.stdout);
  const rejected = /^!\t\S+\t\[(.+?)\](?: \((.*)\))?$/m.exec(said);
  if (rejected === null) {
    const why = outcome.timedOut ? "it did not answer in time" : outcome.stderr.trim().slice(-500);
    throw new Outage("push", `${ground.target} to ${ground.origin}`, why, { mayRetry: true });
  }
  const why = rejected[2] ?? rejected[1] ?? "";
  const isRace =
    /stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value/i.test(why);
  if (isRace) return { kind: "moved" };
  // What a hook of the origin's printed says more than "hook declined".
  const remote = outcome.stderr
    .split("\n")
    .filter((line) => line.startsWith("remote:"))
    .map((line) => line.slice("remote:".length).trim())
    .filter((line) => line !== "");
  return { kind: "refused", why: [why, ...remote.slice(-10)].join("\n") };
}
