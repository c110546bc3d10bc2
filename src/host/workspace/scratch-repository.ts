// A repository of our own for a moment: where a workspace's objects are put together when the repository it came from cannot
// keep them, so that they can become a bundle.

import { join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { WorkGit } from "./work-git.ts";

export async function withKeeper<T>(
  git: WorkGit,
  wish: { readonly workspace: string; readonly bundles: string; readonly name: string },
  use: (keeper: string, bundles: TrustedDirectory) => Promise<T>,
): Promise<T> {
  const { root, relative } = git.placeOf(wish.bundles);
  using bundles = TrustedDirectory.open(root, relative, { create: true });
  const name = `.keeping-${wish.name}`;
  bundles.removeTree(name);
  try {
    // A workspace whose repository is damaged is saved as plain files, for which any format will do.
    const asked = await git.try({
      args: ["rev-parse", "--show-object-format"],
      variables: { GIT_DIR: join(wish.workspace, ".git") },
    });
    const format = Buffer.from(asked.stdout).toString("utf8").trim() === "sha256" ? "sha256" : "sha1";
    const keeper = join(bundles.path, name);
    await git.bytes({ args: ["init", "-q", "--bare", "--template=", `--object-format=${format}`, keeper] });
    return await use(keeper, bundles);
  } finally {
    bundles.removeTree(name);
  }
}
