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

  readonly add = (whole: ContractChange): void => {
    const change = cutChange(whole);
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
