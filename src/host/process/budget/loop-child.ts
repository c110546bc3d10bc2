// For tests: a process that keeps its own budgets and then does what it is told, by a name on its command line.

import { inBudget, keepBudgets } from "../../../ports/budget.ts";
import { ownBudgets } from "./own-budgets.ts";
import { recordDescriptor } from "./question-record.ts";

const [what = "", holdMs = "1000"] = process.argv.slice(2);
keepBudgets(
  ownBudgets({
    record: recordDescriptor,
    holdMs: Number(holdMs),
    isOneByOne: false,
    refused: () => undefined,
    suspicion: () => 0,
  }),
);

/** (module (func (export "f") (loop (br 0)))) */
const endless = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11,
  11,
];
const ways: Readonly<Record<string, () => unknown>> = {
  script: () => {
    for (let at = 0; ; at = (at * 31 + 1) | 0) if (at === 0.5) return at;
  },
  wasm: () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(endless)));
    return (exports["f"] as () => void)();
  },
  pattern: () => /\s+$/.test(`a${" ".repeat(20_000_000)}b`),
  promises: async () => {
    for (;;) await Promise.resolve();
  },
  memory: async () => {
    const kept: string[] = [];
    for (;;) {
      for (let at = 0; at < 20_000; at += 1) kept.push(`${kept.length} ${"x".repeat(200)}${kept.length}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
  // A compiler in a group of its own, told by its number, and then an endless loop.
  compiler: async () => {
    const { pid } = Bun.spawn(["sh", "-c", "sleep 1000 & sleep 1000"], {
      detached: true,
      stdio: ["ignore", "ignore", "ignore"],
    });
    process.send?.(pid);
    // Long enough to be seen beside it: whoever watches looks twice a second. Then it hangs.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (let at = 0; ; at = (at * 31 + 1) | 0) if (at === 0.5) return at;
  },
  crash: () => process.kill(process.pid, "SIGSEGV"),
};
const work = ways[what];
if (work === undefined) process.exit(0);
void inBudget({ kind: "file", name: what, key: what, repository: "r" }, work);
