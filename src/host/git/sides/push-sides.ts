// Puts sides under private refs at the origin and takes them away again, from a repository of ours: the user's clones are only read, and no hook of
// theirs runs. Where the origin takes no such refs, the same objects go into a bundle.

import type { RunOutcome } from "../../../ports/machine.ts";
import type { PushedSide, SideLimits } from "../../../ports/sides.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { isSideRef } from "../../../protocol/elsewhere.ts";
import type { Git } from "../git.ts";
import { talk, type TalkOptions } from "../talk.ts";

export interface PushPlace {
  readonly git: Git;
  readonly talking: TalkOptions;
  /** Git's directory and objects: ours, seeing all that the clones have. */
  readonly variables: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly limits: SideLimits;
}

export interface PushWish {
  readonly put: readonly { readonly ref: string; readonly commit: string }[];
  readonly remove: readonly string[];
}

const quiet = ["push.gpgSign=false", "push.followTags=false", "push.recurseSubmodules=no", "push.pushOption="];

export async function pushSides(place: PushPlace, address: string, wish: PushWish): Promise<PushedSide[]> {
  const refs = [...wish.put.map(({ ref }) => ref), ...wish.remove];
  if (!refs.every(isSideRef)) throw new Error("a ref that is not a side's");
  if (refs.length === 0) return [];
  const specs = [...wish.put.map(({ ref, commit }) => `+${commit}:${ref}`), ...wish.remove.map((ref) => `:${ref}`)];
  const options = [...quiet, "http.lowSpeedLimit=100", "http.lowSpeedTime=20"].flatMap((one) => ["-c", one]);
  let outcome: RunOutcome;
  try {
    outcome = await talk(place.git, place.talking, {
      args: [...options, "push", "--porcelain", "--no-verify", "--no-progress", "--", address, ...specs],
      cwd: place.directory,
      variables: place.variables,
      deadlineMs: place.limits.fetchMs,
      isUnasked: true,
    });
  } catch (cause) {
    return refs.map((ref) => ({ ref, why: messageOf(cause).slice(0, 200) }));
  }
  const said = spokenOf(outcome);
  const failure = outcome.code === 0 ? null : firstWords(outcome);
  return refs.map((ref) => ({ ref, why: said.has(ref) ? (said.get(ref) ?? null) : failure }));
}

/** Each ref with the reason why it was not taken; null when it was. Git says so even when others were refused. */
function spokenOf({ stdout }: RunOutcome): Map<string, string | null> {
  const said = new Map<string, string | null>();
  for (const line of Buffer.from(stdout).toString("utf8").split("\n")) {
    const [flag = "", spec = "", summary = ""] = line.split("\t");
    const ref = spec.slice(spec.indexOf(":") + 1);
    if (spec === "" || !isSideRef(ref)) continue;
    // One that is gone already is what was wanted.
    const isGone = /remote ref does not exist/.test(summary);
    said.set(ref, flag === "!" && !isGone ? summary.slice(0, 200) : null);
  }
  return said;
}

function firstWords({ timedOut, stderr, code, signal }: RunOutcome): string {
  const line = stderr
    .split("\n")
    .map((one) => one.replace(/^(fatal|error|ssh): /, "").trim())
    .find((one) => one !== "");
  return (timedOut ? "it did not answer in time" : (line ?? `git ended with ${code ?? signal}`)).slice(0, 200);
}

/** Everything that a commit has and the commits below it have not, in one piece; or why it is not made. */
export async function bundleSide(
  place: PushPlace,
  side: { readonly commit: string; readonly onto: readonly string[] },
): Promise<{ readonly content: Uint8Array } | { readonly why: string }> {
  const ids = [side.commit, ...side.onto.map((id) => `^${id}`)];
  const outcome = await place.git.try({
    args: ["pack-objects", "--revs", "--stdout", "--thin", "--quiet"],
    stdin: ids.map((id) => `${id}\n`).join(""),
    variables: place.variables,
    maxOutputBytes: place.limits.bundleBytes,
  });
  if (outcome.truncated) return { why: `it is more than ${place.limits.bundleBytes / 1024} KiB` };
  return outcome.code === 0 ? { content: outcome.stdout } : { why: firstWords(outcome) };
}
