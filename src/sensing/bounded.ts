// A map that forgets what was not asked for longest, when all of it weighs too much.

export class Bounded<Value> {
  readonly #values = new Map<string, { value: Value; weight: number }>();
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;

  constructor(limit: number, weigh: (value: Value) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, known);
    return known.value;
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    const weight = this.#weigh(value);
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#limit || oldest === key) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }
}
