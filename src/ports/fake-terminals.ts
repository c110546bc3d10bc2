// Terminals in memory, for tests of those who use them. Each echoes what is typed, as a terminal does, and runs nothing: a
// test says when a program ends, what it shows, and reads what it was given.

import { Outage } from "../protocol/errors.ts";
import type { Clock } from "./machine.ts";
import type { PasteReceipt, Screen, Terminal, Terminals, TerminalWish } from "./terminal.ts";
import { screenHash } from "./screen-hash.ts";
import {
  checkKeys,
  checkWish,
  deadTerminal,
  NameRule,
  pasteable,
  takenName,
  unknownTerminal,
} from "./terminal-rules.ts";

interface FakePane {
  terminal: Terminal;
  readonly wish: TerminalWish;
  lines: string[];
  /** The text typed since the last Enter. */
  typed: string;
  readonly sent: string[];
}

export class FakeTerminals implements Terminals {
  readonly #panes = new Map<string, FakePane>();
  readonly #names: NameRule;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #lastPane = -1;
  #lastPid = 50_000;
  #outage: Outage | undefined;

  constructor(options: { clock: Clock; declaredNames?: readonly string[] }) {
    this.#clock = options.clock;
    this.#names = new NameRule(options.declaredNames);
  }

  async create(wish: TerminalWish): Promise<{ paneId: string; pid: number }> {
    this.#names.check(wish.name);
    checkWish(wish);
    this.#failIfAsked();
    if (this.#panes.has(wish.name)) throw takenName(wish.name);
    const paneId = `%${++this.#lastPane}`;
    const pid = ++this.#lastPid;
    const nowMs = this.#second();
    const terminal: Terminal = {
      name: wish.name,
      paneId,
      pid,
      dead: false,
      exitStatus: undefined,
      exitSignal: undefined,
      currentCommand: wish.command[0].split("/").at(-1) ?? "",
      title: "",
      inMode: false,
      cursorX: 0,
      cursorY: 0,
      createdMs: nowMs,
      attached: false,
      lastActivityMs: nowMs,
    };
    this.#panes.set(wish.name, { terminal, wish, lines: [], typed: "", sent: [] });
    this.#changed();
    return { paneId, pid };
  }

  async list(): Promise<readonly Terminal[]> {
    this.#failIfAsked();
    return [...this.#panes.values()].map(({ terminal }) => terminal).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(name: string): Promise<Terminal | undefined> {
    this.#names.check(name);
    this.#failIfAsked();
    return this.#panes.get(name)?.terminal;
  }

  async has(name: string): Promise<boolean> {
    this.#names.check(name);
    this.#failIfAsked();
    return this.#panes.has(name);
  }

  async captureMany(names: readonly string[], options: { lines?: number } = {}): Promise<ReadonlyMap<string, Screen>> {
    for (const name of names) this.#names.check(name);
    this.#failIfAsked();
    const screens = new Map<string, Screen>();
    for (const name of names) {
      const pane = this.#panes.get(name);
      if (pane === undefined) continue;
      const rows = pane.wish.rows ?? 40;
      const shown = [...pane.lines, pane.typed].slice(-(rows + (options.lines ?? 0)));
      const text = [...shown, ...Array<string>(Math.max(0, rows - shown.length)).fill("")].join("\n");
      screens.set(name, { name, text, hash: screenHash(text) });
    }
    return screens;
  }

  async paste(name: string, text: string, options: { clearLine?: boolean } = {}): Promise<PasteReceipt> {
    const clean = pasteable(text);
    const pane = this.#living(name);
    if (options.clearLine) pane.typed = "";
    const [first = "", ...rest] = clean.text.split("\n");
    pane.typed += first;
    for (const line of rest) this.#newLine(pane, line);
    pane.sent.push(clean.text);
    this.#leaveMode(pane);
    return { bytes: clean.bytes, removed: clean.removed };
  }

  async enter(name: string): Promise<void> {
    await this.sendKeys(name, ["Enter"]);
  }

  async sendKeys(name: string, keys: readonly string[]): Promise<void> {
    checkKeys(keys);
    const pane = this.#living(name);
    this.#leaveMode(pane);
    for (const key of keys) {
      pane.sent.push(`<${key}>`);
      if (key === "Enter") this.#newLine(pane, "");
      else if (key === "C-u") pane.typed = "";
      else if (key.length === 1) pane.typed += key;
    }
  }

  async rename(from: string, to: string): Promise<void> {
    this.#names.check(from);
    this.#names.check(to);
    const pane = this.#known(from);
    if (from === to) return;
    if (this.#panes.has(to)) throw takenName(to);
    this.#panes.delete(from);
    this.#panes.set(to, { ...pane, terminal: { ...pane.terminal, name: to } });
    this.#changed();
  }

  async kill(name: string): Promise<boolean> {
    this.#names.check(name);
    this.#failIfAsked();
    const was = this.#panes.delete(name);
    if (was) this.#changed();
    return was;
  }

  async killServer(): Promise<void> {
    this.#panes.clear();
    this.#lastPane = -1;
    this.#changed();
  }

  async clearAway(): Promise<boolean> {
    return false;
  }

  attachCommand(name: string): readonly string[] {
    this.#names.check(name);
    return ["env", "-u", "TMUX", "fake-terminal", "attach", name];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  /** For tests: the program in it ends. Without a status: how is not known yet, as with tmux for a moment. */
  exit(name: string, status?: number, words?: string): void {
    if (words !== undefined) this.show(name, words);
    this.#update(name, { dead: true, exitStatus: status });
  }

  /** For tests: what the program shows, its title, someone scrolling back or attaching. */
  show(name: string, text: string): void {
    const pane = this.#known(name);
    pane.lines = text.split("\n");
    pane.typed = "";
    this.#update(name, { lastActivityMs: this.#second() });
  }

  set(name: string, state: Partial<Pick<Terminal, "title" | "inMode" | "attached" | "currentCommand">>): void {
    this.#update(name, state);
  }

  /** For tests: pasted texts, and keys as `<Enter>`, in order. */
  sent(name: string): readonly string[] {
    return this.#known(name).sent;
  }

  wish(name: string): TerminalWish {
    return this.#known(name).wish;
  }

  /** For tests: the next thing asked fails with this. */
  failNext(outage: Outage): void {
    this.#outage = outage;
  }

  #failIfAsked(): void {
    const outage = this.#outage;
    this.#outage = undefined;
    if (outage !== undefined) throw outage;
  }

  #known(name: string): FakePane {
    this.#names.check(name);
    this.#failIfAsked();
    const pane = this.#panes.get(name);
    if (pane === undefined) throw unknownTerminal(name);
    return pane;
  }

  #living(name: string): FakePane {
    const pane = this.#known(name);
    if (pane.terminal.dead) throw deadTerminal(name);
    return pane;
  }

  #newLine(pane: FakePane, next: string): void {
    pane.lines.push(pane.typed);
    pane.typed = next;
  }

  #leaveMode(pane: FakePane): void {
    pane.terminal = { ...pane.terminal, inMode: false, lastActivityMs: this.#second() };
  }

  #update(name: string, state: Partial<Terminal>): void {
    const pane = this.#known(name);
    pane.terminal = { ...pane.terminal, ...state };
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) queueMicrotask(listener);
  }

  #second(): number {
    return Math.floor(this.#clock.nowMs() / 1000) * 1000;
  }
}
