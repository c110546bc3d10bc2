// The merged tree fails the repository's gate though both sides pass it. The merged tree is tried first, since it mostly
// passes and then nothing else need run; when it fails, both sides must be green, and it must fail once more, before the pair
// is blamed.

import type { GateCache, GateRun, GateRunner } from "../../ports/gate.ts";
import { hunk, ours, type PairFinding, type Reviewed, theirs } from "./pair-finding.ts";

export interface GateOptions {
  readonly runner: GateRunner;
  readonly cache: GateCache;
  readonly command: string;
  readonly deadlineMs: number;
}

export interface GateTrees {
  readonly ours: string;
  readonly theirs: string;
  readonly merged: string;
}

export interface GateReview extends Reviewed {
  /** Whether every tree that had to be tried was: then what was not found is not there. */
  readonly settled: boolean;
}

export async function reviewGate(trees: GateTrees, options: GateOptions, signal?: AbortSignal): Promise<GateReview> {
  const gate = new Gate(options, signal);
  const merged = await gate.run(trees.merged);
  if (merged.outcome === "green") return silent([], true);
  if (merged.outcome === "not-run") return silent([`the gate was not run on the merge: ${merged.detail}`], false);
  for (const [tree, name] of [
    [trees.ours, ours],
    [trees.theirs, theirs],
  ] as const) {
    const { outcome, detail } = await gate.run(tree);
    if (outcome === "red") return silent([`the gate is red on ${name} alone, so it says nothing about the pair`], true);
    if (outcome === "not-run") return silent([`the gate was not run on ${name}: ${detail}`], false);
  }
  const again = merged.confirmed === true ? merged : await gate.confirm(trees.merged);
  if (again.outcome === "green")
    return silent(["the gate failed on the merge once and passed the next time: it is flaky"], true);
  if (again.outcome === "not-run") return silent([`the gate did not end on the merge: ${again.detail}`], false);
  return { findings: [findingOf(options.command, again)], complete: true, settled: true, notes: [] };
}

function silent(notes: readonly string[], settled: boolean): GateReview {
  return { findings: [], complete: notes.length === 0, settled, notes };
}

function findingOf(command: string, { detail }: GateRun): PairFinding {
  return {
    kind: "gate",
    severity: "high",
    subject: command,
    title: `the gate fails on ${ours} and ${theirs} merged, and passes on each alone`,
    action: `Merge one into the other, run \`${command}\`, and mend what it says.`,
    symbols: [],
    evidence: [
      {
        rule: "red",
        path: "constel.toml",
        symbol: null,
        ours: [],
        theirs: [],
        message: hunk("", 1, detail).text,
      },
    ],
  };
}

class Gate {
  readonly #options: GateOptions;
  readonly #signal: AbortSignal | undefined;

  constructor(options: GateOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(tree: string): Promise<GateRun> {
    return (await this.#options.cache.get(this.#key(tree))) ?? (await this.runAnew(tree));
  }

  /** Once more; red again is red for good, and need not be tried a third time. */
  async confirm(tree: string): Promise<GateRun> {
    const run = await this.runAnew(tree);
    if (run.outcome === "red") await this.#options.cache.set(this.#key(tree), { ...run, confirmed: true });
    return run;
  }

  async runAnew(tree: string): Promise<GateRun> {
    const { runner, cache, command, deadlineMs } = this.#options;
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const run = await runner.run({ tree, command, deadlineMs, ...signal });
    // A run that did not end says nothing that is worth keeping.
    if (run.outcome !== "not-run") await cache.set(this.#key(tree), run);
    return run;
  }

  #key(tree: string): string {
    return JSON.stringify([this.#options.command, tree]);
  }
}
