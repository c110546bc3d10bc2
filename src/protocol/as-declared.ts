// Checks that an answer is what its operation declares: every field that is declared, of its type, and none besides. What others read from
// an undeclared field could change unnoticed. Tests check every answer of a daemon and of a command (CONSTEL_CHECK_ANSWERS); elsewhere it
// costs nothing.

import { z } from "zod";
import type { Operation } from "./operation.ts";

/** Says what differs, in words; undefined if nothing does. A list of some columns has those alone. */
export function notAsDeclared(
  operation: Pick<Operation, "output" | "rows">,
  input: unknown,
  answer: unknown,
): string | undefined {
  const columns = (input as { readonly columns?: readonly string[] } | undefined)?.columns;
  const isPart = operation.rows !== undefined && columns !== undefined;
  const output = isPart ? withPartialRows(operation.output, operation.rows) : operation.output;
  // As it is read on the other side: what JSON leaves out is not there.
  const read: unknown = JSON.parse(JSON.stringify(answer) ?? "null");
  const { success, error } = output.safeParse(read);
  if (!success) {
    const issues = error.issues.slice(0, 5);
    return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  }
  const besides = undeclared(output, read, "");
  return besides.length === 0 ? undefined : `not declared: ${besides.join(", ")}`;
}

function withPartialRows(output: z.ZodType, rows: string): z.ZodType {
  const list = output instanceof z.ZodObject ? output.shape[rows] : undefined;
  if (!(output instanceof z.ZodObject && list instanceof z.ZodArray && list.element instanceof z.ZodObject))
    return output;
  return output.extend({ [rows]: z.array(list.element.partial()) });
}

function undeclared(schema: unknown, value: unknown, at: string): string[] {
  if (value === null || value === undefined) return [];
  if (schema instanceof z.ZodObject) return ofObject(schema, value as Readonly<Record<string, unknown>>, at);
  if (schema instanceof z.ZodArray)
    return (value as readonly unknown[]).flatMap((one) => undeclared(schema.element, one, `${at}[]`));
  if (schema instanceof z.ZodRecord)
    return Object.values(value).flatMap((one) => undeclared(schema.valueType, one, `${at}{}`));
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return undeclared(schema.unwrap(), value, at);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly) return undeclared(schema.unwrap(), value, at);
  if (schema instanceof z.ZodLazy) return undeclared(schema.unwrap(), value, at);
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.filter((option) => (option as z.ZodType).safeParse(value).success);
    const found = fitting.map((option) => undeclared(option, value, at));
    return found.find((one) => one.length === 0) ?? found[0] ?? [];
  }
  return [];
}

function ofObject(schema: z.ZodObject, value: Readonly<Record<string, unknown>>, at: string): string[] {
  const { catchall } = schema.def;
  return Object.entries(value).flatMap(([key, one]) => {
    const path = at === "" ? key : `${at}.${key}`;
    if (Object.hasOwn(schema.shape, key)) return undeclared(schema.shape[key], one, path);
    return catchall === undefined ? [path] : undeclared(catchall, one, path);
  });
}
