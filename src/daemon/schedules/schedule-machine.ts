// The real machine behind schedules.

import { createHash } from "node:crypto";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { send } from "../../floor/bus/send.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { runCommand } from "../../host/gate/run-command.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { systemProcesses } from "../../host/process/run.ts";
import type { ScheduleMachine } from "../../ports/schedules.ts";
import { messageOf } from "../../protocol/errors.ts";
import { enclosureWish } from "../../settings/enclosure.ts";
import { readEnv } from "../../settings/env.ts";
import { killPoint } from "../../settings/kill-at.ts";
import type { Settings } from "../../settings/settings.ts";
import { encloseCommands } from "../../app/enclose-commands.ts";
import { scheduleFiles } from "../../app/schedule-files.ts";
import { type OwnVerbs, verbRuns } from "./verb-runs.ts";

/** A gate's default deadline; who needs longer puts the work into a task. */
const untilMs = 600_000;

export function makeScheduleMachine(
  settings: Settings,
  stopping: AbortSignal,
): ScheduleMachine & { readonly verbs: OwnVerbs } {
  const { home, root } = settings;
  const trust = busTrust(home, systemClock, () => constellationHolder);
  const bus = { home, clock: systemClock, random: systemRandom, liveness: systemLiveness, ...trust };
  return {
    files: scheduleFiles(home, systemClock),
    verbs: verbRuns(settings),
    prompt({ id, key, from, to, text }) {
      send(bus, { ...(id === undefined ? {} : { id }), from, to, text, kind: "scheduled", idempotency_key: key });
    },
    async runUntil(command, directory) {
      const enclose = encloseCommands(enclosureWish(settings));
      const host = { processes: systemProcesses, environment: readEnv(), enclose };
      try {
        const wish = { command, cwd: directory ?? root, deadlineMs: untilMs, isPatient: true, signal: stopping };
        const run = await runCommand(host, wish);
        if (run.kind === "stopped") return undefined;
        if (run.kind !== "ended") return { ran: false, says: `it was ended after ${untilMs / 1000} s` };
        const exit = /^ended with (\d+)$/.exec(run.how)?.[1];
        return {
          ran: exit !== undefined,
          exit: exit === undefined ? undefined : Number(exit),
          says: run.how,
          printed: hashOf(run.printed),
        };
      } catch (cause) {
        return { ran: false, says: messageOf(cause) };
      }
    },
    step: killPoint,
  };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
