// Lists what lies where in a mailbox, without touching it.

import { isAgentId } from "../../protocol/agent-id.ts";
import { listTrusted } from "../../files/trusted-files.ts";
import type { Bus } from "./bus.ts";
import { Mailbox } from "./mailbox.ts";
import { type Claim, readClaim, readDone, readMessageName, type Settled } from "./message-name.ts";
import { poisonIn, type Poisoned } from "./poison.ts";

export interface Waiting {
  readonly name: string;
  readonly sender: string;
  readonly bytes: number;
  readonly sentAtMs: number;
}

export interface Listing {
  readonly agent: string;
  readonly counts: {
    readonly inbox: number;
    readonly claimed: number;
    readonly handedOut: number;
    readonly done: Readonly<Record<Settled, number>>;
    readonly poison: number;
    /** Entries that are not named as messages are; the next drain puts them aside. */
    readonly foreign: number;
  };
  /** Oldest first, as many as asked for. */
  readonly inbox: readonly Waiting[];
  readonly processing: readonly Omit<Claim, "nanoseconds">[];
  readonly poison: readonly Poisoned[];
}

export function listMailbox(bus: Bus, agent: string, limit = 100): Listing {
  using box = Mailbox.find(bus, agent);
  const names = box?.names("inbox") ?? [];
  const messages = names.map(readMessageName).filter((name) => name !== undefined);
  const files = box?.names("processing") ?? [];
  const claims = files.map(readClaim).filter((claim) => claim !== undefined);
  const done: Record<Settled, number> = { delivered: 0, acked: 0, duplicate: 0 };
  for (const file of box?.names("done") ?? []) {
    const settled = readDone(file)?.settled;
    if (settled !== undefined) done[settled] += 1;
  }
  const poison = box === undefined ? [] : poisonIn(box);
  return {
    agent,
    counts: {
      inbox: messages.length,
      claimed: claims.filter((claim) => claim.state === "claimed").length,
      handedOut: claims.filter((claim) => claim.state === "handed-out").length,
      done,
      poison: poison.length,
      foreign: names.length - messages.length + files.length - claims.length,
    },
    inbox: messages.slice(0, limit).map(({ name, sender, nanoseconds }) => ({
      name,
      sender,
      bytes: box?.room("inbox").stat(name)?.size ?? 0,
      sentAtMs: Number(nanoseconds / 1_000_000n),
    })),
    processing: claims.slice(0, limit).map(plain),
    poison: poison.slice(0, limit),
  };
}

/** Without the time that JSON has no form for; the name begins with it. */
function plain(claim: Claim): Omit<Claim, "nanoseconds"> {
  const { nanoseconds: _time, ...rest } = claim;
  return rest;
}

/** Every agent that has a mailbox. */
export function agentsWithMailbox(bus: Bus): string[] {
  return listTrusted(bus.home, "channels/agent").filter(isAgentId);
}
