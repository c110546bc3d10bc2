// Whether the sources that the daemon began from are still the same. After an update of the clone a daemon goes on with what it has
// loaded, and loads the rest from what is there now: its version may be the same, and what it then does is of neither. So it looks
// now and then, while it is asked things, and says so with its version, which every command compares with its own.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../ports/machine.ts";

/** A look compares some thousand files: 10 ms, after the answer of whoever asked. */
const lookEveryMs = 60_000;

export class OwnSources {
  readonly #top: string | undefined;
  readonly #clock: Clock;
  #begunWith: string | undefined;
  #lookedMs = -Infinity;
  #isChanged = false;

  /** @param top of the clone; undefined for the single-file program, which has no sources beside it */
  constructor(top: string | undefined, clock: Clock) {
    this.#top = top;
    this.#clock = clock;
  }

  /** The version as it is told with every answer. */
  told(version: string): string {
    if (this.#clock.monotonicMs() - this.#lookedMs >= lookEveryMs) {
      this.#lookedMs = this.#clock.monotonicMs();
      setImmediate(() => this.look());
    }
    return this.#isChanged ? `${version} from before the sources were changed` : version;
  }

  /** True once a source is not the one the daemon began with. */
  look(): boolean {
    this.#lookedMs = this.#clock.monotonicMs();
    const now = this.#top === undefined ? undefined : markOf(this.#top);
    if (now === undefined) return this.#isChanged;
    this.#begunWith ??= now;
    this.#isChanged ||= now !== this.#begunWith;
    return this.#isChanged;
  }
}

/** By the times of inodes, which no editor, copy or checkout can set (src/quick/fresh.ts). */
function markOf(top: string): string | undefined {
  try {
    const names = readdirSync(join(top, "src"), { recursive: true, encoding: "utf8" }).filter(isLoaded).sort();
    const times = names.map((name) => `${name} ${statSync(join(top, "src", name)).ctimeMs}`);
    return String(Bun.hash(times.join("\n")));
  } catch {
    return undefined; // no sources there, or an update under way: the next look will tell
  }
}

const isLoaded = (name: string): boolean =>
  name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith(".suite.ts") && !name.includes("/cases/");
