// The changes of one comparison, up to a bound: beyond it they are counted, and the worst is kept, so that the verdict stays right.

import { cutChange } from "./cut-change.ts";
import { type ContractChange, type ContractVerdict, verdictOf } from "./format.ts";

const maximumChanges = 5_000;
const weight: Readonly<Record<ContractVerdict, number>> = { breaking: 2, dangerous: 1, compatible: 0 };

export class ChangeList {
  private readonly list: ContractChange[] = [];
  private readonly known = new Set<string>();
  private worst = -1;
  private beyond = 0;
  private announced: string | undefined;

  /** What breaks in the course of this was announced, and is dangerous. `because`: by what, as a sentence. */
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

  /** The worst first; otherwise in the order of the specification. */
  sorted(): ContractChange[] {
    return this.list.toSorted((one, other) => weight[other.verdict] - weight[one.verdict]);
  }

  notes(): string[] {
    if (this.beyond === 0) return [];
    return [
      `only ${maximumChanges} changes are listed, ${this.beyond} more were found; the verdict ${verdictOf(this.list)} is that of all`,
    ];
  }
}
