// The landing repository of an origin (the ground): a bare clone of ours in the home, one for each origin. Branches come in from
// workspaces as checked packs of objects, and from the origin by fetching; nothing is ever done in a checkout of the user's.
// Its configuration is ours, and is written anew before it is used: no code of a repository runs in it, and if something
// reached it all the same, the address pushed to would still be the one on our record.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { Ground, Grounds, GroundWish } from "../../ports/harvest.ts";
import { clearGates } from "../gate/run-gate.ts";
import { WorkGit, type WorkGitOptions } from "../workspace/work-git.ts";
import { isAncestor } from "./ancestors.ts";
import { findBranch } from "./find-branch.ts";
import { landingSettings, runGate } from "./gate.ts";
import type { GroundParts } from "./landing-parts.ts";
import { pick } from "./pick.ts";
import { branchAt } from "./branch-at.ts";
import { push } from "./push.ts";
import { readChanges } from "./read-changes.ts";
import { differences, readsAs } from "./compare-paths.ts";
import { gatesName, tidyGrounds } from "./tidy.ts";

export function systemGrounds(options: WorkGitOptions & { readonly directory: string }): Grounds {
  const git = new WorkGit(options);
  const gates = join(options.directory, gatesName);
  return {
    async open(wish) {
      const directory = join(options.directory, groundName(wish.origin));
      mkdirSync(options.directory, { recursive: true, mode: 0o700 });
      // One harvester at a time: what is there is left of one that was killed.
      await clearGates(gates);
      if (!existsSync(join(directory, "HEAD"))) await make(git, wish, directory);
      const format = await git.text({ args: ["rev-parse", "--show-object-format"], variables: { GIT_DIR: directory } });
      const targetRef = `refs/remotes/origin/${wish.target}`;
      const parts = { git, directory, wish, targetRef, gates, isSha256: format === "sha256" };
      setUp(parts);
      return groundOf(parts);
    },
    read: (wish) => readChanges(git, join(options.directory, groundName(wish.origin)), wish),
    tidy: (wish) => tidyGrounds(git, options.directory, wish),
  };
}

const groundName = (origin: string): string => `${createHash("sha256").update(origin).digest("hex").slice(0, 24)}.git`;

function groundOf(parts: GroundParts): Ground {
  const { targetRef } = parts;
  return {
    fetch: () => fetchTarget(parts),
    find: (wish) => findBranch(parts, wish),
    settings: (wish) => landingSettings(parts, wish),
    pick: (wish) => pick(parts, wish),
    gate: (wish) => runGate(parts, wish),
    push(wish) {
      setUp(parts);
      return push(parts, { ...wish, branch: parts.wish.target });
    },
    async pushBranch(wish) {
      if (wish.branch === parts.wish.target) return { kind: "refused", why: "it is the target itself" };
      setUp(parts);
      return await push(parts, wish);
    },
    branchAt: (branch) => branchAt(parts, branch),
    async keep(name, commit) {
      const ref = `refs/constel/judged/${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
      await parts.git.bytes({
        args: ["update-ref", "--no-deref", ref, commit],
        variables: { GIT_DIR: parts.directory },
      });
    },
    isIn: (commit, of) => isAncestor(parts, commit, of),
    contains: (commit) => isAncestor(parts, commit, targetRef),
    reads: (wish) => readsAs(parts, { ...wish, on: targetRef }),
    changed: async ({ from, to }) => [...(await differences(parts, from, to)).keys()],
  };
}

async function make(git: WorkGit, wish: GroundWish, directory: string): Promise<void> {
  const making = `${directory}.making`;
  rmSync(making, { recursive: true, force: true });
  if (existsSync(join(wish.source, "objects"))) {
    await git.cloneFrom(wish.source, making, ["--mirror"]);
    const alternates = join(making, "objects", "info", "alternates");
    if (existsSync(alternates)) {
      await git.bytes({ args: ["repack", "-q", "-a", "-d"], variables: { GIT_DIR: making } });
      rmSync(alternates);
    }
  } else await git.bytes({ args: ["init", "-q", "--bare", "--template=", making] });
  // What the source's refs were is no news of the origin.
  writeFileSync(join(making, "packed-refs"), "# pack-refs with:\n");
  rmSync(join(making, "refs"), { recursive: true, force: true });
  mkdirSync(join(making, "refs"));
  renameSync(making, directory);
}

/** Everything in it that could steer git, as we want it. */
function setUp({ directory, isSha256 }: GroundParts): void {
  const config = [
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = true\n\tlogallrefupdates = false\n\tuseReplaceRefs = false\n`,
    ...(isSha256 ? ["[extensions]\n\tobjectformat = sha256\n"] : []),
  ].join("");
  writeFileSync(join(directory, "config"), config, { mode: 0o600 });
  writeFileSync(join(directory, "HEAD"), "ref: refs/heads/none\n");
  const steering = [
    "config.worktree",
    "hooks",
    "worktrees",
    "remotes",
    "branches",
    "commondir",
    "info/grafts",
    "refs/replace",
  ];
  for (const name of [...steering, "objects/info/alternates"])
    rmSync(join(directory, name), { recursive: true, force: true });
  mkdirSync(join(directory, "info"), { recursive: true });
}

async function fetchTarget(parts: GroundParts): Promise<string> {
  const { git, directory, wish, targetRef } = parts;
  setUp(parts);
  const variables = { GIT_DIR: directory };
  const spec = `+refs/heads/${wish.target}:${targetRef}`;
  const outcome = await git.talk({ args: ["fetch", "-q", "--no-tags", "--", wish.origin, spec], variables });
  if (outcome.code !== 0) {
    const why = outcome.timedOut ? "it did not answer in time" : outcome.stderr.trim().slice(-500);
    throw new Outage("fetch", `${wish.target} from ${wish.origin}`, why, { mayRetry: true });
  }
  return git.text({ args: ["rev-parse", "--verify", `${targetRef}^{commit}`], variables });
}
