// Prints what `up` says before it starts anything: how many sessions there will be and whose. Each is an agent program of its own, so two
// clones mean four sessions, and whoever pays for tokens should read that before they run.

import { counted } from "../../../protocol/counted.ts";
import { listed } from "../../../protocol/listed.ts";
import type { ComingSession } from "../../../floor/agents/up.ts";

/** Undefined when there is nothing to start. */
export function comingSessions(coming: readonly ComingSession[]): string | undefined {
  if (coming.length === 0) return undefined;
  const runtimes = [...new Set(coming.map(({ runtime }) => runtime))];
  const count = counted(coming.length, "session");
  const [only = ""] = runtimes;
  if (runtimes.length === 1) return `starting ${count} of ${only}: ${namesOf(coming)}${paidText(coming)}`;
  const each = runtimes.map((runtime) => `${namesOf(coming.filter((one) => one.runtime === runtime))} on ${runtime}`);
  return `starting ${count}: ${each.join("; ")}${paidText(coming)}`;
}

/** Only a script costs nothing. */
function paidText(coming: readonly ComingSession[]): string {
  const paid = coming.filter(({ runtime }) => runtime !== "script");
  if (paid.length === 0) return "";
  const which =
    coming.length === 1
      ? "it uses"
      : paid.length === coming.length
        ? "each uses"
        : `${listed(paid.map(({ agent }) => agent))} ${paid.length === 1 ? "uses" : "use"}`;
  return `; ${which} your account with its provider`;
}

/** More clones than this are told by their first and last. */
const mostNamed = 4;

function namesOf(sessions: readonly ComingSession[]): string {
  const clones = sessions.filter(({ role }) => role === "clone").map(({ agent }) => agent);
  const named = clones.length > mostNamed ? [`${clones.length} clones (${clones[0]} to ${clones.at(-1)})`] : clones;
  const of = (role: ComingSession["role"], words: string): string[] =>
    sessions.filter((one) => one.role === role).map(({ agent }) => `${agent} (${words})`);
  return [...of("root", "the root"), ...named, ...of("watchdog", "the watchdog")].join(", ");
}
