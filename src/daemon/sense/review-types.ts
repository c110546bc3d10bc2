// Adds to what is said of a pair what only types tell. The compiler takes seconds, so the pair is answered at once from what
// the syntax shows, and looked at again when the compiler has spoken; it then also overrules what was said.

import type { ReviewMemory } from "../../core/conflicts/review/scene.ts";
import type { ReviewedSide } from "../../core/conflicts/review-pair.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { FindingDraft, PairVerdict } from "../../protocol/findings.ts";
import type { MergeOutcome, RepositoryObserver } from "../../protocol/git.ts";
import type { GateKeeper } from "./gate-keeper.ts";
import type { Review } from "./judge-pair.ts";
import { defaultBranchSide } from "./pair-queue.ts";

export interface TypesParts {
  readonly observer: RepositoryObserver;
  readonly memory: ReviewMemory;
  /** One compiler, so one question at a time. */
  readonly keeper: GateKeeper;
  /** The same review with the compiler asked; answered as far as it got when the signal comes. */
  readonly compiled: (signal: AbortSignal) => Review;
  /** Has the pair of two worktrees (or of one and the default branch) looked at again. */
  readonly again: (one: string, other: string) => void;
  readonly log: (line: string) => void;
}

/** Both sides must have been quiet so long: whoever types is not to be compiled at every stroke. */
const settleMs = 2_000;
const answersKept = 1_000;

export function withTypes(review: Review, parts: TypesParts): Review {
  const types = new PairTypes(parts);
  return async (ours, theirs, merge) => await types.add(await review(ours, theirs, merge), ours, theirs, merge);
}

/** undefined where the compiler did not get through: then what the syntax shows stands. */
type Answer = readonly FindingDraft[] | undefined;

class PairTypes {
  readonly #parts: TypesParts;
  readonly #known = new Map<string, Answer>();

  constructor(parts: TypesParts) {
    this.#parts = parts;
  }

  async add(verdict: PairVerdict, ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome): Promise<PairVerdict> {
    // Where git could not merge, nobody knows yet what there will be to compile.
    if (merge.kind !== "clean" || !(await this.#isTyped(ours, theirs, merge.bases[0]))) return verdict;
    const key = `${ours.snapshot.commit} ${theirs.snapshot.commit}`;
    if (!this.#known.has(key)) {
      this.#ask(key, ours, theirs, merge);
      return { ...verdict, unsettled: [...(verdict.unsettled ?? []), "semantic"] };
    }
    const answer = this.#known.get(key);
    if (answer === undefined) return verdict;
    const others = verdict.findings.filter(({ kind }) => kind !== "semantic");
    return { ...verdict, findings: [...answer, ...others] };
  }

  async #isTyped(ours: ReviewedSide, theirs: ReviewedSide, base: string | undefined): Promise<boolean> {
    const { observer, memory } = this.#parts;
    if (base === undefined) return false;
    for (const { snapshot } of [ours, theirs]) {
      const { files } = await memory.changes(observer, base, snapshot);
      if (!files.some(({ path }) => /\.([cm]?[jt]sx?|json)$/.test(path))) return false;
    }
    return true;
  }

  #ask(key: string, ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome): void {
    const { observer, keeper, again, log } = this.#parts;
    const [one, other] = [ours.side.worktree ?? defaultBranchSide, theirs.side.worktree ?? defaultBranchSide];
    keeper.ask([observer.identity, one, other].join("\0"), settleMs, async (signal) => {
      let answer: Answer;
      try {
        const { findings, complete } = await this.#parts.compiled(signal)(ours, theirs, merge);
        answer = complete ? findings.filter(({ kind }) => kind === "semantic") : undefined;
      } catch (cause) {
        log(`${observer.identity}: the compiler was not asked: ${messageOf(cause)}`);
      }
      // What was stopped half-way is for the next one to ask.
      if (signal.aborted) return;
      this.#remember(key, answer);
      again(one, other);
    });
  }

  #remember(key: string, answer: Answer): void {
    this.#known.set(key, answer);
    if (this.#known.size <= answersKept) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
