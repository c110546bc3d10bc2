// Asks a person at the terminal a question that is answered by yes or no.

import { readSync } from "node:fs";
import { isatty } from "node:tty";
import type { Output } from "../present/output.ts";

export const canAsk = (output: Output): boolean => output.interactive && !output.json && isatty(0);

/** Anything but a yes is a no. */
export function askYes(output: Output, question: string): boolean {
  output.raw(output.safe(`${question} [y/N] `));
  const bytes = Buffer.alloc(100);
  try {
    const answer = bytes.toString("utf8", 0, readSync(0, bytes));
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false; // the terminal is gone
  }
}
