// `constel watch`: the owner's monitor in a terminal. It reads by the same operations as the page, acts by the commands that it names, and writes to the terminal
// only what differs from what stands there: while nothing happens, nothing.
//
// The loop: something may have changed (an event, a second passed, a key) → what the page in front needs is read → the picture is drawn anew →
// the difference is written. One reading at a time; what comes meanwhile makes one more.

import type { WatchParts } from "../../client/monitor.ts";
import { messageOf } from "../../protocol/errors.ts";
import { keys, type MonitorPage, monitorPages } from "../../protocol/keys.ts";
import { type Act, actFor, chosenOf } from "./acts.ts";
import { difference, type Line } from "./cells.ts";
import { choices, frame, helpLines, type Seen } from "./frame.ts";
import { load } from "./load.ts";

const enter = "\u001b[?1049h\u001b[?25l\u001b[H";
const leave = "\u001b[?25h\u001b[?1049l";
/** What is no event (a state's evidence, tokens used, a screen) is looked at as often. */
const lookMs = 1_000;
/** Events of a burst are answered by one reading. */
const gatherMs = 100;

export async function watch(parts: WatchParts): Promise<void> {
  await new Monitor(parts).run();
}

interface Question {
  readonly act: Extract<Act, { kind: "ask" }> | { readonly kind: "find"; readonly question: string };
  text: string;
}

class Monitor {
  readonly #parts: WatchParts;
  readonly #ending = new AbortController();
  #seen: Seen;
  #shown: readonly Line[] = [];
  #question: Question | undefined;
  #isHelp = false;
  #isGoing = false;
  #isAway = false;
  #wanted = Promise.withResolvers<void>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#seen = {
      constellation: parts.constellation,
      page: "now",
      needs: [],
      snoozed: 0,
      agents: [],
      others: [],
      screen: undefined,
      chosen: undefined,
      notice: undefined,
      stale: "reading…",
      find: "",
    };
    parts.signal.addEventListener("abort", () => this.#ending.abort(), { once: true });
    if (parts.signal.aborted) this.#ending.abort();
  }

  async run(): Promise<void> {
    const { terminal } = this.#parts;
    const { signal } = this.#ending;
    const stops = [
      terminal.onKeys((typed) => this.#hear(typed)),
      terminal.onResize(() => {
        this.#shown = [];
        if (!this.#isAway) terminal.write("\u001b[2J");
        this.#draw();
      }),
    ];
    terminal.write(enter);
    try {
      void this.#follow();
      while (!signal.aborted) {
        this.#wanted = Promise.withResolvers<void>();
        await this.#read();
        this.#draw();
        await Promise.race([this.#wanted.promise, this.#parts.sleep(lookMs, signal)]);
        if (!signal.aborted) await this.#parts.sleep(gatherMs, signal);
      }
    } finally {
      for (const stop of stops) stop();
      terminal.write(leave);
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        for await (const _ of this.#parts.follow(signal)) this.#wanted.resolve();
      } catch {
        // reading will say that nobody answers
      }
      await this.#parts.sleep(lookMs, signal);
    }
  }

  async #read(): Promise<void> {
    const { caller } = this.#parts;
    const { page } = this.#seen;
    try {
      const loaded = await load(caller, page);
      if (page !== this.#seen.page) return this.#wanted.resolve();
      this.#seen = { ...this.#seen, ...loaded, stale: undefined };
      this.#keepChosen();
      this.#seen = { ...this.#seen, screen: await this.#screenOfChosen() };
    } catch (cause) {
      if (this.#ending.signal.aborted) return;
      this.#seen = { ...this.#seen, stale: `as it was: ${messageOf(cause)}` };
    }
  }

  async #screenOfChosen(): Promise<Seen["screen"]> {
    const { need, agent } = chosenOf(this.#seen);
    if (this.#seen.page !== "now" || need !== undefined || agent === null) return undefined;
    const screen = await this.#parts.caller.call("agents.screen", { agent });
    return chosenOf(this.#seen).agent === agent ? screen : undefined;
  }

  /** The row that is chosen stays chosen wherever it goes; when it went, the one in its place is. */
  #keepChosen(): void {
    const rows = choices(this.#seen);
    if (this.#seen.chosen !== undefined && rows.includes(this.#seen.chosen)) return;
    this.#seen = { ...this.#seen, chosen: rows[0] };
  }

  #draw(): void {
    if (this.#isAway || this.#ending.signal.aborted) return;
    const size = this.#parts.terminal.size();
    const notice =
      this.#question === undefined ? this.#seen.notice : `${this.#question.act.question}: ${this.#question.text}_`;
    const wanted = this.#isHelp
      ? helpLines(
          keys.map(({ key, does }) => `${key.padEnd(6)} ${does}`),
          size,
        )
      : frame({ ...this.#seen, notice }, size);
    const bytes = difference(this.#shown, wanted);
    this.#shown = wanted;
    if (bytes !== "") this.#parts.terminal.write(bytes);
  }

  #hear(typed: string): void {
    if (this.#isAway) return;
    for (const key of keysIn(typed)) {
      if (key === "Ctrl-C") this.#ending.abort();
      else if (this.#question !== undefined) this.#answer(this.#question, key);
      else this.#press(key);
    }
    this.#draw();
  }

  #press(key: string): void {
    if (this.#isHelp || key === "?") {
      this.#isHelp = !this.#isHelp;
      return;
    }
    if (this.#isGoing) return this.#go(key);
    this.#seen = { ...this.#seen, notice: undefined };
    if (key === "q") this.#ending.abort();
    else if (key === "j" || key === "Down") this.#move(1);
    else if (key === "k" || key === "Up") this.#move(-1);
    else if (key === "n") this.#nextNeed();
    else if (key === "g") this.#isGoing = true;
    else if (key === "/") this.#question = { act: { kind: "find", question: "find" }, text: "" };
    else if (key === "Escape") this.#seen = { ...this.#seen, find: "" };
    else this.#do(actFor(key, this.#seen));
  }

  #go(key: string): void {
    this.#isGoing = false;
    const page = (monitorPages as Readonly<Record<string, MonitorPage>>)[key];
    if (page === undefined) return;
    this.#seen = { ...this.#seen, page, others: [], chosen: undefined, screen: undefined, find: "" };
    this.#wanted.resolve();
  }

  #move(by: number): void {
    const rows = choices(this.#seen);
    const at = rows.indexOf(this.#seen.chosen ?? "");
    const chosen = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    this.#seen = { ...this.#seen, chosen, screen: undefined };
    this.#wanted.resolve();
  }

  #nextNeed(): void {
    const { needs, chosen } = this.#seen;
    const at = needs.findIndex(({ key }) => key === chosen);
    this.#seen = { ...this.#seen, chosen: needs[(at + 1) % Math.max(1, needs.length)]?.key ?? chosen };
  }

  #answer(question: Question, key: string): void {
    if (key === "Escape") this.#question = undefined;
    else if (key === "Backspace") question.text = [...question.text].slice(0, -1).join("");
    else if (key === "Enter") {
      this.#question = undefined;
      const { act, text } = question;
      if (act.kind === "find") {
        this.#seen = { ...this.#seen, find: text };
        this.#keepChosen();
        this.#wanted.resolve();
      } else if (text.trim() !== "") this.#do({ kind: "run", words: [...act.words, text.trim()] });
      else if (act.isOptional === true) this.#do({ kind: "run", words: act.words });
    } else if ([...key].length === 1 || key.length > 12) question.text += key;
  }

  #do(act: Act | undefined): void {
    if (act === undefined) return;
    if (act.kind === "ask") this.#question = { act, text: "" };
    else if (act.kind === "say") this.#seen = { ...this.#seen, notice: act.text };
    else if (act.kind === "attach") void this.#attach(act.agent);
    else void this.#run(act.words);
  }

  async #run(words: readonly string[]): Promise<void> {
    this.#seen = { ...this.#seen, notice: `constel ${words.join(" ")} …` };
    this.#draw();
    const { ok, said } = await this.#parts.run(words);
    this.#seen = { ...this.#seen, notice: ok ? said : `not done: ${said}` };
    this.#wanted.resolve();
    this.#draw();
  }

  async #attach(agent: string): Promise<void> {
    const { terminal } = this.#parts;
    this.#isAway = true;
    terminal.write(leave);
    await this.#parts.attach(agent);
    terminal.write(`${enter}\u001b[2J`);
    this.#shown = [];
    this.#isAway = false;
    this.#wanted.resolve();
    this.#draw();
  }
}

const named: Readonly<Record<string, string>> = {
  "\r": "Enter",
  "\n": "Enter",
  "\u007f": "Backspace",
  "\b": "Backspace",
  "\u0003": "Ctrl-C",
  "\u001b": "Escape",
  "\u001b[A": "Up",
  "\u001b[B": "Down",
  "\u001bOA": "Up",
  "\u001bOB": "Down",
};

/** What was typed, key by key. Sequences that we have no name for are passed over. */
export function keysIn(typed: string): string[] {
  // oxlint-disable-next-line no-control-regex -- a terminal's own language
  const pieces = typed.match(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])|[\s\S]/gu) ?? [];
  return pieces.flatMap((piece) => {
    const name = named[piece];
    if (name !== undefined) return [name];
    // oxlint-disable-next-line no-control-regex -- control characters are no letters
    return piece.startsWith("\u001b") || /[\u0000-\u001f\u007f-\u009f]/.test(piece) ? [] : [piece];
  });
}
