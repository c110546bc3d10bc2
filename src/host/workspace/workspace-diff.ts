// What a workspace changed since its base, uncommitted changes of known files included, as a patch. It is asked through a git directory of ours
// that borrows the workspace's index and objects: the workspace's own configuration could name programs for git to run on its files.

import { join } from "node:path";
import { makeTrustedDirectory, writeTrusted } from "../../files/trusted-files.ts";
import { withTemporaryDirectory } from "../process/temporary-directory.ts";
import type { WorkGit } from "./work-git.ts";

const deadlineMs = 20_000;

export async function workspaceDiff(git: WorkGit, path: string, base: string): Promise<string> {
  return await withTemporaryDirectory("diff", async (own) => {
    makeTrustedDirectory(own, "refs");
    writeTrusted(own, "HEAD", `${base}\n`, { sync: false });
    if (base.length === 64) {
      const config = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";
      writeTrusted(own, "config", config, { sync: false });
    }
    const output = await git.bytes({
      args: [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "-M",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        base,
        "--",
      ],
      variables: {
        GIT_DIR: own,
        GIT_WORK_TREE: path,
        GIT_INDEX_FILE: join(path, ".git", "index"),
        GIT_OBJECT_DIRECTORY: join(path, ".git", "objects"),
      },
      cwd: path,
      deadlineMs,
    });
    return Buffer.from(output).toString();
  });
}
