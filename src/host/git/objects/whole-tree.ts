// Tells whether all that a tree adds to another is really there: a tree is written without seeing the objects that it names, so that the
// clones' are left alone, and one of ours may have been taken away meanwhile.

import type { Blobs } from "./blobs.ts";
import type { ObjectFormat } from "../repository/locate.ts";
import { readTreeObject, type TreeRecord } from "./tree-object.ts";

const maxTreeBytes = 16 * 1024 * 1024;
/** The most objects that are asked for. Whoever adds more than this has just written them. */
const maxAsked = 2_000;

/** `commit` is what the tree was made from; what it has itself is not asked for. */
export async function isWhole(
  blobs: Blobs,
  format: ObjectFormat,
  commit: string | undefined,
  tree: string,
): Promise<boolean> {
  let left = maxAsked;
  const recordsOf = async (id: string | undefined): Promise<TreeRecord[] | undefined> => {
    const object = id === undefined ? undefined : await blobs.read(id, maxTreeBytes);
    return object === undefined ? undefined : readTreeObject(Buffer.from(object), format);
  };
  const walk = async (before: string | undefined, after: string): Promise<boolean> => {
    if (before === after) return true;
    const [was, is] = [await recordsOf(before), await recordsOf(after)];
    if (is === undefined || (before !== undefined && was === undefined)) return false;
    const known = new Map(was?.map((record) => [record.name.toString("latin1"), record]));
    for (const { name, mode, id } of is) {
      const old = known.get(name.toString("latin1"));
      if (old?.id === id || mode === "160000" || left <= 0) continue;
      if (mode === "40000") {
        if (!(await walk(old?.mode === mode ? old.id : undefined, id))) return false;
      } else {
        left -= 1;
        if ((await blobs.info(id)) === undefined) return false;
      }
    }
    return true;
  };
  if (commit === undefined) return await walk(undefined, tree);
  const text = Buffer.from((await blobs.read(commit, maxTreeBytes)) ?? []).toString("latin1");
  const start = /^tree ([0-9a-f]+)\n/.exec(text)?.[1];
  return start !== undefined && (await walk(start, tree));
}
