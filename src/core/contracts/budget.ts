// How much looking one comparison may take. Steps are counted and not seconds, so that a specification gets the same answer on every
// machine, busy or not. What the steps did not suffice for is named in the answer (ChangeList.leaveOut), which is then not complete.

export class Budget {
  readonly most: number;
  private taken = 0;

  constructor(most = usualSteps) {
    this.most = most;
  }

  /** How many steps were taken. */
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
