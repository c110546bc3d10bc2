// One merge train (a train for short): the work of several tasks, stacked on the target, tested together, and pushed in one step. A
// task whose commits do not apply, whose objects git refuses, or that edits what another has claimed for itself, is left out. When a gate says no, halving finds the first task
// with which it does; that one is evicted and the rest is stacked anew. What is green lands; what was left out goes back with
// the whole reason. One task alone is a train of one.
//
// Landed is what the origin has when it is asked after the push. The machine failing (the origin away, its disk full) says
// nothing about anybody's work: the train waits and is tried again.

import { messageOf, Outage, Refusal } from "../../../protocol/errors.ts";
import type { Ground, LandingNote } from "../../../ports/harvest.ts";
import type { TaskContext } from "../task-context.ts";
import { greenPart } from "./green-part.ts";
import { Journal } from "./harvest-journal.ts";
import { leaveOut, leaveOutWithoutSettings, withClaimNotes } from "./leave-out.ts";
import { proposeAll } from "./propose-all.ts";
import { settleConflicts, stackUp } from "./train-stack.ts";
import { type Stacked, type TrainParts, TrainState } from "./train-state.ts";

const attempts = 5;

export async function runTrain(context: TaskContext, parts: TrainParts): Promise<void> {
  const journal = new Journal(context, parts.lease);
  try {
    await run(new TrainState(context, parts, journal, await parts.open()));
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === "task.lease-lost") throw cause;
    if (parts.signal.aborted) return; // the rows have not ended: the next harvester goes on
    if (cause instanceof Outage) return journal.postpone(parts.members, messageOf(cause));
    if (cause instanceof Refusal) return journal.failAll(parts.members, messageOf(cause));
    await journal.failAll(parts.members, `a bug in constel: ${messageOf(cause)}`);
    throw cause;
  }
}

async function run(train: TrainState): Promise<void> {
  for (let number = 1; number <= attempts; number++) {
    if (await attempt(train, number)) return;
  }
  await train.journal.failAll(train.left, `the target moved ${attempts} times while the gate ran`);
}

/** True when every member has its end; false when the target moved and all of it must be done again. */
async function attempt(train: TrainState, number: number): Promise<boolean> {
  const { step } = train.context.machine;
  const old = await train.ground.fetch();
  // "Somebody moved it" of an origin that stands where it stood is no race.
  if (train.stuck?.at === old) throw new Outage("push", "to the origin", train.stuck.why, { mayRetry: true });
  await train.journal.phase(train.left, "fetched", { attempts: number });
  step("harvest.fetched");
  await recognise(train);
  await leaveOutWithoutSettings(train, old);
  if ((await proposeAll(train, old)) === "stopped") return true;
  let stack: Stacked[];
  do {
    train.conflicted = [];
    stack = await stackUp(train, [], old, train.left);
  } while (await leaveOut(train, stack, old));
  await train.journal.phase(train.left, "picked", {});
  step("harvest.picked");
  const green = await greenPart(train, stack, old);
  if (green === "stopped") return true;
  // A gate takes minutes, in which somebody may claim what is about to land, or ask for changes.
  if (await leaveOut(train, green, old)) return false;
  stack = (await withClaimNotes(train, green, old)).map(withAcceptance);
  const top = stack.at(-1);
  if (top !== undefined) {
    await train.journal.gated(await withVerdicts(train, stack, top.tip, old), top.tip);
    step("harvest.gated");
    if (top.tip !== old) {
      const outcome = await pushStack(train, stack, old, top.tip);
      if (outcome === "moved") return false;
      if (outcome === "closed") {
        await settleConflicts(train, old, []);
        return true;
      }
    }
    await train.land(stack);
    step("harvest.landed");
  }
  await settleConflicts(train, old, stack);
  return true;
}

/** `closed`: the origin takes none of it, and every member has its end. */
async function pushStack(
  train: TrainState,
  stack: readonly Stacked[],
  old: string,
  tip: string,
): Promise<"pushed" | "moved" | "closed"> {
  const { step } = train.context.machine;
  await train.journal.pushing(stack, old);
  step("harvest.pushing");
  const outcome = await push(train, old, tip);
  if (outcome.kind === "moved") return "moved";
  const members = stack.map(({ member }) => member);
  if (outcome.kind === "closed") {
    // Nobody's work is to blame, and no other try would help.
    await train.failAll(members, outcome.why);
    return "closed";
  }
  if (outcome.kind === "refused") {
    for (const member of members) await train.settle(member, "refused", `the origin refused the push: ${outcome.why}`);
    return "closed";
  }
  step("harvest.pushed");
  return "pushed";
}

/** Whatever the push itself said, the origin is asked: it has the commits, or they have not landed. */
async function push(train: TrainState, expected: string, tip: string): ReturnType<Ground["push"]> {
  let said: Awaited<ReturnType<Ground["push"]>>;
  let failure: Outage | undefined;
  try {
    said = await train.ground.push({ expected, tip });
  } catch (cause) {
    if (!(cause instanceof Outage)) throw cause;
    failure = cause;
    said = { kind: "moved" };
  }
  if (said.kind === "refused" || said.kind === "closed") return said;
  const now = await train.ground.fetch();
  if (await train.ground.contains(tip)) return { kind: "pushed" };
  if (now !== expected) return { kind: "moved" };
  if (failure !== undefined) throw failure;
  const why =
    said.kind === "pushed"
      ? "the push was said to have arrived, and the origin does not have it"
      : "the origin did not move its branch, and says that somebody else did";
  train.stuck = { at: expected, why };
  return { kind: "moved" };
}

/** Recognises work that an earlier harvester pushed before it was cut off. */
async function recognise(train: TrainState): Promise<void> {
  for (const member of train.left) {
    const { row } = member;
    if (row.new_tip === null || !(await train.ground.contains(row.new_tip))) continue;
    await train.land([{ member, tip: row.new_tip, commits: 0, picks: [], notes: [], later: undefined }]);
  }
}

/** Adds what each task's own gate said of the whole. */
async function withVerdicts(train: TrainState, stack: readonly Stacked[], top: string, old: string) {
  const gated = [];
  for (const landing of stack) {
    const gate = await train.gates.gateOf(landing.member.task.root, old);
    const verdict = gate === undefined ? undefined : await train.gates.askOne(gate, top, old);
    gated.push({ ...landing, verdict, accepted: await train.gates.criteriaOf(landing.member, old) });
  }
  return gated;
}

/** All of its acceptance commands passed, or it would not be here; a sentence passes only by somebody's word. */
function withAcceptance(landing: Stacked): Stacked {
  const notes = landing.member.criteria.flatMap(({ kind, text, state }): LandingNote[] => {
    const about = { commit: null, paths: [] };
    if (kind === "command") return [{ kind: "accepted", ...about, says: `acceptance passed: \`${text}\`` }];
    if (state === "passed") return [];
    return [
      { kind: "not-shown", ...about, says: `acceptance ${state === "failed" ? "failed" : "not shown"}: ${text}` },
    ];
  });
  return { ...landing, notes: [...landing.notes, ...notes] };
}
