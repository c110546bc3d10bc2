// A workspace: a clone of its own at `workspaces/<task>/<name>`, made from a repository on this machine by hard links, so
// that it costs little, and independent of it from then on. Its origin is the source's origin. It is made beside its
// place and renamed, so that a half-made one is never taken for a whole one.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { MadeWorkspace, WorkspaceWish } from "../../ports/workspace.ts";
import { GitFailure } from "../git/git.ts";
import { readSmall } from "../git/repository/locate.ts";
import { systemLiveness } from "../process/liveness.ts";
import { Place } from "./place.ts";
import { copyFiles, runSetUp } from "./set-up.ts";
import type { Source } from "./source.ts";
import type { WorkGit } from "./work-git.ts";

export async function makeWorkspace(git: WorkGit, source: Source, wish: WorkspaceWish): Promise<MadeWorkspace> {
  using place = Place.make(wish.root, wish.place);
  if (place.isTaken) throw new Refusal("workspace.exists", `${wish.place} already exists`, { path: wish.place });
  const target = wish.target ?? source.defaultTarget;
  // The mark says who makes it, so that one that was killed over it is told from one that is at it.
  const { pid, token } = systemLiveness.self();
  const name = `${place.making}${pid}-${token}`;
  place.aside.removeTree(name);
  makingNow.add(name);
  const notes: string[] = [];
  let base: string;
  let copied: string[];
  try {
    using making = place.aside.child(name, { create: true, mode: 0o755 });
    await cloneInto(git, source, making, wish);
    if (wish.fetch) notes.push(...(await fetchBranch(git, making.path, target, wish.signal)));
    const begun = wish.begins === undefined ? undefined : await footing(git, making.path, wish.begins, wish);
    notes.push(...(begun?.notes ?? []));
    base = await checkOut(git, making, wish.branch, begun?.branch ?? target);
    const files = copyFiles(wish.root, source.top, making.path, wish.isApart === true);
    copied = files.copied;
    notes.push(...files.notes);
    wish.step?.("make.cloned");
    place.bringIn(name);
  } finally {
    makingNow.delete(name);
    place.aside.removeTree(name);
  }
  const path = place.realPath(place.name);
  const done = await runSetUp(git, { ...wish, path });
  return {
    path,
    source: source.commonDirectory,
    origin: source.origin,
    target,
    base,
    branch: wish.branch,
    setUp: { copied, ...done },
    notes,
  };
}

/** The names of the workspaces that this process is making now: another try's leftover has a mark of ours too. */
export const makingNow = new Set<string>();

/** Objects by hard link unless it must be apart, refs as the true origin has them, and a configuration that we write ourselves. */
async function cloneInto(
  git: WorkGit,
  source: Source,
  making: TrustedDirectory,
  { isApart = false }: Pick<WorkspaceWish, "isApart">,
): Promise<void> {
  const gitDirectory = join(making.path, ".git");
  // Not --local: that insists on hard links, which there are none of between two file systems. A path is cloned so anyway, and
  // copied where it cannot be.
  const links = isApart ? ["--no-hardlinks"] : [];
  await git.cloneFrom(source.commonDirectory, gitDirectory, [...links, ...refsToTake(source)]);
  const alternates = join(gitDirectory, "objects", "info", "alternates");
  if (existsSync(alternates)) {
    // The source borrows from another repository. Take what it borrows, so that neither is needed.
    await git.bytes({ args: ["repack", "-q", "-a", "-d"], variables: { GIT_DIR: gitDirectory } });
    using info = making.descend(".git/objects/info");
    info.remove("alternates");
  }
  using inside = making.child(".git");
  inside.write("config", configFor(source), { sync: false, mode: 0o644 });
  inside.write("packed-refs", packedRefs(source), { sync: false, mode: 0o644 });
  // A clone packs its refs, and leaves empty directories.
  const refs = join(gitDirectory, "refs");
  const entries = existsSync(refs) ? readdirSync(refs, { recursive: true, withFileTypes: true }) : [];
  if (!entries.every((entry) => entry.isDirectory())) inside.removeTree("refs");
  inside.descend("refs/heads", { create: true }).close();
  using info = inside.child("info", { create: true });
  const exclude = readSmall(join(source.commonDirectory, "info", "exclude"));
  if (exclude !== undefined) info.write("exclude", exclude, { sync: false, mode: 0o644 });
}

/**
 * All objects come by hard link whatever refs are asked for, and the refs are written anew: so as few as can be. Only where git
 * goes by refs to find the objects, because the source is shallow or borrows them, all are asked for.
 */
function refsToTake({ location, commonDirectory }: Source): string[] {
  const isWhole = !location.isShallow && !existsSync(join(commonDirectory, "objects", "info", "alternates"));
  return isWhole ? ["--bare", "--single-branch", "--no-tags"] : ["--mirror"];
}

function configFor(source: Source): string {
  const sha256 = source.location.objectFormat === "sha256";
  const quoted = `"${source.origin.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  return [
    "[core]",
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    "\tfilemode = true",
    "\tbare = false",
    "\tlogallrefupdates = true",
    ...(sha256 ? ["[extensions]", "\tobjectformat = sha256"] : []),
    '[remote "origin"]',
    `\turl = ${quoted}`,
    "\tfetch = +refs/heads/*:refs/remotes/origin/*",
    "",
  ].join("\n");
}

/** The origin's branches and the tags. Without an origin the source stands for it. Local heads, stashes and rescues stay behind. */
function packedRefs(source: Source): string {
  const lines: string[] = [];
  for (const [name, id] of source.refs) {
    if (name.startsWith("refs/tags/")) lines.push(`${id} ${name}`);
    else if (source.hasOrigin && name.startsWith("refs/remotes/origin/")) {
      if (name !== "refs/remotes/origin/HEAD") lines.push(`${id} ${name}`);
    } else if (!source.hasOrigin && name.startsWith("refs/heads/"))
      lines.push(`${id} refs/remotes/origin/${name.slice("refs/heads/".length)}`);
  }
  return `# pack-refs with:\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** The branch that the work stands on; no branch where the origin has none of that name. */
async function footing(
  git: WorkGit,
  making: string,
  branch: string,
  { fetch, signal }: WorkspaceWish,
): Promise<{ branch: string | undefined; notes: string[] }> {
  const notes = fetch ? await fetchBranch(git, making, branch, signal) : [];
  const args = ["rev-parse", "-q", "--verify", `refs/remotes/origin/${branch}^{commit}`];
  const found = await git.ask({ args, variables: { GIT_DIR: join(making, ".git") } });
  if (found !== undefined) return { branch, notes: [...notes, `it begins on ${branch}, which has not landed`] };
  return {
    branch: undefined,
    notes: [`${branch}, which it was to begin on, is not known here, so it begins on the target`],
  };
}

async function fetchBranch(
  git: WorkGit,
  making: string,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const outcome = await git.talk({
    args: ["fetch", "-q", "--no-tags", "origin", `+refs/heads/${branch}:refs/remotes/origin/${branch}`],
    variables: { GIT_DIR: join(making, ".git") },
    deadlineMs: 30_000,
    ...(signal === undefined ? {} : { signal }),
  });
  if (outcome.code === 0) return [];
  const why = outcome.timedOut ? "it did not answer in 30 s" : (outcome.stderr.trim().split("\n").at(-1) ?? "");
  return [`the origin could not be asked (${why}), so the base is what the source knew`];
}

/** With the user's own settings, as their clone would be (line endings, large-file filters); never the source's. */
async function checkOut(git: WorkGit, making: TrustedDirectory, branch: string, target: string): Promise<string> {
  const variables = { GIT_DIR: join(making.path, ".git"), GIT_WORK_TREE: making.path };
  const wanted = `refs/remotes/origin/${target}^{commit}`;
  const outcome = await git.talk({
    args: ["checkout", "-q", "--no-track", "-b", branch, wanted],
    variables,
    cwd: making.path,
    deadlineMs: 600_000,
  });
  if (outcome.code !== 0) {
    const found = await git.ask({ args: ["rev-parse", "-q", "--verify", wanted], variables });
    if (found === undefined) throw new Refusal("workspace.no-target", `the origin has no branch ${target}`, { target });
    throw new GitFailure(["checkout", branch], outcome);
  }
  // Written this moment, in the format that our configuration says: a process to read it would cost more than the file.
  return readSmall(join(making.path, ".git", "refs", "heads", branch))?.trim() ?? "";
}
