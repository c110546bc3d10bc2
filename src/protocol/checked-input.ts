// An input as its operation declares it, or a refusal that says what is wrong with it. Whoever answers operations begins here: the
// daemon, and a command that reads without one.

import { Refusal } from "./errors.ts";
import type { Operation } from "./operation.ts";

export function checkedInput({ name, input }: Operation, given: unknown): unknown {
  const checked = input.safeParse(given);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const [issue] = issues;
  const where = issue === undefined || issue.path.length === 0 ? "the input" : issue.path.join(".");
  throw new Refusal("input.invalid", `${name}: ${where}: ${issue?.message ?? "not as declared"}`, {
    operation: name,
    issues: issues.map(({ path, message }) => ({ path: path.join("."), message })),
  });
}
