// The daemon may be another build than this program: constel was updated while it ran, or two installations share one home. What such a
// daemon answers may have another shape, so a command compares the two before it asks anything. A daemon of this very installation is
// replaced by the build that is there now; agents, messages and whoever waits go on. One of another installation is left alone, and
// the command says so: two programs that replaced each other's daemon would never end.

import { readFileSync, readlinkSync } from "node:fs";
import type { DaemonMet } from "../../../client/admission.ts";
import { buildNow, builtAs, installation } from "../../../ports/build.ts";
import { Refusal } from "../../../protocol/errors.ts";

/** `updated`: of this installation, from before or after an update of it. `foreign`: of another installation. */
export type BuildMet = "same" | "updated" | "foreign";

export function buildMet(daemon: DaemonMet): BuildMet {
  if (daemon.build !== undefined && daemon.build === builtAs()) return "same";
  // Long-lived commands outlive an update themselves. What counts is what a start would be now.
  if (daemon.build === buildNow() || isReplaced()) return "same";
  return installationOf(daemon) === installation() ? "updated" : "foreign";
}

export function otherBuild(daemon: DaemonMet, met: BuildMet): Refusal {
  const { build = "a build without a name", pid, version } = daemon;
  const whose = version === undefined ? build : `constel ${version}, build ${build}`;
  const place = met === "foreign" ? `, from ${installationOf(daemon) ?? "another installation"}` : "";
  return new Refusal(
    "daemon.other-build",
    `the daemon (pid ${pid ?? "unknown"}) is ${whose}${place}; this is build ${builtAs() ?? buildNow()}`,
    { met, ...(pid === undefined ? {} : { pid }), ...(version === undefined ? {} : { version }) },
  );
}

export const isOtherBuild = (cause: unknown): cause is Refusal =>
  cause instanceof Refusal && cause.code === "daemon.other-build";

/** Daemons from before say nothing of it; then the program that the process runs tells. */
function installationOf({ installation: said, pid }: DaemonMet): string | undefined {
  if (said !== undefined || pid === undefined) return said;
  return runsFrom(pid, installation()) ? installation() : undefined;
}

/** True when the process runs a program below that directory, or that very file. Linux only; elsewhere nothing is known. */
export function runsFrom(pid: number, place: string): boolean {
  try {
    const words = [readlinkSync(`/proc/${pid}/exe`), ...readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")];
    return words.some((word) => word === place || word.startsWith(`${place}/`));
  } catch {
    return false;
  }
}

/** True when the single file that this process runs was replaced by another one: then the newer of the two is not ours. */
function isReplaced(): boolean {
  try {
    return readlinkSync("/proc/self/exe").endsWith(" (deleted)");
  } catch {
    return false;
  }
}
