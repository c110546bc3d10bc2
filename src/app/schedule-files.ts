// The files of schedules: cron.toml, which is the owner's too, and one file a loop. Written whole or not at all, one writer at a time.

import { join } from "node:path";
import { listTrusted, readTrusted, removeTrusted, writeTrusted } from "../files/trusted-files.ts";
import { waitForLock } from "../host/process/file-lock.ts";
import type { Clock } from "../ports/machine.ts";
import type { ScheduleFiles } from "../ports/schedules.ts";
import { Refusal } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";
import { openLoop, sealLoop } from "./sealed-loops.ts";

const lockMs = 10_000;

export function scheduleFiles(home: string, clock: Clock): ScheduleFiles {
  const loop = (id: string): string => join(inHome.loops, `${id}.toml`);
  return {
    async exclusively(work) {
      const lock = await waitForLock(home, inHome.schedulesLock, clock, lockMs);
      if (lock === undefined)
        throw new Refusal("config.busy", "another process is changing the schedules", { path: inHome.schedulesLock });
      try {
        return await work();
      } finally {
        lock.release();
      }
    },
    cronPath: inHome.cron,
    readCron: () => readTrusted(home, inHome.cron)?.toString("utf8"),
    writeCron: (text) => writeTrusted(home, inHome.cron, text),
    listLoops: () =>
      listTrusted(home, inHome.loops).flatMap((name) => /^([a-z0-9][a-z0-9-]{0,63})\.toml$/.exec(name)?.[1] ?? []),
    loopPath: loop,
    readLoop(id) {
      const written = readTrusted(home, loop(id))?.toString("utf8");
      return written === undefined ? undefined : openLoop(home, id, written, loop(id));
    },
    writeLoop: (id, text) => writeTrusted(home, loop(id), sealLoop(home, id, text)),
    removeLoop: (id) => void removeTrusted(home, loop(id)),
  };
}
