// Keeps what was found in this turn of the event loop; in the next, it is looked for anew. Requests that are read in one go were all sent
// before the first of them is answered, so what was true for one was true for all of them.

export class ThisTurn<Value> {
  readonly #known = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#known.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#known.size === 0) setImmediate(() => this.#known.clear());
    this.#known.set(key, value);
  }
}
