// Is a program installed, where, and at which version? Looks along the PATH of the environment the agent will get.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Detected, RuntimeMachine } from "../../ports/runtime.ts";

/** A program that does not tell its version in this time is treated as one whose version is unknown. */
const versionDeadlineMs = 20_000;

export async function detectProgram(
  name: string,
  checkedVersions: readonly string[],
  machine: RuntimeMachine,
): Promise<Detected> {
  const path = findProgram(name, machine.env["PATH"] ?? "");
  if (path === undefined) return { installed: false, path, version: undefined, matchesChecked: false };
  const outcome = await machine.processes.run([path, "--version"], { env: machine.env, deadlineMs: versionDeadlineMs });
  const version = /(?<!\d)\d+\.\d+\.\d+[\w.-]*/.exec(new TextDecoder().decode(outcome.stdout))?.[0];
  return { installed: true, path, version, matchesChecked: version !== undefined && checkedVersions.includes(version) };
}

export function findProgram(name: string, path: string): string | undefined {
  for (const directory of path.split(delimiter)) {
    if (directory === "") continue;
    const candidate = join(directory, name);
    if (isExecutable(candidate)) return candidate;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not ours to run
  }
}
