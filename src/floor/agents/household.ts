// Reads what is known of a home's agents, to tell whose a process is: from their files alone, with or without a daemon. A session that a
// person started is an agent too: its words are a model's.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Household } from "../../ports/household.ts";
import type { ProcessMark } from "../../ports/machine.ts";
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
  // Anybody can set when a directory was written, and nobody when it was changed.
  const changed = (directory: string): string => {
    const { mtimeMs = 0, ctimeMs = 0 } = statSync(join(home, directory), { throwIfNoEntry: false }) ?? {};
    return `${mtimeMs} ${ctimeMs}`;
  };
  return () => {
    const written = [inHome.agents, inHome.guests, inHome.owned].map(changed).join(" ");
    if (known?.written !== written) known = { written, household: readHousehold(home, daemonPid, isGenuine) };
    return known.household;
  };
}

/** With the verbs of schedules that run now, which are the owner's; the same value for as long as nothing has changed. */
export function withScheduled(look: () => Household, processes: () => readonly ProcessMark[]): () => Household {
  let known: { readonly of: Household; readonly scheduled: string; readonly household: Household } | undefined;
  return () => {
    const of = look();
    const leaders = processes();
    const scheduled = leaders.map(({ pid, token }) => `${pid} ${token}`).join(",");
    if (known?.of !== of || known.scheduled !== scheduled) {
      const owners = leaders.map((leader) => ({ agent: "agentcron", leader, isOwners: true }));
      known = { of, scheduled, household: { ...of, agents: [...of.agents, ...owners] } };
    }
    return known.household;
  };
}
