// An agent's screen as rows of text. Looking resizes no terminal and attaches to none.

import { systemClock } from "../../../host/clock/system-clock.ts";
import type { AgentScreen } from "../../../protocol/window.ts";
import type { CliContext } from "../context.ts";
import type { RunCommand } from "../input/command.ts";
import { jsonLine } from "../present/json-answer.ts";
import { redraw } from "../present/redraw.ts";
import { ago } from "../present/time.ts";

const everyMs = 500;

export const screen: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const asked = input.asked("agents.screen");
  const look = (): Promise<AgentScreen> => caller.call("agents.screen", asked);
  if (input.has("follow")) return await follow(context, look);
  const seen = await look();
  return { json: { ...seen }, text: () => rowsOf(seen), exit: seen.rows === null ? 1 : 0 };
};

/** Until Ctrl-C. Where stdout is no terminal, the whole screen (with --json, a line) whenever it has changed. */
async function follow(context: CliContext, look: () => Promise<AgentScreen>): Promise<undefined> {
  const { output, signal } = context;
  if (output.interactive && !output.json)
    return await redraw(output, async () => rowsOf(await look()), { everyMs, signal });
  let last = "";
  while (!signal.aborted) {
    const seen = await look();
    const rows = JSON.stringify([seen.rows, seen.problem]);
    if (rows !== last) output.data(output.json ? `${jsonLine({ ...seen })}\n` : `${rowsOf(seen)}\n\n`);
    last = rows;
    await systemClock.sleep(everyMs, signal);
  }
  return undefined;
}

function rowsOf({ agent, rows, problem, seen_ms: seenMs }: AgentScreen): string {
  if (rows !== null) return rows.join("\n");
  const when = seenMs === null ? "" : `; last seen ${ago(systemClock.nowMs() - seenMs)} ago`;
  return `${agent} shows no screen: ${problem ?? "nothing is known of it"}${when}`;
}
