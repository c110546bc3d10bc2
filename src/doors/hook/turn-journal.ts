// `state/runtime/<agent>/turns.jsonl`: which turns a worker's holder began, and how each ended. Sealed line by line, because what it says
// becomes messages in the worker's name. It outlives holder and daemon alike.

import { basename, dirname } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { appendTrusted, readTrusted } from "../../files/trusted-files.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import { nameOfHolder, turnsFile } from "../../host/runtime/driving/turns.ts";
import type { TurnEnd } from "../../ports/driver.ts";
import { counted } from "../../protocol/counted.ts";
import { sealed } from "./leave-record.ts";

/** The longest answer that is kept of a turn, in characters; a message may have a million bytes. */
const longestAnswer = 200_000;
/** Past this the file begins anew; the one before it stays. */
const longestFile = 4 * 1024 * 1024;

export class TurnJournal {
  readonly #home: string;
  readonly #agent: string;
  readonly #done: Set<string>;

  constructor(home: string, agent: string) {
    this.#home = home;
    this.#agent = agent;
    this.#done = new Set(endedTurns(home, agent));
  }

  /** A turn that it had already: the daemon gave it again because it could not know that it was taken. */
  isDone(turn: string): boolean {
    return this.#done.has(turn);
  }

  async began(turn: string): Promise<void> {
    this.#done.add(turn);
    this.#makeRoom();
    const leader = readLaunch(this.#home, this.#agent)?.leader;
    const holder = leader === undefined ? undefined : nameOfHolder(leader);
    await this.#append({ turn, began: Date.now(), holder });
  }

  async ended(
    turn: string,
    { ok, text, error, interrupted }: TurnEnd,
    more: { readonly session: string; readonly did: readonly string[]; readonly overtime: boolean },
  ): Promise<void> {
    const said = { ok, text: kept(text), error, interrupted: interrupted === true };
    await this.#append({ turn, at: Date.now(), ...said, ...more });
  }

  async #append(line: object): Promise<void> {
    const text = await sealed(this.#home, this.#agent, JSON.stringify(line));
    appendTrusted(this.#home, turnsFile(this.#agent), `${text}\n`);
  }

  #makeRoom(): void {
    if ((readTrusted(this.#home, turnsFile(this.#agent))?.length ?? 0) <= longestFile) return;
    using directory = TrustedDirectory.open(this.#home, dirname(turnsFile(this.#agent)));
    const name = basename(turnsFile(this.#agent));
    directory.moveTo(name, directory, `${name}.1`);
  }
}

/** What is left out is said, to whoever reads the answer. */
function kept(text: string): string {
  if (text.length <= longestAnswer) return text;
  const left = `${counted(text.length - longestAnswer, "more character")} of this answer were left out`;
  return `${text.slice(0, longestAnswer).toWellFormed()}\n[constel: ${left}]`;
}

function endedTurns(home: string, agent: string): string[] {
  const text = readTrusted(home, turnsFile(agent))?.toString("utf8") ?? "";
  return [...text.matchAll(/^\{"turn":"([A-Za-z0-9_.]{1,80})","at":/gm)].map(([, turn = ""]) => turn);
}
