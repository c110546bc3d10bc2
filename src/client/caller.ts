// The typed caller: asks an operation by name. Only types are imported from the declarations, so that a caller does not
// pay for loading the schemas; the daemon checks them.

import type { operations } from "../protocol/operations/all.ts";
import type { InputOf, OutputOf } from "../protocol/operation.ts";

type Operations = typeof operations;
export type OperationName = keyof Operations;

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
}

/** Makes a typed caller of anything that can carry a name and an input: a socket, or the same process. */
export function callerOver(
  carry: (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>,
): Caller {
  return { call: async (name, input, options = {}) => (await carry(name, input, options)) as never };
}
