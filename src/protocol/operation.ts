// An operation: something one may ask of constel, declared once. The local API's routes, the typed client, MCP tools and
// the reference pages come from these declarations. Presentation is written by hand in each door.

import type { z } from "zod";
import type { RefusalCode } from "./catalogue.ts";

/** `read` answers from a consistent snapshot; `change` goes through the daemon, the one writer. */
export type Tier = "read" | "change";
export type Effect = "reads" | "writes" | "destroys";

export interface Operation<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: Name;
  readonly summary: string;
  readonly tier: Tier;
  readonly effect: Effect;
  readonly input: Input;
  readonly output: Output;
  /** The refusals it may answer with, besides those any operation may give. */
  readonly refusals: readonly RefusalCode[];
}

export function defineOperation<const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
  return Object.freeze(operation);
}

/** What a caller gives. */
export type InputOf<O> = O extends Operation<string, infer I, z.ZodType> ? z.input<I> : never;
/** What a handler receives, defaults filled in. */
export type ParsedInputOf<O> = O extends Operation<string, infer I, z.ZodType> ? z.output<I> : never;
export type OutputOf<O> = O extends Operation<string, z.ZodType, infer R> ? z.output<R> : never;
