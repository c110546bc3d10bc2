// Becomes the program that runs from the sources: the same process, with the same words, as if bin/constel had chosen it. Only
// right while nothing has been done yet, not even a byte of stdin read.

import { sparingEngine } from "../settings/engine.ts";
import { readEnv } from "../settings/env.ts";
import { builtFrom, topOfClone } from "./built-from.ts";

/** The caller's, before main.ts makes it stricter. The program has this file twice (scripts/build-quick.ts); the first one keeps it for both. */
const callersUmask = Symbol.for("constel.callers-umask");
const kept = globalThis as { [callersUmask]?: number };
const umask = (kept[callersUmask] ??= process.umask());

export function handOver(): never {
  const top = topOfClone();
  const bun = `${top}/${builtFrom().bun}`;
  const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  process.umask(umask);
  if (process.execve === undefined) throw new Error("this Bun cannot replace itself; use scripts/build.sh");
  return process.execve(bun, [bun, ...guards, `${top}/src/main.ts`, ...process.argv.slice(2)], environment(top));
}

/** As bin/constel leaves it: with Bun's translations kept in the clone. What injects code into Bun was dropped at the start. */
function environment(top: string): Record<string, string> {
  const kept = Object.entries(readEnv()).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const cache = { BUN_RUNTIME_TRANSPILER_CACHE_PATH: `${top}/node_modules/.cache/bun` };
  // That was dropped with the rest of what is Bun's.
  const engine = process.argv[2] === "daemon" && process.argv[3] === "run" ? sparingEngine : {};
  return { ...Object.fromEntries(kept), ...cache, ...engine };
}
