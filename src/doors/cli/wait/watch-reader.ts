// Watches whether the process that started a waiting command is still there. A shell or an agent's program that was killed leaves its
// children to another parent; nobody reads what they would print.

import type { CliContext } from "../context.ts";

const lookMs = 500;

/** Aborted when the parent has gone, and by Ctrl-C and SIGTERM. */
export function watchReader(context: Pick<CliContext, "signal">): Disposable & { readonly signal: AbortSignal } {
  const parent = process.ppid;
  const gone = new AbortController();
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone.abort();
  }, lookMs);
  return {
    signal: AbortSignal.any([context.signal, gone.signal]),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
