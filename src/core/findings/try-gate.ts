// Judges a pair by the repository's gate: whether the merged tree fails it though both sides pass. The merged tree is tried first, since it
// mostly passes and then nothing else need run; when it fails, both sides must be green, and it must fail once more, before the pair is
// blamed.

import type { GateCache, GateRun, GateRunner, GateSubject } from "../../ports/gate.ts";
import { ours, theirs } from "./pair-finding.ts";

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

export type GateAnswer =
  | { readonly says: "fits" }
  /** It fails on a side alone, or not every time: then it says nothing about the pair. */
  | { readonly says: "nothing"; readonly why: string }
  | { readonly says: "breaks"; readonly command: string; readonly detail: string }
  /** A tree that had to be tried could not be. */
  | { readonly says: "unknown"; readonly why: string };

export async function tryGate(trees: GateTrees, options: GateOptions, signal?: AbortSignal): Promise<GateAnswer> {
  const gate = new Gate(options, signal);
  const merged = await gate.run(trees.merged);
  if (merged.outcome === "green") return { says: "fits" };
  if (merged.outcome === "not-run") return unknown(`the gate was not run on the merge: ${merged.detail}`);
  for (const [tree, name] of [
    [trees.ours, ours],
    [trees.theirs, theirs],
  ] as const) {
    const { outcome, detail } = await gate.run(tree);
    if (outcome === "red") return nothing(`the gate fails on ${name} alone, so it says nothing about the pair`);
    if (outcome === "not-run") return unknown(`the gate was not run on ${name}: ${detail}`);
  }
  const again = merged.confirmed === true ? merged : await gate.confirm(trees.merged);
  if (again.outcome === "green")
    return nothing("the gate failed on the merge once and passed the next time: it is flaky");
  if (again.outcome === "not-run") return unknown(`the gate did not end on the merge: ${again.detail}`);
  return { says: "breaks", command: options.command, detail: again.detail };
}

const nothing = (why: string): GateAnswer => ({ says: "nothing", why });
const unknown = (why: string): GateAnswer => ({ says: "unknown", why });

class Gate {
  readonly #options: GateOptions;
  readonly #signal: AbortSignal | undefined;

  constructor(options: GateOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(tree: string): Promise<GateRun> {
    return (await this.#options.cache.get(this.#subject(tree))) ?? (await this.runAnew(tree));
  }

  /** Once more; red again is red for good, and need not be tried a third time. */
  async confirm(tree: string): Promise<GateRun> {
    const run = await this.runAnew(tree);
    if (run.outcome === "red") await this.#options.cache.set(this.#subject(tree), { ...run, confirmed: true });
    return run;
  }

  async runAnew(tree: string): Promise<GateRun> {
    const { runner, cache, command, deadlineMs } = this.#options;
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const run = await runner.run({ tree, command, deadlineMs, ...signal });
    // A run that did not end says nothing that is worth keeping.
    if (run.outcome !== "not-run") await cache.set(this.#subject(tree), run);
    return run;
  }

  #subject(tree: string): GateSubject {
    return { command: this.#options.command, tree };
  }
}
