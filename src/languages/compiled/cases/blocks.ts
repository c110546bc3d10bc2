// What writing the model down has in common in every language: the body of a block, statement by statement, and what some
// statements need beside it.

import { type Block, type Callable, numbers, type Statement } from "./model.ts";

/** Adds a statement's lines to the body, and what it needs beside the block. `id` is no other statement's. */
export type WriteStatement = (one: Statement, id: string, body: string[], beside: string[]) => void;

export function blockParts(
  { name, statements }: Block,
  indent: string,
  write: WriteStatement,
): { lines: string; after: string } {
  const [body, beside]: [string[], string[]] = [[], []];
  for (const [at, one] of statements.entries()) write(one, `${name}${at}`, body, beside);
  return {
    lines: body.map((line) => `${indent}${line}\n`).join(""),
    after: beside.map((text) => `\n${text}`).join(""),
  };
}

/** The name by which a statement refers to its module. */
export function nameUsed(one: Extract<Statement, { module: unknown }>): string {
  if (one.kind === "call") return one.target.name;
  return "type" in one ? one.type.name : "enum" in one ? one.enum.name : one.interface.name;
}

/** What a function of so many parameters answers. */
export const sum = (count: number): string => ["1", ...Array.from({ length: count }, (_, at) => `a${at}`)].join(" + ");

export const called = ({ name, arity }: Callable): string => `${name}(${numbers(arity)})`;
