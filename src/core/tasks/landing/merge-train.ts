// One merge train (a train for short): the work of several tasks, stacked on the target, tested together, and pushed in one step. A
// task whose commits do not apply, whose objects git refuses, or that edits what another has claimed for itself, is left out. When a gate says no, halving finds the first task
// with which it does; that one is evicted and the rest is stacked anew. What is green lands; what was left out goes back with
// the whole reason. One task alone is a train of one.
//
// Landed is what the origin has when it is asked after the push. The machine failing (the origin away, its disk full) says
// nothing about anybody's work: the train waits and is tried again.

import { messageOf, Outage, Refusal } from "../../../protocol/errors.ts";
import { type Held, heldText } from "../../claims/keeps-out.ts";
import { whyUnreviewed } from "../../reviews/verdict.ts";
import type { Conflict } from "../../../ports/git.ts";
import type { FoundBranch, GateVerdict, Ground, LandingNote, PickOutcome } from "../../../ports/harvest.ts";
import type { Lease } from "./harvest-lease.ts";
import { Journal } from "./harvest-journal.ts";
import { claimsInTheWay, isOverClaims } from "./held-by-claims.ts";
import { landedAs } from "./landed-commits.sql.ts";
import type { Landing } from "./landing.ts";
import { proposeAll } from "./propose-all.ts";
import { keptOf } from "./ready-refs.ts";
import type { TaskContext } from "../task-context.ts";
import type { TrainMember } from "./train-member.ts";
import { keyOf, type StackVerdict, TrainGates } from "./train-gates.ts";

export interface TrainParts {
  readonly lease: Lease;
  readonly members: readonly TrainMember[];
  readonly signal: AbortSignal;
  readonly open: () => Promise<Ground>;
}

type Stacked = Landing<TrainMember>;
type Found = Extract<FoundBranch, { kind: "found" }>;

interface Conflicted {
  readonly member: TrainMember;
  readonly outcome: Extract<PickOutcome, { kind: "conflicted" }>;
  /** The tasks before it on the stack. */
  readonly behind: readonly number[];
}

const attempts = 5;

export async function runTrain(context: TaskContext, parts: TrainParts): Promise<void> {
  const journal = new Journal(context, parts.lease);
  try {
    const train = new MergeTrain(context, parts, journal, await parts.open());
    await train.run();
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === "task.lease-lost") throw cause;
    if (parts.signal.aborted) return; // the rows have not ended: the next harvester goes on
    if (cause instanceof Outage) return journal.postpone(parts.members, messageOf(cause));
    if (cause instanceof Refusal) return journal.failAll(parts.members, messageOf(cause));
    await journal.failAll(parts.members, `a bug in constel: ${messageOf(cause)}`);
    throw cause;
  }
}

class MergeTrain {
  readonly #context: TaskContext;
  readonly #parts: TrainParts;
  readonly #journal: Journal;
  readonly #ground: Ground;
  readonly #gates: TrainGates;
  #conflicted: Conflicted[] = [];
  /** By harvest, the commit that was found to be its work. */
  readonly #tips = new Map<string, string>();
  /** Its end is written. */
  readonly #settled = new Set<string>();
  /** The origin's answer to a push that did not move it, and where it stood. */
  #stuck: { readonly at: string; readonly why: string } | undefined;

  constructor(context: TaskContext, parts: TrainParts, journal: Journal, ground: Ground) {
    this.#context = context;
    this.#parts = parts;
    this.#journal = journal;
    this.#ground = ground;
    this.#gates = new TrainGates(ground, parts.signal);
  }

  get #left(): TrainMember[] {
    return this.#parts.members.filter(({ row }) => !this.#settled.has(row.id));
  }

  async run(): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (await this.#attempt(attempt)) return;
    }
    await this.#journal.failAll(this.#left, `the target moved ${attempts} times while the gate ran`);
  }

  /** True when every member has its end; false when the target moved and all of it must be done again. */
  async #attempt(attempt: number): Promise<boolean> {
    const { step } = this.#context.machine;
    const old = await this.#ground.fetch();
    // "Somebody moved it" of an origin that stands where it stood is no race.
    if (this.#stuck?.at === old) throw new Outage("push", "to the origin", this.#stuck.why, { mayRetry: true });
    await this.#journal.phase(this.#left, "fetched", { attempts: attempt });
    step("harvest.fetched");
    await this.#recognise();
    await this.#leaveOutWithoutSettings(old);
    const isOver = await proposeAll({
      context: this.#context,
      ground: this.#ground,
      gates: this.#gates,
      journal: this.#journal,
      members: () => this.#left,
      old,
      stackUp: async (member, onto, base) => {
        this.#conflicted = [];
        const [landing] = await this.#stackUp([], onto, [member], base);
        if (landing === undefined) await this.#settleConflicts(onto, []);
        return landing;
      },
      tipOf: (member) => this.#tips.get(member.row.id),
      holds: async (landing, onto) =>
        (await this.#leaveOutHeld([landing], onto)) || (await this.#leaveOutUnreviewed([landing], old)),
      green: (landing) => this.#greenPart([landing], old),
      settle: (member, outcome, reason) => this.#settle(member, outcome, reason),
      done: (member) => this.#settled.add(member.row.id),
    });
    if (isOver === "stopped") return true;
    let stack: Stacked[];
    do {
      this.#conflicted = [];
      stack = await this.#stackUp([], old, this.#left);
    } while ((await this.#leaveOutHeld(stack, old)) || (await this.#leaveOutUnreviewed(stack, old)));
    await this.#journal.phase(this.#left, "picked", {});
    step("harvest.picked");
    const green = await this.#greenPart(stack, old);
    if (green === "stopped") return true;
    // A gate takes minutes, in which somebody may claim what is about to land, or ask for changes.
    if ((await this.#leaveOutHeld(green, old)) || (await this.#leaveOutUnreviewed(green, old))) return false;
    stack = (await this.#withClaimNotes(green, old)).map(withAcceptance);
    const top = stack.at(-1);
    if (top !== undefined) {
      await this.#journal.gated(await this.#withVerdicts(stack, top.tip, old), top.tip);
      step("harvest.gated");
      if (top.tip !== old) {
        await this.#journal.pushing(stack, old);
        step("harvest.pushing");
        const outcome = await this.#push(old, top.tip);
        if (outcome.kind === "moved") return false;
        if (outcome.kind === "closed") {
          // Nobody's work is to blame, and no other try would help.
          await this.#journal.failAll(
            stack.map(({ member }) => member),
            outcome.why,
          );
          for (const { member } of stack) this.#settled.add(member.row.id);
          await this.#settleConflicts(old, []);
          return true;
        }
        if (outcome.kind === "refused") {
          for (const { member } of stack)
            await this.#settle(member, "refused", `the origin refused the push: ${outcome.why}`);
          await this.#settleConflicts(old, []);
          return true;
        }
        step("harvest.pushed");
      }
      await this.#land(stack);
      step("harvest.landed");
    }
    await this.#settleConflicts(old, stack);
    return true;
  }

  /** Whatever the push itself said, the origin is asked: it has the commits, or they have not landed. */
  async #push(expected: string, tip: string): ReturnType<Ground["push"]> {
    let said: Awaited<ReturnType<Ground["push"]>>;
    let failure: Outage | undefined;
    try {
      said = await this.#ground.push({ expected, tip });
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      failure = cause;
      said = { kind: "moved" };
    }
    if (said.kind === "refused" || said.kind === "closed") return said;
    const now = await this.#ground.fetch();
    if (await this.#ground.contains(tip)) return { kind: "pushed" };
    if (now !== expected) return { kind: "moved" };
    if (failure !== undefined) throw failure;
    const why =
      said.kind === "pushed"
        ? "the push was said to have arrived, and the origin does not have it"
        : "the origin did not move its branch, and says that somebody else did";
    this.#stuck = { at: expected, why };
    return { kind: "moved" };
  }

  /** Recognises work that an earlier harvester pushed before it was cut off. */
  async #recognise(): Promise<void> {
    for (const member of this.#left) {
      const { row } = member;
      if (row.new_tip === null || !(await this.#ground.contains(row.new_tip))) continue;
      await this.#land([{ member, tip: row.new_tip, commits: 0, picks: [], notes: [], later: undefined }]);
    }
  }

  /** Settings that cannot be understood, and a gate that is required and not declared, keep a task's work where it is. */
  async #leaveOutWithoutSettings(old: string): Promise<void> {
    for (const member of this.#left) {
      const settings = await this.#gates.settings(member.task.root, old);
      const target = member.row.target ?? "the target";
      const why =
        settings instanceof Refusal
          ? settings.message
          : settings.gate === undefined && this.#context.machine.requireGate
            ? `no gate is declared, neither in ${target}'s constel.toml nor in ${member.task.root}, and harvest.require_gate is set`
            : undefined;
      if (why === undefined) continue;
      await this.#journal.failAll([member], why);
      this.#settled.add(member.row.id);
    }
  }

  /**
   * Leaves out work that edits paths another has claimed: it stays ready, and lands when the claim has ended. True when something was left
   * out.
   */
  async #leaveOutHeld(stack: readonly Stacked[], old: string): Promise<boolean> {
    let isLess = false;
    for (const { member, held, isOver } of await this.#heldIn(stack, old)) {
      if (held.length === 0 || isOver) continue;
      await this.#settle(member, "held", `it edits ${heldText(held)}`, { claims: held });
      isLess = true;
    }
    return isLess;
  }

  /** Leaves out work that is to be reviewed and is not approved: it stays ready. True when something was left out. */
  async #leaveOutUnreviewed(stack: readonly Stacked[], old: string): Promise<boolean> {
    let isLess = false;
    for (const { member } of stack) {
      const { row, task } = member;
      const settings = await this.#gates.settings(task.root, old);
      if (!this.#context.machine.requireReview && (settings instanceof Refusal || !settings.requireReview)) continue;
      const landing = { workspace: row.workspace, commit: this.#tips.get(row.id) ?? "" };
      const why = await whyUnreviewed(this.#context, task.number, landing);
      if (why === undefined) continue;
      await this.#settle(member, "held", why);
      isLess = true;
    }
    return isLess;
  }

  /** Landing over a claim, by the owner's word, is said of what landed. */
  async #withClaimNotes(stack: readonly Stacked[], old: string): Promise<Stacked[]> {
    const found = await this.#heldIn(stack, old);
    return stack.map((landing, at) => {
      const held = found[at]?.held ?? [];
      if (held.length === 0) return landing;
      const paths = held.flatMap((one) => one.paths);
      const says = `landed by the owner's word though it edits ${heldText(held)}`;
      return { ...landing, notes: [...landing.notes, { kind: "over-claim", commit: null, paths, says }] };
    });
  }

  async #heldIn(stack: readonly Stacked[], old: string) {
    const found: { member: TrainMember; held: Held[]; isOver: boolean }[] = [];
    for (const [at, { member, tip: to }] of stack.entries()) {
      const from = stack[at - 1]?.tip ?? old;
      const held = await claimsInTheWay(this.#context, member, () => this.#ground.changed({ from, to }));
      found.push({ member, held, isOver: held.length > 0 && (await isOverClaims(this.#context, member.row)) });
    }
    return found;
  }

  async #stackUp(
    stack: readonly Stacked[],
    old: string,
    members: readonly TrainMember[],
    base?: string,
  ): Promise<Stacked[]> {
    const stacked = [...stack];
    for (const member of members) {
      const onto = stacked.at(-1)?.tip ?? old;
      const found = await this.#find(member);
      if (found === undefined) continue;
      const { later } = found;
      this.#tips.set(member.row.id, found.tip);
      const outcome = await this.#pick(member, found.tip, onto, old, base);
      if (outcome.kind === "picked") stacked.push({ member, later, ...outcome });
      else if (outcome.kind === "conflicted")
        this.#conflicted.push({ member, outcome, behind: stacked.map((one) => one.member.task.number) });
      else if (outcome.kind === "impossible") await this.#settle(member, "impossible", outcome.why);
      else if (outcome.kind === "empty") await this.#settle(member, "empty", "the branch has no commits of its own");
      else {
        // There already: by an earlier push, by somebody's merge, or by the same change of a task before it.
        const { sha, notes } = outcome;
        const there = { member, tip: sha, commits: 0, picks: [], notes, later };
        if (await this.#ground.contains(sha)) await this.#land([there]);
        else stacked.push({ ...there, tip: onto });
      }
    }
    return stacked;
  }

  async #pick(member: TrainMember, tip: string, onto: string, old: string, base?: string): Promise<PickOutcome> {
    const { row, task, workspace } = member;
    const settings = await this.#gates.settings(task.root, old);
    return this.#ground.pick({
      onto,
      tip,
      base: base ?? workspace?.base_sha,
      task: task.number,
      title: task.title,
      atMs: row.asked_ms,
      landedAs: (commits) => landedAs(this.#context, row, commits),
      regenerate: settings instanceof Refusal ? new Map() : settings.regenerate,
      signal: this.#parts.signal,
    });
  }

  async #find(member: TrainMember): Promise<Found | undefined> {
    const { row, task, workspace } = member;
    const branch = workspace?.branch ?? task.branch ?? "";
    const path = workspace?.state === "ready" ? workspace.path : undefined;
    const found = await this.#ground.find({
      task: task.number,
      branch,
      commit: row.ready_sha ?? undefined,
      workspace: path,
      kept: keptOf(this.#context, workspace),
    });
    if (found.kind === "found") return found;
    if (found.kind === "unfit") {
      await this.#settle(member, "impossible", found.why);
      return undefined;
    }
    const saved = workspace?.rescue ?? null;
    const hint =
      saved === null ? "" : `; its workspace was removed and can be restored: constel workspace restore ${task.number}`;
    const what =
      row.ready_sha === null ? `branch ${branch}` : `${row.ready_sha.slice(0, 12)} of ${branch}, which was ready,`;
    await this.#settle(member, "no-branch", `${what} is neither in a workspace nor at the origin${hint}`);
    return undefined;
  }

  /** The part of the stack that is green together; the others are settled or set aside. */
  async #greenPart(all: readonly Stacked[], old: string): Promise<Stacked[] | "stopped"> {
    let stack = [...all];
    for (;;) {
      if (stack.length === 0) return stack;
      let red = await this.#gate(stack, stack.length, old);
      if (red.outcome === "stopped") return "stopped";
      if (red.outcome !== "red") return stack;
      let green = 0;
      let bad = stack.length;
      while (bad - green > 1) {
        const middle = Math.floor((green + bad) / 2);
        const verdict = await this.#gate(stack, middle, old);
        if (verdict.outcome === "stopped") return "stopped";
        if (verdict.outcome === "red") [bad, red] = [middle, verdict];
        else green = middle;
      }
      const culprit = stack[bad - 1];
      if (culprit === undefined) throw new Error("a red stack has no culprit");
      const before = stack.slice(0, bad - 1);
      const isTargets = await this.#isRedWithout(red, before, old);
      if (isTargets === "stopped") return "stopped";
      const gone = isTargets ? await this.#failWithGate(red, stack, old) : [culprit.member];
      if (!isTargets && (await this.#evict(culprit, red, before, old)) === "stopped") return "stopped";
      const isGone = (member: TrainMember): boolean => gone.includes(member);
      const again = this.#conflicted.filter(({ behind }) => gone.some(({ task }) => behind.includes(task.number)));
      this.#conflicted = this.#conflicted.filter((one) => !again.includes(one) && !isGone(one.member));
      // Everything below the first that went is as it was.
      const firstGone = stack.findIndex(({ member }) => isGone(member));
      const kept = stack.slice(0, Math.max(0, firstGone));
      const rest = [...stack.slice(kept.length), ...again].map(({ member }) => member).filter((one) => !isGone(one));
      rest.sort((a, b) => a.row.place_in_train - b.row.place_in_train);
      stack = await this.#stackUp(kept, old, rest);
    }
  }

  #gate(stack: readonly Stacked[], count: number, old: string): Promise<StackVerdict> {
    const part = stack.slice(0, count);
    const members = part.map(({ member }) => member);
    return this.#gates.ask(members, part.at(-1)?.tip ?? old, old);
  }

  /** Tells whether the target itself does not pass. It is asked only when nothing below the culprit has shown that it does. */
  async #isRedWithout(red: StackVerdict, before: readonly Stacked[], old: string): Promise<boolean | "stopped"> {
    // Nobody expects the target to have what a task was asked for.
    if (red.gate === undefined || red.gate.criterion !== undefined) return false;
    for (const { member } of before) {
      const gate = await this.#gates.gateOf(member.task.root, old);
      if (gate !== undefined && keyOf(gate) === keyOf(red.gate)) return false;
    }
    const base = await this.#gates.askOne(red.gate, old, old);
    return base.isStopped === true ? "stopped" : base.outcome !== "green";
  }

  /** The target does not pass a gate: nobody's work is to blame, and nothing that needs this gate can land. */
  async #failWithGate(red: StackVerdict, stack: readonly Stacked[], old: string): Promise<TrainMember[]> {
    const { gate } = red;
    if (gate === undefined) return [];
    const { tail } = await this.#gates.askOne(gate, old, old);
    const gone: TrainMember[] = [];
    for (const member of this.#left) {
      const own = await this.#gates.gateOf(member.task.root, old);
      const isOn = stack.some((one) => one.member === member) || this.#conflicted.some((one) => one.member === member);
      if (own !== undefined && isOn && keyOf(own) === keyOf(gate)) gone.push(member);
    }
    await this.#journal.failAll(gone, `the target itself does not pass the gate (${gate.from}):\n${tail}`);
    for (const { row } of gone) this.#settled.add(row.id);
    return gone;
  }

  /** Adds what each task's own gate said of the whole. */
  async #withVerdicts(stack: readonly Stacked[], top: string, old: string) {
    const gated = [];
    for (const landing of stack) {
      const gate = await this.#gates.gateOf(landing.member.task.root, old);
      const verdict = gate === undefined ? undefined : await this.#gates.askOne(gate, top, old);
      gated.push({ ...landing, verdict, accepted: await this.#gates.criteriaOf(landing.member, old) });
    }
    return gated;
  }

  async #land(stack: readonly Stacked[]): Promise<void> {
    await this.#journal.landed(stack);
    for (const { member } of stack) this.#settled.add(member.row.id);
  }

  /** Others are named only where the gate was seen to pass with this task alone. */
  async #evict(
    { member }: Stacked,
    red: StackVerdict,
    before: readonly Stacked[],
    old: string,
  ): Promise<"stopped" | undefined> {
    const others = before.map((one) => one.member.task.number);
    const broken = red.gate?.criterion;
    if (broken !== undefined && broken.task !== member.task.number) {
      const why = `with it, task ${broken.task} no longer meets its acceptance criterion ${broken.place}: \`${red.gate?.command}\``;
      await this.#settle(member, "red", why, { gate: red.verdict, together: others });
      return undefined;
    }
    const alone = others.length === 0 ? red.verdict : await this.#gateAlone(member, red, old);
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
    await this.#settle(
      member,
      "red",
      `${which} ${what}${beside}`,
      broken === undefined ? report : { ...report, broken },
    );
    return undefined;
  }

  /** The gate's verdict on a task without those it was stacked on. Undefined if it does not apply without them. */
  async #gateAlone(member: TrainMember, { gate }: StackVerdict, old: string): Promise<GateVerdict | undefined> {
    const picked = await this.#pickAlone(member, old);
    return gate === undefined || picked?.kind !== "picked" ? undefined : this.#gates.askOne(gate, picked.tip, old);
  }

  async #settleConflicts(old: string, landed: readonly Stacked[]): Promise<void> {
    for (const { member, outcome, behind } of this.#conflicted) {
      const others = landed.map((one) => one.member.task.number).filter((number) => behind.includes(number));
      const alone = others.length > 0 && (await this.#appliesAlone(member, old));
      const against = alone
        ? `what task ${others.join(", ")} landed in the same train`
        : (member.row.target ?? "the target");
      const files = outcome.conflicts.map(({ path }) => path);
      const why = `"${outcome.subject.slice(0, 100)}" conflicts with ${against} in ${files.slice(0, 5).join(", ")}`;
      const { commit, subject } = outcome;
      await this.#settle(member, "conflict", why, { commit, subject, against, conflicts: outcome.conflicts.map(told) });
    }
  }

  async #appliesAlone(member: TrainMember, old: string): Promise<boolean> {
    const picked = await this.#pickAlone(member, old);
    return picked !== undefined && picked.kind !== "conflicted";
  }

  async #pickAlone(member: TrainMember, old: string): Promise<PickOutcome | undefined> {
    const tip = this.#tips.get(member.row.id);
    return tip === undefined ? undefined : this.#pick(member, tip, old, old);
  }

  async #settle(member: TrainMember, outcome: string, reason: string, report: object = {}): Promise<void> {
    await this.#journal.evicted(member, outcome, reason, report);
    this.#settled.add(member.row.id);
  }
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

/** Returns what the worker needs to know of a conflict: the file, why, and both sides' lines. */
function told({ path, kind, message, oursHunks, theirsHunks }: Conflict): object {
  return { path, kind, message, target_hunks: oursHunks, branch_hunks: theirsHunks };
}
