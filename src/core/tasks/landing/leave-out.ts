// The work that a train leaves out before any gate is asked: its settings cannot be understood, another has claimed what it edits, or it is to
// be reviewed and is not approved.

import { Refusal } from "../../../protocol/errors.ts";
import { type Held, heldText } from "../../claims/keeps-out.ts";
import { whyUnreviewed } from "../../reviews/verdict.ts";
import { claimsInTheWay, isOverClaims } from "./held-by-claims.ts";
import type { TrainMember } from "./train-member.ts";
import type { Stacked, TrainState } from "./train-state.ts";

/** Settings that cannot be understood, and a gate that is required and not declared, keep a task's work where it is. */
export async function leaveOutWithoutSettings(train: TrainState, old: string): Promise<void> {
  for (const member of train.left) {
    const settings = await train.gates.settings(member.task.root, old);
    const target = member.row.target ?? "the target";
    const why =
      settings instanceof Refusal
        ? settings.message
        : settings.gate === undefined && train.context.machine.requireGate
          ? `no gate is declared, neither in ${target}'s constel.toml nor in ${member.task.root}, and harvest.require_gate is set`
          : undefined;
    if (why === undefined) continue;
    await train.failAll([member], why);
  }
}

/** True when something was left out: it stays ready, and what stood on it is stacked anew. `onto`: the commit that the stack begins on. */
export async function leaveOut(
  train: TrainState,
  stack: readonly Stacked[],
  old: string,
  onto: string = old,
): Promise<boolean> {
  return (await leaveOutHeld(train, stack, onto)) || (await leaveOutUnreviewed(train, stack, old));
}

/**
 * Leaves out work that edits paths another has claimed: it stays ready, and lands when the claim has ended. True when something was left
 * out.
 */
async function leaveOutHeld(train: TrainState, stack: readonly Stacked[], old: string): Promise<boolean> {
  let isLess = false;
  for (const { member, held, isOver } of await heldIn(train, stack, old)) {
    if (held.length === 0 || isOver) continue;
    await train.settle(member, "held", `it edits ${heldText(held)}`, { claims: held });
    isLess = true;
  }
  return isLess;
}

/** Leaves out work that is to be reviewed and is not approved: it stays ready. True when something was left out. */
async function leaveOutUnreviewed(train: TrainState, stack: readonly Stacked[], old: string): Promise<boolean> {
  let isLess = false;
  for (const { member } of stack) {
    const { row, task } = member;
    const settings = await train.gates.settings(task.root, old);
    if (!train.context.machine.requireReview && (settings instanceof Refusal || !settings.requireReview)) continue;
    const landing = { workspace: row.workspace, commit: train.tips.get(row.id) ?? "" };
    const why = await whyUnreviewed(train.context, task.number, landing);
    if (why === undefined) continue;
    await train.settle(member, "held", why);
    isLess = true;
  }
  return isLess;
}

/** Landing over a claim, by the owner's word, is said of what landed. */
export async function withClaimNotes(train: TrainState, stack: readonly Stacked[], old: string): Promise<Stacked[]> {
  const found = await heldIn(train, stack, old);
  return stack.map((landing, at) => {
    const held = found[at]?.held ?? [];
    if (held.length === 0) return landing;
    const paths = held.flatMap((one) => one.paths);
    const says = `landed by the owner's word though it edits ${heldText(held)}`;
    return { ...landing, notes: [...landing.notes, { kind: "over-claim", commit: null, paths, says }] };
  });
}

async function heldIn(train: TrainState, stack: readonly Stacked[], old: string) {
  const found: { member: TrainMember; held: Held[]; isOver: boolean }[] = [];
  for (const [at, { member, tip: to }] of stack.entries()) {
    const from = stack[at - 1]?.tip ?? old;
    const held = await claimsInTheWay(train.context, member, () => train.ground.changed({ from, to }));
    found.push({ member, held, isOver: held.length > 0 && (await isOverClaims(train.context, member.row)) });
  }
  return found;
}
