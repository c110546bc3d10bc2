// Names the time since the machine was started. Empty where the system has no name for it.

import { readFileSync } from "node:fs";

let known: string | undefined;

export function bootId(): string {
  known ??= read();
  return known;
}

function read(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
