// Adds to what is said of a pair what the repository's gate says of the two merged, when the owner asked for that
// (`gate.pairs`). A run takes minutes, so the pair is answered at once with the gate still open, and looked at again when
// its run has ended.
//
// The command is the owner's own, or the one that stands in constel.toml on the branch that work lands on: never one that a
// worktree brings.

import { type GateReview, reviewGate } from "../core/findings/gate.ts";
import { repositoryConfigOrNotes } from "../core/findings/repository-config.ts";
import { toDraft, named } from "../core/findings/pair-finding.ts";
import type { ReviewedSide } from "./review-pair.ts";
import { messageOf } from "../protocol/errors.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import type { GateCache, GateRunner } from "../ports/gate.ts";
import type { MergeOutcome, RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { QuietQueue } from "./quiet-queue.ts";
import type { Review } from "./judge-pair.ts";
import { defaultBranchSide } from "./pair-queue.ts";

/** What the owner asked for, about one repository. */
export interface GateWish {
  readonly command: string | undefined;
  readonly deadlineMs: number | undefined;
  /** How long both sides must have been quiet. */
  readonly settleMs: number;
}

export interface GateParts {
  readonly observer: RepositoryObserver;
  readonly keeper: QuietQueue;
  readonly runner: GateRunner;
  readonly cache: GateCache;
  readonly wish: () => GateWish | undefined;
  /** What work lands on. */
  readonly landing: () => Snapshot | undefined;
  /** Has the pair of two worktrees (or of one and the default branch) looked at again. */
  readonly recheck: (one: string, other: string) => void;
  readonly log: (line: string) => void;
}

const reviewsKept = 500;

export function withGate(review: Review, parts: GateParts): Review {
  const gate = new PairGate(parts);
  return async (ours, theirs, merge) => await gate.add(await review(ours, theirs, merge), ours, theirs, merge);
}

type Clean = Extract<MergeOutcome, { kind: "clean" }>;

class PairGate {
  readonly #parts: GateParts;
  readonly #known = new Map<string, GateReview>();
  #landed: { readonly tree: string; readonly command: string | undefined; readonly deadlineMs: number } | undefined;
  #complaint = "";

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async add(verdict: PairVerdict, ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome): Promise<PairVerdict> {
    if (merge.kind !== "clean" || !isWorthIt(verdict)) return verdict;
    const unsettled = [...(verdict.unsettled ?? []), "gate"] as const;
    const gate = await this.#gate();
    if (gate === "unknown") return { ...verdict, unsettled };
    if (gate === undefined) return verdict;
    const key = [gate.command, ours.snapshot.commit, theirs.snapshot.commit].join("\0");
    const known = this.#known.get(key);
    if (known === undefined) {
      this.#ask(key, gate, ours, theirs, merge);
      const notes = [...verdict.notes, "the gate has not been run on the merge yet"];
      return { ...verdict, unsettled, notes };
    }
    const notes = [...verdict.notes, ...known.notes.map((note) => named(note, verdict))];
    if (!known.settled) return { ...verdict, unsettled, notes };
    const found = known.findings.map((one) => toDraft(one, this.#parts.observer.identity, verdict));
    return { ...verdict, findings: [...verdict.findings, ...found], notes };
  }

  #ask(key: string, gate: Gate, ours: ReviewedSide, theirs: ReviewedSide, merge: Clean): void {
    const { observer, keeper, recheck } = this.#parts;
    const [one, other] = [ours.side.worktree ?? defaultBranchSide, theirs.side.worktree ?? defaultBranchSide];
    keeper.ask([observer.identity, one, other].join("\0"), gate.settleMs, async (signal) => {
      let answer: GateReview;
      try {
        answer = await this.#run(gate, ours.snapshot, theirs.snapshot, merge, signal);
      } catch (cause) {
        answer = {
          findings: [],
          complete: false,
          settled: false,
          notes: [`the gate was not run: ${messageOf(cause)}`],
        };
      }
      // What was stopped half-way is for the next one to run.
      if (signal.aborted) return;
      this.#complain(answer.notes.map((note) => named(note, { ours: ours.side, theirs: theirs.side })).join("; "));
      this.#remember(key, answer);
      recheck(one, other);
    });
  }

  async #run(gate: Gate, ours: Snapshot, theirs: Snapshot, merge: Clean, signal: AbortSignal): Promise<GateReview> {
    const { observer, runner, cache } = this.#parts;
    const [worked] = merge.tree === undefined ? await observer.merge([{ ours, theirs }], { trees: true }) : [merge];
    const merged = worked?.kind === "clean" ? worked.tree : undefined;
    if (merged === undefined) {
      return {
        findings: [],
        complete: false,
        settled: false,
        notes: ["the gate was not run: there is no merged tree"],
      };
    }
    const { command, deadlineMs } = gate;
    return await reviewGate(
      { ours: ours.tree, theirs: theirs.tree, merged },
      { runner, cache, command, deadlineMs },
      signal,
    );
  }

  /** undefined when none is asked for, or nothing says how to run it; unknown while it is not known where work lands. */
  async #gate(): Promise<Gate | "unknown" | undefined> {
    const wish = this.#parts.wish();
    if (wish === undefined) return undefined;
    const landed = await this.#landedGate();
    const command = wish.command ?? landed?.command;
    if (command === undefined && landed === undefined) return "unknown";
    if (command === undefined) {
      this.#complain("the gate is asked for, and neither gate.pairs nor constel.toml on the default branch says how");
      return undefined;
    }
    return { command, deadlineMs: wish.deadlineMs ?? landed?.deadlineMs ?? defaultDeadlineMs, settleMs: wish.settleMs };
  }

  async #landedGate(): Promise<{ readonly command: string | undefined; readonly deadlineMs: number } | undefined> {
    const landing = this.#parts.landing();
    if (landing === undefined) return undefined;
    if (this.#landed?.tree !== landing.tree) {
      const { config, notes } = await repositoryConfigOrNotes(this.#parts.observer, landing.tree);
      for (const note of notes) this.#complain(note);
      // A gate that cannot be read is not "no gate": it stays unknown until somebody mends the file.
      if (config === undefined) return undefined;
      const { command, deadlineMs = defaultDeadlineMs } = config.gate ?? {};
      this.#landed = { tree: landing.tree, command, deadlineMs };
    }
    return this.#landed;
  }

  #remember(key: string, review: GateReview): void {
    this.#known.set(key, review);
    if (this.#known.size <= reviewsKept) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  #complain(complaint: string): void {
    if (complaint !== "" && complaint !== this.#complaint)
      this.#parts.log(`${this.#parts.observer.identity}: ${complaint}`);
    this.#complaint = complaint;
  }
}

interface Gate {
  readonly command: string;
  readonly deadlineMs: number;
  readonly settleMs: number;
}

const defaultDeadlineMs = 600_000;

/** Both changed a file, and nothing that is known already says that the two do not fit. */
function isWorthIt({ findings }: PairVerdict): boolean {
  return findings.some(({ kind }) => kind === "overlap") && !findings.some(({ severity }) => severity === "high");
}
