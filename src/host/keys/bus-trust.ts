// All that the bus needs of keys, for one process: it signs what it sends, checks what it reads, and seals what it notes.

import { constellationHolder } from "../../ports/keys.ts";
import type { Clock } from "../../ports/machine.ts";
import { isAgentId } from "../../protocol/agent-id.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { type BusKeys, busKeys } from "./bus-keys.ts";
import { signingKey } from "./key-files.ts";
import { sealedBy, sealerOf } from "./seals.ts";

export interface BusTrust extends BusKeys {
  readonly recorder: { readonly by: string; seal(lines: readonly string[]): readonly string[] };
  sealedBy(line: string, holders: readonly string[]): string | undefined;
}

/** `by`: who this process is, an agent or `constellation`; asked when a line is written, until it is one of these. */
export function busTrust(home: string, clock: Clock, by: () => string): BusTrust {
  let known: string | undefined;
  const nameNow = (): string => {
    if (known !== undefined) return known;
    const name = by();
    // Of an agent that has just been started it may not be written down yet whose process it is.
    if (name === constellationHolder || isAgentId(name)) known = name;
    return name;
  };
  return {
    ...busKeys(home, clock),
    recorder: {
      get by() {
        return nameNow();
      },
      seal(lines) {
        const holder = nameNow();
        // Its file is looked at once for all of them: a message to fifty has fifty lines.
        const sealer = sealerOf(home, holder) ?? madeSealer(home, holder, clock);
        return sealer === undefined ? lines : lines.map((json) => sealer.seal(json));
      },
    },
    sealedBy: (line, holders) => sealedBy(home, line, holders),
  };
}

/** Whoever takes messages before it ever sent one has no key yet. */
function madeSealer(home: string, holder: string, clock: Clock): ReturnType<typeof sealerOf> {
  try {
    signingKey(home, holder, clock);
    return sealerOf(home, holder);
  } catch (cause) {
    if (cause instanceof Refusal || cause instanceof Outage) return undefined;
    throw cause;
  }
}
