// Runs one of constel's own commands in a process of its own, for what the daemon's thread should not do itself, and reads its answer.

import { ownCommand, ownEnvironment } from "../../host/process/own-command.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { Outage } from "../../protocol/errors.ts";
import { fromWire } from "../../protocol/wire.ts";
import { readEnv } from "../../settings/env.ts";
import type { Settings } from "../../settings/settings.ts";

const mostBytes = 8 * 1024 * 1024;

interface Allowed {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Thrown when it takes longer. */
  readonly tooSlow: () => Error;
  readonly cwd?: string;
}

/** `isCut`: it said more than is kept. */
export async function runOwnCommand(
  { home }: Settings,
  [verb = "", ...words]: readonly string[],
  { deadlineMs, signal, tooSlow, cwd = home }: Allowed,
): Promise<{ stdout: string; isCut: boolean }> {
  const { code, stdout, stderr, timedOut, truncated } = await systemProcesses.run(
    [...ownCommand(), verb, "--json", "--home", home, ...words],
    {
      env: ownEnvironment(readEnv()),
      cwd,
      deadlineMs,
      maxOutputBytes: mostBytes,
      ...(signal === undefined ? {} : { signal }),
    },
  );
  if (timedOut) throw tooSlow();
  if (code === 0 || truncated) return { stdout: Buffer.from(stdout).toString(), isCut: truncated };
  throw failureIn(`constel ${verb}`, stderr);
}

/** The command's own refusal, as it stands on stderr. */
export function failureIn(command: string, stderr: string): Error {
  const line = stderr.split("\n").findLast((one) => one.startsWith("{"));
  try {
    const { error } = JSON.parse(line ?? "{}") as { error?: { code?: string; message: string; hint?: string } };
    if (error?.code !== undefined) return fromWire({ error: { kind: "refusal", ...error } });
  } catch {
    // not what a command says of a failure
  }
  return new Outage("run", command, stderr.trim().slice(-500));
}
