// A process of its own for fault tests of taking records in:
//   records-child.ts write <home> <name> <stop>       appends records of ten days ago until <stop> exists; prints how many
//   records-child.ts take-in <home> <database> <stop> takes in and tidies until <stop> exists and no file is left

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { intakeLoop } from "../../src/daemon/intake/intake.ts";
import type { LoopParts } from "../../src/daemon/loops/loop-parts.ts";
import { appendRecord } from "../../src/floor/records.ts";
import { systemClock, systemRandom } from "../../src/host/clock/system-clock.ts";
import { defaultConfig } from "../../src/settings/declarations.ts";
import { openStore } from "../../src/store/open.ts";

const [work, home = "", given = "", stop = ""] = process.argv.slice(2);

if (work === "write") await write();
else await takeIn();

async function write(): Promise<void> {
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() - 10 * 86_400_000 };
  const place = { home, constellation: "", clock, random: systemRandom };
  let count = 0;
  while (!existsSync(stop)) {
    appendRecord(place, "crashes", { what: `${given}-${count++}`, detail: "x".repeat(400) });
    await Bun.sleep(1);
  }
  process.stdout.write(String(count));
}

async function takeIn(): Promise<void> {
  // What comes once a minute comes every 60 ms.
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() * 1000 };
  const url = `sqlite:${given}`;
  const store = await openStore({
    url,
    backupDirectory: join(home, "backups"),
    clock,
    random: systemRandom,
    constellation: "constel0",
  });
  const settings = { home, config: { ...defaultConfig, "logs.max_bytes": 65_536, "logs.keep_days": 1 } };
  const loop = intakeLoop({ settings, store, clock, random: systemRandom, log: () => {} } as unknown as LoopParts);
  const signal = new AbortController().signal;
  while (!existsSync(stop) || readdirSync(join(home, "logs")).length > 0) {
    await loop.round(signal);
    await Bun.sleep(5);
  }
  await store.close();
}
