// A process that moves a constellation and kills itself before a step. `bun move-child.ts <from> <to> <step>`, where a step is its name, its
// table and how many rows of it are there, such as `copy events 16`; says each step, and `moved` at the end.

import { writeSync } from "node:fs";
import { systemClock, systemRandom } from "../../src/host/clock/system-clock.ts";
import { moveConstellation } from "../../src/store/moving/move.ts";

const [from = "", to = "", last = ""] = process.argv.slice(2);
await moveConstellation({
  constellation: "constel0",
  from,
  target: { url: to, backupDirectory: "/nonexistent", clock: systemClock },
  holder: "the test",
  clock: systemClock,
  random: systemRandom,
  verify: async () => {},
  step({ name, table, rows }) {
    const step = [name, table, rows].filter((one) => one !== undefined && one !== 0).join(" ");
    writeSync(1, `${step}\n`);
    // Where a write begins depends on where the one before was killed.
    if (step === last || (name === "write" && last.startsWith(`write ${table} `))) process.kill(process.pid, "SIGKILL");
  },
});
writeSync(1, "moved\n");
