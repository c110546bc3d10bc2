// The processes of this machine that a test's home has started, as /proc tells.

import { readdirSync, readFileSync } from "node:fs";

/** Ids of living processes whose command line or environment names this directory. */
export function processesNaming(directory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => textOf(pid, "cmdline").includes(directory) || textOf(pid, "environ").includes(directory))
    .filter((pid) => !/^State:\s+[ZX]/m.test(textOf(pid, "status")))
    .map(Number);
}

/** Returns what a process runs, for a test that must name one. */
export const commandOf = (pid: number): string => textOf(String(pid), "cmdline").replaceAll("\0", " ");

/** Ids of living processes with exactly this command line. */
export function processesRunning(...words: readonly string[]): number[] {
  const line = words.map((word) => `${word}\0`).join("");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && textOf(name, "cmdline") === line)
    .map(Number);
}

/** The environment a process was started with. */
export function environmentOf(pid: number): Record<string, string> {
  const entries = textOf(String(pid), "environ").split("\0");
  return Object.fromEntries(
    entries
      .filter((entry) => entry.includes("="))
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it has ended, or is somebody else's
  }
}
