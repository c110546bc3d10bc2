// One line about long work, drawn over itself, on a terminal only: what is being done, a bar where it can be counted, and
// for how long already. It appears when the work turns out to take a moment, and is gone when it ends.

import type { Output } from "./output.ts";
import { cut } from "./table.ts";
import { ago } from "./time.ts";

export interface Progress {
  /** Says what is being done now, and how much of it. */
  tell(what: string, part?: Part): void;
  end(): void;
}

interface Part {
  readonly done: number;
  readonly total: number;
}

type Screen = Pick<Output, "interactive" | "json" | "raw" | "safe" | "now">;

/** Work that is over sooner than this shows no line. */
const patienceMs = 400;
const everyMs = 100;
const barWidth = 20;

export function startProgress({ interactive, json, raw, safe, now }: Screen, first: string): Progress {
  if (!interactive || json) return { tell: () => undefined, end: () => undefined };
  const started = performance.now();
  let [what, part, drawnAt, isDrawn]: [string, Part | undefined, number, boolean] = [first, undefined, 0, false];
  const draw = (): void => {
    const elapsed = performance.now() - started;
    if (elapsed < patienceMs || elapsed - drawnAt < everyMs) return;
    [drawnAt, isDrawn] = [elapsed, true];
    // The last column stays free: a full line would make some terminals scroll.
    raw(`\r${safe(cut(progressLine(what, part, elapsed), now().columns - 1))}\u001b[K`);
  };
  // Work in this process may keep the timer from its turn; then what it tells draws the line.
  const timer = setInterval(draw, everyMs);
  timer.unref();
  return {
    tell(next, of) {
      [what, part] = [next, of];
      draw();
    },
    end() {
      clearInterval(timer);
      if (isDrawn) raw("\r\u001b[K");
      isDrawn = false;
    },
  };
}

/** Runs work with a line about it. */
export async function withProgress<T>(
  output: Screen,
  first: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = startProgress(output, first);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

export function progressLine(what: string, part: Part | undefined, elapsedMs: number): string {
  const time = ago(elapsedMs);
  if (part === undefined || part.total === 0) return `${what}  ${time}`;
  const full = Math.round((Math.min(part.done, part.total) / part.total) * barWidth);
  return `${what}  ${"━".repeat(full)}${"─".repeat(barWidth - full)}  ${part.done} of ${part.total}  ${time}`;
}
