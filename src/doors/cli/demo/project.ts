// The two repositories of the demo and the briefs of its four tasks. A scripted agent cannot think, so each brief lists its edits
// in words that demo/steps.ts reads.

export interface DemoTask {
  readonly title: string;
  readonly file: string;
  readonly brief: string;
}

const cart = `export interface Line {
  price: number;
  count: number;
}

export function subtotal(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.price * line.count, 0);
}

export function total(lines: readonly Line[]): number {
  return subtotal(lines) * 1.19;
}
`;

const money = `export function formatPrice(amount: number): string {
  return "$" + amount.toFixed(2);
}
`;

/** The shop's promise to others. */
const api = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: one order
          content:
            application/json:
              schema: { type: object, properties: { id: { type: string }, total: { type: number } } }
`;

/** The check that must pass before anything lands: small, and real. */
const check = `#!/bin/sh
# Every function the shop promises is exported.
for name in subtotal total; do
  grep -q "export function $name" src/cart.ts || { echo "src/cart.ts lost $name"; exit 1; }
done
echo "the shop is whole"
`;

export const projectFiles: Readonly<Record<string, string>> = {
  "constel.toml": '[gate]\ncommand = "sh check.sh"\n',
  ".gitignore": "workspaces/\n",
  "check.sh": check,
  "src/cart.ts": cart,
  "src/money.ts": money,
  "api/openapi.yaml": api,
  "services.yaml": "services:\n  - { name: shop, provides: [api/openapi.yaml] }\n",
};

/** Another repository, which asks the shop for orders; nobody has declared that it does. */
export const tillFiles: Readonly<Record<string, string>> = {
  "src/pay.ts": `export async function due(id: string): Promise<number> {
  const answer = await fetch(\`http://shop/orders/\${id}\`);
  return (await answer.json()).total;
}
`,
};

/** Work that somebody has written there and not committed. */
export const tillWork: Readonly<Record<string, string>> = { "src/tip.ts": "export const tip = 0.1;\n" };

export const tasks: readonly [DemoTask, DemoTask, DemoTask, DemoTask] = [
  {
    title: "Round the total",
    file: "briefs/round.md",
    brief: `The total must be whole cents.

- In \`src/cart.ts\` replace \`return subtotal(lines) * 1.19;\` with \`return Math.round(subtotal(lines) * 119) / 100;\`.
- Commit as "Round the total to cents".
- Say that it is ready.
`,
  },
  {
    title: "Lower tax",
    file: "briefs/tax.md",
    brief: `The tax is 7 percent from next month on. Do not commit yet.

- In \`src/cart.ts\` replace \`return subtotal(lines) * 1.19;\` with \`return subtotal(lines) * 1.07;\`.
`,
  },
  {
    title: "Say money",
    file: "briefs/money.md",
    brief: `formatPrice formats more than prices: call it formatMoney. The API says amount, too.

- In \`src/money.ts\` replace \`formatPrice\` with \`formatMoney\`.
- In \`api/openapi.yaml\` replace \`total:\` with \`amount:\`.
- Commit as "Call it formatMoney".
`,
  },
  {
    title: "Print receipts",
    file: "briefs/receipts.md",
    brief: `A receipt is one line for now. Note in src/cart.ts what a price is, too. Do not commit yet.

- In \`src/cart.ts\` replace \`  price: number;\` with \`  price: number; // for one piece\`.
- Append to \`src/receipt.ts\`: \`import { total, type Line } from "./cart.ts";\`.
- Append to \`src/receipt.ts\`: \`import { formatPrice } from "./money.ts";\`.
- Append to \`src/receipt.ts\`: \`export const receipt = (lines: Line[]) => formatPrice(total(lines));\`.
`,
  },
];
