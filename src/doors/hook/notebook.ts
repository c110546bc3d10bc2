// What the holder leaves behind: hook records, the outcome of each turn of a worker, what turns used, and what a person sees in its terminal.

import { appendTrusted } from "../../files/trusted-files.ts";
import type { TurnEnd } from "../../ports/driver.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import { forTerminal } from "../../protocol/safe-text.ts";
import type { HeldLaunch } from "./held-launch.ts";
import { leaveRecord, sealed } from "./leave-record.ts";

/** The longest answer that is kept of a turn, in characters; a message may have a million bytes. */
const longestAnswer = 200_000;

export class Notebook {
  readonly #home: string;
  readonly #agent: string;
  readonly #launch: HeldLaunch;
  session = "held";
  transcript: string | undefined;

  constructor(home: string, agent: string, launch: HeldLaunch) {
    this.#home = home;
    this.#agent = agent;
    this.#launch = launch;
  }

  async note(event: HookRecord["event"], more: Partial<HookRecord> = {}): Promise<void> {
    const { transcript, session } = this;
    const record: HookRecord = {
      event,
      at: Date.now(),
      session,
      cwd: this.#launch.cwd,
      ...(transcript === undefined ? {} : { transcript }),
      ...more,
    };
    await leaveRecord(this.#home, this.#agent, record);
  }

  /** Sealed: nobody else may say how a turn ended, and what it answered. */
  async turnEnded([turn]: readonly string[], end: TurnEnd): Promise<void> {
    for (const usage of end.usage)
      this.#append("usage.jsonl", JSON.stringify({ kind: "answer", at: usage.atMs, usage }));
    if (this.#launch.drive.worker !== true || turn === undefined) return;
    const { ok, text, error } = end;
    const said = { turn, at: Date.now(), session: this.session, ok, text: text.slice(0, longestAnswer), error };
    this.#append("turns.jsonl", await sealed(this.#home, this.#agent, JSON.stringify(said)));
  }

  /** Read by the daemon from the terminal's title. */
  show(state: "idle" | "busy" | "waiting"): void {
    process.stdout.write(`\u001b]2;constel:${state}\u0007`);
  }

  say(text: string): void {
    process.stdout.write(`${forTerminal(text)}\n`);
  }

  #append(name: string, line: string): void {
    appendTrusted(this.#home, `state/runtime/${this.#agent}/${name}`, `${line}\n`);
  }
}
