// Adds to what is said of a pair what only types tell. The compiler takes seconds, so the pair is answered at once from what
// the syntax shows, and looked at again when the compiler has something to add; it then also overrules what was said.

import { type MergedOutcome, readText, type ReviewMemory } from "../core/findings/scene.ts";
import type { ReviewedSide } from "./review-pair.ts";
import { messageOf } from "../protocol/errors.ts";
import type { FindingDraft, PairVerdict } from "../protocol/findings.ts";
import { concerns, type OpenLanguage } from "../languages/language.ts";
import type { OpenLanguages } from "../languages/open-languages.ts";
import type { ChangedFile, MergeOutcome, RepositoryObserver } from "../ports/git.ts";
import type { QuietQueue } from "./quiet-queue.ts";
import type { Review } from "./judge-pair.ts";
import { defaultBranchSide } from "./pair-queue.ts";

export interface TypesParts {
  readonly observer: RepositoryObserver;
  readonly memory: ReviewMemory;
  readonly languages: OpenLanguages;
  /** One compiler, so one question at a time. */
  readonly keeper: QuietQueue;
  /** The same review with the compiler asked; answered as far as it got when the signal comes. */
  readonly compiled: (signal: AbortSignal) => Review;
  /** Has the pair of two worktrees (or of one and the default branch) looked at again. */
  readonly recheck: (one: string, other: string) => void;
  readonly log: (line: string) => void;
}

const isSemantic = ({ kind }: FindingDraft): boolean => kind === "semantic";
const namesOf = (ours: ReviewedSide, theirs: ReviewedSide): [string, string] => [
  ours.side.worktree ?? defaultBranchSide,
  theirs.side.worktree ?? defaultBranchSide,
];

/** Both sides must have been quiet so long: whoever types is not to be compiled at every stroke. */
const settleMs = 2_000;
const answersKept = 1_000;

export function withTypes(review: Review, parts: TypesParts): Review {
  const types = new PairTypes(parts);
  return async (ours, theirs, merge) => await types.add(await review(ours, theirs, merge), ours, theirs, merge);
}

const surfacesKept = 1_000;
const pairsKept = 20_000;

/** undefined where the compiler was not needed or did not get through: then what the syntax shows stands. */
type Answer = readonly FindingDraft[] | undefined;

class PairTypes {
  readonly #parts: TypesParts;
  readonly #known = new Map<string, Answer>();
  /** Pairs of which, when they were last settled, there was nothing to say. */
  readonly #silent = new Set<string>();
  /** Whether others can see the difference of two texts, by their blobs. */
  readonly #surfaces = new Map<string, boolean>();

  constructor(parts: TypesParts) {
    this.#parts = parts;
  }

  async add(verdict: PairVerdict, ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome): Promise<PairVerdict> {
    // Where git could not merge, nobody knows yet what there will be to compile.
    if (merge.kind !== "clean" || !(await this.#isTyped(ours, theirs, merge.bases[0]))) return verdict;
    const key = `${ours.snapshot.commit} ${theirs.snapshot.commit}`;
    const pair = namesOf(ours, theirs).join("\0");
    if (!this.#known.has(key)) {
      // Nothing was said of the two and nothing is: there is nothing to keep open until the compiler has spoken.
      const isSilent = this.#silent.has(pair) && !verdict.findings.some(isSemantic);
      this.#ask(key, ours, theirs, merge, isSilent);
      return isSilent ? verdict : { ...verdict, unsettled: [...(verdict.unsettled ?? []), "semantic"] };
    }
    const answer = this.#known.get(key);
    const others = verdict.findings.filter((finding) => !isSemantic(finding));
    const settled = answer === undefined ? verdict : { ...verdict, findings: [...answer, ...others] };
    this.#settle(pair, settled.findings.some(isSemantic));
    return settled;
  }

  #settle(pair: string, saysSomething: boolean): void {
    if (this.#silent.size >= pairsKept) this.#silent.clear();
    if (saysSomething) this.#silent.delete(pair);
    else this.#silent.add(pair);
  }

  async #isTyped(ours: ReviewedSide, theirs: ReviewedSide, base: string | undefined): Promise<boolean> {
    const { observer, memory } = this.#parts;
    if (base === undefined) return false;
    const [mine, yours] = [
      await memory.changes(observer, base, ours.snapshot),
      await memory.changes(observer, base, theirs.snapshot),
    ];
    return this.#compiled().some(({ language }) =>
      [mine, yours].every(({ files }) => files.some(({ path }) => concerns(language, path))),
    );
  }

  #ask(key: string, ours: ReviewedSide, theirs: ReviewedSide, merge: MergedOutcome, isSilent: boolean): void {
    const { observer, keeper, recheck, log } = this.#parts;
    const [one, other] = namesOf(ours, theirs);
    keeper.ask([observer.identity, one, other].join("\0"), settleMs, async (signal) => {
      let answer: Answer;
      try {
        if (await this.#mayMatter(ours, theirs, merge.bases[0])) {
          const { findings, complete } = await this.#parts.compiled(signal)(ours, theirs, merge);
          answer = complete ? findings.filter(isSemantic) : undefined;
        }
      } catch (cause) {
        log(`${observer.identity}: the compiler was not asked: ${messageOf(cause)}`);
      }
      // What was stopped half-way is for the next one to ask.
      if (signal.aborted) return;
      this.#remember(key, answer);
      if (!isSilent || (answer?.length ?? 0) > 0) recheck(one, other);
    });
  }

  /** Whether a side changed anything that the other can see, or both one file. */
  async #mayMatter(ours: ReviewedSide, theirs: ReviewedSide, base = ""): Promise<boolean> {
    const { observer, memory } = this.#parts;
    const [mine, yours] = [
      await memory.changes(observer, base, ours.snapshot),
      await memory.changes(observer, base, theirs.snapshot),
    ];
    for (const path of mine.paths) if (yours.paths.has(path)) return true;
    for (const file of [...mine.files, ...yours.files]) if (await this.#isSeen(file)) return true;
    return false;
  }

  async #isSeen({ path, before, after }: ChangedFile): Promise<boolean> {
    const compiler = this.#compiled().find(({ language }) => concerns(language, path))?.compiler;
    if (compiler === undefined || before === undefined || after === undefined) return compiler !== undefined;
    const key = `${before.blob} ${after.blob}`;
    const known = this.#surfaces.get(key);
    if (known !== undefined) return known;
    const read = readText(this.#parts.observer);
    const [was, is] = [await read(before.blob), await read(after.blob)];
    const isSeen = was === undefined || is === undefined || compiler.isVisible(path, was, is);
    if (this.#surfaces.size >= surfacesKept) this.#surfaces.clear();
    this.#surfaces.set(key, isSeen);
    return isSeen;
  }

  #compiled(): readonly OpenLanguage[] {
    return this.#parts.languages.all.filter(({ compiler }) => compiler !== undefined);
  }

  #remember(key: string, answer: Answer): void {
    this.#known.set(key, answer);
    if (this.#known.size <= answersKept) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
