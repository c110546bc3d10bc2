// Holds what tests of the bus share: a temporary home, a bus on it, and children that run the real code and may be killed.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bus } from "../src/floor/bus/bus.ts";
import { FakeClock, seededRandom } from "../src/ports/fake-clock.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { childEnvironment } from "../src/host/process/child-environment.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";

/** A home that goes away with the test. */
export class TemporaryHome {
  readonly path = mkdtempSync(join(tmpdir(), "constel-bus-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const realBus = (home: string, extra: Partial<Bus> = {}): Bus => ({
  home,
  clock: systemClock,
  random: systemRandom,
  liveness: systemLiveness,
  sign: undefined,
  recorder: undefined,
  ...extra,
});

export function fakeBus(home: string, extra: Partial<Bus> = {}): Bus & { clock: FakeClock } {
  return { ...realBus(home), random: seededRandom(7), ...extra, clock: new FakeClock() };
}

/** Names in a room of a mailbox, dot-temps included. */
export function filesIn(home: string, agent: string, room: string): string[] {
  try {
    return readdirSync(join(home, "channels/agent", agent, room)).sort();
  } catch {
    return [];
  }
}

export const pathIn = (home: string, agent: string, room: string, name: string): string =>
  join(home, "channels/agent", agent, room, name);

/** Everything below a directory with its content, to see that nothing changed. */
export function snapshotOf(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    files[path] = entry.isFile() ? readFileSync(path, "latin1") : entry.isDirectory() ? "directory" : "other";
  }
  return files;
}

/** Programs that tests start. */
export const programs = {
  sendOne: import.meta.resolve("./bus-send-one.ts"),
  stormChild: import.meta.resolve("./bus-storm-child.ts"),
};

export function makePipe(path: string): void {
  Bun.spawnSync(["mkfifo", path]);
}

/** Runs one of our programs with this very Bun; with a limit, no file it writes may grow past so many KiB. */
export function startChild(
  program: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; fileLimitKiB?: number } = {},
): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  const command = [process.execPath, "--no-env-file", "--config=/dev/null", fileURLToPath(program), ...args];
  const limited = ["bash", "-c", `trap '' XFSZ; ulimit -f ${options.fileLimitKiB}; exec "$@"`, "bash", ...command];
  return Bun.spawn(options.fileLimitKiB === undefined ? command : limited, {
    env: childEnvironment(process.env, options.env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}
