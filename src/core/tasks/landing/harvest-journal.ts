// The journal of harvests: each write is one transaction that first makes sure the lease is still ours. When the last row of
// a task has ended, the task moves: closed when all landed, else back with the reason.

import { counted } from "../../../protocol/counted.ts";
import type { GateVerdict } from "../../../ports/harvest.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { HarvestsTable, TasksTable } from "../../../store/tables/tasks.ts";
import { judge } from "../evidence/criteria.sql.ts";
import type { CriterionGate } from "../evidence/criteria.ts";
import { holdFast, type Lease } from "./harvest-lease.ts";
import { noteLanded } from "./landed-commits.sql.ts";
import { type Landing, sayings } from "./landing.ts";
import { type Proposal, propose } from "../../pulls/propose.ts";
import { actualMs } from "../rules.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { harvestsWithWorkspaces, harvestTimes, updateHarvest } from "./harvests.sql.ts";
import { findTask, recordGit, recordTask, updateTask } from "../tasks.sql.ts";

type Row = Pick<
  HarvestsTable,
  "id" | "constellation" | "task" | "train" | "origin" | "target" | "started_ms" | "outages"
>;
interface Held {
  readonly row: Row;
  readonly task: Pick<TasksTable, "constellation" | "number">;
}

/** A place on the stack with what its own gate said of the whole, and the acceptance commands that passed there. */
interface Gated {
  readonly member: Held;
  readonly verdict: GateVerdict | undefined;
  readonly accepted: readonly CriterionGate[];
}

const eventsOf: Readonly<Record<string, string>> = {
  conflict: "harvest_conflict",
  red: "gate_failed",
  held: "harvest_held",
};

/** The journal waits so long after each outage in a row; after the last one somebody must look. */
const patienceMs = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000, 1_800_000];

export class Journal {
  readonly #context: TaskContext;
  readonly #lease: Lease;

  constructor(context: TaskContext, lease: Lease) {
    this.#context = context;
    this.#lease = lease;
  }

  async phase(members: readonly Held[], phase: string, more: Partial<HarvestsTable>): Promise<void> {
    await this.#write(async (tx) => {
      for (const { row } of members) {
        const started_ms = row.started_ms ?? tx.nowMs;
        await updateHarvest(tx.db, row.id, { phase, started_ms, fencing_token: this.#lease.token, ...more });
      }
    });
  }

  /** Each one's own gate judged the whole stack. Its verdict is undefined where none is declared, which is said every time. */
  async gated(stack: readonly Gated[], top: string): Promise<void> {
    await this.#write(async (tx) => {
      for (const { member, verdict, accepted } of stack) {
        for (const { criterion, command } of accepted) {
          const passed = { ...criterion, state: "passed", by: "gate", commit: top } as const;
          await judge(tx, this.#context.constellation, passed);
          await recordTask(this.#context, tx, criterion.task, "accepted", {
            criterion: criterion.place,
            command,
            commit: top,
          });
        }
        const gate_outcome = verdict?.outcome ?? "none";
        const ran = { gate_commit: top, gate_tail: verdict?.tail ?? null, gate_ms: verdict?.durationMs ?? null };
        await updateHarvest(tx.db, member.row.id, {
          phase: "gated",
          gate_outcome,
          ...(verdict === undefined ? {} : ran),
        });
        const { task, target } = member.row;
        const together = stack.map((one) => one.member.row.task).filter((other) => other !== task);
        if (verdict === undefined) await recordTask(this.#context, tx, task, "no_gate", { commit: top, target });
        else {
          const duration_ms = verdict.durationMs;
          await recordTask(this.#context, tx, task, "gate_passed", { commit: top, duration_ms, together });
        }
      }
    });
  }

  /** Before the push: what will be there if it arrives. */
  async pushing(stack: readonly Landing<Held>[], old: string): Promise<void> {
    await this.#write(async (tx) => {
      for (const landing of stack) {
        const { member, tip, picks } = landing;
        const said = reportOf(landing);
        await updateHarvest(tx.db, member.row.id, { phase: "pushing", expected_old: old, new_tip: tip, ...said });
        await noteLanded(tx, member.row, picks);
      }
    });
  }

  async landed(stack: readonly Landing<Held>[]): Promise<void> {
    await this.#write(async (tx) => {
      for (const landing of stack) {
        const { member, tip, commits } = landing;
        const { row } = member;
        const ended = { phase: "ended", outcome: "landed", landed_sha: tip, ended_ms: tx.nowMs, reason: null };
        await updateHarvest(tx.db, row.id, { ...ended, ...reportOf(landing) });
        const said = sayings(landing);
        await recordTask(this.#context, tx, row.task, "harvested", {
          sha: tip,
          target: row.target,
          commits,
          origin: row.origin,
          ...(said.length === 0 ? {} : { said }),
        });
        await this.#git(tx, row, "push", "landed", tip);
        await this.#finish(tx, row);
      }
    });
  }

  /** Judged and good: it lands by a pull request, which goes on from here. */
  async proposed(landing: Landing<Held>, proposal: Omit<Proposal, "task" | "harvest">): Promise<void> {
    const { row } = landing.member;
    await this.#write(async (tx) => {
      const ended = { phase: "ended", outcome: "proposed", new_tip: landing.tip, ended_ms: tx.nowMs, reason: null };
      await updateHarvest(tx.db, row.id, { ...ended, ...reportOf(landing) });
      await propose(this.#context, tx, { ...proposal, task: row.task, harvest: row.id });
      await recordTask(this.#context, tx, row.task, "proposed", { branch: proposal.branch, commit: proposal.want_sha });
      await this.#git(tx, row, "harvest", "proposed", landing.tip);
      await this.#finish(tx, row);
    });
  }

  async evicted(member: Held, outcome: string, reason: string, report: object): Promise<void> {
    const { row } = member;
    const { gate, broken } = report as { gate?: GateVerdict; broken?: CriterionGate["criterion"] };
    await this.#write(async (tx) => {
      if (broken !== undefined) {
        const failed = { ...broken, state: "failed", by: "gate", detail: gate?.tail } as const;
        await judge(tx, this.#context.constellation, failed);
      }
      await updateHarvest(tx.db, row.id, {
        phase: "ended",
        outcome,
        reason,
        report: JSON.stringify(report),
        ended_ms: tx.nowMs,
        ...(gate === undefined ? {} : { gate_outcome: gate.outcome, gate_tail: gate.tail, gate_ms: gate.durationMs }),
      });
      const event = eventsOf[outcome] ?? "harvest_refused";
      await recordTask(this.#context, tx, row.task, event, { reason, ...report });
      await this.#git(tx, row, "harvest", outcome, reason);
      await this.#finish(tx, row);
    });
  }

  /** The machine or the origin failed: the rows wait and are tried again, and after so many times somebody must look. */
  async postpone(members: readonly Held[], reason: string): Promise<void> {
    const [first] = members;
    const outages = (first?.row.outages ?? 0) + 1;
    const waitMs = patienceMs[outages - 1];
    if (waitMs === undefined) return this.failAll(members, `${reason} (tried ${counted(outages, "time")})`);
    await this.#write(async (tx) => {
      for (const { row } of members) {
        const now = await harvestTimes(tx.db, row.id);
        if (now?.ended_ms !== null) continue;
        const retry_ms = tx.nowMs + waitMs;
        await updateHarvest(tx.db, row.id, { phase: "waiting", outages, retry_ms, reason });
        await recordTask(this.#context, tx, row.task, "harvest_outage", { reason, outages, retry_ms });
        await this.#git(tx, row, "harvest", "outage", reason);
        const task = await findTask(tx.db, this.#context.constellation, row.task);
        const why = `an outage, not the work: ${reason}; it is tried again`;
        await updateTask(tx.db, task, { reason: why, updated_ms: tx.nowMs });
      }
    });
  }

  /** The machine failed too often, or the target is not fit to land on: the tasks stay where they are, with the reason. */
  async failAll(members: readonly Held[], reason: string): Promise<void> {
    await this.#write(async (tx) => {
      for (const { row } of members) {
        const now = await harvestTimes(tx.db, row.id);
        if (now?.ended_ms !== null) continue;
        await updateHarvest(tx.db, row.id, { phase: "ended", outcome: "failed", reason, ended_ms: tx.nowMs });
        await recordTask(this.#context, tx, row.task, "harvest_failed", { reason });
        await this.#git(tx, row, "harvest", "failed", reason);
        await this.#finish(tx, row);
      }
    });
  }

  async #finish(tx: Tx, row: Row): Promise<void> {
    const { constellation } = this.#context;
    const rows = await harvestsWithWorkspaces(tx.db, { constellation, train: row.train, task: row.task });
    if (rows.some(({ ended_ms }) => ended_ms === null)) return;
    const task = await findTask(tx.db, constellation, row.task);
    const landed = rows.filter(({ outcome }) => outcome === "landed");
    // A repository of several in which nothing was to be done is no obstacle.
    const proposed = rows.filter(({ outcome }) => outcome === "proposed");
    const done = landed.length + proposed.length;
    const bad = rows.filter(
      ({ outcome }) => outcome !== "landed" && outcome !== "proposed" && !(outcome === "empty" && done > 0),
    );
    if (bad.length === 0 && proposed.length > 0) {
      const why = "its pull request is to be opened or brought up to date";
      await updateTask(tx.db, task, { state: moveOf(task, "ready"), reason: why, updated_ms: tx.nowMs });
      return;
    }
    if (bad.length === 0) {
      const closed_ms = tx.nowMs;
      const landed_sha = landed.at(-1)?.landed_sha ?? null;
      const actual_ms = actualMs(task, closed_ms);
      const state = moveOf(task, "close");
      await updateTask(tx.db, task, { state, landed_sha, closed_ms, actual_ms, reason: null, updated_ms: closed_ms });
      await recordTask(this.#context, tx, row.task, "closed", { landed_sha, actual_ms, estimate_ms: task.estimate_ms });
      return;
    }
    const reason = whatHappened(rows, bad);
    // Neither the machine's failing nor another's claim says anything against the work.
    const isOurs = bad.every(({ outcome }) => outcome === "failed" || outcome === "held");
    const state = isOurs ? task.state : moveOf(task, "review");
    await updateTask(tx.db, task, { state, reason, updated_ms: tx.nowMs });
  }

  async #git(tx: Tx, row: Row, operation: string, outcome: string, detail: string): Promise<void> {
    const now = await harvestTimes(tx.db, row.id);
    const duration_ms = tx.nowMs - (now?.started_ms ?? tx.nowMs);
    const about = { duration_ms, operation, repository: row.origin, task: row.task, outcome };
    await recordGit(this.#context, tx, { ...about, detail: detail.slice(0, 1000) });
  }

  async #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    await this.#context.store.write(async (tx) => {
      await holdFast(tx, this.#lease);
      await work(tx);
    });
  }
}

/** Nothing when there is nothing to say: an earlier harvester may have said it. */
function reportOf({ notes, later }: Pick<Landing<unknown>, "notes" | "later">): { report?: string } {
  if (notes.length === 0 && later === undefined) return {};
  return {
    report: JSON.stringify({ notes, said: sayings({ notes, later }), ...(later === undefined ? {} : { later }) }),
  };
}

type Ended = Pick<HarvestsTable, "outcome" | "reason" | "landed_sha" | "origin"> & { name: string | null };

/** Of several repositories: which landed, and what kept each of the others. */
function whatHappened(rows: readonly Ended[], bad: readonly Ended[]): string {
  const reasons = bad.map((one) => one.reason ?? "no reason was given");
  if (rows.length === 1) return reasons.join("\n");
  const name = (one: Ended): string => one.name ?? one.origin;
  const landed = rows.filter(({ outcome }) => outcome === "landed");
  return [
    ...bad.map((one, at) => `${name(one)} did not land: ${reasons[at]}`),
    ...landed.map((one) => `${name(one)} landed as ${one.landed_sha?.slice(0, 12)}`),
  ].join("\n");
}
