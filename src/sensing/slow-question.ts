// A question that takes seconds or minutes, asked once for each pair of snapshots: at once where somebody waits for the whole
// answer, later where nobody may wait, and then the pair is looked at again when the answer is there.

import { Bounded } from "../ports/bounded.ts";
import type { RepositoryIdentity } from "../ports/git.ts";
import { type MergedPair, queuedAs } from "./merged-pair.ts";
import type { QuietQueue } from "./quiet-queue.ts";

export type Asked =
  | { readonly when: "now" }
  | {
      readonly when: "later";
      /** One question at a time, when both sides have been quiet for a while. */
      readonly queue: QuietQueue;
      /** Has the pair of two worktrees (or of one and the default branch) looked at again. */
      readonly recheck: (one: string, other: string) => void;
    };

/** In bytes. Losing an answer costs seconds of a compiler, or minutes of a gate, for some hundred bytes. */
const answersBytes = 8_000_000;

export class SlowQuestion<Answer extends object> {
  readonly #asked: Asked;
  readonly #repository: RepositoryIdentity;
  readonly #isFailure: (answer: Answer) => boolean;
  readonly #known = new Bounded<Answer>(answersBytes, (answer) => 300 + JSON.stringify(answer).length);

  constructor(
    asked: Asked,
    repository: RepositoryIdentity,
    /** Tells whether the answer may be different the next time. */
    isFailure: (answer: Answer) => boolean = () => false,
  ) {
    this.#asked = asked;
    this.#repository = repository;
    this.#isFailure = isFailure;
  }

  /** `coming` while the answer is being worked out. `work` must not fail: a failure is an answer too. */
  async ask(
    pair: Pick<MergedPair, "ours" | "theirs">,
    { about, settleMs }: { readonly about: string; readonly settleMs: number },
    work: (signal: AbortSignal | undefined) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer | "coming"> {
    if (this.#asked.when === "now") return await work(signal);
    const { queue, recheck } = this.#asked;
    const key = [about, pair.ours.snapshot.commit, pair.theirs.snapshot.commit].join("\0");
    const known = this.#known.get(key);
    // A failure is told once; who looks at the pair again asks again.
    if (known !== undefined && this.#isFailure(known)) this.#known.delete(key);
    if (known !== undefined) return known;
    const [one, other] = queuedAs(pair);
    queue.ask([this.#repository, one, other].join("\0"), settleMs, async (stop) => {
      const answer = await work(stop);
      // What was stopped half-way is for the next one to ask.
      if (stop.aborted) return;
      this.#known.set(key, answer);
      recheck(one, other);
    });
    return "coming";
  }
}
