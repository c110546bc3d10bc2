// Asks for a passphrase, or another secret: on the terminal without showing it, else as the first line of standard input. Never from the environment, which
// every process of the account can read.

import { readSync } from "node:fs";
import { Refusal } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";

const longest = 1024;

export function askPassphrase({ output }: Pick<CliContext, "output">, question: string, what = "a passphrase"): string {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) output.say(question);
  if (isTerminal) Bun.spawnSync(["stty", "-echo"], { stdin: "inherit" });
  try {
    const line = firstLine();
    if (line === "") throw new Refusal("usage.bad-value", `${what} is needed and none was given`);
    return line;
  } finally {
    if (isTerminal) Bun.spawnSync(["stty", "echo"], { stdin: "inherit" });
  }
}

function firstLine(): string {
  const byte = Buffer.alloc(1);
  const bytes: number[] = [];
  while (bytes.length < longest && readSync(0, byte) === 1 && byte[0] !== 0x0a) bytes.push(byte[0] ?? 0);
  return Buffer.from(bytes).toString("utf8").replace(/\r$/, "");
}
