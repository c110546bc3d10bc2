// Asks the repository's gate about a merged pair, when the owner asked for that. A run takes minutes: where nobody may wait the pair is
// answered at once with the gate still open, and looked at again when its run has ended.

import { named, type PairFinding } from "../core/findings/pair-finding.ts";
import { reviewGated } from "../core/findings/kinds.ts";
import { type GateAnswer, tryGate } from "../core/findings/try-gate.ts";
import type { GateCache, GateRunner } from "../ports/gate.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import { messageOf } from "../protocol/errors.ts";
import type { OpenPart } from "../protocol/findings.ts";
import type { MergedPair } from "./merged-pair.ts";
import { type Asked, SlowQuestion } from "./slow-question.ts";

export interface GateCommand {
  readonly command: string;
  readonly deadlineMs: number;
  /** The time that both sides must have been quiet. */
  readonly settleMs: number;
}

export interface GateParts {
  readonly asked: Asked;
  readonly runner: GateRunner;
  readonly cache: GateCache;
  /** undefined when none is asked for, or nothing says how to run it; unknown while it is not known where work lands. */
  readonly command: () => Promise<GateCommand | "unknown" | undefined>;
  /** Only pairs that share a file and do not collide already are worth minutes of a core by themselves. */
  readonly isChoosy: boolean;
}

interface Machine {
  readonly observer: RepositoryObserver;
  readonly log: (line: string) => void;
}

interface GateSaid {
  readonly findings: readonly PairFinding[];
  readonly open: readonly OpenPart[];
}

const nothing: GateSaid = { findings: [], open: [] };

export class PairGate {
  readonly #machine: Machine;
  readonly #parts: GateParts;
  readonly #question: SlowQuestion<GateAnswer>;
  #complaint = "";

  constructor(machine: Machine, parts: GateParts) {
    this.#machine = machine;
    this.#parts = parts;
    this.#question = new SlowQuestion(parts.asked, machine.observer.identity);
  }

  async ask(found: readonly PairFinding[], pair: MergedPair, signal: AbortSignal | undefined): Promise<GateSaid> {
    const { isChoosy } = this.#parts;
    if (pair.merge.kind !== "clean") {
      return isChoosy ? nothing : open("the gate was not run: git cannot merge the two");
    }
    // A side that brings nothing breaks nothing.
    const { tree } = pair.merge;
    if (tree === pair.ours.snapshot.tree || tree === pair.theirs.snapshot.tree) return nothing;
    if (isChoosy && !isWorthIt(found)) return nothing;
    const gate = await this.#parts.command();
    if (gate === "unknown") return open("the gate was not run: it is not known yet where work lands", true);
    if (gate === undefined) return nothing;
    const { command: about, settleMs } = gate;
    const answer = await this.#question.ask(
      pair,
      { about, settleMs },
      async (stop) => {
        const said = await this.#try(gate, pair, stop);
        this.#complain(said, pair);
        return said;
      },
      signal,
    );
    if (answer === "coming") return open("the gate has not been run on the merge yet", true);
    if (answer.says === "unknown") return open(answer.why);
    if (answer.says === "nothing") return { ...nothing, open: [{ what: "gate", why: answer.why, isMoot: true }] };
    return { findings: await reviewGated({ gate: answer }), open: [] };
  }

  async #try(gate: GateCommand, pair: MergedPair, signal: AbortSignal | undefined): Promise<GateAnswer> {
    const { runner, cache } = this.#parts;
    const { command, deadlineMs } = gate;
    try {
      const merged = await this.#mergedTree(pair);
      if (merged === undefined) return { says: "unknown", why: "the gate was not run: there is no merged tree" };
      const trees = { ours: pair.ours.snapshot.tree, theirs: pair.theirs.snapshot.tree, merged };
      return await tryGate(trees, { runner, cache, command, deadlineMs }, signal);
    } catch (cause) {
      return { says: "unknown", why: `the gate was not run: ${messageOf(cause)}` };
    }
  }

  async #mergedTree({ ours, theirs, merge }: MergedPair): Promise<string | undefined> {
    if (merge.tree !== undefined) return merge.tree;
    const pair = { ours: ours.snapshot, theirs: theirs.snapshot };
    const [worked] = await this.#machine.observer.merge([pair], { trees: true });
    return worked?.kind === "clean" ? worked.tree : undefined;
  }

  #complain(answer: GateAnswer, { ours, theirs }: MergedPair): void {
    const said = answer.says === "unknown" || answer.says === "nothing" ? answer.why : "";
    const complaint = named(said, { ours: ours.side, theirs: theirs.side });
    if (complaint !== "" && complaint !== this.#complaint)
      this.#machine.log(`${this.#machine.observer.identity}: ${complaint}`);
    this.#complaint = complaint;
  }
}

const open = (why: string, isComing = false): GateSaid => ({
  ...nothing,
  open: [{ what: "gate", why, ...(isComing ? { isComing } : {}) }],
});

/** Both changed a file, and nothing that is known already says that the two do not fit. */
function isWorthIt(found: readonly PairFinding[]): boolean {
  return found.some(({ kind }) => kind === "overlap") && !found.some(({ severity }) => severity === "high");
}
