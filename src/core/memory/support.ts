// A memory may rest on a file: it is told only while the file is as it was when the memory was written down. Held against the file in the
// reader's own worktree where it has one of that repository, else in the one it was written in, else in the repository's own clone. Where
// nobody can look, it is not told: what is no longer so does more harm than what is missing.

import type { BlobOf } from "../../ports/blob-of.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { MemoriesTable } from "../../store/tables/told.ts";
import type { Context, ReadContext } from "../context.ts";
import { worktreeFinder } from "../notices/workers.ts";
import { memoryPlaces } from "./memory.sql.ts";

export type Rests = Pick<MemoriesTable, "repository" | "valid_root" | "valid_path" | "valid_blob">;

/** Says whether a memory still holds for a reader who works in these worktrees. */
export type Holds = (memory: Rests, own: readonly string[]) => boolean;

export async function supportOf(context: Pick<ReadContext, "store" | "blobOf">): Promise<Holds> {
  const { worktrees, clones } = await memoryPlaces(context.store.db, context.store.constellation);
  const repositoryOf = new Map(worktrees.map(({ path, repository }) => [path, repository]));
  return (memory, own) => {
    const { valid_path: path, valid_blob: blob, valid_root: root, repository } = memory;
    if (path === null || blob === null) return true;
    const mine = own.find((one) => repositoryOf.get(one) === repository);
    const standing = root !== null && repositoryOf.has(root) ? root : undefined;
    const place = mine ?? standing ?? clones.find((one) => one.repository === repository)?.path;
    return place !== undefined && context.blobOf?.(`${place}/${path}`) === blob;
  };
}

/** The worktrees that somebody works in, as far as is known. */
export async function worktreesOf({ store }: Pick<ReadContext, "store">, agent: string): Promise<string[]> {
  const { worktrees } = await memoryPlaces(store.db, store.constellation);
  return worktrees.filter((one) => one.agent === agent).map(({ path }) => path);
}

/** What a memory that rests on this file is written down with. Refused where no worktree that is watched has it. */
export async function restingOn(
  context: Pick<Context, "store" | "blobOf">,
  file: string,
): Promise<Rests & { readonly repository: string }> {
  const { worktrees } = await memoryPlaces(context.store.db, context.store.constellation);
  const root = worktreeFinder(worktrees.map(({ path }) => path))(file);
  const found = worktrees.find(({ path }) => path === root);
  const path = found === undefined ? "" : file.slice(found.path.length + 1);
  const isInside = path !== "" && !path.split("/").includes("..");
  const blob = found === undefined || !isInside ? undefined : (context.blobOf as BlobOf | undefined)?.(file);
  if (found === undefined || blob === undefined)
    throw new Refusal("memory.no-file", `no watched worktree has the file ${JSON.stringify(file.slice(0, 200))}`, {
      file,
    });
  return { repository: found.repository, valid_root: found.path, valid_path: path, valid_blob: blob };
}
