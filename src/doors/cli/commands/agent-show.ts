// All that is known of one agent, on one screen.

import { readHear } from "../../../floor/hear/hear-files.ts";
import { sealedHome } from "../../../host/keys/seal-for-constel.ts";
import { readHooks } from "../../../host/runtime/hook-records.ts";
import type { HookRecord } from "../../../ports/runtime.ts";
import type { HearItem } from "../../../protocol/hear.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { inHand } from "../../../protocol/in-hand.ts";
import type { RunCommand } from "../input/command.ts";
import { mailText, sinceText, spentText, stateText } from "../present/agent.ts";
import { oneLine } from "../present/table.ts";
import { ago, utc } from "../present/time.ts";

type Shown = OutputOf<(typeof operations)["agents.show"]>;

const hooksShown = 8;

export const agentShow: RunCommand = async (context, input) => {
  const asked = input.asked("agents.show");
  const { agent } = asked;
  const answer = await (await context.caller()).call("agents.show", asked);
  const all = readHooks(context.places.home, agent, answer.agent.launched_ms);
  const hooks = all.slice(-hooksShown);
  const more = [...answer.more, ...(all.length > hooks.length ? ["hooks"] : [])];
  const line = more.length === 0 ? [] : [`Only the newest are shown of: ${more.join(", ")}. More: ${restOf(agent)}`];
  if (context.output.json) for (const one of line) context.output.say(one);
  const hear = readHear(sealedHome(context.places.home), agent)?.items ?? [];
  return { json: { ...answer, hooks, hear }, text: () => [page(answer, hooks, hear), ...line].join("\n") };
};

const restOf = (agent: string): string =>
  `constel query "select * from messages where receiver = '${agent}'", and the tables sessions and timeline`;

function page(shown: Shown, hooks: readonly HookRecord[], hear: readonly HearItem[]): string {
  const nowMs = Date.now();
  const { agent } = shown;
  const at = agent.evidence.at_ms === null ? "" : `, ${ago(nowMs - agent.evidence.at_ms)} ago`;
  const wanted = agent.wanted === "nothing" ? "started by a person" : `wanted ${agent.wanted}`;
  const lines = [
    `${agent.agent}  ${agent.role} on ${agent.runtime}${agent.model === null ? "" : ` (${agent.model})`}${agent.account === null ? "" : `, account ${agent.account}`}, ${wanted}`,
    `State     ${stateText(agent, nowMs)} for ${sinceText(agent, nowMs)}`,
    `Because   ${agent.evidence.on}: ${agent.evidence.says}${at}`,
    `Task      ${inHand(agent).join(", ") || "none"}`,
    `Session   ${agent.session_id ?? "not known"}, launched ${ago(nowMs - agent.launched_ms)} ago, in ${agent.cwd}`,
    `Today     ${spentText(agent.today, Infinity) || "no tokens"}`,
    `Mail      ${mailText(agent) || "nothing waits"}`,
    ...shown.usage.map(usageLine),
    ...section(
      "Messages",
      shown.messages.map((one) => messageLine(one, nowMs)),
    ),
    ...section(
      "To hear next",
      hear.map(({ at, text, denies }) => `at ${at.join(", ")}${denies === true ? ", denies the edit" : ""}: ${text}`),
    ),
    ...section(
      "Hooks",
      hooks.map((hook) => hookLine(hook, nowMs)),
    ),
    ...section(
      "Sessions",
      shown.sessions.map((session) => sessionLine(session, nowMs)),
    ),
    ...section(
      "Events",
      shown.events.map((event) => `${utc(event.at_ms)}  ${event.type}  ${JSON.stringify(event.data)}`),
    ),
  ];
  return lines.map(oneLine).join("\n");
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

function usageLine(usage: Shown["usage"][number]): string {
  const { model, answers, input, output, cache_read: read, cache_write: write, cost_micros: micros, unpriced } = usage;
  const cost = unpriced === answers ? "price not known" : `$${(micros / 1e6).toFixed(4)}`;
  return `Usage     ${model}: ${answers} answers, ${input} in, ${output} out, ${read} cache read, ${write} cache written, ${cost}`;
}

function messageLine(message: Shown["messages"][number], nowMs: number): string {
  const when = message.sent_ms === null ? "" : `${ago(nowMs - message.sent_ms)} ago`;
  const because = message.because === null ? "" : ` (${message.because})`;
  return `${message.state}${because}  from ${message.sender}, ${when}: ${(message.text ?? "").slice(0, 60)}`;
}

function hookLine(hook: HookRecord, nowMs: number): string {
  const more = [hook.tool, hook.reason, hook.messages?.join(" ")].filter((word) => word !== undefined && word !== "");
  return `${ago(nowMs - hook.at)} ago  ${hook.event}  ${more.join("  ")}`.trimEnd();
}

function sessionLine(session: Shown["sessions"][number], nowMs: number): string {
  const status = session.exit_status === null ? "" : ` with status ${session.exit_status}`;
  const signal = session.exit_signal === null ? "" : ` by signal ${session.exit_signal}`;
  const end = session.ended_ms === null ? "runs" : `ended ${ago(nowMs - session.ended_ms)} ago${status}${signal}`;
  return `${utc(session.started_ms)}  ${session.because}  ${end}`;
}
