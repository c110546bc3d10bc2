// Machines as network namespaces: each has a line to a server of its own and none to the others, nor to this machine's network. What passes a line can be
// captured. Everything is gone when it is disposed of.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "./home.ts";

/** The reason why such a network cannot be made here. Undefined where it can. */
export const withoutNetworks = ((): string | undefined => {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  if (process.getuid?.() !== 0) return "network namespaces need root";
  for (const program of ["ip", "tcpdump"]) if (Bun.which(program) === null) return `${program} is not installed`;
  const name = `cst${process.pid}probe`;
  const made = Bun.spawnSync(["ip", "netns", "add", name], { stderr: "pipe" });
  if (made.exitCode !== 0) return `no network namespace can be made here: ${made.stderr.toString().trim()}`;
  Bun.spawnSync(["ip", "netns", "del", name]);
  return undefined;
})();

export const serverAddress = "10.77.0.1";

export class Networks {
  readonly #names: readonly string[];
  readonly #started: Bun.Subprocess[] = [];

  constructor(machines: readonly string[]) {
    this.#names = ["server", ...machines].map((one) => this.#nameOf(one));
    for (const name of this.#names) {
      run("ip", "netns", "add", name);
      this.#in(name, "ip", "link", "set", "lo", "up");
    }
    this.#in(this.#nameOf("server"), "ip", "address", "add", `${serverAddress}/32`, "dev", "lo");
    for (const [at, machine] of machines.entries()) this.#connect(machine, at + 1);
  }

  #nameOf(machine: string): string {
    return `cst${process.pid}${machine}`;
  }

  #in(name: string, ...command: string[]): void {
    run("ip", "netns", "exec", name, ...command);
  }

  #connect(machine: string, number: number): void {
    const [here, there] = [this.#nameOf(machine), this.#nameOf("server")];
    const [inner, outer] = [`m${number}`, `s${number}`];
    run("ip", "-n", here, "link", "add", inner, "type", "veth", "peer", "name", outer, "netns", there);
    for (const [name, device, last] of [
      [here, inner, 2],
      [there, outer, 1],
    ] as const) {
      this.#in(name, "ip", "address", "add", `10.77.${number}.${last}/24`, "dev", device);
      this.#in(name, "ip", "link", "set", device, "up");
    }
    this.#in(here, "ip", "route", "add", `${serverAddress}/32`, "via", `10.77.${number}.1`);
  }

  /** What stands before a command that is run on that machine. */
  on(machine: string): string[] {
    return ["ip", "netns", "exec", this.#nameOf(machine)];
  }

  /** Starts a program there, which says something once it is ready. */
  async start(machine: string, command: readonly string[], ready: "stdout" | "stderr"): Promise<void> {
    const child = Bun.spawn([...this.on(machine), ...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    this.#started.push(child);
    const first = await child[ready].getReader().read();
    if (first.done) throw new Error(`${command.join(" ")} ended at once`);
  }

  /** Captures all that passes the line of a machine from now on; the answer is the way to end it and read the bytes. */
  async capture(machine: string, number: number, directory: string): Promise<() => Promise<Buffer>> {
    const file = join(directory, `${machine}.pcap`);
    rmSync(file, { force: true });
    const words = ["tcpdump", "-Z", "root", "-i", `m${number}`, "-s", "0", "-U", "-w", file];
    const child = Bun.spawn([...this.on(machine), ...words], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    this.#started.push(child);
    const reader = child.stderr.getReader();
    let said = "";
    await until(
      "the capture runs",
      async () => (said += new TextDecoder().decode((await reader.read()).value)),
      (words) => words.includes("listening on"),
    );
    return async () => {
      child.kill("SIGTERM");
      await child.exited;
      return Buffer.from(await Bun.file(file).arrayBuffer());
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) child.kill("SIGTERM");
    await Promise.all(this.#started.map(({ exited }) => exited));
    for (const name of this.#names) Bun.spawnSync(["ip", "netns", "del", name]);
  }
}

function run(...command: string[]): void {
  const done = Bun.spawnSync(command, { stderr: "pipe" });
  if (done.exitCode !== 0) throw new Error(`${command.join(" ")}: ${done.stderr.toString()}`);
}
