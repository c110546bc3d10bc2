// The last step of every answer: some columns of its rows where that was asked for. Where tests wish it, an answer that is not as declared is a bug.

import { notAsDeclared } from "../protocol/as-declared.ts";
import { onlyColumns } from "../protocol/columns.ts";
import type { Operation } from "../protocol/operation.ts";
import { variables } from "./env.ts";

/** Asked once: every answer comes by here. */
const isChecked = variables().CONSTEL_CHECK_ANSWERS !== undefined;

export function finished(operation: Operation, input: unknown, answer: unknown): unknown {
  const whole = onlyColumns(operation, input, answer);
  if (!isChecked) return whole;
  const problem = notAsDeclared(operation, input, whole);
  if (problem !== undefined) throw new Error(`${operation.name} answered otherwise than it declares: ${problem}`);
  return whole;
}
