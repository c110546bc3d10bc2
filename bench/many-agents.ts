// A hundred agents as one has them: `constel up 100`, and one message to all until each of them has said that it has it. The time must not
// grow faster than their number, so the floor is the same for ten agents, times ten. Ratios of time, because it is what somebody
// waits for; the CPU of the command and of the daemon is in the note. The agents are constel's own script agents.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ascending, type Entry, type Measured, median } from "./harness.ts";
import { constel } from "./program.ts";

interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
}

interface Figures {
  readonly up: Taken;
  readonly heard: Taken;
}

const sizes = [10, 25, 50, 100] as const;
const repeats = 3;
const patienceMs = 120_000;

class Constellation {
  readonly #top = mkdtempSync(join(tmpdir(), "constel-bench-"));
  readonly #home = join(this.#top, "home");
  readonly #env = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.#top,
    CONSTEL_HOME: this.#home,
    TMUX_TMPDIR: this.#top,
    CONSTEL_AGENTS_RUNTIME: "script",
  };

  async figures(agents: number): Promise<Figures> {
    mkdirSync(this.#home, { mode: 0o700 });
    await this.run("daemon", "start");
    const up = await this.#taken(() => this.run("up", String(agents), "--no-attach"));
    await this.#until(() => this.#hooksThat("session-started") >= agents + 1);
    const heard = await this.#taken(async () => {
      const cpuMs = await this.run("channel", "send", "all", "main moved; rebase before you go on");
      await this.#until(() => this.#hooksThat("prompt-submitted") >= agents + 1);
      return cpuMs;
    });
    return { up, heard };
  }

  /** The time until it is done, and the CPU that the command and the daemon spend on it. */
  async #taken(work: () => Promise<number>): Promise<Taken> {
    const { pid } = JSON.parse(readFileSync(join(this.#home, "state/daemon.json"), "utf8")) as { pid: number };
    const before = cpuOfProcess(pid);
    const started = performance.now();
    const cpuMs = await work();
    return { wallMs: performance.now() - started, cpuMs: cpuMs + cpuOfProcess(pid) - before };
  }

  /** CPU of the command, in milliseconds. */
  async run(...words: string[]): Promise<number> {
    const child = Bun.spawn([constel, ...words], { env: this.#env, cwd: this.#top, stdout: "ignore", stderr: "pipe" });
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (code !== 0) throw new Error(`constel ${words.join(" ")}: ${code} ${said}`);
    return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  }

  #hooksThat(say: string): number {
    const directory = join(this.#home, "state/hooks");
    return readdirSync(directory).filter(
      (name) => /^agent\d+\.jsonl$/.test(name) && readFileSync(join(directory, name), "utf8").includes(say),
    ).length;
  }

  async #until(isSo: () => boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!isSo()) {
      if (performance.now() > deadline) throw new Error(`not within ${patienceMs / 1000} s`);
      await Bun.sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("down", "--all").catch((cause: unknown) => console.error(cause));
    rmSync(this.#top, { recursive: true, force: true });
  }
}

function cpuOfProcess(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10; // ticks of 10 ms
}

let all: Promise<ReadonlyMap<number, readonly Figures[]>> | undefined;

/** One run serves both entries; the sizes in turn, so that what else the machine does meets all alike. */
const figures = (): Promise<ReadonlyMap<number, readonly Figures[]>> => (all ??= measureAll());

async function measureAll(): Promise<ReadonlyMap<number, readonly Figures[]>> {
  const found = new Map<number, Figures[]>(sizes.map((size) => [size, []]));
  for (let again = 0; again < repeats; again++) {
    for (const size of sizes) {
      await using constellation = new Constellation();
      found.get(size)?.push(await constellation.figures(size));
    }
  }
  return found;
}

async function growthOf(what: keyof Figures): Promise<Measured> {
  const found = await figures();
  const of = (size: number, unit: keyof Taken): number =>
    median((found.get(size) ?? []).map((one) => one[what][unit]).sort(ascending));
  const shown = (unit: keyof Taken): string =>
    sizes.map((size) => `${size}: ${(of(size, unit) / 1000).toFixed(2)} s`).join(", ");
  const note = `${shown("wallMs")}; CPU ${shown("cpuMs")} (${(of(100, "cpuMs") / (10 * of(10, "cpuMs"))).toFixed(2)}×)`;
  return { value: of(100, "wallMs"), floor: 10 * of(10, "wallMs"), unit: "ms", note };
}

const entry = (name: string, what: string, measured: keyof Figures): Entry => ({
  name,
  what,
  floorIs: "the same for 10 agents, times 10",
  bar: 1.2,
  better: "lower",
  lane: "full",
  measure: () => growthOf(measured),
});

export const manyAgentsEntries: readonly Entry[] = [
  entry("up-100", "`constel up` of 100 script agents, until all are seen", "up"),
  entry("message-to-all-100", "one message to 100 agents, until all have said that they have it", "heard"),
];
