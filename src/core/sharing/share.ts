// The owner's word on what is shared. Nothing of a repository leaves this machine before it, and all that left is taken away when it ends.

import type { Context, ReadContext } from "../context.ts";
import { findRepository } from "../worktrees/register.ts";
import { nameOfRepository } from "../worktrees/list.ts";
import { labelOf } from "./rules.ts";
import { sidesOverMesh } from "../mesh/sides.ts";
import { teamSides } from "./team-sides.ts";
import { putShared, sharedRepositories, sidesOf, updateShared } from "./sides.sql.ts";

const mostShown = 100;

export async function shareRepository(
  context: Context,
  input: { readonly repository: string },
  hasPeers: () => Promise<boolean>,
): Promise<{ repository: string; name: string; changed: boolean; reaches: "team" | "mesh" | "nobody" }> {
  const { store, constellation, random, actor } = context;
  const { identity: repository, name } = await findRepository(context, input.repository);
  const mark = Buffer.from(random.bytes(16)).toString("hex");
  const changed = await store.write(async (tx) => {
    const before = (await sharedRepositories(tx.db, constellation)).find((one) => one.repository === repository);
    if (before?.wanted === "shared") return false;
    await putShared(tx, {
      constellation,
      repository,
      mark,
      wanted: "shared",
      shared_by: actor,
      shared_ms: tx.nowMs,
      heard_ms: tx.nowMs,
      problem: null,
    });
    await tx.record({ type: "repository.shared", subject: `repository:${repository}`, actor, data: { name } });
    return true;
  });
  const reaches = store.dialect === "postgres" ? "team" : (await hasPeers()) ? "mesh" : "nobody";
  return { repository, name, changed, reaches };
}

export async function unshareRepository(
  context: Context,
  input: { readonly repository: string },
): Promise<{ repository: string; name: string; changed: boolean }> {
  const { store, constellation, actor } = context;
  const { repository, name } = await sharedBy(context, input.repository);
  const changed = await store.write(async (tx) => {
    const before = (await sharedRepositories(tx.db, constellation)).find((one) => one.repository === repository);
    if (before?.wanted !== "shared") return false;
    await updateShared(tx, constellation, repository, { wanted: "withdrawn" });
    await tx.record({ type: "repository.unshared", subject: `repository:${repository}`, actor, data: { name } });
    return true;
  });
  return { repository, name, changed };
}

/** Also one that is no longer watched. */
async function sharedBy(context: Context, word: string): Promise<{ repository: string; name: string }> {
  const all = await sharedRepositories(context.store.db, context.constellation);
  for (const { repository } of all) {
    const name = await nameOfRepository(context, repository);
    if ([repository, name].includes(word) || name.endsWith(`/${word}`)) return { repository, name };
  }
  const { identity: repository, name } = await findRepository(context, word);
  return { repository, name };
}

export async function listShared(context: ReadContext) {
  const { db, constellation } = context.store;
  const repositories = [];
  for (const { repository, wanted, shared_by, shared_ms, problem } of await sharedRepositories(db, constellation)) {
    const own = await sidesOf(db, constellation, repository);
    const others = [
      ...(await teamSides(context).others(repository, mostShown)),
      ...(await sidesOverMesh(context.store, repository, mostShown)),
    ].slice(0, mostShown);
    repositories.push({
      repository,
      name: await nameOfRepository(context, repository),
      state: wanted === "shared" ? ("shared" as const) : ("withdrawn" as const),
      shared_by,
      shared_ms,
      problem,
      sides: own
        .slice(0, mostShown)
        .map(({ branch, agent, task, route, detail, at_ms }) => ({ branch, agent, task, route, detail, at_ms })),
      others: others.map(({ constellation: from, words, atMs: at_ms, heardMs: heard_ms }) => {
        const { branch, agent, task, machine } = words;
        return {
          label: labelOf({ constellation: from, words }),
          constellation: from,
          machine,
          branch,
          agent,
          task,
          at_ms,
          heard_ms,
        };
      }),
    });
  }
  return { repositories };
}
