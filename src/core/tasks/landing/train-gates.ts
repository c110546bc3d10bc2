// The gates of one train. Each task has the gate of its own root directory, or else the target's; whatever is pushed must pass
// the gates of all tasks in it. A task that declares none is not held by others' gates alone, but lands only in a train that
// passes them.

import { Refusal } from "../../../protocol/errors.ts";
import type { TaskCriteriaTable, TasksTable } from "../../../store/tables/tasks.ts";
import { type CriterionGate, criterionGates } from "../evidence/criteria.ts";
import type { GateVerdict, Ground, LandingGate, LandingSettings } from "../../../ports/harvest.ts";

/** A task of the train, with what it must show. */
interface Gated {
  readonly task: Pick<TasksTable, "root">;
  readonly criteria: readonly TaskCriteriaTable[];
}

export interface StackVerdict {
  /** `none`: no task in it has a gate. */
  readonly outcome: "green" | "red" | "none" | "stopped";
  /** The first gate that did not pass. */
  readonly gate?: LandingGate;
  readonly verdict: GateVerdict;
}

const noGate: GateVerdict = { outcome: "none", tail: "", durationMs: 0 };

export class TrainGates {
  readonly #ground: Ground;
  readonly #signal: AbortSignal;
  readonly #settings = new Map<string, LandingSettings>();
  readonly #verdicts = new Map<string, GateVerdict>();

  constructor(ground: Ground, signal: AbortSignal) {
    this.#ground = ground;
    this.#signal = signal;
  }

  /** Of a task whose root directory this is. A refusal when the settings cannot be understood. */
  async settings(root: string, base: string): Promise<LandingSettings | Refusal> {
    const key = `${base} ${root}`;
    const known = this.#settings.get(key);
    if (known !== undefined) return known;
    try {
      const settings = await this.#ground.settings({ root, base });
      this.#settings.set(key, settings);
      return settings;
    } catch (cause) {
      if (cause instanceof Refusal) return cause;
      throw cause;
    }
  }

  async gateOf(root: string, base: string): Promise<LandingGate | undefined> {
    const settings = await this.settings(root, base);
    if (settings instanceof Refusal) throw settings;
    return settings.gate;
  }

  /** A task's own acceptance commands, with the time that its gate has. */
  async criteriaOf({ task, criteria }: Gated, base: string): Promise<CriterionGate[]> {
    return criterionGates(criteria, await this.gateOf(task.root, base));
  }

  /** The gates of all these tasks' roots on a commit, then their acceptance commands, each command once. */
  async ask(members: readonly Gated[], commit: string, base: string): Promise<StackVerdict> {
    const gates = new Map<string, LandingGate>();
    const add = (gate: LandingGate): void => void (gates.has(keyOf(gate)) || gates.set(keyOf(gate), gate));
    for (const { task } of members) {
      const gate = await this.gateOf(task.root, base);
      if (gate !== undefined) add(gate);
    }
    const declared = gates.size;
    for (const member of members) for (const gate of await this.criteriaOf(member, base)) add(gate);
    let last = noGate;
    for (const gate of gates.values()) {
      const verdict = await this.askOne(gate, commit, base);
      if (verdict.isStopped === true) return { outcome: "stopped", gate, verdict };
      // A gate that did not end in time did not pass, whatever it would have said.
      if (verdict.outcome !== "green") return { outcome: "red", gate, verdict };
      last = verdict;
    }
    return { outcome: declared === 0 ? "none" : "green", verdict: last };
  }

  async askOne(gate: LandingGate, commit: string, base: string): Promise<GateVerdict> {
    const key = `${commit} ${keyOf(gate)}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = await this.#ground.gate({ commit, base, gate, signal: this.#signal });
    if (verdict.isStopped !== true) this.#verdicts.set(key, verdict);
    return verdict;
  }
}

export const keyOf = ({ command, deadlineMs }: LandingGate): string => JSON.stringify([command, deadlineMs]);
