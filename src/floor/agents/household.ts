// What is known of a home's agents, for telling whose a process is: from the launch files alone, with or without a daemon.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Household } from "../../ports/household.ts";
import { inHome } from "../../settings/paths.ts";
import { tmuxSocket } from "../../settings/tmux-socket.ts";
import { listLaunches } from "./launch-files.ts";

export function readHousehold(home: string, daemonPid: number | undefined): Household {
  const { launches } = listLaunches(home);
  return {
    home,
    agents: launches.map(({ agent, leader, role }) => ({
      agent,
      isOwners: role === "ticker",
      ...(leader === undefined ? {} : { leader }),
    })),
    tmuxSockets: [...new Set([tmuxSocket("", home), ...launches.map((launch) => launch.tmuxSocket)])],
    daemonPid,
  };
}

/** The same, read again only when a launch file was written: each is put in its place by a rename, which the directory shows. */
export function followHousehold(home: string, daemonPid: number): () => Household {
  let known: { readonly writtenMs: number; readonly household: Household } | undefined;
  return () => {
    const writtenMs = statSync(join(home, inHome.agents), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (known?.writtenMs !== writtenMs || writtenMs === 0)
      known = { writtenMs, household: readHousehold(home, daemonPid) };
    return known.household;
  };
}
