// One step with one pull request. Each step looks at what is so before it does anything, writes down what it is about to do, does it,
// and writes down what came of it: killed in between, it is done again and nothing is there twice.

import { createHash } from "node:crypto";
import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { Forge, PullState } from "../../ports/forge.ts";
import type { Ground } from "../../ports/harvest.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import {
  giveBackByPull,
  judgeAnew,
  landByPull,
  sayOfTask,
  sendBackByPull,
  type TaskOfPull,
  taskOfPull,
} from "../tasks/for-pulls.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { noteChecks } from "./ci.sql.ts";
import { aboutPull, type pullSteps } from "./pull.ts";
import { countPulls, findPull, moveToTarget, pullsOfTask, updatePull } from "./pulls.sql.ts";
import { decide, type Feedback, queuedKey, type Waiting } from "./rules.ts";
import { feedbackText } from "./text.ts";
import { type PullText, textOfPull } from "./words-of-pull.ts";

type Row = PullRequestsTable;

const soonMs = 5_000;
const laterMs = 20_000;
/** One look takes some eight questions, and GitHub answers 5,000 in an hour: many pull requests are looked at more rarely. */
const laterForEachMs = 8_000;
/** While a forge cannot be asked, it is asked ever more rarely; an hour is nothing that people do not wait. */
const patienceMs = [5_000, 15_000, 60_000, 120_000, 300_000];

/** `away`: its forge or its origin did not answer. */
export async function followPull(context: TaskContext, id: string): Promise<"away" | undefined> {
  const row = await findPull(context.store.db, id);
  if (row === undefined || row.ended_ms !== null) return undefined;
  try {
    await new PullStep(context, row).go();
    return undefined;
  } catch (cause) {
    const isOutage = cause instanceof Outage;
    if (!isOutage && !(cause instanceof Refusal && cause.code.startsWith("forge."))) throw cause;
    await postpone(context, row, cause);
    return isOutage ? "away" : undefined;
  }
}

/** The forge or the origin cannot be asked, or says no to us, which only a person can change: that says nothing of the work. */
async function postpone(context: TaskContext, row: Row, cause: unknown): Promise<void> {
  await context.store.write(async (tx) => {
    const outages = row.outages + 1;
    const waitMs = patienceMs[Math.min(outages, patienceMs.length) - 1] ?? 300_000;
    const waits_for = messageOf(cause).slice(0, 1_000);
    const asks_ms = cause instanceof Refusal ? (row.asks_ms ?? tx.nowMs) : null;
    await updatePull(tx, row.id, { outages, retry_ms: tx.nowMs + waitMs, waits_for, asks_ms });
    await sayOfTask(context, tx, row, { reason: `its pull request waits: ${waits_for}` });
  });
}

class PullStep {
  readonly #context: TaskContext;
  readonly #forge: Forge;
  #row: Row;

  constructor(context: TaskContext, row: Row) {
    this.#context = context;
    this.#row = row;
    const { forges } = context.machine;
    this.#forge = forges.open(forges.placeOf(row.origin));
  }

  async go(): Promise<void> {
    const task = await taskOfPull(this.#context, this.#row);
    if (task.task.state === "cancelled") return await this.#cancel();
    if (task.isJudging) return await this.#wait("it is judged anew");
    if (this.#row.phase === "wanted" || this.#row.phase === "pushing") {
      if (await this.#isBelowMissing())
        return await this.#wait(`task ${this.#row.on_task}, on which it stands, is not open yet`, { soon: true });
      if (!(await this.#push())) return;
    }
    if (this.#row.phase === "opening") await this.#open(task);
    await this.#follow(task);
  }

  /** A pull request opens on a branch that is there. */
  async #isBelowMissing(): Promise<boolean> {
    const { on_task: on } = this.#row;
    if (on === null) return false;
    const below = await pullsOfTask(this.#context.store.db, this.#context.constellation, on);
    return below.some((one) => one.ended_ms === null && ["wanted", "pushing", "opening"].includes(one.phase));
  }

  /** False when the branch is not as it is to be, and why is written down. */
  async #push(): Promise<boolean> {
    const { branch, want_sha: want, head_sha: head } = this.#row;
    this.#step("pull.wanted");
    const ground = await this.#ground();
    await this.#note({ phase: "pushing" });
    this.#step("pull.pushing");
    let there = await ground.branchAt(branch);
    if (there !== want && there === (head ?? undefined)) {
      const outcome = await ground.pushBranch({ branch, expected: head ?? undefined, tip: want });
      if (outcome.kind === "refused" || outcome.kind === "closed") {
        await this.#toPerson(`the origin does not take branch ${branch}: ${outcome.why}`, []);
        return false;
      }
      there = await ground.branchAt(branch);
    }
    this.#step("pull.pushed");
    if (there !== want) {
      await this.#somebodyPushed(there);
      return false;
    }
    const phase = this.#row.number === null ? "opening" : "open";
    await this.#note({
      phase,
      head_sha: want,
      head_by: this.#row.head_by === "somebody" && head === want ? "somebody" : "constel",
    });
    return true;
  }

  /** Opens it, or finds the one that an earlier try has opened. */
  async #open(task: TaskOfPull): Promise<void> {
    const { branch, base } = this.#row;
    this.#step("pull.opening");
    const before = await this.#forge.find(branch);
    let pull = before?.state === "open" ? before : undefined;
    let text_hash: string | null = null;
    if (pull === undefined) {
      const text = await textOfPull(this.#context, this.#row, task);
      text_hash = hashOf(text);
      try {
        pull = await this.#forge.open({ branch, base, ...text });
      } catch (cause) {
        if (!(cause instanceof Refusal && cause.code === "forge.exists")) throw cause;
        pull = await this.#forge.find(branch);
        if (pull?.state !== "open")
          throw new Outage("find", branch, "the forge says that it is open and does not show it", { mayRetry: true });
      }
    }
    this.#step("pull.opened");
    const { number, url } = pull;
    await this.#write(async (tx) => {
      await updatePull(tx, this.#row.id, { phase: "open", number, url, text_hash, opened_ms: tx.nowMs, outages: 0 });
      const about = { ...this.#row, number, url };
      await sayOfTask(this.#context, tx, about, { event: "pull_opened", reason: `its pull request is open: ${url}` });
    });
  }

  async #follow(task: TaskOfPull): Promise<void> {
    const { number } = this.#row;
    if (number === null) return;
    this.#step("pull.open");
    const isReady = task.task.state === "ready";
    // What was called ready before somebody pushed is older than what is judged.
    const { ready } = task;
    if (isReady && ready !== null && ready !== this.#row.source_sha && !toldOf(this.#row).has(readyKey(ready)))
      return await this.#judge(ready, "it was called ready anew");
    const state = await this.#state(number);
    const sinceMs = await this.#see(state);
    if (task.task.state === "closed") return await this.#landedOtherwise(state);
    const remarks = state.state === "open" ? await this.#forge.remarks(number) : [];
    const decision = decide({ row: this.#row, taskState: task.task.state, state, remarks, sinceMs });
    switch (decision.kind) {
      case "ended":
        return await this.#ended(state);
      case "moved":
        return await this.#moved(state);
      case "retarget":
        await this.#forge.update(number, { base: this.#row.base });
        return await this.#wait("it is moved to another branch", { soon: true });
      case "send-back":
        return await this.#sendBack(task, decision.feedback);
      case "to-a-person":
        return await this.#toPerson(decision.why, decision.keys, decision.forget);
      case "rebase":
        return await this.#rebase(state);
      case "wait":
        await this.#tellText(task, number);
        return await this.#wait(decision.why, decision);
      case "merge":
        await this.#tellText(task, number);
        return await this.#merge(number);
    }
  }

  async #merge(number: number): Promise<void> {
    const ground = await this.#ground();
    const target = await ground.fetch();
    // What was green on another main is looked at again: others may have landed since.
    if (target !== this.#row.target_sha) return await this.#judge(this.#row.source_sha, `${this.#row.target} moved`);
    const { head_sha: head, method } = this.#row;
    if (head === null) return;
    await this.#note({ phase: "merging" });
    this.#step("pull.merging");
    const answer = await this.#forge.merge(number, { head, method: method as "merge" });
    this.#step("pull.merged");
    if (answer.kind === "merged") return await this.#ended(await this.#state(number));
    await this.#note({ phase: "open" });
    if (answer.kind === "queued")
      return await this.#wait("it is in the forge's queue", { soon: true, keys: [queuedKey(head)] });
    if (answer.kind === "moved") return await this.#wait("its branch moved", { soon: true });
    // Said once, it may be computing; said again of the same commit, it is a rule that somebody has to look at.
    const why = `the forge does not merge it yet: ${answer.why}`;
    const key = `not merged ${head} ${answer.why}`.slice(0, 300);
    const isAgain = toldOf(this.#row).has(key);
    await this.#wait(why, { soon: !isAgain, asks: isAgain, keys: [key] });
  }

  #state(number: number): Promise<PullState> {
    const { head_sha: head } = this.#row;
    return this.#forge.state(number, { mayBeQueued: head !== null && toldOf(this.#row).has(queuedKey(head)) });
  }

  /** Merged or closed, says the forge. The origin is asked whether the work is there. */
  async #ended(state: PullState): Promise<void> {
    const ground = await this.#ground();
    const sha = await ground.fetch();
    const { onto_sha: from, judged_tip: to, target } = this.#row;
    if (await ground.reads({ from, to })) return await this.#landed(sha, state.endedBy);
    if (state.state === "merged") {
      // Merged into the branch of the task it stood on, or not shown to us yet.
      return await this.#wait(`the forge says merged, but ${target} does not read as the work has it`);
    }
    if (state.state === "open") return await this.#wait("the forge has not said that it is merged", { soon: true });
    const who = state.endedBy === undefined ? "somebody" : state.endedBy.slice(0, 100);
    const reason = `${who} closed its pull request without merging it`;
    await this.#write(async (tx) => {
      await updatePull(tx, this.#row.id, {
        phase: "ended",
        outcome: "closed",
        ended_by: state.endedBy ?? null,
        ended_ms: tx.nowMs,
      });
      await giveBackByPull(this.#context, tx, this.#row, reason);
    });
  }

  /** The task has landed by another way, so nothing is left to merge. Whether this work is part of it is asked of the origin. */
  async #landedOtherwise(state: PullState): Promise<void> {
    if (state.state === "open") await this.#forge.close(state.number);
    const ground = await this.#ground();
    const sha = await ground.fetch();
    const { onto_sha: from, judged_tip: to, id } = this.#row;
    if (await ground.reads({ from, to })) return await this.#landed(sha, state.endedBy);
    const ended_by = state.endedBy ?? null;
    await this.#write((tx) => updatePull(tx, id, { phase: "ended", outcome: "closed", ended_by, ended_ms: tx.nowMs }));
  }

  async #landed(sha: string, by: string | undefined): Promise<void> {
    await this.#write(async (tx) => {
      const { id, task } = this.#row;
      const ended = {
        phase: "ended",
        outcome: "landed",
        landed_sha: sha,
        ended_by: by ?? null,
        ended_ms: tx.nowMs,
        waits_for: null,
      };
      await updatePull(tx, id, ended);
      const others = (await pullsOfTask(tx.db, this.#context.constellation, task)).filter((one) => one.id !== id);
      const isLast = others.every((one) => one.ended_ms !== null);
      await landByPull(this.#context, tx, this.#row, { sha, isLast });
      await moveToTarget(tx, this.#context.constellation, task);
    });
    this.#step("pull.landed");
  }

  /** The forge knows another commit than we do. The origin settles which it is: the forge may only be late. */
  async #moved({ head }: PullState): Promise<void> {
    const ground = await this.#ground();
    const there = await ground.branchAt(this.#row.branch);
    if (there === this.#row.head_sha)
      return await this.#wait(`the forge still shows ${head.slice(0, 12)}`, { soon: true });
    await this.#somebodyPushed(there);
  }

  /** Their commits stay. They are judged like any others, once nobody works on the task. */
  async #somebodyPushed(there: string | undefined): Promise<void> {
    const { branch } = this.#row;
    if (there === undefined) return await this.#wait(`branch ${branch} is gone from the origin`, { asks: true });
    const { task, ready } = await taskOfPull(this.#context, this.#row);
    await this.#write(async (tx) => {
      const phase = this.#row.number === null ? "opening" : "open";
      const told = withTold(this.#row.told, task.state === "ready" ? [readyKey(ready)] : []);
      await updatePull(tx, this.#row.id, { phase, told, head_sha: there, head_by: "somebody" });
      await sayOfTask(this.#context, tx, this.#row, { event: "pull_pushed_by_somebody", data: { commit: there } });
    });
    if (task.state === "ready") await this.#judge(there, "somebody pushed to its branch");
  }

  async #rebase(state: PullState): Promise<void> {
    const { target_sha: judgedOn, rebase } = this.#row;
    const ground = await this.#ground();
    const target = await ground.fetch();
    if (rebase === 0 && target === judgedOn && this.#row.want_sha === this.#row.judged_tip)
      return await this.#wait(`the forge says ${state.merge}, though it was put on top of ${this.#row.target}`, {
        asks: true,
      });
    if (this.#row.head_by === "somebody") {
      const why = `it ${state.merge === "behind" ? "is behind" : "conflicts with"} ${this.#row.base}, and its branch has commits of somebody's, which are not rewritten: merge ${this.#row.base} into it`;
      return await this.#toPerson(why, []);
    }
    await this.#note({ rebase: 1 });
    await this.#judge(
      this.#row.source_sha,
      `it ${state.merge === "behind" ? "is behind" : "conflicts with"} ${this.#row.base}`,
    );
  }

  async #judge(commit: string, because: string): Promise<void> {
    await judgeAnew(this.#context, this.#row, commit, because);
    await this.#wait(`it is judged anew: ${because}`, { soon: true });
  }

  async #sendBack({ task }: TaskOfPull, feedback: Feedback): Promise<void> {
    const { id, url, branch, told, rounds, most_rounds: most } = this.#row;
    const round = rounds + 1;
    const text = feedbackText({ task: task.number, title: task.title, url, round, most, branch }, feedback);
    const { red, remarks } = feedback;
    const who = [...new Set(remarks.map(({ author }) => author.slice(0, 60)))].join(", ");
    const what = [...red.map(({ name }) => `${name.slice(0, 60)} is red`), ...(who === "" ? [] : [`${who} wrote`])];
    await this.#write(async (tx) => {
      await updatePull(tx, id, {
        rounds: round,
        asks_ms: null,
        feedback: text,
        told: withTold(told, feedback.keys),
        waits_for: what.join("; "),
      });
      const reason = `its pull request came back (round ${round} of ${most}): ${what.join("; ")}`;
      await sendBackByPull(this.#context, tx, this.#row, { reason, about: aboutPull(id, round) });
    });
  }

  async #toPerson(why: string, keys: readonly string[], forget: readonly string[] = []): Promise<void> {
    await this.#write(async (tx) => {
      const told = withTold(this.#row.told, keys, forget);
      await updatePull(tx, this.#row.id, { told, waits_for: why, asks_ms: null });
      await sendBackByPull(this.#context, tx, this.#row, { reason: why, about: undefined });
    });
  }

  async #cancel(): Promise<void> {
    const { number, id } = this.#row;
    if (number !== null && (await this.#forge.state(number)).state === "open") await this.#forge.close(number);
    await this.#write((tx) => updatePull(tx, id, { phase: "ended", outcome: "cancelled", ended_ms: tx.nowMs }));
  }

  /** Answers for how long the checks have said the same of this head. */
  async #see({ checks, review, merge, head }: PullState): Promise<number> {
    let sinceMs = 0;
    await this.#write(async (tx) => {
      await updatePull(tx, this.#row.id, { checks: checks.state, review, merge_state: merge, outages: 0 });
      const { constellation } = this.#context;
      const { origin, branch, task } = this.#row;
      const noted = await noteChecks(tx, {
        constellation,
        origin,
        branch,
        commit: head,
        checks,
        task,
        isTarget: false,
      });
      sinceMs = tx.nowMs - noted.sinceMs;
    });
    return sinceMs;
  }

  /** Title and body as they are now, told only when they changed. */
  async #tellText(task: TaskOfPull, number: number): Promise<void> {
    const text = await textOfPull(this.#context, this.#row, task);
    const text_hash = hashOf(text);
    if (text_hash === this.#row.text_hash) return;
    await this.#forge.update(number, text);
    await this.#note({ text_hash });
  }

  #ground(): Promise<Ground> {
    const { origin, source, target } = this.#row;
    return this.#context.machine.grounds.open({ origin, source, target });
  }

  async #wait(why: string, { soon, asks, keys = [] }: Waiting = {}): Promise<void> {
    const ms = soon === true ? soonMs : await this.#later();
    await this.#write(async (tx) => {
      const { id, told, asks_ms: since, url } = this.#row;
      await updatePull(tx, id, {
        waits_for: why.slice(0, 1_000),
        retry_ms: tx.nowMs + ms,
        outages: 0,
        asks_ms: asks === true ? (since ?? tx.nowMs) : null,
        ...(keys.length === 0 ? {} : { told: withTold(told, keys) }),
      });
      await sayOfTask(this.#context, tx, this.#row, {
        reason: `its pull request${url === null ? "" : ` ${url}`} waits: ${why.slice(0, 500)}`,
      });
    });
  }

  async #note(change: Partial<Row>): Promise<void> {
    await this.#write((tx) => updatePull(tx, this.#row.id, change));
  }

  async #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.#context.store.write(work);
    this.#row = (await findPull(this.#context.store.db, this.#row.id)) ?? this.#row;
  }

  async #later(): Promise<number> {
    const open = await countPulls(this.#context.store.db, this.#context.constellation, false);
    return Math.max(laterMs, open * laterForEachMs);
  }

  #step(name: (typeof pullSteps)[number]): void {
    this.#context.machine.step(name);
  }
}

const hashOf = ({ title, body }: PullText): string => createHash("sha256").update(`${title}\n${body}`).digest("hex");

const toldOf = ({ told }: Row): ReadonlySet<string> => new Set(JSON.parse(told) as string[]);
const readyKey = (commit: string | null): string => `ready ${commit}`;

const mostTold = 2_000;

const withTold = (told: string, keys: readonly string[], forget: readonly string[] = []): string =>
  JSON.stringify(
    [...new Set([...(JSON.parse(told) as string[]), ...keys])].filter((key) => !forget.includes(key)).slice(-mostTold),
  );
