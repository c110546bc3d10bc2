import { expect, test } from "bun:test";
import { z } from "zod";
import { checkedInput } from "./checked-input.ts";
import { onlyColumns } from "./columns.ts";
import { Refusal } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations/all.ts";

const lists: readonly Operation[] = Object.values(operations).filter(
  (operation: Operation) => operation.rows !== undefined,
);

/** The columns that its rows have, by what it declares. */
function declared({ output, rows = "" }: Operation): string[] {
  const list = (output as z.ZodObject).shape[rows] as z.ZodArray<z.ZodObject>;
  return Object.keys(list.element.shape);
}

test("a list can be asked for each of its columns, for several, and for nothing else", () => {
  expect(lists.map(({ name }) => name).sort()).toEqual([
    "a2a.requests",
    "agents.list",
    "claim.list",
    "finding.list",
    "issue.list",
    "message.list",
    "notice.list",
    "pull.list",
    "review.list",
    "task.list",
    "task.next",
    "task.queue",
    "timeline.list",
    "workspace.list",
  ]);
  for (const operation of lists) {
    const all = declared(operation);
    for (const columns of [all, ...all.map((one) => [one])])
      expect(checkedInput(operation, { columns })).toMatchObject({ columns });
    for (const columns of [[], ["nothing"], [...all, "__proto__"], "title", [7], Array(101).fill(all[0])])
      expect(() => checkedInput(operation, { columns })).toThrow(Refusal);
  }
});

test("whoever declares the field names the list, or the field would do nothing", () => {
  const named = Object.values(operations).filter(({ input }) => "columns" in (input as z.ZodObject).shape);
  expect(named.map(({ name }) => name).sort()).toEqual(lists.map(({ name }) => name as never).sort());
});

test("an answer keeps the columns that were asked for, in every row, and all beside the list", () => {
  for (const operation of lists) {
    const { rows = "" } = operation;
    const whole = Object.fromEntries(declared(operation).map((name) => [name, `the ${name}`]));
    const answer = { total: 2, beside: [whole], [rows]: [whole, whole] };
    const [first = "", second = ""] = declared(operation);
    const part = { [second]: `the ${second}`, [first]: `the ${first}` };
    expect(onlyColumns(operation, { columns: [second, first, second] }, answer)).toEqual({
      total: 2,
      beside: [whole],
      [rows]: [part, part],
    });
    expect(onlyColumns(operation, {}, answer)).toBe(answer);
  }
});

test("an operation without such a list answers as it is, whatever its input has", () => {
  const answer = { rows: [{ a: 1, b: 2 }] };
  expect(onlyColumns({}, { columns: ["a"] }, answer)).toBe(answer);
});
