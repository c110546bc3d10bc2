// The stack of a train: each task's commits on top of those before it. A task that does not apply is set aside; when the train has landed,
// it goes back with both sides.

import { Refusal } from "../../../protocol/errors.ts";
import type { Conflict } from "../../../ports/git.ts";
import type { FoundBranch, PickOutcome } from "../../../ports/harvest.ts";
import { landedAs } from "./landed-commits.sql.ts";
import { keptOf } from "./ready-refs.ts";
import type { TrainMember } from "./train-member.ts";
import type { Stacked, TrainState } from "./train-state.ts";

type Found = Extract<FoundBranch, { kind: "found" }>;

export async function stackUp(
  train: TrainState,
  stack: readonly Stacked[],
  old: string,
  members: readonly TrainMember[],
  base?: string,
): Promise<Stacked[]> {
  const stacked = [...stack];
  for (const member of members) {
    const onto = stacked.at(-1)?.tip ?? old;
    const found = await find(train, member);
    if (found === undefined) continue;
    const { later } = found;
    train.tips.set(member.row.id, found.tip);
    const outcome = await pick(train, member, found.tip, onto, old, base);
    if (outcome.kind === "picked") stacked.push({ member, later, ...outcome });
    else if (outcome.kind === "conflicted")
      train.conflicted.push({ member, outcome, behind: stacked.map((one) => one.member.task.number) });
    else if (outcome.kind === "impossible") await train.settle(member, "impossible", outcome.why);
    else if (outcome.kind === "empty") await train.settle(member, "empty", "the branch has no commits of its own");
    else {
      // There already: by an earlier push, by somebody's merge, or by the same change of a task before it.
      const { sha, notes } = outcome;
      const there = { member, tip: sha, commits: 0, picks: [], notes, later };
      if (await train.ground.contains(sha)) await train.land([there]);
      else stacked.push({ ...there, tip: onto });
    }
  }
  return stacked;
}

async function pick(
  train: TrainState,
  member: TrainMember,
  tip: string,
  onto: string,
  old: string,
  base?: string,
): Promise<PickOutcome> {
  const { row, task, workspace } = member;
  const settings = await train.gates.settings(task.root, old);
  return train.ground.pick({
    onto,
    tip,
    base: base ?? workspace?.base_sha,
    task: task.number,
    title: task.title,
    atMs: row.asked_ms,
    landedAs: (commits) => landedAs(train.context, row, commits),
    regenerate: settings instanceof Refusal ? new Map() : settings.regenerate,
    signal: train.signal,
  });
}

async function find(train: TrainState, member: TrainMember): Promise<Found | undefined> {
  const { row, task, workspace } = member;
  const branch = workspace?.branch ?? task.branch ?? "";
  const path = workspace?.state === "ready" ? workspace.path : undefined;
  const found = await train.ground.find({
    task: task.number,
    branch,
    commit: row.ready_sha ?? undefined,
    workspace: path,
    kept: keptOf(train.context, workspace),
  });
  if (found.kind === "found") return found;
  if (found.kind === "unfit") {
    await train.settle(member, "impossible", found.why);
    return undefined;
  }
  const saved = workspace?.rescue ?? null;
  const hint =
    saved === null ? "" : `; its workspace was removed and can be restored: constel workspace restore ${task.number}`;
  const what =
    row.ready_sha === null ? `branch ${branch}` : `${row.ready_sha.slice(0, 12)} of ${branch}, which was ready,`;
  await train.settle(member, "no-branch", `${what} is neither in a workspace nor at the origin${hint}`);
  return undefined;
}

export async function pickAlone(train: TrainState, member: TrainMember, old: string): Promise<PickOutcome | undefined> {
  const tip = train.tips.get(member.row.id);
  return tip === undefined ? undefined : pick(train, member, tip, old, old);
}

export async function settleConflicts(train: TrainState, old: string, landed: readonly Stacked[]): Promise<void> {
  for (const { member, outcome, behind } of train.conflicted) {
    const others = landed.map((one) => one.member.task.number).filter((number) => behind.includes(number));
    const alone = others.length > 0 && (await appliesAlone(train, member, old));
    const against = alone
      ? `what task ${others.join(", ")} landed in the same train`
      : (member.row.target ?? "the target");
    const files = outcome.conflicts.map(({ path }) => path);
    const why = `"${outcome.subject.slice(0, 100)}" conflicts with ${against} in ${files.slice(0, 5).join(", ")}`;
    const { commit, subject } = outcome;
    await train.settle(member, "conflict", why, { commit, subject, against, conflicts: outcome.conflicts.map(told) });
  }
}

async function appliesAlone(train: TrainState, member: TrainMember, old: string): Promise<boolean> {
  const picked = await pickAlone(train, member, old);
  return picked !== undefined && picked.kind !== "conflicted";
}

/** Returns what the worker needs to know of a conflict: the file, why, and both sides' lines. */
function told({ path, kind, message, oursHunks, theirsHunks }: Conflict): object {
  return { path, kind, message, target_hunks: oursHunks, branch_hunks: theirsHunks };
}
