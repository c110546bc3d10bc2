// Reads what is claimed in this constellation, for commands that look at a repository by themselves. If it cannot be read, the verdict says
// so.

import { messageOf } from "../../protocol/errors.ts";
import type { KnownClaims } from "../../protocol/claims.ts";
import type { CliContext } from "./context.ts";

export function heldClaims(context: CliContext): (repository: string) => Promise<KnownClaims> {
  return async (repository) => {
    try {
      const caller = await context.caller();
      return { held: (await caller.call("claim.held", { repository })).claims };
    } catch (cause) {
      return { held: [], unknown: messageOf(cause) };
    }
  };
}
