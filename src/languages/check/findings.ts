// Holds what a check has found so far besides conflicts: bounds that were hit, files that were passed over, uses that nobody can judge.

import type { SemanticConflict, SemanticOutcome, Side, UnsureUse } from "../../ports/semantic.ts";

/** A side that changed more files than this is a vendored import, not work that two agents share. */
export const maxFilesPerSide = 2_000;

export class Findings {
  complete = true;
  private readonly signal: AbortSignal | undefined;
  private readonly notes = new Set<string>();
  private readonly unsure: UnsureUse[] = [];

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal;
  }

  /** True when it is time to stop: somebody said so, or a bound was hit. */
  stopped(): boolean {
    if (this.signal?.aborted === true) this.complete = false;
    return !this.complete;
  }

  /** From here on silence proves nothing. */
  giveUp(why: string): void {
    this.complete = false;
    this.notes.add(why);
  }

  /** A changed file that the check leaves out. */
  passOver(path: string, why: string | undefined): void {
    this.notes.add(`${path}: passed over (${why ?? "not readable as text"})`);
  }

  /** The first files of a side, as many as are looked at. */
  bounded(side: Side, title: string, paths: readonly string[]): readonly string[] {
    if (paths.length > maxFilesPerSide)
      this.giveUp(`${side}: only ${maxFilesPerSide} of ${paths.length} changed ${title} files were looked at`);
    return paths.slice(0, maxFilesPerSide);
  }

  /** Once for each symbol in each file; of two words for it, the longer says where it belongs. */
  doubt(one: UnsureUse): void {
    const isTold = this.unsure.some(
      ({ side, path, symbol }) => side === one.side && path === one.path && isSameSymbol(symbol, one.symbol),
    );
    if (!isTold) this.unsure.push(one);
  }

  /** A conflict about the same line, or the same symbol in the same file, leaves no doubt to tell. */
  outcome(conflicts: readonly SemanticConflict[]): SemanticOutcome {
    const isTold = ({ path, line, symbol }: UnsureUse): boolean =>
      conflicts.some(({ use, symbol: told }) => use.path === path && (use.line === line || isSameSymbol(told, symbol)));
    const unsure = this.unsure.filter((one) => !isTold(one));
    const outcome = { conflicts, complete: this.complete, notes: [...this.notes].sort() };
    return unsure.length === 0 ? outcome : { ...outcome, unsure };
  }
}

/** `open` and `Store.open` are two words for one thing; `open` and `reopen` are not. */
function isSameSymbol(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === short || (/[.:]$/.test(long.slice(0, -short.length)) && long.endsWith(short));
}
