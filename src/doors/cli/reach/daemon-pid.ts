// The daemon's process id, as the daemon wrote it down; undefined when there is none, or it cannot be read.

import { inHome } from "../../../settings/paths.ts";
import { readTrusted } from "../../../files/trusted-files.ts";

export function daemonPid(home: string): number | undefined {
  try {
    const { pid } = JSON.parse(readTrusted(home, inHome.daemonInfo)?.toString() ?? "{}") as { pid?: unknown };
    return typeof pid === "number" ? pid : undefined;
  } catch {
    return undefined; // damaged: then there is nothing to go by
  }
}
