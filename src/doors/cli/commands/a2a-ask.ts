// `constel a2a ask`: a message to an agent of somebody else's, and, with --wait, what becomes of it.

import { askedRemote } from "../../../host/a2a/outward/asked-remote.ts";
import { followTask } from "../../../host/a2a/outward/follow-task.ts";
import { meet } from "../../../host/a2a/outward/remote-agent.ts";
import { isEnded, saysOf, stateOf, textOf, type TheirTask } from "../../../host/a2a/outward/their-task.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { remotesIn } from "../../../settings/remotes.ts";
import type { CommandResult, RunCommand } from "../input/command.ts";
import { oneLine } from "../present/table.ts";
import { refuseSecrets } from "../refuse-secrets.ts";

export const ask: RunCommand = async (context, input) => {
  const text = input.rest("words").join(" ").trim();
  if (text === "") throw new Refusal("usage.missing-argument", "there is nothing to ask", { argument: "words" });
  await refuseSecrets(context, "outside", "words", text, input.has("allow-secret"));
  const { config } = await context.settings();
  const place = askedRemote(input.argument("remote"), {
    remotes: remotesIn(config["a2a.remotes"]),
    keys: input.flags("key"),
    tokenFile: input.flag("token-file"),
  });
  const agent = await meet(place, config["a2a.push_allow"]);
  const reply = await agent.send({
    messageId: crypto.randomUUID(),
    text,
    skill: input.flag("skill"),
    task: input.flag("task"),
  });
  if (reply.kind === "message") {
    const says = textOf(reply.message.parts);
    return {
      json: { agent: agent.card.name, task: null, context: null, state: null, says, artefacts: [] },
      text: says,
    };
  }
  if (!input.has("wait")) return answerFor(agent.card.name, reply.task, input.argument("remote"));
  const task = await followTask(agent, reply.task, {
    clock: systemClock,
    hear: (now) => context.output.say(`${stateOf(now)}: ${oneLine(saysOf(now))}`),
    away: (cause) => context.output.say(`constel: ${cause.message}; asking again`),
  });
  return answerFor(agent.card.name, task, input.argument("remote"));
};

function answerFor(agent: string, task: TheirTask, asked: string): CommandResult {
  const state = stateOf(task);
  const isNo = isEnded(state) && state !== "completed";
  const artefacts = task.artifacts.map(({ artifactId, name, parts }) => ({ id: artifactId, name, parts }));
  const json = { agent, task: task.id, context: task.contextId, state, says: saysOf(task), artefacts };
  const text = (): string =>
    [
      `${oneLine(agent)}: ${state}${saysOf(task) === "" ? "" : `: ${saysOf(task)}`}`,
      ...task.artifacts.map(({ artifactId, name, parts }) => `── ${oneLine(name || artifactId)}\n${textOf(parts)}`),
      ...(isEnded(state)
        ? []
        : [
            `Its task there is ${oneLine(task.id)}. To say more: constel a2a ask ${asked} "..." --task ${oneLine(task.id)} --wait`,
          ]),
    ].join("\n");
  return { json, text, ...(isNo ? { exit: exitCodes.negative } : {}) };
}
