// Tidies the grounds while no harvest runs. A ground is a cache: everything in it is at the origin, in a workspace or in a rescue.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { clearGates } from "../gate/run-gate.ts";
import { refsOf } from "../workspace/source.ts";
import type { WorkGit } from "../workspace/work-git.ts";

/** The directory for disposable clones while one of the repository's commands runs. */
export const gatesName = "gates";

const ours = /^[0-9a-f]{24}(\.git|\.scratch|\.git\.making)$/;

/** The names of what was removed whole. */
export async function tidyGrounds(
  git: WorkGit,
  directory: string,
  wish: { readonly unusedBeforeMs: number },
): Promise<string[]> {
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => ours.test(name)) : [];
  const removed: string[] = [];
  await clearGates(join(directory, gatesName));
  rmSync(join(directory, gatesName), { recursive: true, force: true });
  for (const name of names) {
    const path = join(directory, name);
    if (!name.endsWith(".git") || lastUsedMs(path) < wish.unusedBeforeMs) {
      rmSync(path, { recursive: true, force: true });
      removed.push(name);
    } else await tidyGround(git, path);
  }
  return removed;
}

/** Every harvest fetches first. */
function lastUsedMs(ground: string): number {
  const fetched = join(ground, "FETCH_HEAD");
  return statSync(existsSync(fetched) ? fetched : ground).mtimeMs;
}

async function tidyGround(git: WorkGit, ground: string): Promise<void> {
  const variables = { GIT_DIR: ground };
  for (const name of readdirSync(ground).filter((one) => one.startsWith("incoming-")))
    rmSync(join(ground, name), { recursive: true, force: true });
  const branches = [...(await refsOf(git, ground)).keys()].filter((ref) => ref.startsWith("refs/constel/branches/"));
  if (branches.length === 0) return;
  const lines = branches.map((ref) => `delete ${ref}\n`).join("");
  await git.bytes({ args: ["update-ref", "--no-deref", "--stdin"], variables, stdin: lines });
  const args = ["-c", "gc.autoDetach=false", "-c", "gc.auto=2000", "-c", "gc.autoPackLimit=50", "gc", "-q", "--auto"];
  await git.bytes({ args, variables });
}
