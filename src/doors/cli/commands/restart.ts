// `constel restart`, the hidden process that makes it, and `constel handoffs`. All floor: with daemon and database dead it works
// all the same.

import { isAbsolute, join } from "node:path";
import { agentNamed } from "../../../floor/agents/agent-names.ts";
import { allHandoffs, findHandoff, longestHandoff } from "../../../floor/restart/handoff-files.ts";
import { requestRestart } from "../../../floor/restart/request-restart.ts";
import { restartAgents } from "../../../floor/restart/restart-agents.ts";
import { lastRestartWords } from "../../../floor/restart/restart-log.ts";
import { type RestartStatus, statusOf } from "../../../floor/restart/restart-status.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { markOf, systemLiveness } from "../../../host/process/liveness.ts";
import { rootAgent } from "../../../protocol/agent-id.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { keepToRoot } from "../../../files/trusted-directory.ts";
import { withAgents } from "../machine/agent-machine.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { refuseSecrets } from "../refuse-secrets.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";
import { restartPorts, spawnRestart } from "../machine/watch-machine.ts";
import { whoRuns } from "../who-runs.ts";

/** Longer than an agent may take to get ready; the restart goes on by itself. */
const waitMs = 150_000;

export const restart: RunCommand = async (context, input) => {
  const agents = agentsOf(input);
  const handoff = await handoffOf(context, input.flag("handoff"));
  if (handoff !== undefined) {
    const isAllowed = input.has("allow-secret") && whoRuns(context.places).role === "owner";
    await refuseSecrets(context, "messages", "the handoff", handoff, isAllowed);
  }
  const sinceMs = systemClock.nowMs();
  // An agent may restart itself: when its terminal goes, the restart goes on in a process of its own.
  process.on("SIGHUP", () => undefined);
  const asked = await withAgents(context, { lenient: false, creates: true }, (ports) =>
    requestRestart(
      restartPorts(context, ports),
      { agents, handoff, fresh: input.has("fresh"), account: input.flag("account") },
      (order) => spawnRestart(context, order),
    ),
  );
  const status = input.has("no-wait") ? undefined : await untilEnded(context, asked.pid, sinceMs);
  const outcomes = Object.entries(status?.agents ?? {});
  const isWell = status === undefined ? input.has("no-wait") : outcomes.every(([, { phase }]) => phase === "done");
  return {
    json: { ...asked, status: status ?? null, words: isWell ? "" : lastRestartWords(context.places.home) },
    text: () => restartText(asked.agents, status, isWell ? "" : lastRestartWords(context.places.home)),
    ...(isWell ? {} : { exit: exitCodes.negative }),
  };
};

/** The process that outlives its caller. What it does stands in state/restart-status, what keeps it from beginning in logs/restarts.log. */
export const run: RunCommand = async (context, input) => {
  keepToRoot(context.places.home); // a home that was removed meanwhile is not made anew
  process.on("SIGHUP", () => undefined);
  const because = input.flag("because");
  const account = input.flag("account");
  const order = {
    agents: input.rest("agents").map(agentNamed),
    because: because === "crash" || because === "hang" ? because : "restart",
    fresh: input.has("fresh"),
    ...(account === undefined ? {} : { account }),
  } as const;
  const status = await withAgents(context, { lenient: true, creates: false }, (ports) =>
    restartAgents(restartPorts(context, ports), order),
  );
  return { json: status, text: "" };
};

export const list: RunCommand = async (context) => {
  const handoffs = allHandoffs(context.places.home);
  const rows = handoffs.map(({ name, agent, atMs, by, state }) => [agent, utc(atMs), by, state, name]);
  return {
    json: { handoffs },
    text: () =>
      rows.length === 0
        ? "No handoffs: no agent went down, and none was given one."
        : table(["agent", "of", "by", "state", "name"], rows, context.output),
  };
};

export const show: RunCommand = async (context, input) => {
  const word = input.argument("name");
  const handoff = findHandoff(context.places.home, /^\d+$/.test(word) ? agentNamed(word) : word);
  return { json: handoff, text: handoff.text.trimEnd() };
};

function agentsOf(input: CommandInput): readonly string[] | "all" {
  const named = input.optional("agent");
  if (named !== undefined && input.has("all"))
    throw new Refusal("usage.extra-argument", "give either an agent or --all, not both", { extra: named });
  return input.has("all") ? "all" : [agentNamed(named ?? rootAgent)];
}

/** Read whole before anything is ended. */
async function handoffOf(context: CliContext, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const file = Bun.file(isAbsolute(path) ? path : join(context.cwd, path));
  try {
    // A device or a pipe tells no size, and may never end.
    if (!(await file.stat()).isFile()) throw new Error("it is not a plain file");
    return await file.slice(0, longestHandoff + 1).text();
  } catch (cause) {
    throw new Refusal("restart.bad-handoff", `the handoff cannot be read: ${messageOf(cause)}`, { path });
  }
}

/** Until it has ended, or its process is gone, or it takes too long to wait for. */
async function untilEnded(context: CliContext, pid: number, sinceMs: number): Promise<RestartStatus | undefined> {
  const { home } = context.places;
  const mark = markOf(pid);
  const untilMs = systemClock.monotonicMs() + waitMs;
  for (;;) {
    const isGone = mark === undefined || systemLiveness.isProvenDead(mark); // looked at first: what it wrote is there then
    const status = statusOf(home, pid, sinceMs);
    if ((status?.ended_ms ?? null) !== null || isGone || context.signal.aborted) return status;
    if (systemClock.monotonicMs() >= untilMs) return status;
    await systemClock.sleep(50, context.signal);
  }
}

function restartText(agents: readonly string[], status: RestartStatus | undefined, words: string): string {
  const said =
    words === "" ? [] : ["What the restart said (logs/restarts.log):", ...words.split("\n").map((line) => `  ${line}`)];
  if (status === undefined) return [`Restarting ${agents.join(", ")}; progress: constel agents`, ...said].join("\n");
  const lines = Object.entries(status.agents).map(([agent, { phase, says = "", pid, resumed, handoffs = [] }]) => {
    const facts = [
      ...(pid === undefined ? [] : [`pid ${pid}`]),
      ...(resumed === undefined ? [] : ["same conversation"]),
      ...(handoffs.length === 0 ? [] : ["handoff sent"]),
      ...(says === "" ? [] : [says]),
    ];
    return `${agent.padEnd(14)} ${(phase === "done" ? "restarted" : phase).padEnd(10)} ${facts.join(", ")}`.trimEnd();
  });
  return [...lines, ...said].join("\n");
}
