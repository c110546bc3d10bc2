// Every invocation becomes a row in cli_invocations: here it is left as one appended line, which the daemon takes in later.
// It costs an append and never fails the command. A home that does not exist, or no longer, is not made for it.

import { maskArgv } from "../../floor/mask-argv.ts";
import { tryAppendRecord } from "../../floor/records.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { keepToRoot } from "../../files/trusted-directory.ts";
import type { CliContext } from "./context.ts";

export interface InvocationFacts {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly version: string;
  readonly durationMs: number;
  readonly exit: number;
}

export function recordInvocation(places: CliContext["places"], facts: InvocationFacts): void {
  keepToRoot(places.home);
  // The constellation's name is in the config, which the fast path does not read; intake fills in this machine's.
  tryAppendRecord({ home: places.home, constellation: "", clock: systemClock, random: systemRandom }, "invocations", {
    argv: maskArgv(facts.words),
    cwd: facts.cwd,
    agent: places.agent ?? null,
    version: facts.version,
    duration_ms: facts.durationMs,
    exit_code: facts.exit,
  });
}
