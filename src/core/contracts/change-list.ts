// The changes of one comparison, up to a bound: beyond it they are counted, and the worst is kept, so that the verdict stays right. What
// was too large to look at is a change as well: it is dangerous, because nobody can tell, so that such an answer is never "compatible".

import { cutChange, cutText } from "./cut-change.ts";
import { type ContractChange, type ContractDirection, type ContractVerdict, verdictOf } from "./format.ts";
import { rule } from "./rule.ts";

/** The place where the comparison of schemas puts what it found, and what it did not look at. */
export interface ChangeSink {
  readonly add: (change: ContractChange) => void;
  readonly leaveOut: (path: string, direction?: ContractDirection | null) => void;
}

/** The rule that all formats share. */
export const leftOutRules = {
  "not-compared": rule("ddd", "This part is larger than constel looks at, and was not compared in full"),
};

const maximumChanges = 5_000;
/** Of the places that were left out, these are named and the others counted. */
const maximumLeftOut = 20;
const weight: Readonly<Record<ContractVerdict, number>> = { breaking: 2, dangerous: 1, compatible: 0 };

export class ChangeList implements ChangeSink {
  private readonly list: ContractChange[] = [];
  private readonly known = new Set<string>();
  private worst = -1;
  private beyond = 0;
  private announced: string | undefined;
  private readonly leftOut = new Set<string>();
  private leftOutBeyond = 0;

  /** Treats every break found during `compare` as announced, and so as dangerous. `because` says what announced it, as a sentence. */
  asAnnounced(because: string, compare: () => void): void {
    const outer = this.announced;
    this.announced = because;
    compare();
    this.announced = outer;
  }

  readonly add = (found: ContractChange): void => {
    const isCalm = this.announced !== undefined && found.verdict === "breaking";
    const change = cutChange(
      isCalm ? { ...found, verdict: "dangerous", text: `${found.text} ${this.announced}` } : found,
    );
    const key = `${change.rule}\n${change.path}\n${change.before}\n${change.after}`;
    if (this.known.has(key)) return;
    if (this.list.length < maximumChanges) {
      this.known.add(key);
      this.list.push(change);
    } else {
      this.beyond += 1;
      if (weight[change.verdict] > this.worst) this.list[maximumChanges - 1] = change;
    }
    this.worst = Math.max(this.worst, weight[change.verdict]);
  };

  /** A part that was not looked at, or not to its end. */
  readonly leaveOut = (path: string, direction: ContractDirection | null = null): void => {
    if (this.leftOut.has(path)) return;
    if (this.leftOut.size >= maximumLeftOut) {
      this.leftOutBeyond += 1;
      return;
    }
    this.leftOut.add(path);
    this.add({
      rule: "not-compared",
      verdict: "dangerous",
      path,
      direction,
      before: null,
      after: null,
      text: `${leftOutRules["not-compared"].what}.`,
      names: [],
    });
  };

  /** False where something was left out: then silence about it proves nothing. */
  get complete(): boolean {
    return this.leftOut.size === 0;
  }

  /** The worst first; otherwise in the order of the specification. */
  sorted(): ContractChange[] {
    return this.list.toSorted((one, other) => weight[other.verdict] - weight[one.verdict]);
  }

  notes(): string[] {
    const notes = [...this.leftOut].map((path) => `not compared: ${cutText(path)}, larger than constel looks at`);
    if (this.leftOutBeyond > 0) notes.push(`not compared: ${this.leftOutBeyond} more places`);
    if (this.beyond > 0) {
      notes.push(
        `only ${maximumChanges} changes are listed, ${this.beyond} more were found; the verdict ${verdictOf(this.list)} is that of all`,
      );
    }
    return notes;
  }
}
