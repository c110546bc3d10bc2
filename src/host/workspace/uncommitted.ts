// Finds what was changed in a workspace and not committed. It asks through a git directory of ours that borrows the workspace's index and
// objects: the workspace's own configuration names filters, which git would run on every file that changed.

import { join } from "node:path";
import { makeTrustedDirectory, writeTrusted } from "../../files/trusted-files.ts";
import { fieldsOf, pathFromBytes } from "../git/objects/path-text.ts";
import { withTemporaryDirectory } from "../process/temporary-directory.ts";
import type { WorkGit } from "./work-git.ts";

/** Paths, relative to the workspace. */
export async function uncommittedFiles(git: WorkGit, path: string, head: string | undefined): Promise<string[]> {
  return await withTemporaryDirectory("look", async (own) => {
    makeTrustedDirectory(own, "refs");
    writeTrusted(own, "HEAD", head === undefined ? "ref: refs/heads/none\n" : `${head}\n`, { sync: false });
    if (head?.length === 64) {
      const config = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";
      writeTrusted(own, "config", config, { sync: false });
    }
    const output = await git.bytes({
      args: ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"],
      variables: {
        GIT_DIR: own,
        GIT_WORK_TREE: path,
        GIT_INDEX_FILE: join(path, ".git", "index"),
        GIT_OBJECT_DIRECTORY: join(path, ".git", "objects"),
      },
      cwd: path,
    });
    return fieldsOf(output).map((field) => pathFromBytes(field.subarray(3)));
  });
}
