// An operation: something one may ask of constel, declared once, with who may ask. The local API's routes, the typed client,
// MCP tools and the reference pages come from these declarations. Presentation is written by hand in each door.

import type { z } from "zod";
import type { Audience } from "./authority.ts";
import type { RefusalCode } from "./catalogue.ts";

export type Effect = "reads" | "writes" | "destroys";

export interface Operation<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  NeedsDaemon extends boolean = boolean,
  Rows extends string = string,
> {
  readonly name: Name;
  readonly summary: string;
  readonly may: Audience;
  readonly effect: Effect;
  /** Only the running daemon can answer. Otherwise a snapshot of the database does, when no daemon runs. */
  readonly needsDaemon: NeedsDaemon;
  /** The fields of the input whose words others will read: looked through for secrets before anything is done. */
  readonly speaks?: readonly string[];
  readonly input: Input;
  readonly output: Output;
  /** The list of the output of whose rows `columns` of the input takes some (columns.ts). */
  readonly rows?: Rows | undefined;
  /** The refusals it may answer with, besides those any operation may give. */
  readonly refusals: readonly RefusalCode[];
}

export function defineOperation<
  const Name extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const NeedsDaemon extends boolean,
  const Rows extends string & keyof z.output<Output> = never,
>(operation: Operation<Name, Input, Output, NeedsDaemon, Rows>): Operation<Name, Input, Output, NeedsDaemon, Rows> {
  return Object.freeze(operation);
}

/** The input as a caller gives it. */
export type InputOf<O> = O extends Operation<string, infer I, z.ZodType> ? z.input<I> : never;
/** The input as a handler receives it, defaults filled in. */
export type ParsedInputOf<O> = O extends Operation<string, infer I, z.ZodType> ? z.output<I> : never;
export type OutputOf<O> = O extends Operation<string, z.ZodType, infer R> ? z.output<R> : never;
