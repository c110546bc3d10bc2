// The part of a train that lands by pull request: each task is judged for itself, claims, merge and gate, like any other; then its
// pull request goes on by itself. A task that waits for another whose pull request is open is judged on top of that one's branch.

import { messageOf, Refusal } from "../../../protocol/errors.ts";
import type { PullRequestsTable } from "../../../store/tables/pulls.ts";
import { openPullOf } from "../../pulls/propose.ts";
import { parentsOf } from "../for-pulls.ts";
import { greenPart } from "./green-part.ts";
import { leaveOut } from "./leave-out.ts";
import type { TrainMember } from "./train-member.ts";
import { settleConflicts, stackUp } from "./train-stack.ts";
import type { Stacked, TrainState } from "./train-state.ts";

const usualRounds = 3;

export async function proposeAll(train: TrainState, old: string): Promise<"stopped" | undefined> {
  for (const member of train.left) {
    const settings = await train.gates.settings(member.task.root, old);
    if (settings instanceof Refusal) continue;
    const by = member.task.land_by ?? settings.land.by ?? "push";
    if (by === "pull-request" && (await proposeOne(train, old, member, settings.land)) === "stopped") return "stopped";
  }
  return undefined;
}

async function proposeOne(
  train: TrainState,
  old: string,
  member: TrainMember,
  land: { readonly merge?: string; readonly method?: string; readonly rounds?: number },
): Promise<"stopped" | undefined> {
  const { context, ground, journal } = train;
  const { row, task, workspace } = member;
  try {
    context.machine.forges.placeOf(row.origin);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    await train.failAll([member], `${messageOf(cause)}: ${cause.hint}`);
    return undefined;
  }
  const parents = await parentsOf(context, row);
  const [parent] = parents;
  if (parents.length > 1) {
    const names = parents.map((one) => one.task).join(", ");
    await train.settle(
      member,
      "held",
      `it waits for tasks ${names}, whose pull requests are open; one may be stood on, not several`,
    );
    return undefined;
  }
  const onto = parent === undefined ? old : headOf(parent);
  const target = row.target ?? "main";
  const about = { task: task.number, origin: row.origin, target };
  const before = await openPullOf(context.store.db, context.constellation, about);
  // Where it stood on another's branch, that one's commits are not its own.
  const stood = before !== undefined && !(await ground.isIn(before.onto_sha, old)) ? before.onto_sha : undefined;
  const landing = await stackAlone(train, member, onto, stood);
  if (landing === undefined || (await leaveOut(train, [landing], old, onto))) return undefined;
  const green = await greenPart(train, [landing], old);
  if (green === "stopped") return "stopped";
  if (green.length === 0) return undefined;
  const tip = train.tips.get(row.id);
  if (tip === undefined) return undefined;
  const foreign = before?.head_by === "somebody" ? before.head_sha : null;
  if (foreign !== null && !(await ground.isIn(foreign, tip))) {
    const why = `somebody pushed ${foreign.slice(0, 12)} to ${before?.branch}, and this work does not have it; merge origin/${before?.branch} into it`;
    await train.settle(member, "behind", why);
    return undefined;
  }
  await gated(train, old, member, landing);
  await ground.keep(`task ${context.constellation} ${task.number}`, landing.tip);
  const isMoved = parent !== undefined || before?.rebase === 1 || (before?.on_task ?? null) !== null;
  await journal.proposed(landing, {
    workspace: workspace?.id ?? null,
    origin: row.origin,
    source: workspace?.source ?? task.repository ?? task.root,
    target,
    branch: before?.branch ?? workspace?.branch ?? task.branch ?? "",
    base: parent?.branch ?? target,
    on_task: parent?.task ?? null,
    want_sha: isMoved && foreign === null ? landing.tip : tip,
    source_sha: tip,
    onto_sha: onto,
    target_sha: old,
    judged_tip: landing.tip,
    merge_by: land.merge ?? "constel",
    method: land.method ?? "merge",
    most_rounds: land.rounds ?? usualRounds,
  });
  context.machine.step("harvest.proposed");
  train.done(member);
  return undefined;
}

/** The work on top of this commit; undefined where it has its end already. */
async function stackAlone(
  train: TrainState,
  member: TrainMember,
  onto: string,
  base: string | undefined,
): Promise<Stacked | undefined> {
  train.conflicted = [];
  const [landing] = await stackUp(train, [], onto, [member], base);
  if (landing === undefined) await settleConflicts(train, onto, []);
  return landing;
}

/** Where the branch of another's pull request stands, or is about to. */
function headOf({ phase, head_sha: head, want_sha: want }: PullRequestsTable): string {
  return phase === "wanted" || phase === "pushing" ? want : (head ?? want);
}

/** Its own gate and criteria said yes; that is written as for a push. */
async function gated(
  { gates, journal }: TrainState,
  old: string,
  member: TrainMember,
  landing: Stacked,
): Promise<void> {
  const gate = await gates.gateOf(member.task.root, old);
  const verdict = gate === undefined ? undefined : await gates.askOne(gate, landing.tip, old);
  const accepted = await gates.criteriaOf(member, old);
  await journal.gated([{ ...landing, verdict, accepted }], landing.tip);
}
