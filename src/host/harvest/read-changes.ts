// Reads what a task's work changes, for somebody who reviews it: in a bare repository of its own that borrows objects from the source and
// from the landing repository. The commits come in through the same door as for a harvest (find-branch.ts), so what is shown is what
// would land, whatever the workspace's own git says.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeTrustedDirectory, writeTrusted } from "../../files/trusted-files.ts";
import type { ReadOutcome, ReadWish } from "../../ports/harvest.ts";
import { withTemporaryDirectory } from "../process/temporary-directory.ts";
import type { WorkGit } from "../workspace/work-git.ts";
import { findBranch } from "./find-branch.ts";
import type { GroundParts } from "./landing-parts.ts";

const deadlineMs = 60_000;

export function readChanges(git: WorkGit, ground: string, wish: ReadWish): Promise<ReadOutcome> {
  return withTemporaryDirectory("review", async (own) => {
    const directory = join(own, "read.git");
    const isSha256 = (wish.commit ?? wish.base ?? "").length === 64;
    prepare(own, { isSha256, borrowed: [ground, wish.source] });
    const targetRef = `refs/remotes/origin/${wish.target}`;
    const parts: GroundParts = { git, directory, wish, targetRef, isSha256, gates: join(own, "gates") };
    const target = await targetIn(parts, [ground, wish.source]);
    await keepRef(parts, "refs/constel/base", wish.base);
    await keepRef(parts, "refs/constel/target", target);
    const found = await findBranch(parts, wish);
    if (found.kind !== "found") return found;
    const known = target ?? (wish.base === undefined ? await fetchedTarget(parts) : undefined);
    const base = await baseOf(parts, found.tip, { target: known, began: wish.base });
    const variables = { GIT_DIR: directory };
    const tree = await git.text({ args: ["rev-parse", `${found.tip}^{tree}`], variables });
    const args = ["diff-tree", "-p", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/"];
    const patch = await git.bytes({ args: [...args, "--dst-prefix=b/", base, found.tip], variables, deadlineMs });
    return { kind: "read", tree, base, patch: Buffer.from(patch).toString() };
  });
}

function prepare(own: string, { isSha256, borrowed }: { isSha256: boolean; borrowed: readonly string[] }): void {
  const config = [
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = true\n\tuseReplaceRefs = false\n`,
    ...(isSha256 ? ["[extensions]\n\tobjectformat = sha256\n"] : []),
  ].join("");
  for (const name of ["refs", "objects/info", "objects/pack"]) makeTrustedDirectory(own, `read.git/${name}`);
  writeTrusted(own, "read.git/HEAD", "ref: refs/heads/none\n", { sync: false });
  writeTrusted(own, "read.git/config", config, { sync: false });
  const objects = borrowed.map((one) => join(one, "objects")).filter((one) => existsSync(one) && !one.includes("\n"));
  if (objects.length > 0)
    writeTrusted(own, "read.git/objects/info/alternates", `${objects.join("\n")}\n`, { sync: false });
}

/** Where the target stood when it was last fetched, as one of these repositories has it. */
async function targetIn({ git, targetRef }: GroundParts, repositories: readonly string[]): Promise<string | undefined> {
  for (const repository of repositories) {
    if (!existsSync(join(repository, "objects"))) continue;
    const args = ["rev-parse", "-q", "--verify", `${targetRef}^{commit}`];
    const commit = await git.ask({ args, variables: { GIT_DIR: repository } });
    if (commit !== undefined) return commit;
  }
  return undefined;
}

/** What is known already need not come in with the work. */
async function keepRef({ git, directory }: GroundParts, ref: string, commit: string | undefined): Promise<void> {
  if (commit === undefined) return;
  const variables = { GIT_DIR: directory };
  const known = await git.ask({ args: ["rev-parse", "-q", "--verify", `${commit}^{commit}`], variables });
  if (known !== undefined) await git.bytes({ args: ["update-ref", "--no-deref", ref, known], variables });
}

async function fetchedTarget({ git, directory, wish, targetRef }: GroundParts): Promise<string | undefined> {
  const variables = { GIT_DIR: directory };
  const spec = `+refs/heads/${wish.target}:${targetRef}`;
  const outcome = await git.talk({ args: ["fetch", "-q", "--no-tags", "--", wish.origin, spec], variables });
  if (outcome.code !== 0) return undefined;
  return await git.ask({ args: ["rev-parse", "-q", "--verify", `${targetRef}^{commit}`], variables });
}

/** Of the commit where the work began and the last one that the target has too, the later one. Without either all of it is new. */
async function baseOf(
  { git, directory, isSha256 }: GroundParts,
  tip: string,
  { target, began }: { readonly target: string | undefined; readonly began: string | undefined },
): Promise<string> {
  const variables = { GIT_DIR: directory };
  const shared = target === undefined ? undefined : await git.ask({ args: ["merge-base", target, tip], variables });
  if (shared !== undefined && began !== undefined) {
    const isLater = await git.ask({ args: ["merge-base", "--is-ancestor", began, shared], variables });
    if (isLater === undefined) return began;
  }
  return shared ?? began ?? (isSha256 ? emptyTree.sha256 : emptyTree.sha1);
}

const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};
