// `constel mcp`: hands the MCP door what it needs and waits until its client has left.

import { tryAppendRecord } from "../../../floor/records.ts";
import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import type { RunCommand } from "../input/command.ts";

export const serve: RunCommand = async (context) => {
  const { places, backstage, version, cwd, output, signal } = context;
  // Empty: this machine's constellation, as the daemon that takes the records in knows it.
  const place = { home: places.home, constellation: "", clock: systemClock, random: systemRandom };
  // A server keeps its own account of what is asked of it.
  const isHere = context.server === undefined;
  await backstage.serveMcp({
    version,
    caller: await context.caller(),
    agent: places.agent ?? "owner",
    cwd,
    record: (call) => void (isHere && tryAppendRecord(place, "mcp-calls", { ...call })),
    onError: (cause) => output.say(`constel: mcp: ${cause.message}`),
    signal,
  });
  return undefined;
};
