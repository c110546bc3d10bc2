// The other side of the bus bench: says `ready`, then the time of each notice.
//   bus-watcher.ts mail <home>         waits on the inbox of agent1 as a worker does
//   bus-watcher.ts bare <directory>    the least: a watch on a directory

import { watch, writeSync } from "node:fs";
import { drain } from "../src/floor/bus/drain.ts";
import { settle } from "../src/floor/bus/settle.ts";
import { waitForMail } from "../src/floor/bus/wait.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";

if (import.meta.main) {
  const [kind, directory = ""] = process.argv.slice(2);
  if (kind === "mail") await watchMail(directory);
  else watchBare(directory);
}

async function watchMail(home: string): Promise<void> {
  const bus = {
    home,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    sign: undefined,
    recorder: undefined,
  };
  // Once through every path, so that the first notice does not pay for compiling.
  await drain(bus, "agent1");
  await waitForMail(bus, "agent1", { deadlineMs: 1 });
  say("ready");
  for (;;) {
    if (!(await waitForMail(bus, "agent1", { deadlineMs: 60_000 }))) continue;
    const noticed = nowMs();
    settle(bus, "agent1", (await drain(bus, "agent1")).messages, "delivered");
    say(String(noticed));
  }
}

function watchBare(directory: string): void {
  const seen = new Set<string>();
  watch(directory, (_, name) => {
    const noticed = nowMs();
    // A file makes several events; the first one counts.
    if (name === null || seen.has(name)) return;
    seen.add(name);
    say(String(noticed));
  });
  say("ready");
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** The wall clock to the microsecond; the bench takes the difference to its own. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
