// The ground of a repository's harvests: a bare clone of ours in the home, one for each origin, with a configuration that
// we wrote. Branches come in from workspaces as packs of objects, and from the origin by fetching; nothing is ever done in
// a checkout of the user's.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { BranchWish, FoundBranch, Ground, Grounds, GroundWish } from "../../ports/harvest.ts";
import { bringKept, bringRef } from "../workspace/keep-ready.ts";
import { WorkGit, type WorkGitOptions } from "../workspace/work-git.ts";
import { runGate } from "./gate.ts";
import type { GroundParts } from "./landing-parts.ts";
import { pick } from "./pick.ts";
import { push } from "./push.ts";
import { tidyGrounds } from "./tidy.ts";

export function systemGrounds(options: WorkGitOptions & { readonly directory: string }): Grounds {
  const git = new WorkGit(options);
  return {
    async open(wish) {
      const key = createHash("sha256").update(wish.origin).digest("hex").slice(0, 24);
      const directory = join(options.directory, `${key}.git`);
      mkdirSync(options.directory, { recursive: true, mode: 0o700 });
      if (!existsSync(join(directory, "HEAD"))) await make(git, wish, directory);
      const targetRef = `refs/remotes/origin/${wish.target}`;
      return groundOf({ git, directory, wish, targetRef, scratch: join(options.directory, `${key}.scratch`) });
    },
    tidy: (wish) => tidyGrounds(git, options.directory, wish),
  };
}

function groundOf(parts: GroundParts): Ground {
  const { git, directory, targetRef } = parts;
  return {
    fetch: () => fetchTarget(parts),
    find: (wish) => find(parts, wish),
    pick: (wish) => pick(parts, wish),
    gate: (wish) => runGate(parts, wish),
    push: (wish) => push(parts, wish),
    async contains(commit) {
      const args = ["merge-base", "--is-ancestor", commit, targetRef];
      return (await git.try({ args, variables: { GIT_DIR: directory } })).code === 0;
    },
  };
}

async function make(git: WorkGit, wish: GroundWish, directory: string): Promise<void> {
  const making = `${directory}.making`;
  rmSync(making, { recursive: true, force: true });
  if (existsSync(join(wish.source, "objects"))) {
    const clone = ["-c", "protocol.file.allow=always", "clone", "-q", "--mirror", "--template="];
    await git.bytes({ args: [...clone, "--", wish.source, making], variables: { GIT_ALLOW_PROTOCOL: "file" } });
    const alternates = join(making, "objects", "info", "alternates");
    if (existsSync(alternates)) {
      await git.bytes({ args: ["repack", "-q", "-a", "-d"], variables: { GIT_DIR: making } });
      rmSync(alternates);
    }
  } else await git.bytes({ args: ["init", "-q", "--bare", "--template=", making] });
  const format = await git.text({ args: ["rev-parse", "--show-object-format"], variables: { GIT_DIR: making } });
  writeFileSync(join(making, "config"), configFor(wish.origin, format === "sha256"));
  // What the source's refs were is no news of the origin.
  writeFileSync(join(making, "packed-refs"), "# pack-refs with:\n");
  rmSync(join(making, "refs"), { recursive: true, force: true });
  mkdirSync(join(making, "refs"));
  mkdirSync(join(making, "info"), { recursive: true });
  writeFileSync(join(making, "HEAD"), "ref: refs/heads/none\n");
  renameSync(making, directory);
}

function configFor(origin: string, sha256: boolean): string {
  const url = `"${origin.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  return [
    `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = true\n\tlogallrefupdates = false`,
    ...(sha256 ? ["[extensions]\n\tobjectformat = sha256"] : []),
    `[remote "origin"]\n\turl = ${url}\n`,
  ].join("\n");
}

async function fetchTarget(parts: GroundParts): Promise<string> {
  const { git, directory, wish, targetRef } = parts;
  const variables = { GIT_DIR: directory };
  const spec = `+refs/heads/${wish.target}:${targetRef}`;
  const outcome = await git.talk({ args: ["fetch", "-q", "--no-tags", "origin", spec], variables });
  if (outcome.code !== 0) {
    const why = outcome.timedOut ? "it did not answer in time" : outcome.stderr.trim().slice(-500);
    throw new Outage("fetch", `${wish.target} from ${wish.origin}`, why, { mayRetry: true });
  }
  return git.text({ args: ["rev-parse", "--verify", `${targetRef}^{commit}`], variables });
}

/**
 * From the workspace that has it. When that is gone, from the origin, if everything that was called ready was pushed there; else
 * what was kept of it, because nothing else holds that, while what the origin has stays there.
 */
async function find(parts: GroundParts, wish: BranchWish): Promise<FoundBranch | undefined> {
  const { git, directory } = parts;
  const variables = { GIT_DIR: directory };
  const keep = `refs/constel/branches/${wish.task}`;
  const found = async (tip: string, from: FoundBranch["from"]): Promise<FoundBranch> => {
    await git.bytes({ args: ["update-ref", "--no-deref", keep, tip], variables });
    return { tip, from };
  };
  const { workspace } = wish;
  const inWorkspace =
    workspace === undefined
      ? undefined
      : await bringRef(git, { from: join(workspace, ".git"), ref: `refs/heads/${wish.branch}`, directory });
  if (inWorkspace !== undefined) return found(inWorkspace, "workspace");
  const kept = wish.kept === undefined ? undefined : await bringKept(git, wish.kept, directory);
  const pushed = await fromOrigin(parts, wish.branch, keep);
  if (kept === undefined) return pushed === undefined ? undefined : { tip: pushed, from: "origin" };
  const isPushed =
    pushed !== undefined &&
    (await git.try({ args: ["merge-base", "--is-ancestor", kept, pushed], variables })).code === 0;
  return isPushed ? { tip: pushed, from: "origin" } : found(kept, "kept");
}

async function fromOrigin({ git, directory }: GroundParts, branch: string, keep: string): Promise<string | undefined> {
  const variables = { GIT_DIR: directory };
  const spec = `+refs/heads/${branch}:${keep}`;
  const outcome = await git.talk({ args: ["fetch", "-q", "--no-tags", "origin", spec], variables });
  if (outcome.code !== 0) return undefined;
  return git.text({ args: ["rev-parse", "--verify", `${keep}^{commit}`], variables });
}
