// For fault tests: a named step at which the process ends itself as if by `kill -9`. CONSTEL_KILL_AT names the step,
// `name:3` the third time it is reached. Unset, a step costs one comparison.

import { readEnv } from "./env.ts";

interface Target {
  readonly name: string;
  timesLeft: number;
}

/** undefined: the environment was not looked at yet; null: nothing to do. */
let target: Target | null | undefined;

export function killPoint(name: string): void {
  if (target === null) return;
  target ??= readTarget();
  if (target === null || target.name !== name) return;
  target.timesLeft -= 1;
  if (target.timesLeft > 0) return;
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; nothing after this line may happen.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

function readTarget(): Target | null {
  const setting = readEnv().CONSTEL_KILL_AT;
  if (setting === undefined || setting === "") return null;
  const [, name = setting, times = "1"] = /^(.*?)(?::(\d+))?$/.exec(setting) ?? [];
  return { name, timesLeft: Number(times) };
}
