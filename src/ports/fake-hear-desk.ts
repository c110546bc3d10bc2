// A desk in memory, and a hook at it: reads what lies there, marks what is due, and tells it or dies.

import type { Hear, HearItem, HearMoment } from "../protocol/hear.ts";
import type { HearDesk } from "./hear-desk.ts";

export class FakeHearDesk implements HearDesk {
  readonly #hears = new Map<string, Hear>();
  readonly #marks = new Map<string, Map<string, number>>();
  readonly #nowMs: () => number;
  /** The number of writes. */
  written = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  marks(agent: string): ReadonlyMap<string, number> {
    return this.#marks.get(agent) ?? new Map();
  }

  marked(): ReadonlySet<string> {
    return new Set(this.#marks.keys());
  }

  claim(agent: string, item: string): boolean {
    const marks = this.#marks.get(agent) ?? new Map<string, number>();
    this.#marks.set(agent, marks);
    if (marks.has(item)) return false;
    marks.set(item, this.#nowMs());
    return true;
  }

  forget(agent: string, item: string): void {
    this.#marks.get(agent)?.delete(item);
  }

  lay(agent: string, hear: Hear | undefined): void {
    if (JSON.stringify(hear) === JSON.stringify(this.#hears.get(agent))) return;
    this.written += 1;
    if (hear === undefined) this.#hears.delete(agent);
    else this.#hears.set(agent, structuredClone(hear));
  }

  laid(): readonly string[] {
    return [...this.#hears.keys()];
  }

  hear(agent: string): Hear | undefined {
    return this.#hears.get(agent);
  }

  items(agent: string): readonly HearItem[] {
    return this.hear(agent)?.items ?? [];
  }

  /** Returns what a hook of the agent takes up at this moment, in this conversation. */
  takeUp(agent: string, at: HearMoment, file?: string, session?: string): HearItem[] {
    return this.items(agent)
      .filter((item) => item.at.includes(at) && (item.to === undefined || item.to === session))
      .filter(({ files }) => at !== "edit" || files.length === 0 || (file !== undefined && files.includes(file)))
      .filter(({ id }) => this.claim(agent, id));
  }
}
