// The files of schedules: cron.toml, which the owner may write too, one file a loop, and the register of those that count. Written whole or
// not at all, one writer at a time.

import { join } from "node:path";
import { listTrusted, readTrusted, removeTrusted, writeTrusted } from "../files/trusted-files.ts";
import { waitForLock } from "../host/process/file-lock.ts";
import type { Clock } from "../ports/machine.ts";
import type { ScheduleFiles } from "../ports/schedules.ts";
import { Refusal } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";
import { markOfText, readRegister, type ScheduleRegister, writeRegister } from "./schedule-register.ts";
import { openLoop, sealLoop } from "./sealed-loops.ts";

const lockMs = 10_000;

export function scheduleFiles(home: string, clock: Clock): ScheduleFiles {
  const loop = (id: string): string => join(inHome.loops, `${id}.toml`);
  const textOf = (id: string): string | undefined => readTrusted(home, loop(id))?.toString("utf8");
  const listLoops = (): string[] =>
    listTrusted(home, inHome.loops).flatMap((name) => /^([a-z0-9][a-z0-9-]{0,63})\.toml$/.exec(name)?.[1] ?? []);
  /** A home from before has loops and no register: those that carry constel's seal go into the first one. */
  const registerNow = (): ScheduleRegister => {
    const known = readRegister(home);
    if (known !== undefined) return known;
    const marks = listLoops().flatMap((id): [string, string[]][] => {
      const text = textOf(id);
      return text === undefined ? [] : [[id, [markOfText(text)]]];
    });
    return { crons: {}, loops: Object.fromEntries(marks) };
  };
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
    acceptedCrons: () => new Map(Object.entries(readRegister(home)?.crons ?? {})),
    writeAcceptedCrons: (marks) => writeRegister(home, { ...registerNow(), crons: Object.fromEntries(marks) }),
    listLoops,
    loopPath: loop,
    readLoop(id) {
      const written = textOf(id);
      return written === undefined ? undefined : openLoop(home, id, written, loop(id), readRegister(home)?.loops);
    },
    writeLoop(id, text) {
      const sealed = sealLoop(home, id, text);
      const register = registerNow();
      const before = textOf(id);
      // First the register, with both: wherever this dies, the file reads as one of them.
      const marks = [...(before === undefined ? [] : [markOfText(before)]), markOfText(sealed)];
      writeRegister(home, { ...register, loops: { ...register.loops, [id]: marks } });
      writeTrusted(home, loop(id), sealed);
    },
    removeLoop(id) {
      const register = registerNow();
      const { [id]: _, ...loops } = register.loops;
      writeRegister(home, { ...register, loops });
      removeTrusted(home, loop(id));
    },
  };
}
