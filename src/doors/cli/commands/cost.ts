// `constel cost`.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { table } from "../present/table.ts";
import { ago } from "../present/time.ts";

export const cost: RunCommand = async (context, input) => {
  if (input.has("time")) return await time(context, input);
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

/** Where the time of tasks went, which is asked of them and not of the models' answers. */
async function time(context: CliContext, input: CommandInput): Promise<CommandResult> {
  const by = input.flag("by") ?? "task";
  if (by !== "task" && by !== "agent")
    throw new Refusal("usage.bad-value", `--time goes with --by task or --by agent, not ${by}`, { by });
  const { days = 30 } = input.asked("cost.look");
  const answer = await (await context.caller()).call("cost.time", { by, days });
  const text = (): string => {
    if (answer.rows.length === 0) return "No task was given out in this time.";
    const heads = [by, "all", "for a clone", "to its first turn", "working", "for you", "to land"];
    const rows = answer.rows.map((one) => [
      one.title === null ? (one.of ?? "(nobody)") : `${one.of} ${one.title}`,
      ...[one.all_minutes, one.clone_minutes, one.start_minutes].map(span),
      ...[one.work_minutes, one.owner_minutes, one.land_minutes].map(span),
    ]);
    const sum = (of: "all_minutes" | "owner_minutes"): string =>
      span(answer.rows.reduce((all, one) => all + one[of], 0));
    const forYou = sum("owner_minutes");
    const end = forYou === "" ? "none of it waiting for you" : `of which ${forYou} waiting for you`;
    return `${table(heads, rows, context.output)}\nTogether ${sum("all_minutes") || "no time yet"}, ${end}.`;
  };
  return { json: answer, text };
}

const span = (minutes: number): string =>
  minutes === 0 ? "" : minutes < 1 ? "<1m" : ago(Math.round(minutes) * 60_000).replace(/ 0m$/, "");
const dollars = (micros: number): string => `$${(micros / 1e6).toFixed(2)}`;
const count = (number: number): string => number.toLocaleString("en-US");
