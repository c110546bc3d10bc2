// One turn of each installed agent program, as `doctor --run` makes it: in an empty directory, without any tool being allowed, on the account
// that the program uses by itself. What it answers is not looked at, only that it does.

import type { CheckResult } from "../../../floor/doctor/check.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { withTemporaryDirectory } from "../../../host/process/temporary-directory.ts";
import { runtimes } from "../../../host/runtime/all.ts";
import type { Detected, HeadlessOutcome, Runtime, RuntimeMachine } from "../../../ports/runtime.ts";
import { messageOf } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";
import { oneLine } from "../present/table.ts";
import { runtimeMachine } from "./agent-machine.ts";

const prompt = "Answer with the one word: ready. Use no tool.";
/** A program that is slow to start, and a model that thinks. */
const deadlineMs = 180_000;

export interface Turning {
  readonly name: string;
  readonly turn: () => Promise<CheckResult>;
}

/** The programs that can be asked, none of them asked yet. A script answers whatever its command does, and costs nothing to try by hand. */
export async function liveTurns(context: CliContext): Promise<readonly Turning[]> {
  const machine = runtimeMachine(context);
  const found = await Promise.all(
    runtimes
      .filter(({ name, abilities }) => abilities.headless && name !== "script")
      .map(async (runtime) => ({ runtime, detected: await runtime.detect(machine) })),
  );
  return found
    .filter(({ detected }) => detected.installed && detected.path !== undefined)
    .map(({ runtime, detected }) => ({ name: runtime.name, turn: () => turnOf(runtime, detected, machine) }));
}

const turnOf = (runtime: Runtime, detected: Detected, machine: RuntimeMachine): Promise<CheckResult> =>
  withTemporaryDirectory("turn", (cwd) => turnIn(cwd, runtime, detected, machine));

async function turnIn(
  cwd: string,
  runtime: Runtime,
  detected: Detected,
  machine: RuntimeMachine,
): Promise<CheckResult> {
  const code = "program.turn";
  const beganMs = systemClock.monotonicMs();
  try {
    const program = detected.path ?? runtime.name;
    const command = runtime.headless({ program, cwd, prompt, permissions: "ask", trusted: true });
    const env = Object.fromEntries(
      Object.entries({ ...machine.env, ...command.env }).filter(([name]) => !command.unset.includes(name)),
    );
    const ran = await machine.processes.run(command.argv, { cwd, env, stdin: command.stdin, deadlineMs });
    const nowMs = systemClock.nowMs();
    const outcome = runtime.parseHeadless(new TextDecoder().decode(ran.stdout), ran.stderr, ran.code, nowMs);
    if (ran.timedOut) return failed(code, runtime.name, `did not answer within ${deadlineMs / 1_000} s`);
    const seconds = ((systemClock.monotonicMs() - beganMs) / 1_000).toFixed(1);
    return outcome.ok
      ? { code, state: "well", saw: `${runtime.name} answered a turn in ${seconds} s` }
      : verdictOn(code, runtime.name, outcome);
  } catch (cause) {
    return failed(code, runtime.name, messageOf(cause));
  }
}

function verdictOn(
  code: string,
  name: string,
  { limit, loggedOut, error = "no reason" }: HeadlessOutcome,
): CheckResult {
  if (limit !== undefined)
    return {
      code,
      state: "warning",
      saw: `${name} is at its usage limit: ${oneLine(limit.says).slice(0, 300)}`,
      means: "Agents of it wait until the limit lifts.",
    };
  if (loggedOut === true)
    return {
      code,
      state: "broken",
      saw: `${name} is not logged in: ${oneLine(error).slice(0, 300)}`,
      means: "Its agents start and answer nothing.",
      mend: `Run ${name} once by hand and log in.`,
    };
  return failed(code, name, oneLine(error).slice(0, 300));
}

const failed = (code: string, name: string, why: string): CheckResult => ({
  code,
  state: "broken",
  saw: `${name} failed at a turn: ${why}`,
  means: "Its agents would fail in the same way.",
  mend: `Run ${name} once by hand.`,
});
