// The launch as a holder reads it, and the machine that its program gets.

import { readTrusted } from "../../files/trusted-files.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { holdFile } from "../../host/runtime/driving/held.ts";
import type { Drive } from "../../ports/drive.ts";
import type { Launch, RuntimeMachine } from "../../ports/runtime.ts";
import { readEnv } from "../../settings/env.ts";

/** `runtime` is the name of its program. */
export type HeldLaunch = Launch & { readonly drive: Drive; readonly runtime: string };

export function readHeldLaunch(home: string, agent: string): HeldLaunch {
  const text = readTrusted(home, holdFile(agent))?.toString("utf8");
  if (text === undefined) throw new Error(`${agent} was not prepared to be driven over a pipe`);
  return JSON.parse(text) as HeldLaunch;
}

export function machineOf(): RuntimeMachine {
  return { processes: systemProcesses, clock: systemClock, env: childEnvironment(readEnv()) };
}
