// Decides what may be asked of a terminal, whichever kind it is: names, command lines, text and keys. The real terminals and the fake ones
// share these, so that a test on the fake meets the same refusals.

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isAgentId } from "../protocol/agent-id.ts";
import { Refusal } from "../protocol/errors.ts";
import type { TerminalWish } from "./terminal.ts";

const declarableName = /^[a-z][a-z0-9-]{0,63}$/;

// Prompts of 20 KB in a command line broke restarts; a path is all that is ever needed. There are some fifty of them where bubblewrap is told what a
// confined agent sees, each as long as the user's home makes it.
const maxWordBytes = 8 * 1024;
const maxCommandBytes = 96 * 1024;
const maxEnvironmentBytes = 96 * 1024;
const maxTextBytes = 1024 * 1024;

export class NameRule {
  readonly #declared: ReadonlySet<string>;

  /** `declared`: names allowed besides those of agents. */
  constructor(declared: readonly string[] = []) {
    for (const name of declared) if (!declarableName.test(name)) throw new Error(`cannot declare the name ${name}`);
    this.#declared = new Set(declared);
  }

  allows(name: string): boolean {
    return isAgentId(name) || this.#declared.has(name);
  }

  check(name: string): void {
    if (!this.allows(name)) {
      throw new Refusal("terminal.bad-name", `${JSON.stringify(name)} is not a terminal's name`, { name });
    }
  }
}

export function checkWish(wish: TerminalWish): void {
  const refuse = (why: string): never => {
    throw new Refusal("terminal.bad-wish", `${wish.name}: ${why}`, { name: wish.name });
  };
  const [program] = wish.command;
  if (program === undefined || program === "") refuse("there is no command");
  if (wish.command.some((part) => part.includes("\0"))) refuse("the command holds a NUL");
  if (wish.command.some((part) => sizeOf([part]) > maxWordBytes))
    refuse(`a word of the command is longer than ${maxWordBytes} bytes`);
  if (sizeOf(wish.command) > maxCommandBytes) refuse(`the command is longer than ${maxCommandBytes} bytes`);
  const env = Object.entries(wish.env ?? {});
  for (const [key, value] of env) {
    if (key === "" || /[=\0]/.test(key) || value.includes("\0")) refuse(`${JSON.stringify(key)} cannot be set`);
  }
  if (sizeOf(env.flat()) > maxEnvironmentBytes) refuse(`the environment is longer than ${maxEnvironmentBytes} bytes`);
  for (const size of [wish.cols ?? 80, wish.rows ?? 24]) {
    if (!Number.isInteger(size) || size < 2 || size > 10_000) refuse(`${size} is not a size`);
  }
  if (!isAbsolute(wish.cwd) || wish.cwd.includes("\0")) refuse(`${wish.cwd} is not an absolute path`);
  // tmux would start in some other directory and say nothing.
  if (!statSync(wish.cwd, { throwIfNoEntry: false })?.isDirectory()) refuse(`${wish.cwd} is not a directory`);
}

/** Text as it may be pasted: line ends and tabs stay, other control characters would act as keys and are left out. */
export function pasteable(text: string): { text: string; bytes: number; removed: number } {
  const lines = text.replace(/\r\n?/g, "\n").toWellFormed();
  // eslint-disable-next-line no-control-regex
  const clean = lines.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  const bytes = Buffer.byteLength(clean);
  if (bytes === 0 || bytes > maxTextBytes) {
    throw new Refusal("terminal.bad-text", `${bytes} bytes of text cannot be pasted`, { bytes });
  }
  return { text: clean, bytes, removed: lines.length - clean.length };
}

export function checkKeys(keys: readonly string[]): void {
  const bad = keys.find((key) => !/^[\x21-\x7e]{1,32}$/.test(key));
  if (bad !== undefined || keys.length === 0) {
    throw new Refusal("terminal.bad-text", `not the name of a key: ${JSON.stringify(bad ?? "")}`, { key: bad });
  }
}

export function unknownTerminal(name: string): Refusal {
  return new Refusal("terminal.unknown", `no terminal is called ${name}`, { name });
}

export function deadTerminal(name: string): Refusal {
  return new Refusal("terminal.dead", `the program in ${name} has ended`, { name });
}

export function takenName(name: string): Refusal {
  return new Refusal("terminal.name-taken", `a terminal called ${name} exists already`, { name });
}

function sizeOf(parts: readonly string[]): number {
  return parts.reduce((size, part) => size + Buffer.byteLength(part) + 1, 0);
}
