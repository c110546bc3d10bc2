// Limits how much looking one comparison may take. It counts steps and not seconds, so that a specification gets the same answer on every
// machine, busy or not. The answer names what the steps did not suffice for (ChangeList.leaveOut), and is then not complete.

export class Budget {
  readonly most: number;
  private taken = 0;

  constructor(most = usualSteps) {
    this.most = most;
  }

  /** The number of steps taken. */
  get spent(): number {
    return this.taken;
  }

  get isSpent(): boolean {
    return this.taken >= this.most;
  }

  /** Takes some steps, and says whether there were any left. */
  spend(steps = 1): boolean {
    if (this.taken >= this.most) return false;
    this.taken = Math.min(this.most, this.taken + steps);
    return true;
  }
}

/** Hostile schemas took 2 to 15 seconds to use them up, beside other work. */
const usualSteps = 300_000;
