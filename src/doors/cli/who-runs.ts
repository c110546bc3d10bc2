// Finds out who runs this very command, for decisions made without a daemon. It believes what the kernel tells of this process, not what the
// environment says.

import { readHousehold } from "../../floor/agents/household.ts";
import { isConstels } from "../../host/keys/seal-for-constel.ts";
import { isAlone, soleHolder } from "../../host/keys/seals.ts";
import { belongsTo } from "../../host/process/belongs-to.ts";
import { tryLock } from "../../host/process/file-lock.ts";
import { isBelowUsual } from "../../host/process/limit-mark.ts";
import { whyViewIsPartial } from "../../host/process/own-view.ts";
import type { Belonging, Household } from "../../ports/household.ts";
import { type Asker, askerFor, nobody } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import type { CliContext } from "./context.ts";
import { daemonPid } from "./reach/daemon-pid.ts";

export function whoRuns({ home, agent }: Pick<CliContext["places"], "home" | "agent">): Asker {
  const household = householdOf(home);
  if (household instanceof Refusal) return nobody(household.message);
  const partial = whyViewIsPartial(household, () => isDaemonThere(home));
  if (partial !== undefined) return nobody(partial);
  const belonging = belongsTo(process.pid, household, undefined, isAlone(home));
  return askerFor(byKey(home, belonging) ?? belonging, agent ?? null);
}

/**
 * Whoever would be the owner, or names itself, and looks from inside of a sandbox. Nothing above it is to be seen there, its first process carries the mark too, so that nobody
 * seems marked, and an ordinary account mostly has no control groups. But one key is all that a sandbox shows, and the limit stays below the usual.
 */
function byKey(home: string, belonging: Belonging): Belonging | undefined {
  const isUnseen = belonging.to === "owner" || (belonging.to === "agent" && belonging.by === "environment");
  const agent = isUnseen && isBelowUsual(process.pid) ? soleHolder(home) : undefined;
  return agent === undefined ? undefined : { to: "agent", agent, by: "key" };
}

/** Reads what is known of agents. If a link stands in the way, nobody is the owner: that link may be an agent's. */
function householdOf(home: string): Household | Refusal {
  try {
    return readHousehold(home, daemonPid(home), isConstels(home));
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === "path.symlink") return cause;
    throw cause;
  }
}

/** By its lock, which tells of a daemon in any namespace. */
function isDaemonThere(home: string): boolean {
  const lock = tryLock(home, inHome.daemonLock);
  lock?.release();
  return lock === undefined;
}
