// The gates of one train. Each task has the gate of its own root directory, or else the target's; whatever is pushed must pass
// the gates of all tasks in it. A task that declares none is not held by others' gates alone, but lands only in a train that
// passes them.

import { Refusal } from "../../protocol/errors.ts";
import type { GateVerdict, Ground, LandingGate, LandingSettings } from "../../ports/harvest.ts";

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

  /** All these roots' gates on a commit, each command once. */
  async ask(roots: readonly string[], commit: string, base: string): Promise<StackVerdict> {
    const gates = new Map<string, LandingGate>();
    for (const root of roots) {
      const gate = await this.gateOf(root, base);
      if (gate !== undefined && !gates.has(keyOf(gate))) gates.set(keyOf(gate), gate);
    }
    let last = noGate;
    for (const gate of gates.values()) {
      const verdict = await this.askOne(gate, commit, base);
      if (verdict.isStopped === true) return { outcome: "stopped", gate, verdict };
      // A gate that did not end in time did not pass, whatever it would have said.
      if (verdict.outcome !== "green") return { outcome: "red", gate, verdict };
      last = verdict;
    }
    return { outcome: gates.size === 0 ? "none" : "green", verdict: last };
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
