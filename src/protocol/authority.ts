// Who may ask for what. Each operation says it in its declaration, and so does each command that needs no daemon; the
// decision is made here alone, behind every door: the daemon asks it for operations, the command line for the rest.

import { checkAgentId, rootAgent, watchdogAgent } from "./agent-id.ts";
import { Refusal } from "./errors.ts";

export type Role = "owner" | "root" | "watchdog" | "clone";

export interface Asker {
  readonly role: Role;
  /** `owner`, or the agent's id. */
  readonly name: string;
}

/**
 * Who may ask, each wider than the one before: the owner alone; those who run the constellation (the owner, the root and
 * the watchdog); clones too.
 */
export type Audience = "owner" | "operators" | "everybody";

const admitted: Readonly<Record<Audience, readonly Role[]>> = {
  owner: ["owner"],
  operators: ["owner", "root", "watchdog"],
  everybody: ["owner", "root", "watchdog", "clone"],
};

export const owner: Asker = { role: "owner", name: "owner" };

/** `owner`, or an agent's id. A name that is neither is refused: nobody becomes the owner by a slip. */
export function askerNamed(name: string): Asker {
  if (name === owner.name) return owner;
  const agent = checkAgentId(name);
  if (agent === rootAgent) return { role: "root", name: agent };
  return { role: agent === watchdogAgent ? "watchdog" : "clone", name: agent };
}

/** The refusal, or undefined when they may. `what` is what was asked for, as they would write it. */
export function refuseUnlessAllowed(asker: Asker, may: Audience, what: string): Refusal | undefined {
  if (admitted[may].includes(asker.role)) return undefined;
  const facts = { agent: asker.name, verb: what };
  if (asker.role === "clone" && may === "operators")
    return new Refusal("authority.clone", `${asker.name} is a clone and may not run \`${what}\``, facts);
  return new Refusal("authority.owner", `only the owner may run \`${what}\`, and ${asker.name} is an agent`, facts);
}
