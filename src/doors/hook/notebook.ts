// What the holder leaves behind: hook records, what turns used, and what a person sees in its terminal.

import { appendTrusted } from "../../files/trusted-files.ts";
import type { TurnEnd } from "../../ports/driver.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import { forTerminal } from "../../protocol/safe-text.ts";
import type { HeldLaunch } from "./held-launch.ts";
import { leaveRecord } from "./leave-record.ts";

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
      byHolder: true,
      ...(transcript === undefined ? {} : { transcript }),
      ...more,
    };
    await leaveRecord(this.#home, this.#agent, record);
  }

  used({ usage }: TurnEnd): void {
    for (const one of usage) this.#append("usage.jsonl", JSON.stringify({ kind: "answer", at: one.atMs, usage: one }));
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
