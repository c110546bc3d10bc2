// Runs the scripted model and takes orders as JSON lines on stdin, so that a test outside its network namespace can drive it.

import { createInterface } from "node:readline";
import { startScriptedModel } from "../../kit/scripted-model/scripted-model.ts";

interface Order {
  readonly id: number;
  readonly do: string;
  readonly rules?: unknown;
  readonly hold?: string;
  readonly from?: number;
}

const model = await startScriptedModel();
const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
say({ url: model.url });

const orders: Readonly<Record<string, (order: Order) => unknown>> = {
  rules: ({ rules }) => model.setRules(rules),
  release: ({ hold = "" }) => model.release(hold),
  requests: ({ from }) => model.requests.filter(({ api }) => api !== undefined).slice(from),
};

const obey = (order: Order): void => {
  try {
    say({ id: order.id, answer: orders[order.do]?.(order) ?? null });
  } catch (cause) {
    say({ id: order.id, refused: String(cause) });
  }
};

createInterface({ input: process.stdin })
  .on("line", (line) => obey(JSON.parse(line) as Order))
  .on("close", () => void model.close().then(() => process.exit(0)));
