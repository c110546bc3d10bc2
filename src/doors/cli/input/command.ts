// A command: its declaration, its input and its answer. Declarations are plain data, cheap to load, and feed parsing, help, completion and the
// reference page; the code of a command is loaded only when it runs.

import type { OperationName } from "../../../client/caller.ts";
import type { InputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { JsonAnswer } from "../present/json-answer.ts";
import type { CommandShape } from "./command-shape.ts";
import type { CliContext } from "../context.ts";

export type CommandDeclaration = CommandShape & { readonly load: () => Promise<RunCommand> };

export type RunCommand = (context: CliContext, input: CommandInput) => Promise<CommandResult | undefined>;

/** A command's answer: `json` for `--json`, `text` for people. A command that streams prints by itself and answers nothing. */
export interface CommandResult {
  /** An object, never a list: a field can be added to it later (present/json-answer.ts). */
  readonly json: JsonAnswer;
  readonly text: string | (() => string);
  /** An exit code other than 0: 1 is a plain negative answer. */
  readonly exit?: number;
}

/** Arguments and flags as parsed: present and complete as declared. */
export class CommandInput {
  readonly #arguments: ReadonlyMap<string, readonly string[]>;
  readonly #flags: ReadonlyMap<string, readonly string[]>;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(
    args: ReadonlyMap<string, readonly string[]>,
    flags: ReadonlyMap<string, readonly string[]>,
    fields: Readonly<Record<string, unknown>> = {},
  ) {
    this.#arguments = args;
    this.#flags = flags;
    this.#fields = fields;
  }

  /** The operation's input as it was typed: the fields that were given, and those the command fills in itself. */
  asked<Name extends OperationName>(
    _operation: Name,
    filled: Partial<InputOf<(typeof operations)[Name]>> = {},
  ): InputOf<(typeof operations)[Name]> {
    return { ...this.#fields, ...filled } as InputOf<(typeof operations)[Name]>;
  }

  /** A required argument. */
  argument(name: string): string {
    const value = this.#arguments.get(name)?.[0];
    if (value === undefined) throw new Error(`argument ${name} is not declared as required`);
    return value;
  }

  optional(name: string): string | undefined {
    return this.#arguments.get(name)?.[0];
  }

  rest(name: string): readonly string[] {
    return this.#arguments.get(name) ?? [];
  }

  flag(name: string): string | undefined {
    return this.#flags.get(name)?.at(-1);
  }

  flags(name: string): readonly string[] {
    return this.#flags.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#flags.has(name);
  }
}
