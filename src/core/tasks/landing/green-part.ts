// The part of a stack that its gates let through. When one says no, halving finds the first task with which it does; that one is evicted, and
// the rest is stacked anew.

import type { GateVerdict } from "../../../ports/harvest.ts";
import { keyOf, type StackVerdict } from "./train-gates.ts";
import type { TrainMember } from "./train-member.ts";
import { pickAlone, stackUp } from "./train-stack.ts";
import type { Stacked, TrainState } from "./train-state.ts";

/** The part of the stack that is green together; the others are settled or set aside. */
export async function greenPart(
  train: TrainState,
  all: readonly Stacked[],
  old: string,
): Promise<Stacked[] | "stopped"> {
  let stack = [...all];
  for (;;) {
    if (stack.length === 0) return stack;
    let red = await askGates(train, stack, stack.length, old);
    if (red.outcome === "stopped") return "stopped";
    if (red.outcome !== "red") return stack;
    let green = 0;
    let bad = stack.length;
    while (bad - green > 1) {
      const middle = Math.floor((green + bad) / 2);
      const verdict = await askGates(train, stack, middle, old);
      if (verdict.outcome === "stopped") return "stopped";
      if (verdict.outcome === "red") [bad, red] = [middle, verdict];
      else green = middle;
    }
    const culprit = stack[bad - 1];
    if (culprit === undefined) throw new Error("a red stack has no culprit");
    const before = stack.slice(0, bad - 1);
    const isTargets = await isRedWithout(train, red, before, old);
    if (isTargets === "stopped") return "stopped";
    const gone = isTargets ? await failWithGate(train, red, stack, old) : [culprit.member];
    if (!isTargets && (await evict(train, culprit, red, before, old)) === "stopped") return "stopped";
    const isGone = (member: TrainMember): boolean => gone.includes(member);
    const again = train.conflicted.filter(({ behind }) => gone.some(({ task }) => behind.includes(task.number)));
    train.conflicted = train.conflicted.filter((one) => !again.includes(one) && !isGone(one.member));
    // Everything below the first that went is as it was.
    const firstGone = stack.findIndex(({ member }) => isGone(member));
    const kept = stack.slice(0, Math.max(0, firstGone));
    const rest = [...stack.slice(kept.length), ...again].map(({ member }) => member).filter((one) => !isGone(one));
    rest.sort((a, b) => a.row.place_in_train - b.row.place_in_train);
    stack = await stackUp(train, kept, old, rest);
  }
}

function askGates(train: TrainState, stack: readonly Stacked[], count: number, old: string): Promise<StackVerdict> {
  const part = stack.slice(0, count);
  const members = part.map(({ member }) => member);
  return train.gates.ask(members, part.at(-1)?.tip ?? old, old);
}

/** Tells whether the target itself does not pass. It is asked only when nothing below the culprit has shown that it does. */
async function isRedWithout(
  train: TrainState,
  red: StackVerdict,
  before: readonly Stacked[],
  old: string,
): Promise<boolean | "stopped"> {
  // Nobody expects the target to have what a task was asked for.
  if (red.gate === undefined || red.gate.criterion !== undefined) return false;
  for (const { member } of before) {
    const gate = await train.gates.gateOf(member.task.root, old);
    if (gate !== undefined && keyOf(gate) === keyOf(red.gate)) return false;
  }
  const base = await train.gates.askOne(red.gate, old, old);
  return base.isStopped === true ? "stopped" : base.outcome !== "green";
}

/** The target does not pass a gate: nobody's work is to blame, and nothing that needs this gate can land. */
async function failWithGate(
  train: TrainState,
  red: StackVerdict,
  stack: readonly Stacked[],
  old: string,
): Promise<TrainMember[]> {
  const { gate } = red;
  if (gate === undefined) return [];
  const { tail } = await train.gates.askOne(gate, old, old);
  const gone: TrainMember[] = [];
  for (const member of train.left) {
    const own = await train.gates.gateOf(member.task.root, old);
    const isOn = stack.some((one) => one.member === member) || train.conflicted.some((one) => one.member === member);
    if (own !== undefined && isOn && keyOf(own) === keyOf(gate)) gone.push(member);
  }
  await train.failAll(gone, `the target itself does not pass the gate (${gate.from}):\n${tail}`);
  return gone;
}

/** Others are named only where the gate was seen to pass with this task alone. */
async function evict(
  train: TrainState,
  { member }: Stacked,
  red: StackVerdict,
  before: readonly Stacked[],
  old: string,
): Promise<"stopped" | undefined> {
  const others = before.map((one) => one.member.task.number);
  const broken = red.gate?.criterion;
  if (broken !== undefined && broken.task !== member.task.number) {
    const why = `with it, task ${broken.task} no longer meets its acceptance criterion ${broken.place}: \`${red.gate?.command}\``;
    await train.settle(member, "red", why, { gate: red.verdict, together: others });
    return undefined;
  }
  const alone = others.length === 0 ? red.verdict : await gateAlone(train, member, red, old);
  if (alone?.isStopped === true) return "stopped";
  const isGreenAlone = alone?.outcome === "green";
  const gate = alone === undefined || isGreenAlone ? red.verdict : alone;
  const what = gate.outcome === "red" ? "is red" : "did not pass";
  const beside =
    alone === undefined
      ? ` in the train; alone it does not apply to ${member.row.target ?? "the target"}, and was not tried`
      : isGreenAlone
        ? ` with it on top of ${others.join(", ")}; with it alone the gate is green`
        : "";
  const which = broken === undefined ? "the gate" : `acceptance criterion ${broken.place} (\`${red.gate?.command}\`)`;
  const report = { gate, together: isGreenAlone ? others : [] };
  await train.settle(member, "red", `${which} ${what}${beside}`, broken === undefined ? report : { ...report, broken });
  return undefined;
}

/** The gate's verdict on a task without those it was stacked on. Undefined if it does not apply without them. */
async function gateAlone(
  train: TrainState,
  member: TrainMember,
  { gate }: StackVerdict,
  old: string,
): Promise<GateVerdict | undefined> {
  const picked = await pickAlone(train, member, old);
  return gate === undefined || picked?.kind !== "picked" ? undefined : train.gates.askOne(gate, picked.tip, old);
}
