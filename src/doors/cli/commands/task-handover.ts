// `constel task handover`: starts the next agent where it does not run yet, and gives it the task.

import { agentNamed } from "../../../floor/agents/agent-names.ts";
import { upOne } from "../../../floor/agents/up.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";
import type { RunCommand } from "../input/command.ts";
import { knownRuntime, withAgents } from "../machine/agent-machine.ts";
import { agentsNow } from "../reach/agents-now.ts";

/** A program that was only just started is seen within seconds; it takes no task before. */
const seenWithinMs = 60_000;

export const handover: RunCommand = async (context, input) => {
  const type = input.flag("type");
  const named = input.flag("to");
  if (named === undefined)
    throw new Refusal("usage.missing-argument", "constel task handover needs --to and the agent that goes on");
  const wish = input.asked("task.handover");
  const to = agentNamed(named);
  const caller = await context.caller();
  if (type !== undefined) {
    knownRuntime(type);
    const up = await withAgents(context, { lenient: false, creates: true }, (ports) => upOne(ports, to, { type }));
    if (up.outcome !== "running") await untilUp(context, to);
  }
  const answer = await caller.call("task.handover", { ...wish, to });
  const kept = answer.kept.map((ref) => `  saved: ${ref}`);
  return {
    json: answer,
    text: [`Task ${answer.task} goes from ${answer.from ?? "nobody"} to ${answer.to}.`, ...kept].join("\n"),
  };
};

async function untilUp(context: CliContext, agent: string): Promise<void> {
  const deadline = systemClock.monotonicMs() + seenWithinMs;
  while (systemClock.monotonicMs() < deadline && !context.signal.aborted) {
    const state = (await agentsNow(context))?.get(agent)?.state;
    if (state === "idle" || state === "busy") return;
    await systemClock.sleep(100, context.signal);
  }
}
