// Measures what signing and checking signatures cost by themselves: the same work with keys, and with a signer that signs nothing. The
// second is for this measurement alone: no setting and no caller of constel's leads to it.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "../src/floor/bus/bus.ts";
import { drain } from "../src/floor/bus/drain.ts";
import { send } from "../src/floor/bus/send.ts";
import { finishToMany, sendToMany } from "../src/floor/bus/send-to-many.ts";
import { settle } from "../src/floor/bus/settle.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { busTrust } from "../src/host/keys/bus-trust.ts";
import { constellationSigner } from "../src/host/keys/row-signer.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";
import { openStore, type Store } from "../src/store/open.ts";
import { ascending, type Entry, type Measured, median, timed, warmRounds } from "./harness.ts";

const floorIs = "the same without signatures and seals";
const draft = { from: "agent0", text: "x".repeat(300) };
const fifty = Array.from({ length: 50 }, (_, at) => `agent${at + 1}`);

export const signatureEntries: readonly Entry[] = [
  {
    name: "signing-durable-write",
    what: "signing: one durable write (a row of the timeline)",
    floorIs,
    bar: 1.5,
    better: "lower",
    lane: "full",
    measure: (rounds) => withStores((store) => () => record(store), rounds),
  },
  {
    name: "signing-durable-writes-64",
    what: "signing: 64 durable writes at once",
    floorIs,
    bar: 1.2,
    better: "lower",
    lane: "full",
    measure: (rounds) =>
      withStores((store) => () => Promise.all(Array.from({ length: 64 }, () => record(store))), rounds),
  },
  {
    name: "signing-send",
    what: "signing: one durable message",
    floorIs,
    bar: 2,
    better: "lower",
    lane: "full",
    measure: (rounds) => withBuses((bus) => () => send(bus, { ...draft, to: "agent1" }), rounds),
  },
  {
    name: "signing-fan-out",
    what: "signing: one message to fifty agents",
    floorIs,
    bar: 1.2,
    better: "lower",
    lane: "full",
    measure: (rounds) =>
      withBuses((bus) => {
        const sent = (): unknown => sendToMany(bus, draft, fifty);
        sent(); // makes the mailboxes
        return Object.assign(sent, { before: () => void finishToMany(bus) });
      }, rounds),
  },
  {
    name: "signing-delivery",
    what: "checking: taking one message out of an inbox and settling it",
    floorIs,
    bar: 2,
    better: "lower",
    lane: "full",
    measure: (rounds) =>
      withBuses((bus) => {
        const taken = async (): Promise<void> => {
          const { messages } = await drain(bus, "agent1");
          if (messages.length !== 1) throw new Error(`one message was sent, and ${messages.length} were taken`);
          settle(bus, "agent1", messages, "acked");
        };
        return Object.assign(taken, { before: () => void send(bus, { ...draft, to: "agent1" }) });
      }, rounds),
  },
];

/** `before` is done before each round, untimed. */
type Work = (() => unknown) & { readonly before?: () => void };

/** More rounds than elsewhere: the two differ by less than a disk does from one time to the next. */
const turnsPerRound = 5;

async function compare(signed: Work, unsigned: Work, rounds: number): Promise<Measured> {
  const sides = {
    signed: { work: signed, ms: [] as number[], cpuMs: 0 },
    unsigned: { work: unsigned, ms: [], cpuMs: 0 },
  };
  const turns = rounds * turnsPerRound;
  for (let turn = -warmRounds; turn < turns; turn++) {
    for (const side of turn % 2 === 0 ? [sides.signed, sides.unsigned] : [sides.unsigned, sides.signed]) {
      side.work.before?.();
      const before = process.cpuUsage();
      const ms = await timed(side.work);
      const { user, system } = process.cpuUsage(before);
      if (turn < 0) continue;
      side.ms.push(ms);
      side.cpuMs += (user + system) / 1000;
    }
  }
  const medianOf = (times: readonly number[]): number => median(times.toSorted(ascending));
  const each = ({ cpuMs }: { readonly cpuMs: number }): string => `${(cpuMs / turns).toFixed(3)} ms`;
  return {
    value: medianOf(sides.signed.ms),
    floor: medianOf(sides.unsigned.ms),
    unit: "ms",
    note: `CPU ${each(sides.signed)}, without ${each(sides.unsigned)}`,
  };
}

const record = (store: Store): Promise<unknown> =>
  store.write((tx) => tx.record({ type: "cli.ran", subject: "cli:1", actor: "agent3", data: { exit: 0 } }));

async function withStores(work: (store: Store) => Work, rounds: number): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-signing-"));
  mkdirSync(join(directory, "backups"));
  const open = (name: string, more: { readonly sign?: (bytes: Uint8Array) => string }): Promise<Store> =>
    openStore({
      url: `sqlite:${join(directory, name)}`,
      backupDirectory: join(directory, "backups"),
      clock: systemClock,
      random: systemRandom,
      constellation: "constel0",
      ...more,
    });
  const signed = await open("signed.db", { sign: constellationSigner(directory, systemClock) });
  const unsigned = await open("unsigned.db", {});
  try {
    return await compare(work(signed), work(unsigned), rounds);
  } finally {
    await signed.close();
    await unsigned.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function withBuses(work: (bus: Bus) => Work, rounds: number): Promise<Measured> {
  const homes = ["signed", "unsigned"].map(() => mkdtempSync(join(tmpdir(), "constel-bench-signing-")));
  const busAt = (home: string): Bus => ({
    home,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    ...busTrust(home, systemClock, () => "agent0"),
  });
  const [signed = "", unsigned = ""] = homes;
  const plain: Bus = {
    home: unsigned,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    sign: () => undefined,
    recorder: { by: "agent0", seal: (lines) => lines },
  };
  try {
    return await compare(work(busAt(signed)), work(plain), rounds);
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}
