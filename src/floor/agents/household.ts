// What is known of a home's agents, for telling whose a process is: from their files alone, with or without a daemon. A session that a
// person started is an agent too: its words are a model's.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Household } from "../../ports/household.ts";
import { inHome } from "../../settings/paths.ts";
import { tmuxSocket } from "../../settings/tmux-socket.ts";
import { readGuests } from "../guests/guest-files.ts";
import { tickerAgent } from "./agent-names.ts";
import { type IsGenuine, listLaunches } from "./launch-files.ts";
import { readOwned } from "./owned-files.ts";

export function readHousehold(home: string, daemonPid: number | undefined, isGenuine: IsGenuine): Household {
  const { launches, unproven } = listLaunches(home, isGenuine);
  const started = launches.map(({ agent, leader, role }) => ({
    agent,
    isOwners: role === "ticker" && agent === tickerAgent,
    ...(unproven.includes(agent) ? { isUnproven: true } : {}),
    ...(leader === undefined ? {} : { leader }),
  }));
  const owned = readOwned(home, isGenuine).map((leader) => ({
    agent: tickerAgent,
    isOwners: true,
    isLoose: true,
    leader,
  }));
  // A process that went on to another session is there for the latest one, which comes last.
  const guests = readGuests(home).map(({ agent, process }) => ({
    agent,
    isOwners: false,
    isGuest: true,
    leader: process,
  }));
  return {
    home,
    agents: [...started, ...guests, ...owned],
    tmuxSockets: [...new Set([tmuxSocket("", home), ...launches.map((launch) => launch.tmuxSocket)])],
    daemonPid,
  };
}

/** The same, read again only when one of the files was written: each is put in its place by a rename, which the directory shows. */
export function followHousehold(home: string, daemonPid: number, isGenuine: IsGenuine): () => Household {
  let known: { readonly written: string; readonly household: Household } | undefined;
  const writtenMs = (directory: string): number =>
    statSync(join(home, directory), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return () => {
    const written = [inHome.agents, inHome.guests, inHome.owned].map(writtenMs).join(" ");
    if (known?.written !== written) known = { written, household: readHousehold(home, daemonPid, isGenuine) };
    return known.household;
  };
}
