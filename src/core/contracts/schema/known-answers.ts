// Remembers yes and no about pairs, where answering one question asks others and may lead back to itself. A question that is asked
// while it is being answered is answered yes: it holds if everything else does. What was answered yes on that ground is only known
// when the question it leaned on is: if that turns out yes, so is this; if no, it has to be asked again.

interface Answer {
  yes: boolean;
  /** The distance outwards to the question on which this yes leans; infinite if the answer is certain. */
  leansOn: number;
}

interface Entry<T> {
  readonly row: Map<T, Answer>;
  readonly key: T;
}

export class KnownAnswers<T extends object> {
  private readonly modes = new Map<string, Map<T, Map<T, Answer>>>();
  private readonly leaning: Entry<T>[] = [];
  private depth = 0;
  /** The outermost open question that was leant on since the current one was asked. */
  private leansOn = Infinity;

  ask(mode: string, one: T, other: T, answer: () => boolean): boolean {
    const row = this.rowOf(mode, one);
    const known = row.get(other);
    if (known !== undefined) {
      this.leansOn = Math.min(this.leansOn, known.leansOn);
      return known.yes;
    }
    const [depth, outer, first] = [this.depth, this.leansOn, this.leaning.length];
    this.depth += 1;
    this.leansOn = Infinity;
    row.set(other, { yes: true, leansOn: depth });
    const yes = answer();
    this.depth = depth;
    const leansOn = yes && this.leansOn < depth ? this.leansOn : Infinity;
    row.set(other, { yes, leansOn });
    if (!yes) this.forget(first);
    else if (leansOn === Infinity) this.confirm(first);
    else this.leaning.push({ row, key: other });
    this.leansOn = Math.min(outer, leansOn);
    return yes;
  }

  private rowOf(mode: string, one: T): Map<T, Answer> {
    let rows = this.modes.get(mode);
    if (rows === undefined) this.modes.set(mode, (rows = new Map()));
    let row = rows.get(one);
    if (row === undefined) rows.set(one, (row = new Map()));
    return row;
  }

  private forget(first: number): void {
    for (const { row, key } of this.leaning.splice(first)) row.delete(key);
  }

  private confirm(first: number): void {
    for (const { row, key } of this.leaning.splice(first)) row.set(key, { yes: true, leansOn: Infinity });
  }
}
