// A process that wants to be the one that writes for a constellation, as a daemon does: it stands by while another has the lease, writes while it has it, and
// stands by again when it lost it. `bun holder-child.ts <url> <name> <lease ms> [unfenced]`; says what it does as lines of JSON. `unfenced` plants
// a bug: once it lost the lease, it goes on to write without asking for one.

import { writeSync } from "node:fs";
import { systemClock, systemRandom } from "../../src/host/clock/system-clock.ts";
import { Refusal } from "../../src/protocol/errors.ts";
import { openStore, type OpenStoreOptions, type Store } from "../../src/store/open.ts";

export interface HolderLine {
  readonly who: string;
  readonly did: "holds" | "asks" | "acknowledged" | "refused" | "lost";
  readonly epoch: number;
  /** The number of the write, of this process. */
  readonly n: number;
  readonly why?: string;
}

/** Between two looks of whoever stands by; the daemon's is the same part of a lease. */
const looksInLease = 8;

if (import.meta.main) {
  const [url = "", who = "", lease = "0", bug] = process.argv.slice(2);
  await stand({ url, who, leaseMs: Number(lease), isUnfenced: bug === "unfenced" });
}

interface Standing {
  readonly url: string;
  readonly who: string;
  readonly leaseMs: number;
  readonly isUnfenced: boolean;
}

async function stand({ url, who, leaseMs, isUnfenced }: Standing): Promise<never> {
  const options: OpenStoreOptions = {
    url,
    backupDirectory: "/nonexistent",
    clock: systemClock,
    random: systemRandom,
    constellation: "constel0",
  };
  let n = 0;
  for (let onlyWhenLapsed = false; ;) {
    const held = { isLost: false };
    const lost = (): void => void (held.isLost = true);
    let store: Store;
    try {
      store = await openStore({ ...options, lease: { holder: who, leaseMs, onlyWhenLapsed, lost, log: () => {} } });
    } catch (cause) {
      if (!(cause instanceof Refusal && cause.code === "store.held"))
        say({ who, did: "refused", epoch: 0, n, why: String(cause) });
      await systemClock.sleep(leaseMs / looksInLease);
      continue;
    }
    const epoch = await epochOf(store);
    say({ who, did: "holds", epoch, n });
    n = await writeWhileHeld(store, { who, epoch, from: n, held });
    if (isUnfenced) {
      const bare = await openStore(options);
      for (let more = 0; more < 3; more++) n = await writeOne(bare, { who, epoch, n });
      await bare.close();
    }
    say({ who, did: "lost", epoch, n });
    await store.close();
    onlyWhenLapsed = true;
  }
}

async function epochOf(store: Store): Promise<number> {
  const row = await store.db
    .selectFrom("chain_heads")
    .select("epoch")
    .where("constellation", "=", "constel0")
    .executeTakeFirst();
  return row?.epoch ?? 0;
}

async function writeWhileHeld(
  store: Store,
  { who, epoch, from, held }: { who: string; epoch: number; from: number; held: { readonly isLost: boolean } },
): Promise<number> {
  for (let n = from; ;) {
    n = await writeOne(store, { who, epoch, n }, held);
    if (held.isLost) return n;
    await systemClock.sleep(5);
  }
}

async function writeOne(
  store: Store,
  { who, epoch, n }: { who: string; epoch: number; n: number },
  held: { isLost?: boolean } = {},
): Promise<number> {
  say({ who, did: "asks", epoch, n });
  try {
    await store.write((tx) => tx.record({ type: "one.done", actor: who, data: { epoch, n } }));
    say({ who, did: "acknowledged", epoch, n });
  } catch (cause) {
    const why = (cause as { cause?: { code?: string } }).cause?.code ?? String(cause);
    say({ who, did: "refused", epoch, n, why });
    if (why === "store.lease-lost") held.isLost = true;
  }
  return n + 1;
}

function say(line: HolderLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
