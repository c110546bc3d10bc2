// Schemas that both must hold, put together to one schema. The same schemas always become the same object, in whatever order and however
// often they are joined: so what was compared once is known again, and a schema that joins itself with others has an end.

type Node = Readonly<Record<string, unknown>>;

export class Joined {
  private readonly numbers = new WeakMap<object, number>();
  private readonly parts = new WeakMap<object, readonly object[]>();
  private readonly made = new Map<string, Node>();
  private last = 0;

  readonly both = (one: unknown, other: unknown): unknown => {
    if (one === undefined || one === true || one === other) return other;
    if (other === undefined || other === true) return one;
    if (!isNode(one) || !isNode(other)) return false;
    const parts = [...new Set([...this.partsOf(one), ...this.partsOf(other)])];
    const key = parts
      .map((part) => this.numberOf(part))
      .sort((a, b) => a - b)
      .join(" ");
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const node = { allOf: parts };
    this.parts.set(node, parts);
    this.made.set(key, node);
    return node;
  };

  private partsOf(node: object): readonly object[] {
    return this.parts.get(node) ?? [node];
  }

  private numberOf(node: object): number {
    const known = this.numbers.get(node);
    if (known !== undefined) return known;
    this.last += 1;
    this.numbers.set(node, this.last);
    return this.last;
  }
}

function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
