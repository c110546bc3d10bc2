// Decides what the owner is to be told of while nothing can be written down: on a full disk it is remembered here, as long as the daemon runs,
// since when something needs them and that they were told. Once there is room the database knows it too.

import type { Need } from "../../core/agents/needs.ts";
import { type DuePage, retryAfterMs } from "../../core/owner/note-needs.ts";
import { type PageRule, ruleFor } from "../../core/owner/page-rules.ts";

/** A need that is back within this time is the same thing as before. */
const sameMs = 3_600_000;

interface Remembered {
  readonly sinceMs: number;
  lastMs: number;
  isTold: boolean;
  tries: number;
  retryMs: number;
}

export class UnwrittenPages {
  readonly #known = new Map<string, Remembered>();
  readonly #rules: readonly PageRule[];
  readonly #now: () => number;

  constructor(rules: readonly PageRule[], now: () => number) {
    this.#rules = rules;
    this.#now = now;
  }

  /** `paged`: the keys of those that the owner was told of while it could be written down. */
  due(needs: readonly Need[], paged: ReadonlySet<string>): DuePage[] {
    const nowMs = this.#now();
    for (const [key, { lastMs }] of this.#known) if (nowMs - lastMs >= sameMs) this.#known.delete(key);
    return needs.flatMap((need) => {
      const rule = ruleFor(need.kind, this.#rules);
      const one = this.#remember(need.key, need.since_ms ?? nowMs);
      if (rule?.page !== true || paged.has(need.key) || one.isTold || one.retryMs > nowMs) return [];
      if (nowMs - one.sinceMs < rule.afterMs) return [];
      const { key, kind, agent, says, next } = need;
      return [{ key, kind, agent, says, next, tries: one.tries, urgent: rule.urgent }];
    });
  }

  note(pages: readonly DuePage[], told: boolean): void {
    for (const { key } of pages) {
      const one = this.#remember(key, this.#now());
      one.isTold = told;
      one.retryMs = told ? 0 : this.#now() + retryAfterMs(one.tries);
      one.tries += 1;
    }
  }

  hasTold = ({ key }: Pick<DuePage, "key">): boolean => this.#known.get(key)?.isTold === true;

  forget(pages: readonly Pick<DuePage, "key">[]): void {
    for (const { key } of pages) this.#known.delete(key);
  }

  #remember(key: string, sinceMs: number): Remembered {
    const one = this.#known.get(key) ?? { sinceMs, lastMs: 0, isTold: false, tries: 0, retryMs: 0 };
    one.lastMs = this.#now();
    this.#known.set(key, one);
    return one;
  }
}
