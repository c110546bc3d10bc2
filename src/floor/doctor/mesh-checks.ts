// Peers that cannot be reached, each with the step at which it fails and what to do about it.

import type { Check, CheckResult, PeerSeen } from "./check.ts";

/** A clock that is off by more makes times across machines hard to read; lines stand all the same. */
const clockOffMs = 60_000;

const mends: Readonly<Record<string, string>> = {
  name: "Look whether the name is right, and whether this machine can resolve it: `getent hosts NAME`.",
  route:
    "Look whether the other machine is on, and whether this one has a way to it: a VPN, a firewall, another network.",
  port: "Look whether the daemon there runs with `mesh.enabled`, and listens where this route says: `mesh.listen`.",
  program:
    "Look whether constel is installed there and `mesh.enabled` is on; name its path: `constel mesh add ssh HOST --program PATH`.",
  wire: "Look whether another program answers at that address, and into `constel daemon logs` on both machines.",
  key: "Look at `constel mesh peers` on the other machine: it has to have this constellation on its list, confirmed, with the key that `constel mesh key` shows here.",
  version: "Upgrade constel on the machine that it names.",
  silence: "Look whether the daemon there hangs: `constel daemon status`.",
};

export const meshChecks: readonly Check[] = [
  {
    code: "mesh.peers",
    async look({ daemonNow, meshPeers }) {
      if ((await daemonNow()) !== "answers") return [];
      return (await meshPeers()).flatMap((peer) => [...unreachable(peer), ...clockOff(peer)]);
    },
  },
];

function unreachable({ name, state, step, evidence }: PeerSeen): CheckResult[] {
  const code = "mesh.peers";
  if (state === "planted")
    return [
      {
        code,
        state: "broken",
        saw: `the entry of the peer ${name} was not written by constel`,
        means: "Somebody wrote into the database. The entry lets nobody in.",
        mend: `Remove it: constel mesh evict ${name}`,
      },
    ];
  if (state !== "away" || step === null) return [];
  return [
    {
      code,
      state: "warning",
      saw: `the peer ${name} cannot be reached (${step}): ${evidence}`,
      means: "What is for it waits here, and what it does is not seen.",
      mend: mends[step] ?? mends["wire"] ?? "",
    },
  ];
}

function clockOff({ name, clock_ahead_ms: aheadMs }: PeerSeen): CheckResult[] {
  if (aheadMs === null || Math.abs(aheadMs) < clockOffMs) return [];
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return [
    {
      code: "mesh.peers",
      state: "warning",
      saw: `the clock of the peer ${name} is ${minutes} min ${aheadMs > 0 ? "ahead of" : "behind"} this one`,
      means: "Times from there cannot be compared with times from here.",
      mend: "Have both machines set their clocks by the network: `timedatectl`.",
    },
  ];
}
