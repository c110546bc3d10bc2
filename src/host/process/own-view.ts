// Tells whether this process sees all that it needs to look at itself. A process that may make namespaces can give itself a /proc in which
// nothing stands above it, or put files of its own there. Only commands that look at themselves are concerned: the daemon looks from
// outside.

import { statfsSync } from "node:fs";
import type { Household } from "../../ports/household.ts";
import { isBelowUsual } from "./limit-mark.ts";
import { systemLiveness } from "./liveness.ts";

/** The kernel's number for a true /proc. */
const procMagic = 0x9fa0;

export interface View {
  readonly isTrueProc: boolean;
  readonly namespace: string;
  /** Its limit is lower than what Linux gives everybody. */
  readonly isLimited: boolean;
}

/**
 * In words; undefined when it sees enough. Launch files also stay behind from a container that has ended, where nothing is wrong; so another
 * namespace than theirs speaks against this process only if the daemon is there, or an agent's limit stands on it.
 */
export function whyViewIsPartial(
  { agents }: Pick<Household, "agents">,
  isDaemonThere: () => boolean,
  view: View | undefined = ownView(),
): string | undefined {
  if (view === undefined) return undefined;
  if (!view.isTrueProc) return "what stands at /proc is not the kernel's";
  const isElsewhere = agents.some(({ leader, isUnproven, isGuest }) => {
    const namespace = leader?.token.split("-")[0] ?? "0";
    return isUnproven !== true && isGuest !== true && namespace !== "0" && namespace !== view.namespace;
  });
  if (!isElsewhere || (!view.isLimited && !isDaemonThere())) return undefined;
  return "it runs in another namespace than the agents, and cannot see which process started it";
}

function ownView(): View | undefined {
  if (process.platform !== "linux") return undefined;
  const [namespace = "0"] = systemLiveness.self().token.split("-");
  return { isTrueProc: isProc("/proc") && isProc("/proc/self"), namespace, isLimited: isBelowUsual(process.pid) };
}

function isProc(path: string): boolean {
  try {
    return statfsSync(path).type === procMagic;
  } catch {
    return false;
  }
}
