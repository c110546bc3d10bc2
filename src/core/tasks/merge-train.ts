// One merge train (a train for short): the work of several tasks, stacked on the target, tested together, and pushed in one step. A task whose commits
// do not apply is left out. When the gate says no, halving finds the first task with which it does; that one is evicted and
// the rest is stacked anew. What is green lands; what was left out goes back with the whole reason. One task alone is a
// train of one.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { Conflict } from "../../ports/git.ts";
import type { GateVerdict, Ground, PickOutcome } from "../../ports/harvest.ts";
import type { HarvestsTable, TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import type { Lease } from "./harvest-lease.ts";
import { Journal } from "./harvest-journal.ts";
import { keptOf } from "./ready-refs.ts";
import type { TaskContext } from "./task-context.ts";

export interface TrainMember {
  readonly row: HarvestsTable;
  readonly task: TasksTable;
  readonly workspace: WorkspacesTable | undefined;
}

export interface TrainParts {
  readonly lease: Lease;
  readonly members: readonly TrainMember[];
  readonly signal: AbortSignal;
  readonly open: () => Promise<Ground>;
}

interface Stacked {
  readonly member: TrainMember;
  readonly tip: string;
  readonly commits: number;
}

interface Conflicted {
  readonly member: TrainMember;
  readonly outcome: Extract<PickOutcome, { kind: "conflicted" }>;
  /** Who stood before it on the stack. */
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
    if (!(cause instanceof Outage || cause instanceof Refusal)) {
      await journal.failAll(parts.members, `a bug in constel: ${messageOf(cause)}`);
      throw cause;
    }
    await journal.failAll(parts.members, messageOf(cause));
  }
}

class MergeTrain {
  readonly #context: TaskContext;
  readonly #parts: TrainParts;
  readonly #journal: Journal;
  readonly #ground: Ground;
  readonly #verdicts = new Map<string, GateVerdict>();
  #conflicted: Conflicted[] = [];
  /** Its end is written. */
  readonly #settled = new Set<string>();

  constructor(context: TaskContext, parts: TrainParts, journal: Journal, ground: Ground) {
    this.#context = context;
    this.#parts = parts;
    this.#journal = journal;
    this.#ground = ground;
    for (const { row } of parts.members) {
      if (row.gate_commit !== null && row.gate_outcome === "green")
        this.#verdicts.set(row.gate_commit, {
          outcome: "green",
          tail: row.gate_tail ?? "",
          durationMs: row.gate_ms ?? 0,
        });
    }
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
    await this.#journal.phase(this.#left, "fetched", { attempts: attempt });
    step("harvest.fetched");
    await this.#recognise();
    this.#conflicted = [];
    let stack = await this.#stackUp([], old, this.#left);
    await this.#journal.phase(this.#left, "picked", {});
    step("harvest.picked");
    const green = await this.#greenPart(stack, old);
    if (green === "stopped") return true;
    stack = green;
    const top = stack.at(-1);
    if (top !== undefined) {
      const verdict = this.#verdicts.get(top.tip);
      await this.#journal.gated(stack, verdict);
      step("harvest.gated");
      if (top.tip !== old) {
        await this.#journal.pushing(stack, old);
        step("harvest.pushing");
        const outcome = await this.#push(old, top.tip);
        if (outcome.kind === "moved") return false;
        if (outcome.kind === "refused") {
          for (const { member } of stack)
            await this.#settle(member, "refused", `the origin refused the push: ${outcome.why}`);
          await this.#settleConflicts(old, []);
          return true;
        }
        step("harvest.pushed");
      }
      await this.#journal.landed(stack);
      for (const { member } of stack) this.#settled.add(member.row.id);
      step("harvest.landed");
    }
    await this.#settleConflicts(old, stack);
    return true;
  }

  /** After an outage nobody knows whether the push arrived: asking the origin again tells. */
  async #push(expected: string, tip: string): ReturnType<Ground["push"]> {
    try {
      return await this.#ground.push({ expected, tip });
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      await this.#ground.fetch();
      return (await this.#ground.contains(tip)) ? { kind: "pushed" } : { kind: "moved" };
    }
  }

  /** What an earlier harvester pushed before it was cut off. */
  async #recognise(): Promise<void> {
    for (const member of this.#left) {
      const { row } = member;
      if (row.new_tip === null || !(await this.#ground.contains(row.new_tip))) continue;
      await this.#journal.landed([{ member, tip: row.new_tip, commits: 0 }]);
      this.#settled.add(row.id);
    }
  }

  async #stackUp(stack: readonly Stacked[], old: string, members: readonly TrainMember[]): Promise<Stacked[]> {
    const stacked = [...stack];
    for (const member of members) {
      const onto = stacked.at(-1)?.tip ?? old;
      const found = await this.#find(member);
      if (found === undefined) continue;
      const { row, task } = member;
      const outcome = await this.#ground.pick({
        onto,
        tip: found,
        base: member.workspace?.base_sha,
        task: task.number,
        title: task.title,
        atMs: row.asked_ms,
      });
      if (outcome.kind === "picked") stacked.push({ member, tip: outcome.tip, commits: outcome.commits });
      else if (outcome.kind === "conflicted")
        this.#conflicted.push({ member, outcome, behind: stacked.map((one) => one.member.task.number) });
      else if (outcome.kind === "impossible") await this.#settle(member, "impossible", outcome.why);
      else if (outcome.kind === "empty" && (member.workspace === undefined || member.workspace.base_sha === found))
        await this.#settle(member, "empty", "the branch has no commits of its own");
      else {
        // There already: by an earlier push, by somebody's merge, or by the same change of a task before it.
        const sha = outcome.kind === "landed" ? outcome.sha : found;
        if (await this.#ground.contains(sha)) {
          await this.#journal.landed([{ member, tip: sha, commits: 0 }]);
          this.#settled.add(row.id);
        } else stacked.push({ member, tip: onto, commits: 0 });
      }
    }
    return stacked;
  }

  async #find({ row, task, workspace }: TrainMember): Promise<string | undefined> {
    const branch = workspace?.branch ?? task.branch ?? "";
    const path = workspace?.state === "ready" ? workspace.path : undefined;
    const found = await this.#ground.find({
      task: task.number,
      branch,
      workspace: path,
      kept: keptOf(this.#context, workspace),
    });
    if (found !== undefined) return found.tip;
    const saved = workspace?.rescue ?? null;
    const hint =
      saved === null ? "" : `; its workspace was removed and can be restored: constel workspace restore ${task.number}`;
    const why = `branch ${branch} is neither in a workspace nor at the origin${hint}`;
    await this.#settle({ row, task, workspace }, "no-branch", why);
    return undefined;
  }

  /** The part of the stack that is green together; the others are settled or set aside. */
  async #greenPart(all: readonly Stacked[], old: string): Promise<Stacked[] | "stopped"> {
    let stack = [...all];
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) return stack;
      let red = await this.#gate(top.tip, old);
      if (red.outcome === "not-run") return "stopped";
      if (red.outcome !== "red") return stack;
      let green = 0;
      let bad = stack.length;
      while (bad - green > 1) {
        const middle = Math.floor((green + bad) / 2);
        const verdict = await this.#gate(stack[middle - 1]?.tip ?? old, old);
        if (verdict.outcome === "not-run") return "stopped";
        if (verdict.outcome === "red") [bad, red] = [middle, verdict];
        else green = middle;
      }
      const culprit = stack[bad - 1];
      if (culprit === undefined) throw new Error("a red stack has no culprit");
      if (bad === 1) {
        const base = await this.#gate(old, old);
        if (base.outcome === "not-run") return "stopped";
        if (base.outcome === "red") {
          await this.#journal.failAll(this.#left, `the target itself does not pass the gate:\n${base.tail}`);
          return "stopped";
        }
      }
      await this.#evict(culprit, red, stack.slice(0, bad - 1));
      const again = this.#conflicted.filter(({ behind }) => behind.includes(culprit.member.task.number));
      this.#conflicted = this.#conflicted.filter((one) => !again.includes(one));
      const rest = [...stack.slice(bad), ...again].map(({ member }) => member);
      rest.sort((a, b) => a.row.place_in_train - b.row.place_in_train);
      stack = await this.#stackUp(stack.slice(0, bad - 1), old, rest);
    }
  }

  async #gate(commit: string, base: string): Promise<GateVerdict> {
    const known = this.#verdicts.get(commit);
    if (known !== undefined) return known;
    const { signal } = this.#parts;
    const verdict = await this.#ground.gate({ commit, base, signal });
    if (verdict.outcome !== "not-run") this.#verdicts.set(commit, verdict);
    return verdict;
  }

  async #evict({ member }: Stacked, verdict: GateVerdict, before: readonly Stacked[]): Promise<void> {
    const together = before.map((one) => one.member.task.number);
    const beside = together.length === 0 ? "" : ` together with ${together.join(", ")}`;
    await this.#settle(member, "red", `the gate is red${beside}`, { gate: verdict, together });
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
    const tip = await this.#find(member);
    if (tip === undefined) return false;
    const { task, row } = member;
    const outcome = await this.#ground.pick({
      onto: old,
      tip,
      base: member.workspace?.base_sha,
      task: task.number,
      title: task.title,
      atMs: row.asked_ms,
    });
    return outcome.kind !== "conflicted";
  }

  async #settle(member: TrainMember, outcome: string, reason: string, report: object = {}): Promise<void> {
    await this.#journal.evicted(member, outcome, reason, report);
    this.#settled.add(member.row.id);
  }
}

/** What the worker needs of a conflict: the file, why, and both sides' lines. */
function told({ path, kind, message, oursHunks, theirsHunks }: Conflict): object {
  return { path, kind, message, target_hunks: oursHunks, branch_hunks: theirsHunks };
}
