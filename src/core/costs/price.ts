// Declares what a model's tokens cost, and how many an answer used: the two shapes that costs are reckoned from.

/** US dollars per million tokens, which is also millionths of a dollar per token. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Writing for a few minutes. */
  readonly cacheWrite: number;
  /** Writing for an hour, where the vendor has a price of its own for it. */
  readonly cacheWriteHour?: number;
}

export interface ModelPrice extends Rates {
  /** A model's name; in the owner's prices a `*` at the end stands for anything. */
  readonly model: string;
  readonly vendor?: "anthropic" | "openai" | "google";
  /** Rates of a request whose whole prompt, cached or not, is longer than `over` tokens. */
  readonly long?: Rates & { readonly over: number };
  /** The row counts for answers before this moment; a later row of the same model follows it. */
  readonly untilMs?: number;
  /** Figures that were not read on the vendor's own page. */
  readonly unverified?: readonly (keyof Rates)[];
}

/** The tokens that one answer of a model used. `input` never includes what was read from or written to the cache. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** All cache writes, those for an hour included. */
  readonly cacheWrite: number;
  /** The number of cache writes that are for an hour, if the program says. */
  readonly cacheWriteHour?: number | undefined;
  /** Millionths of a US dollar, when the program itself names the cost. */
  readonly costMicros?: number | undefined;
  readonly atMs?: number | undefined;
}
