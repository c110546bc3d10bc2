// The typed caller: asks an operation by name. Only types are imported from the declarations, so that a caller does not
// pay for loading the schemas; the daemon checks them.

import type { operations } from "../protocol/operations/all.ts";
import type { InputOf, OutputOf } from "../protocol/operation.ts";

type Operations = typeof operations;
export type OperationName = keyof Operations;

export interface Caller {
  call<Name extends OperationName>(name: Name, input: InputOf<Operations[Name]>): Promise<OutputOf<Operations[Name]>>;
}

/** Makes a typed caller of anything that can carry a name and an input: a socket, or the same process. */
export function callerOver(carry: (name: OperationName, input: unknown) => Promise<unknown>): Caller {
  return { call: async (name, input) => (await carry(name, input)) as never };
}
