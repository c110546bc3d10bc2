// The typed caller: asks an operation by name. Only types are imported from the declarations, so that a caller does not
// pay for loading the schemas; the daemon checks them.

import type { operations } from "../protocol/operations/all.ts";
import type { InputOf, OutputOf } from "../protocol/operation.ts";

type Operations = typeof operations;
export type OperationName = keyof Operations;

type RowsOf<Name extends OperationName> = NonNullable<Operations[Name]["rows"]>;
/** The operations whose lists can be asked for by columns. */
type ListName = { [Name in OperationName]: [RowsOf<Name>] extends [never] ? never : Name }[OperationName];
type RowOf<Name extends ListName> = OutputOf<Operations[Name]>[RowsOf<Name> &
  keyof OutputOf<Operations[Name]>] extends readonly (infer Row)[]
  ? Row
  : never;
type Listed<Name extends ListName, Column> = Omit<OutputOf<Operations[Name]>, RowsOf<Name>> &
  Readonly<Record<RowsOf<Name>, Pick<RowOf<Name>, Column & keyof RowOf<Name>>[]>>;

export interface CallOptions {
  /** Ends the call: whoever asked no longer waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface Caller {
  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Operations[Name]>,
    options?: CallOptions,
  ): Promise<OutputOf<Operations[Name]>>;
  /**
   * A list with these columns of its rows alone, so that a table does not pay for what it does not show; with whole rows where no columns are
   * named, as for JSON. The type has only what was asked for.
   */
  list<Name extends ListName, const Column extends keyof RowOf<Name>>(
    name: Name,
    input: Omit<InputOf<Operations[Name]>, "columns">,
    columns: readonly Column[] | undefined,
  ): Promise<Listed<Name, Column>>;
}

/** Makes a typed caller of anything that can carry a name and an input: a socket, or the same process. */
export function callerOver(
  carry: (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>,
): Caller {
  return {
    call: async (name, input, options = {}) => (await carry(name, input, options)) as never,
    list: async (name, input, columns) =>
      (await carry(name, columns === undefined ? input : { ...input, columns }, {})) as never,
  };
}
