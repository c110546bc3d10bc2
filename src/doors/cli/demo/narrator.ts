// Tells the demo line by line: what happens, the command as a user would type it, what it printed. On a terminal it leaves
// time to read; piped, it does not; where JSON was asked for it only remembers, and the command prints what it remembers.

import { counted } from "../../../protocol/counted.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import type { Output } from "../present/output.ts";
import { folded } from "../present/fold.ts";
import { oneLine } from "../present/table.ts";

const readingMs = 1_500;

export class Narrator {
  readonly #output: Output;
  readonly #pauseMs: number;
  readonly #signal: AbortSignal;
  /** Piped output is read like a page. */
  readonly #columns: number;
  readonly commands: string[] = [];
  readonly checks: { what: string; seen: boolean; instead?: readonly string[] }[] = [];

  constructor(output: Output, options: { readonly isFast: boolean; readonly signal: AbortSignal }) {
    this.#output = output;
    this.#signal = options.signal;
    this.#columns = Math.min(output.columns, output.interactive ? output.columns : 80);
    this.#pauseMs = options.isFast || !output.interactive || output.json ? 0 : readingMs;
  }

  /** The things that were promised and not seen. */
  get missing(): readonly string[] {
    return this.checks
      .filter(({ seen }) => !seen)
      .map(({ what, instead = [] }) => (instead.length === 0 ? what : `${what} (${instead.join("; ")})`));
  }

  async tell(text: string): Promise<void> {
    const { paint } = this.#output;
    this.#line("");
    for (const line of text.split("\n")) this.#line(paint.bold(line));
    await this.#pause();
  }

  async command(words: readonly string[]): Promise<void> {
    const command = words.map(shellWord).join(" ");
    this.commands.push(command);
    // The long ones are SQL in quotes, where a new line is as good as a space.
    const lines = folded(`$ ${command}`, this.#columns);
    for (const line of lines) this.#line(this.#output.paint.cyan(line));
    await this.#pause(0.4);
  }

  async printed(text: string, most = 14): Promise<void> {
    const lines = text.trimEnd().split("\n");
    for (const line of lines.slice(0, most)) {
      for (const part of folded(oneLine(line), this.#columns - 2)) this.#line(`  ${part}`.trimEnd());
    }
    if (lines.length > most) this.#line(this.#output.paint.dim(`  … ${counted(lines.length - most, "more line")}`));
    await this.#pause();
  }

  /** Something the demo promises: seen or not, it is said. `instead`: what is so, where it was not seen. */
  seen(what: string, isSeen: boolean, instead: readonly string[] = []): void {
    const { paint } = this.#output;
    this.#line(isSeen ? paint.green(`  ✓ ${what}`) : paint.red(`  ✗ not seen: ${what}`));
    for (const line of instead) for (const part of folded(`    ${oneLine(line)}`, this.#columns)) this.#line(part);
    this.checks.push({ what, seen: isSeen, ...(instead.length === 0 ? {} : { instead }) });
  }

  plain(text: string): void {
    for (const line of text.split("\n")) this.#line(line);
  }

  #line(text: string): void {
    if (!this.#output.json) this.#output.data(`${text}\n`);
  }

  async #pause(share = 1): Promise<void> {
    if (this.#pauseMs > 0) await systemClock.sleep(this.#pauseMs * share, this.#signal);
    this.#signal.throwIfAborted();
  }
}

const shellWord = (word: string): string => (/^[\w./@:=-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`);
