// Finds what a task called ready and brings it into the landing repository: from the workspace that has it, from where it was kept
// when that is gone, else from the origin. Only the commit that was ready lands; what was committed later is counted, so that
// somebody can be told.
//
// Everything comes in through one narrow door: as a pack that git itself has checked (`index-pack --strict`: the rules of fsck,
// and that nothing is missing). A branch that does not pass is unfit by itself, and spoils nothing for others.

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { RunOutcome } from "../../ports/machine.ts";
import type { BranchWish, FoundBranch } from "../../ports/harvest.ts";
import { GitFailure } from "../git/git.ts";
import { keptAt } from "../workspace/keep-ready.ts";
import { alternate } from "../workspace/save.ts";
import { refsOf } from "../workspace/source.ts";
import type { GroundParts } from "./landing-parts.ts";

type Found = Extract<FoundBranch, { kind: "found" }>;

export async function findBranch(parts: GroundParts, wish: BranchWish): Promise<FoundBranch> {
  const { git, directory } = parts;
  const keep = `refs/constel/branches/${wish.task}`;
  const gitDirectory = wish.workspace === undefined ? undefined : join(wish.workspace, ".git");
  const now = gitDirectory === undefined ? undefined : await commitAt(parts, gitDirectory, `refs/heads/${wish.branch}`);
  const found = async (tip: string, from: Found["from"], objects: string): Promise<FoundBranch> => {
    const why = await bringChecked(parts, tip, objects);
    if (why !== undefined) return { kind: "unfit", why };
    await git.bytes({ args: ["update-ref", "--no-deref", keep, tip], variables: { GIT_DIR: directory } });
    const later = now === undefined || now === tip ? undefined : await laterThan(parts, gitDirectory, tip, now);
    return { kind: "found", tip, from, ...(later === undefined ? {} : { later }) };
  };
  let unfit: FoundBranch | undefined;
  if (gitDirectory !== undefined) {
    const ready = wish.commit === undefined ? now : await commitAt(parts, gitDirectory, wish.commit);
    const there = ready === undefined ? undefined : await found(ready, "workspace", join(gitDirectory, "objects"));
    if (there?.kind === "found") return there;
    unfit = there;
  }
  // A workspace may have lost objects since; what was kept of it has them.
  const elsewhere = await inQuarantine(parts, async (objects, variables): Promise<FoundBranch> => {
    const kept = wish.kept === undefined ? undefined : await keptIn(parts, wish.kept, { objects, variables });
    if (kept !== undefined && (wish.commit === undefined || kept.commit === wish.commit))
      return found(kept.commit, "kept", kept.objects);
    const pushed = await pushedIn(parts, wish.branch, variables);
    if (pushed === undefined) return { kind: "missing" };
    if (wish.commit === undefined) return found(pushed, "origin", objects);
    const asked = ["rev-parse", "-q", "--verify", "--end-of-options", `${wish.commit}^{commit}`];
    return (await git.ask({ args: asked, variables })) !== undefined
      ? found(wish.commit, "origin", objects)
      : { kind: "missing" };
  });
  return elsewhere.kind === "found" ? elsewhere : (unfit ?? elsewhere);
}

async function commitAt(
  { git }: Pick<GroundParts, "git">,
  gitDirectory: string,
  name: string,
): Promise<string | undefined> {
  if (!existsSync(join(gitDirectory, "objects"))) return undefined;
  return git.ask({ args: ["rev-parse", "-q", "--verify", `${name}^{commit}`], variables: { GIT_DIR: gitDirectory } });
}

async function laterThan(
  { git }: GroundParts,
  gitDirectory: string | undefined,
  ready: string,
  now: string,
): Promise<Found["later"]> {
  // What somebody pushed is not in the workspace, and nothing there is later than it.
  if (gitDirectory === undefined || (await commitAt({ git }, gitDirectory, ready)) === undefined) return undefined;
  const args = ["rev-list", "--count", `${ready}..${now}`];
  return { tip: now, commits: Number(await git.text({ args, variables: { GIT_DIR: gitDirectory } })) };
}

/** Objects that nobody has checked yet come into a directory of their own, which borrows from the landing repository. */
async function inQuarantine<T>(
  parts: GroundParts,
  use: (objects: string, variables: Record<string, string>) => Promise<T>,
): Promise<T> {
  const objects = mkdtempSync(join(parts.directory, "incoming-"));
  const own = join(parts.directory, "objects");
  try {
    mkdirSync(join(objects, "pack"));
    return await use(objects, {
      GIT_DIR: parts.directory,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate(own),
    });
  } finally {
    rmSync(objects, { recursive: true, force: true });
  }
}

async function keptIn(
  { git }: GroundParts,
  place: NonNullable<BranchWish["kept"]>,
  quarantine: Parameters<typeof keptAt>[2],
): ReturnType<typeof keptAt> {
  try {
    return await keptAt(git, place, quarantine);
  } catch (cause) {
    // What is kept lies in a repository that others write to; the origin may still have it.
    if (cause instanceof GitFailure && isDamage(cause.outcome)) return undefined;
    throw cause;
  }
}

async function pushedIn(
  { git, wish }: GroundParts,
  branch: string,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const asked = await git.talk({ args: ["ls-remote", "--refs", "--", wish.origin, ref], variables });
  if (asked.code !== 0) throw new Outage("ask", wish.origin, asked.stderr.trim().slice(-500), { mayRetry: true });
  const line = Buffer.from(asked.stdout)
    .toString("utf8")
    .split("\n")
    .find((one) => one.endsWith(`\t${ref}`));
  const commit = line?.split("\t")[0];
  if (commit === undefined) return undefined;
  const fetch = ["-c", "fetch.fsckObjects=false", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--refmap="];
  const outcome = await git.talk({ args: [...fetch, "--", wish.origin, ref], variables });
  if (outcome.code !== 0)
    throw new Outage("fetch", `${branch} from ${wish.origin}`, outcome.stderr.trim().slice(-500), { mayRetry: true });
  return commit;
}

/** Makes a commit and all it needs objects of the landing repository; or says what git has against them. */
async function bringChecked(parts: GroundParts, commit: string, objects: string): Promise<string | undefined> {
  const { git, directory } = parts;
  const alone = { GIT_DIR: directory };
  const refs = await refsOf(git, directory);
  if ([...refs.values()].includes(commit)) return undefined; // brought and checked before
  const incoming = mkdtempSync(join(directory, "incoming-"));
  try {
    const pack = join(incoming, "new.pack");
    const variables = { ...alone, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate(objects) };
    const wanted = [commit, ...[...new Set(refs.values())].map((id) => `^${id}`)].map((line) => `${line}\n`).join("");
    const packed = await git.tryToFile(
      { args: ["pack-objects", "--revs", "--stdout", "-q"], variables, stdin: wanted },
      pack,
    );
    if (packed.code !== 0) return complaint(packed, ["pack-objects"]);
    const checked = await git.try({ args: ["index-pack", "--strict", pack], variables: alone });
    if (checked.code !== 0) return complaint(checked, ["index-pack"]);
    const name = `pack-${Buffer.from(checked.stdout).toString("utf8").trim().split(/\s+/).at(-1)}`;
    const into = join(directory, "objects", "pack");
    mkdirSync(into, { recursive: true });
    // The index last: it is what makes a pack one.
    renameSync(pack, join(into, `${name}.pack`));
    renameSync(join(incoming, "new.idx"), join(into, `${name}.idx`));
    return undefined;
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
}

/** In git's own words; an outage when it is the machine that failed. */
function complaint(outcome: RunOutcome, args: readonly string[]): string {
  if (!isDamage(outcome)) throw new GitFailure(args, outcome);
  const lines = outcome.stderr.split("\n").filter((line) => line.trim() !== "");
  const told = lines.filter((line) => !line.startsWith("fatal: fsck error in pack")).slice(0, 5);
  return `git refuses its objects: ${told
    .map((line) => line.replace(/^(error|fatal): /, ""))
    .join("; ")
    .slice(0, 500)}`;
}

function isDamage({ code, stderr, timedOut }: RunOutcome): boolean {
  const isMachine =
    /No space left|Disk quota|Input\/output error|out of memory|Cannot allocate|Read-only file system|Too many open files|Permission denied/i;
  return code !== null && !timedOut && !isMachine.test(stderr);
}
