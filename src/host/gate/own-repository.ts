// A git repository of the gate's own, around files that stand in a directory: one commit by nobody, no remote, no hook, a
// configuration that we wrote. Gates may ask git what is tracked; what they do to this repository reaches no other.

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { Git } from "../git/git.ts";
import type { CommandHost } from "./run-command.ts";

const nobody = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"];
export const nobodyConfig = "[user]\n\tname = nobody\n\temail = nobody@localhost\n";

export async function makeRepository(host: CommandHost, directory: string): Promise<void> {
  const git = new Git({ ...host, deadlineMs: 600_000 });
  const gitDirectory = join(directory, ".git");
  const call = { variables: { GIT_DIR: gitDirectory, GIT_WORK_TREE: directory }, cwd: directory, keepsIndex: true };
  await git.bytes({ args: ["init", "-q", "-b", "main", "--template=", directory] });
  appendFileSync(join(gitDirectory, "config"), nobodyConfig);
  // Also what an ignore file names: it is in the tree.
  await git.bytes({ ...call, args: ["add", "-A", "-f", "."] });
  const commit = [
    ...nobody,
    "commit",
    "-q",
    "--allow-empty",
    "--no-verify",
    "--no-gpg-sign",
    "-m",
    "what the gate is asked about",
  ];
  await git.bytes({ ...call, args: commit });
}
