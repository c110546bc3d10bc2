// A repository of our own for a moment: where a workspace's objects are put together when the repository it came from cannot
// keep them, so that they can become a bundle.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkGit } from "./work-git.ts";

export async function withKeeper<T>(
  git: WorkGit,
  wish: { readonly workspace: string; readonly bundles: string; readonly name: string },
  use: (keeper: string) => Promise<T>,
): Promise<T> {
  const keeper = join(wish.bundles, `.keeping-${wish.name}`);
  mkdirSync(wish.bundles, { recursive: true, mode: 0o700 });
  rmSync(keeper, { recursive: true, force: true });
  try {
    const format = await git.text({
      args: ["rev-parse", "--show-object-format"],
      variables: { GIT_DIR: join(wish.workspace, ".git") },
    });
    await git.bytes({ args: ["init", "-q", "--bare", "--template=", `--object-format=${format}`, keeper] });
    return await use(keeper);
  } finally {
    rmSync(keeper, { recursive: true, force: true });
  }
}
