// One screen for the owner: what needs them, the agents, the messages. Made to fit 80 columns and 24 lines.

import { join } from "node:path";
import { request } from "../../../client/socket.ts";
import { exitCodes } from "../../../protocol/catalogue.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { inHome } from "../../../settings/paths.ts";
import type { RunCommand } from "../command.ts";
import type { Output } from "../output.ts";
import { mailText, sinceText, spentText, stateText } from "../present/agent.ts";
import { oneLine, table } from "../present/table.ts";
import { ago } from "../present/time.ts";

type Status = OutputOf<(typeof operations)["status.look"]>;

/** Lines of each part, so that the whole fits a small terminal; what is left out is named. */
const mostNeeds = 5;
const mostAgents = 9;

export const status: RunCommand = async (context) => {
  const running = await isRunning(join(context.places.home, inHome.socket));
  const answer = await (await context.caller()).call("status.look", {});
  return {
    json: { daemon: { running }, ...answer },
    text: () => screen(answer, running, context.output),
    ...(answer.needs.length > 0 ? { exit: exitCodes.negative } : {}),
  };
};

async function isRunning(socket: string): Promise<boolean> {
  try {
    return (await request(socket, "/health")).ok;
  } catch {
    return false;
  }
}

function screen(status: Status, running: boolean, output: Output): string {
  const { paint } = output;
  const nowMs = Date.now();
  const lines = [paint.bold(headline(status))];
  if (!running) {
    const when = status.seen_ms === null ? "" : ` This is how it was ${ago(nowMs - status.seen_ms)} ago.`;
    lines.push(paint.yellow(`The daemon does not run (constel daemon start).${when}`));
  }
  return [...lines, ...needsPart(status, output), ...agentsPart(status, output, nowMs), messagesLine(status)].join(
    "\n",
  );
}

function headline({ constellation, agents }: Status): string {
  const counts = Map.groupBy(agents, ({ state, wanted }) => (wanted === "down" ? "down" : state));
  const parts = [...counts].map(([state, those]) => `${those.length} ${state}`);
  return `${constellation}: ${agents.length === 0 ? "no agents yet" : parts.join(", ")}`;
}

function needsPart({ needs, agents }: Status, { columns, paint }: Output): string[] {
  if (needs.length === 0) return agents.length === 0 ? [] : ["", paint.green("Nothing needs you.")];
  const rows = needs.slice(0, mostNeeds).map((need) => [need.agent ?? "", need.kind, need.says, need.next]);
  const more = needs.length > mostNeeds ? [`… and ${needs.length - mostNeeds} more: constel status --json`] : [];
  return ["", table(["needs you", "what", "says", "next"], rows, { columns, paint }), ...more];
}

function agentsPart({ agents }: Status, { columns, paint }: Output, nowMs: number): string[] {
  if (agents.length === 0) return ["", "Start some with: constel up 2"];
  const rows = agents
    .slice(0, mostAgents)
    .map((agent) => [
      agent.agent,
      agent.runtime,
      agent.wanted === "down" ? "down" : stateText(agent, nowMs),
      sinceText(agent, nowMs),
      agent.task ?? "",
      spentText(agent.today),
      mailText(agent),
    ]);
  const head = ["agent", "runtime", "state", "for", "task", "today", "mail"];
  const more = agents.length > mostAgents ? [`… and ${agents.length - mostAgents} more: constel agents`] : [];
  return ["", table(head, rows, { columns, paint }), ...more];
}

function messagesLine({ messages }: Status): string {
  const { waiting, unknown, poisoned } = messages;
  const parts = [`${waiting} waiting`, `${unknown} unknown`, `${poisoned} poisoned`];
  return oneLine(waiting + unknown + poisoned === 0 ? "Messages: all arrived." : `Messages: ${parts.join(", ")}.`);
}
