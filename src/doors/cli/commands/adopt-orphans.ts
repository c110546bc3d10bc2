// `constel adopt-orphans [--apart] -- <program> [argument…]`: becomes the program, which then keeps every process below it.

import { becomeAdopting } from "../../../host/process/adopt-orphans.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";

export const adoptOrphans: RunCommand = async (_context, input) => {
  const [program = "", ...rest] = input.rest("command");
  becomeAdopting([program, ...rest], input.has("apart"));
  throw new Outage("start", program, "this machine has no way to keep orphans");
};
