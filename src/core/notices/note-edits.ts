// Notes that an agent edits in a worktree, as its hooks tell: from then on it is a side of what is found there.

import type { Context } from "../context.ts";
import { putWorkplace, workplaceRows } from "./notices.sql.ts";
import { sceneWorktrees } from "./scene.sql.ts";
import { worktreeFinder } from "./workers.ts";

/** Answers whether somebody works where nobody knew that they do. */
export async function noteEdits(
  context: Pick<Context, "store" | "constellation">,
  edits: readonly { readonly agent: string; readonly edited?: string }[],
): Promise<boolean> {
  const { store, constellation } = context;
  const made = edits.flatMap(({ agent, edited }) => (edited === undefined ? [] : [{ agent, edited }]));
  if (made.length === 0) return false;
  const find = worktreeFinder((await sceneWorktrees(store.db, constellation)).map(({ path }) => path));
  const known = new Set((await workplaceRows(store.db, constellation)).map((one) => `${one.agent} ${one.worktree}`));
  const fresh = new Map<string, { agent: string; worktree: string }>();
  for (const { agent, edited } of made) {
    const worktree = find(edited);
    if (worktree === undefined || known.has(`${agent} ${worktree}`)) continue;
    fresh.set(`${agent} ${worktree}`, { agent, worktree });
  }
  if (fresh.size === 0) return false;
  await store.write(async (tx) => {
    for (const one of fresh.values()) await putWorkplace(tx, constellation, one);
  });
  return true;
}
