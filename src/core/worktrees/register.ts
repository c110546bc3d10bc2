// Keeps the list of repositories that are observed: added by the owner, found through an agent's worktree, forgotten. Only the wish is
// written here; the part of the daemon that looks at repositories follows it.

import { Refusal } from "../../protocol/errors.ts";
import { placeName } from "../../protocol/place-name.ts";
import type { RepositoriesTable } from "../../store/tables/observed.ts";
import { noLongerWatched, reviewIn } from "../findings/apply-findings.ts";
import { keepOpen } from "../findings/open-pairs.ts";
import { observedWorkspaces } from "../tasks/workspaces/observed-workspaces.ts";
import type { Context, ReadContext } from "../context.ts";
import {
  clonesOf,
  putClone,
  putWorktree,
  removeClone,
  removeClonesOf,
  removeWorktree,
  repositoriesOf,
  repositoryBy,
  updateRepository,
  worktreesOf,
} from "./worktrees.sql.ts";

/** The repository and worktree in which a path was found to be. */
export interface Place {
  readonly repository: string;
  readonly path: string;
  /** The worktree's top; undefined inside a bare repository. */
  readonly top: string | undefined;
}

export interface Registered {
  readonly repository: string;
  readonly name: string;
  readonly path: string;
  /** False when it was observed already, or is not to be. */
  readonly added: boolean;
  readonly observed: boolean;
}

/** Wants the repository observed. What was forgotten comes back only by the owner's own word. */
export async function register(
  context: Context,
  input: { readonly place: Place; readonly agent?: string | undefined; readonly isOwnersWord: boolean },
): Promise<Registered> {
  const { constellation } = context;
  const { repository, top } = input.place;
  const path = (top ?? input.place.path).toWellFormed();
  const agent = input.agent === undefined ? undefined : ((await workerIn(context, path)) ?? input.agent);
  return await context.store.write(async (tx) => {
    const before = await repositoryBy(tx.db, constellation, repository);
    const name = before?.name ?? nameOf(repository, path);
    if (before?.wanted === "forgotten" && !input.isOwnersWord) {
      return { repository, name, path, added: false, observed: false };
    }
    if (before === undefined) {
      await tx.insert("repositories", {
        constellation,
        identity: repository,
        name,
        wanted: "observed",
        added_ms: tx.nowMs,
        added_by: context.actor,
        default_branch: null,
        problem: null,
        last_observed_ms: null,
        pairs: 0,
      });
    } else if (before.wanted !== "observed") {
      await updateRepository(tx, constellation, repository, { wanted: "observed", problem: null });
    }
    await putClone(tx, constellation, repository, path);
    const added = before?.wanted !== "observed";
    if (added) {
      const data = { repository, name, path };
      await tx.record({ type: "repository.added", subject: `repository:${repository}`, actor: context.actor, data });
    }
    if (agent !== undefined && top !== undefined) {
      const worktree = (await worktreesOf(tx.db, constellation, repository)).find((one) => one.path === path);
      await putWorktree(tx, {
        ...(worktree ?? blankWorktree(constellation, repository, path, tx.nowMs)),
        agent,
      });
      if (worktree?.agent !== agent) {
        const data = { repository, path, agent };
        await tx.record({ type: "worktree.entered", subject: `worktree:${path}`, actor: context.actor, data });
      }
    }
    return { repository, name, path, added, observed: true };
  });
}

/** Returns the agent whose task it is for. Somebody else may look in, and is not told in that agent's place what collides there. */
async function workerIn(context: Context, path: string): Promise<string | undefined> {
  const spaces = await observedWorkspaces(context);
  return spaces.find((one) => one.path === path && one.isAtWork)?.agent;
}

/** No longer observed: its worktrees and findings go from view, and hooks do not bring it back. */
export async function forget(
  context: Context,
  input: { readonly repository: string },
): Promise<{ repository: string; name: string; worktrees: number; closed: number }> {
  const { constellation } = context;
  const found = await findRepository(context, input.repository);
  return await context.store.write(async (tx) => {
    await updateRepository(tx, constellation, found.identity, { wanted: "forgotten", problem: null });
    const worktrees = await worktreesOf(tx.db, constellation, found.identity);
    for (const { path } of worktrees) await removeWorktree(tx, constellation, path);
    const nothing = { repository: found.identity, pairs: [], sides: [], landed: [] };
    const moves = await reviewIn(context, tx, { ...nothing, kinds: "all" }, noLongerWatched);
    await keepOpen(context, tx, nothing);
    await removeClonesOf(tx, constellation, found.identity);
    const subject = `repository:${found.identity}`;
    await tx.record({ type: "repository.forgotten", subject, actor: context.actor, data: { name: found.name } });
    return { repository: found.identity, name: found.name, worktrees: worktrees.length, closed: moves.length };
  });
}

/** Not a way into its repository any more. Answers which that was; undefined when it was none. */
export async function leaveClone(context: Context, path: string): Promise<string | undefined> {
  const { constellation, store } = context;
  const clone = (await clonesOf(store.db, constellation)).find((one) => one.path === path);
  if (clone === undefined) return undefined;
  await store.write((tx) => removeClone(tx, constellation, path));
  return clone.repository;
}

/** By identity, name, or a path in it. */
export async function findRepository({ store }: ReadContext, word: string): Promise<RepositoriesTable> {
  const { constellation } = store;
  const all = (await repositoriesOf(store.db, constellation)).filter(({ wanted }) => wanted === "observed");
  const paths = [...(await clonesOf(store.db, constellation)), ...(await worktreesOf(store.db, constellation))];
  const places = paths
    .filter(({ path }) => word === path || word.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length);
  const hits = [
    all.filter(({ identity }) => identity === word),
    all.filter(({ identity }) => identity === places[0]?.repository),
    all.filter(({ name }) => name === word),
    all.filter(({ name }) => name.endsWith(`/${word}`)),
  ].find((some) => some.length > 0);
  const [hit, ...more] = hits ?? [];
  if (hit === undefined) {
    const known = all.map(({ name }) => name);
    throw new Refusal("repository.unknown", `${JSON.stringify(word)} is not a watched repository`, { word, known });
  }
  if (more.length > 0) {
    const names = [hit, ...more].map(({ identity }) => identity);
    throw new Refusal("repository.unknown", `${word} may mean ${names.join(" or ")}`, { word, known: names });
  }
  return hit;
}

function nameOf(identity: string, path: string): string {
  if (identity.startsWith("remote:")) return identity.slice("remote:".length);
  return placeName(path);
}

function blankWorktree(constellation: string, repository: string, path: string, nowMs: number) {
  return {
    constellation,
    path,
    repository,
    branch: null,
    head: null,
    snapshot_commit: null,
    snapshot_tree: null,
    operation: null,
    skipped: null,
    detail: null,
    ahead: null,
    behind: null,
    uncommitted: 0,
    agent: null,
    first_seen_ms: nowMs,
    changed_ms: null,
    last_observed_ms: nowMs,
  };
}
