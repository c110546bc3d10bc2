// Holds what the tests of the floor share: temporary homes, a home that cannot be written, and processes that run at once.

import { afterEach, onTestFinished } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../ports/fake-clock.ts";

const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) remove(path);
});

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "constel-floor-"));
  try {
    onTestFinished(() => remove(path));
  } catch {
    // Not within one test. Of several files in one process, only the first has the hook above.
    made.push(path);
  }
  return path;
}

function remove(path: string): void {
  if (existsSync(path)) chmodSync(path, 0o700);
  rmSync(path, { recursive: true, force: true });
}

/** Root writes wherever a mode forbids it, so as root we take a file system that refuses everybody. */
export function unwritableHome(): string {
  if (process.getuid?.() === 0 && process.platform === "linux") return "/sys/kernel";
  const path = temporaryDirectory();
  mkdirSync(join(path, "state"), { mode: 0o500 });
  chmodSync(path, 0o500);
  return path;
}

/** A fixed time, and sleeps that end at once: for code that pauses before a retry. */
export class HurriedClock extends FakeClock {
  override sleep(): Promise<void> {
    return Promise.resolve();
  }
}

/** Runs the same source in several processes at once; each prints JSON. */
export async function inProcesses<T>(count: number, source: string): Promise<T[]> {
  const children = Array.from({ length: count }, (_, index) =>
    Bun.spawn([process.execPath, "--no-env-file", "--config=/dev/null", "-e", source], {
      env: { CHILD: String(index), PATH: "/usr/bin:/bin" },
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const outputs = await Promise.all(children.map((child) => new Response(child.stdout).text()));
  return outputs.map((output) => JSON.parse(output) as T);
}

export const source = (path: string): string => JSON.stringify(join(import.meta.dir, "..", path));
