// `constel cost`.

import { counted } from "../../../protocol/counted.ts";
import type { RunCommand } from "../input/command.ts";
import { table } from "../present/table.ts";

export const cost: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("cost.look", input.asked("cost.look"));
  const text = (): string => {
    if (answer.rows.length === 0) return "No agent has used a model in this time.";
    const rows = answer.rows.map((one) => [
      one.of ?? "(no task)",
      dollars(one.cost_micros),
      count(one.answers),
      count(one.input),
      count(one.output),
      count(one.cache_read),
      count(one.cache_write),
      one.unpriced === 0 ? "" : count(one.unpriced),
    ]);
    const heads = [answer.by, "cost", "answers", "input", "output", "cache read", "cache write", "no price"];
    const total = dollars(answer.rows.reduce((sum, one) => sum + one.cost_micros, 0));
    const unpriced = answer.rows.reduce((sum, one) => sum + one.unpriced, 0);
    const left = unpriced === 0 ? "" : `, and ${counted(unpriced, "answer")} whose price is not known`;
    return `${table(heads, rows, context.output)}\nTogether ${total}${left}. Prices of ${answer.prices_of}.`;
  };
  return { json: answer, text };
};

const dollars = (micros: number): string => `$${(micros / 1e6).toFixed(2)}`;
const count = (number: number): string => number.toLocaleString("en-US");
