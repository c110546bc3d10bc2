// Two that want to be the one daemon of a constellation over one Postgres, and the one that is gets killed, or is stopped and woken after the other took
// over: again and again. CONSTEL_TAKEOVERS=100 takes so many rounds and tells how long the takeovers took, in leases.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { openStore } from "../src/store/open.ts";
import { readEvents, verifyChain } from "../src/store/timeline.ts";
import { until } from "./kit/home.ts";
import type { HolderLine } from "./kit/holder-child.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";
import { brokenPromises, type WrittenEvent } from "./kit/takeover-history.ts";

const asked = Number(process.env["CONSTEL_TAKEOVERS"] ?? 0);
const rounds = asked > 0 ? asked : 4;
const leaseMs = 2_000;

class Holder {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "inherit">;
  readonly lines: HolderLine[] = [];
  readonly #read: Promise<void>;

  readonly who: string;

  constructor(url: string, who: string, bug = "") {
    this.who = who;
    const program = join(import.meta.dir, "kit/holder-child.ts");
    this.#child = Bun.spawn([process.execPath, program, url, who, String(leaseMs), bug], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#read = this.#follow();
  }

  async #follow(): Promise<void> {
    let rest = "";
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.lines.push(JSON.parse(line) as HolderLine);
    }
  }

  acknowledged(): number {
    return this.lines.filter(({ did }) => did === "acknowledged").length;
  }

  /** It has written under a lease that it has not lost since. */
  isWriting(): boolean {
    const since = this.lines.slice(this.lines.findLastIndex(({ did }) => did === "holds"));
    return (
      since[0]?.did === "holds" &&
      since.some(({ did }) => did === "acknowledged") &&
      !since.some(({ did }) => did === "lost")
    );
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    await this.#read;
  }
}

async function writtenIn(url: string): Promise<WrittenEvent[]> {
  const store = await openStore({
    url,
    backupDirectory: "/nonexistent",
    clock: systemClock,
    random: systemRandom,
    constellation: "constel0",
  });
  try {
    expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true });
    const events = await readEvents(store.db, { constellation: "constel0", limit: 10_000_000, type: "one.done" });
    return events.map(({ seq, actor, data }) => ({
      seq,
      who: actor,
      epoch: Number(data["epoch"]),
      n: Number(data["n"]),
    }));
  } finally {
    await store.close();
  }
}

describe.skipIf(withoutPostgres !== undefined)("takeovers", () => {
  let server: TestPostgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
    await writtenIn(url); // makes the tables
  });
  afterAll(() => server.stop());

  /** One that writes, another that stands by; each round ends the first's tenure, and somebody else begins one. */
  async function storm(count: number, bug = ""): Promise<{ said: HolderLine[]; took: number[] }> {
    const all: Holder[] = [];
    const begin = (): Holder => {
      const holder = new Holder(url, `holder${all.length}-${count}${bug}`, bug);
      all.push(holder);
      return holder;
    };
    const writing = (among: readonly Holder[]): Promise<Holder> =>
      until("somebody writes", () => among.find((one) => one.isWriting()), Boolean).then((one) => one as Holder);
    const took: number[] = [];
    try {
      let alive = [begin(), begin()];
      for (let round = 0; round < count; round++) {
        const holder = await writing(alive);
        const others = alive.filter((one) => one !== holder);
        const began = performance.now();
        if (bug !== "" || round % 2 === 0) {
          holder.signal("SIGSTOP");
          await writing(others);
          took.push(performance.now() - began);
          const before = holder.lines.length;
          holder.signal("SIGCONT");
          const lost = (): boolean => holder.lines.slice(before).some(({ did }) => did === "lost");
          await until("whoever was stopped finds that it lost the lease", lost, Boolean);
        } else {
          await holder.kill();
          await writing(others);
          took.push(performance.now() - began);
          alive = [...others, begin()];
        }
      }
    } finally {
      for (const one of all) await one.kill();
    }
    return { said: all.flatMap(({ lines }) => lines), took };
  }

  test(
    "holders that are killed, or stopped and woken: nothing lost, nothing twice, nothing after a lease",
    async () => {
      const { said, took } = await storm(rounds);
      const written = await writtenIn(url);
      expect(written.length).toBeGreaterThan(rounds);
      expect(brokenPromises(said, written)).toEqual([]);
      if (asked > 0) {
        const leases = took.map((ms) => ms / leaseMs).sort((a, b) => a - b);
        const at = (part: number): string => (leases[Math.floor((leases.length - 1) * part)] ?? 0).toFixed(2);
        const late = said.filter(({ did, why }) => did === "refused" && why === "store.lease-lost").length;
        process.stderr.write(
          `takeovers ${took.length}: median ${at(0.5)} leases, 95% ${at(0.95)}, longest ${at(1)}; over 1.2: ${leases.filter((one) => one > 1.2).length}; ` +
            `${written.length} writes, ${late} refused to whoever woke\n`,
        );
      }
      // What would be broken, is found: the same history with each promise broken once.
      const acknowledged = said.find(({ did }) => did === "acknowledged") as HolderLine;
      const refused = said.find(({ why }) => why === "store.lease-lost") as HolderLine;
      const [first, last] = [written[0] as WrittenEvent, written.at(-1) as WrittenEvent];
      const isIt = ({ who, n }: WrittenEvent): boolean => who === acknowledged.who && n === acknowledged.n;
      const planted: readonly (readonly [string, readonly HolderLine[], readonly WrittenEvent[]])[] = [
        ["lost", said, written.filter((one) => !isIt(one))],
        ["written twice", said, [...written, { ...first, seq: last.seq + 1, epoch: last.epoch }]],
        ["written by nobody", said, [...written, { ...last, seq: last.seq + 1, n: last.n + 1_000_000 }]],
        ["written although refused", said, [...written, { ...refused, seq: last.seq + 1, epoch: last.epoch }]],
        ["after epoch", said, written.map((one) => (one === last ? { ...one, epoch: first.epoch } : one))],
        ["two holders", [...said, { ...acknowledged, did: "holds", who: "somebody else" }], written],
      ];
      for (const [name, lines, events] of planted)
        expect([name, brokenPromises(lines, events)]).toEqual([
          name,
          expect.arrayContaining([expect.stringContaining(name)]),
        ]);
    },
    120_000 + rounds * 60_000,
  );

  test("a holder that writes on without its lease is found out", async () => {
    const { said } = await storm(1, "unfenced");
    const broken = brokenPromises(
      said,
      (await writtenIn(url)).filter(({ who }) => who.endsWith("unfenced")),
    );
    expect(broken.join("\n")).toMatch(/under epoch \d+, after epoch \d+ had begun/);
  }, 120_000);
});
