// A memory within bounds: what was not asked for longest is forgotten, when all of it weighs too much or there are too many. One entry that
// weighs more than the bound is kept alone. Losing an entry costs time, nothing else.

import { LRUCache } from "lru-cache";

export class Bounded<Value extends NonNullable<unknown>> {
  readonly #values: LRUCache<string, Value>;
  readonly #most: () => number | undefined;

  /** `limit`: how many, or the sum of what they weigh. `most`: how many at the time, whatever they weigh. */
  constructor(
    limit: number,
    weigh: (value: Value) => number = () => 1,
    most: () => number | undefined = () => undefined,
  ) {
    this.#most = most;
    const sizeCalculation = (value: Value): number => Math.min(limit, Math.max(1, Math.ceil(weigh(value))));
    this.#values = new LRUCache({ maxSize: limit, sizeCalculation });
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    const most = Math.max(1, this.#most() ?? Infinity);
    while (this.#values.size > most) this.#values.pop();
  }

  get size(): number {
    return this.#values.size;
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  removeWhere(unwanted: (value: Value) => boolean): void {
    const going = [...this.#values.entries()].filter(([, value]) => unwanted(value));
    for (const [key] of going) this.#values.delete(key);
  }
}
