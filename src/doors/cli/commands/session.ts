// The session's boundary and the owner's line, on the command line. Everything here is floor: a malformed config costs the
// settings in it, never the verb.

import { agentIdentity, rootAgent } from "../../../protocol/agent-id.ts";
import { channelsFromConfig, usableChannels } from "../../../floor/escalate/channels-from-config.ts";
import { escalate } from "../../../floor/escalate/escalate.ts";
import { onboard } from "../../../floor/onboard.ts";
import { quiet, quietRequest } from "../../../floor/quiet.ts";
import { sessionDown } from "../../../floor/session/down.ts";
import { sessionUp, stepLine } from "../../../floor/session/up.ts";
import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { lineConnections } from "../../../host/notify/line-connections.ts";
import { systemHttp } from "../../../host/notify/http-sender.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { processesOfNobody } from "../../../host/process/run-as-nobody.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import type { Config } from "../../../settings/declarations.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { repositoryAround } from "../input/repository-around.ts";
import { probeBus } from "../machine/probe-bus.ts";
import { whoRuns } from "../who-runs.ts";

export const up: RunCommand = async (context, input) => {
  const { output } = context;
  const identity = identityOf(context, input, "session up");
  const config = await floorConfig(context);
  const place = placeOf(context, config);
  const answer = await sessionUp(
    {
      ...place,
      processes: processesOfNobody,
      env: childEnvironment(context.env),
      identity,
      mainCiCommand: config.mainCiCommand.length === 0 ? undefined : config.mainCiCommand,
      probeBus: (agent) => probeBus(context.places, agent),
      doctor: () => brokenThings(context),
      page: async (message, options) => escalate(escalateContext(context, config), message, options),
    },
    (result) => {
      if (!output.json) output.data(`${stepLine(result)}\n`);
    },
  );
  return { json: answer, text: "", ...(answer.outcome === "parked" ? { exit: exitCodes.negative } : {}) };
};

export const down: RunCommand = async (context, input) => {
  const identity = identityOf(context, input, "session down");
  const config = await floorConfig(context);
  const answer = sessionDown(
    { ...placeOf(context, config), identity },
    {
      did: input.flag("did") ?? "",
      why: input.flag("why") ?? "",
      pickup: input.flag("pickup") ?? "",
      loop: input.flag("loop"),
    },
  );
  return { json: answer, text: answer.lines.join("\n") };
};

export const onboardHere: RunCommand = async (context, input) => {
  const { home, root } = context.places;
  const answer = onboard({ home, root, clock: systemClock });
  const here = input.has("no-repo") ? undefined : repositoryAround(context.cwd);
  const observed = here === undefined ? undefined : await observe(context, here);
  const lines = [...answer.lines, ...(observed === undefined ? [] : [observed.line])];
  const repository = observed?.repository ?? null;
  return {
    json: { ...answer, lines, repository },
    text: [...lines, nextText(here)].join("\n"),
    ...(here !== undefined && repository === null ? { exit: exitCodes.negative } : {}),
  };
};

/** Directories need no daemon; to be observed, a repository does. */
async function observe(context: CliContext, path: string): Promise<{ repository: string | null; line: string }> {
  try {
    const caller = await context.caller();
    const { added, name, repository } = await caller.call("repository.add", { path });
    return { repository, line: added ? `watching ${name} (${path})` : `${name} is already watched` };
  } catch (cause) {
    return {
      repository: null,
      line: `${path} is not watched yet: ${messageOf(cause)}; \`constel repo add\` tries again`,
    };
  }
}

function nextText(here: string | undefined): string {
  return here === undefined
    ? "Next: `constel repo add <path>` watches a repository, `constel up 1` starts an agent."
    : 'Next: `constel task create "…"` creates a task for this repository, `constel up 1` starts an agent to do it.';
}

export const escalateNow: RunCommand = async (context, input) => {
  const config = await floorConfig(context);
  const body = input.optional("body");
  const page = {
    subject: input.argument("subject"),
    ...(body === undefined ? {} : { body }),
    urgent: input.has("urgent"),
  };
  const options = input.has("again") ? {} : { sameForMs };
  const answer = await escalate(escalateContext(context, config), page, options);
  return { json: answer, text: answer.line, ...(answer.told ? {} : { exit: exitCodes.negative }) };
};

/** For the watchdog. `channels`: how many there are to tell the owner by. */
export async function page(
  context: CliContext,
  message: { readonly subject: string; readonly body: string; readonly urgent?: boolean },
  options: { readonly leaveMarker: boolean },
): Promise<{ told: boolean; channels: number; line: string }> {
  const config = await floorConfig(context);
  const { told, line, results, unusable } = await escalate(escalateContext(context, config), message, options);
  return { told, channels: results.length + unusable.length, line };
}
/** An agent or a script in trouble says the same again and again; the owner need hear it once. */
const sameForMs = 600_000;

export const notifyTest: RunCommand = async (context) => {
  const config = await floorConfig(context);
  channelsFromConfig(config.channels); // who tests them is told of a typing error
  const page = { subject: "test", body: "If you read this, this channel works." };
  const answer = await escalate(escalateContext(context, config), page, { leaveMarker: false });
  const lines = answer.results.map(
    ({ channel, told, reason }) =>
      `${channel}: ${told ? `sent${reason === undefined ? "" : `, but ${reason}`}` : `FAILED: ${reason ?? ""}`}`,
  );
  const well = answer.results.length > 0 && answer.results.every(({ told, reason }) => told && reason === undefined);
  const text = lines.length === 0 ? answer.line : lines.join("\n");
  return { json: answer, text, ...(well ? {} : { exit: exitCodes.negative }) };
};

export const quietly: RunCommand = async (context, input) => {
  const answer = quiet({ home: context.places.home, clock: systemClock }, quietRequest(input.optional("time")));
  return { json: { quiet: answer.quiet, until_ms: answer.untilMs ?? null }, text: answer.line };
};

interface FloorConfig {
  readonly constellation: string;
  readonly channels: Config["escalate.channels"];
  readonly mainCiCommand: readonly string[];
  /** The reasons why the settings could not be read: there may be channels in them. */
  readonly unreadable: readonly string[];
}

/** The settings, or defaults when they cannot be read: that is said, and doctor says it too. */
async function floorConfig(context: CliContext): Promise<FloorConfig> {
  try {
    const { config } = await context.settings();
    return {
      constellation: config["constellation.name"],
      channels: config["escalate.channels"],
      mainCiCommand: config["session.main_ci_command"],
      unreadable: [],
    };
  } catch (cause) {
    context.output.say(`constel: ignoring config.toml: ${messageOf(cause)}`);
    return { constellation: "constel0", channels: [], mainCiCommand: [], unreadable: [messageOf(cause)] };
  }
}

function placeOf(context: CliContext, config: FloorConfig) {
  const { home, root } = context.places;
  return { home, root, constellation: config.constellation, clock: systemClock, random: systemRandom };
}

function escalateContext(context: CliContext, config: FloorConfig): Parameters<typeof escalate>[0] {
  const { channels, unusable } = usableChannels(config.channels);
  return {
    ...placeOf(context, config),
    channels,
    unusable: [...config.unreadable, ...unusable],
    processes: processesOfNobody,
    http: systemHttp,
    connections: lineConnections(),
    platform: process.platform,
    env: childEnvironment(context.env),
  };
}

async function brokenThings(context: CliContext): Promise<string[]> {
  const { doctorContext } = await import("./doctor.ts");
  const { runDoctor } = await import("../../../floor/doctor/doctor.ts");
  const report = await runDoctor(doctorContext(context), { fix: false });
  return report.results.filter((result) => result.state === "broken").map((result) => `${result.code}: ${result.saw}`);
}

/** The agent whose session it is. The owner is none, and may name one. */
function identityOf({ places }: CliContext, input: CommandInput, verb: string): ReturnType<typeof agentIdentity> {
  const { role, name } = whoRuns({ home: places.home, agent: input.flag("agent") ?? places.agent });
  if (role !== "owner") return agentIdentity(name);
  throw new Refusal(
    "agent.unnamed",
    `\`constel ${verb}\` is for an agent to run in its session, and you are the owner`,
    { verb },
    `To run it for the root: constel ${verb} --agent ${rootAgent}`,
  );
}
