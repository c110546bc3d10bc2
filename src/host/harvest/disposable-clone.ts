// A clone of the landing repository for commands of the repository's own (its gate, commands that make files anew), gone
// afterwards. Objects are copied, not linked: whoever changes a mode or a byte there changes nothing here. It has the target
// as `origin/<target>`, so that a gate may ask what changed, and no remote: nothing can be fetched or pushed from it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import { nobodyConfig } from "../gate/own-repository.ts";
import { GitFailure } from "../git/git.ts";
import type { GroundParts } from "./landing-parts.ts";

export async function cloneInto(
  parts: GroundParts,
  directory: string,
  wish: { readonly commit: string; readonly base: string },
): Promise<void> {
  const { git, wish: ground } = parts;
  const gitDirectory = join(directory, ".git");
  mkdirSync(join(gitDirectory, "refs", "heads"), { recursive: true });
  const copied = await git.processes.run(["cp", "-R", join(parts.directory, "objects"), gitDirectory], {
    env: { PATH: git.environment["PATH"] ?? "" },
    deadlineMs: 600_000,
  });
  if (copied.code !== 0) throw new Outage("copy objects to", gitDirectory, copied.stderr.trim() || "cp failed");
  const sha256 = wish.commit.length === 64;
  const format = sha256 ? "[extensions]\n\tobjectformat = sha256\n" : "";
  const core = `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = false\n\tfilemode = true\n`;
  writeFileSync(join(gitDirectory, "config"), `${core}${format}${nobodyConfig}`);
  writeFileSync(
    join(gitDirectory, "packed-refs"),
    `# pack-refs with:\n${wish.base} refs/remotes/origin/${ground.target}\n`,
  );
  writeFileSync(join(gitDirectory, "HEAD"), `${wish.commit}\n`);
  // With the user's own settings, as their clone would be (line endings, large-file filters, which need to know the origin).
  const args = ["-c", `remote.origin.url=${ground.origin}`, "reset", "-q", "--hard", wish.commit];
  const variables = { GIT_DIR: gitDirectory, GIT_WORK_TREE: directory };
  const outcome = await git.talk({ args, variables, cwd: directory, deadlineMs: 600_000 });
  if (outcome.code !== 0) throw new GitFailure(["check out", wish.commit], outcome);
}
