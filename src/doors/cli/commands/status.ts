// `constel status`: one look, or with --watch the same screen over and over, drawn in place.

import { systemClock } from "../../../host/clock/system-clock.ts";
import { messageOf, Outage, Refusal } from "../../../protocol/errors.ts";
import { exitCodes, exitFor } from "../../../protocol/exit-codes.ts";
import { lastDaemonFailure } from "../../../floor/daemon-failure.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { daemonNow, type DaemonSeen } from "../reach/daemon-now.ts";
import { isOtherBuild } from "../reach/other-build.ts";
import { lookAtAgents } from "../machine/look-at-agents.ts";
import { jsonLine, type JsonAnswer } from "../present/json-answer.ts";
import { type Output, unbounded } from "../present/output.ts";
import { floorScreen, type FloorStatus } from "../present/floor-status.ts";
import { type Status, statusScreen } from "../present/status.ts";
import type { OwnMemory } from "../../../protocol/own-memory.ts";
import type { SensingState } from "../../../protocol/sensing-state.ts";
import { directCaller } from "../reach/stop-daemon.ts";
import { redraw } from "../present/redraw.ts";

const everyMs = 1_000;

export const status: RunCommand = async (context, input) => {
  if (input.has("watch")) return await watch(context);
  const look = await lookNow(context);
  return {
    json: look.json,
    // Into a file or a pipe goes all of it.
    text: () => look.screen(context.output.interactive ? context.output : { ...context.output, rows: unbounded }),
    exit: look.exit,
  };
};

interface Look {
  readonly json: JsonAnswer;
  readonly screen: (output: Pick<Output, "columns" | "rows" | "paint">) => string;
  readonly exit: number;
}

async function lookNow(context: CliContext): Promise<Look> {
  if (context.server !== undefined) return await lookElsewhere(context);
  const daemon = await daemonToAsk(context);
  const running = daemon === "answers";
  const { sensing, memory } = running ? await daemonsOwn(context) : {};
  const failure = daemon === "absent" ? lastDaemonFailure(context.places.home)?.message : undefined;
  let answer: Status;
  try {
    // A daemon that has just been silent is not asked once more.
    answer =
      isNotAsked(daemon) && context.env.CONSTEL_CONFINED === undefined
        ? ((await context.backstage.readInProcess(await context.settings(), "status.look", {})) as Status)
        : await (await context.caller()).call("status.look", {});
  } catch (cause) {
    const problem = whyUnreadable(cause);
    if (problem === undefined) throw cause;
    return floorLook(context, running, problem);
  }
  const settings = await complaintAboutSettings(context);
  return {
    json: {
      daemon: {
        running,
        silent: daemon === "silent",
        failure: failure ?? null,
        sensing: sensing ?? null,
        memory: memory ?? null,
      },
      settings: { problem: settings ?? null },
      ...answer,
    },
    screen: (output) => statusScreen(answer, daemon, output, Date.now(), { sensing, memory, failure, settings }),
    exit:
      isNotAsked(daemon) || failure !== undefined || settings !== undefined
        ? exitCodes.negative
        : exitFor(answer.needs.length, answer.open.length),
  };
}

/** What there is to say of this machine says nothing of a server. */
async function lookElsewhere(context: CliContext): Promise<Look> {
  const caller = await context.caller();
  const answer = await caller.call("status.look", {});
  // A token may cover less than this.
  const own = await caller.call("daemon.status", {}).catch(() => undefined);
  const { sensing = null, memory } = own ?? {};
  const daemon = { running: true, silent: false, failure: null, sensing, memory: memory ?? null };
  return {
    json: { daemon, settings: { problem: own?.settings_problem ?? null }, ...answer },
    screen: (output) => statusScreen(answer, "answers", output, Date.now(), { sensing: sensing ?? undefined, memory }),
    exit: exitFor(answer.needs.length, answer.open.length),
  };
}

const isNotAsked = (daemon: DaemonSeen): boolean =>
  daemon === "silent" || daemon === "out of reach" || daemon === "outdated";

/** A daemon from before an update of constel is replaced first, by whoever may. */
async function daemonToAsk(context: CliContext): Promise<DaemonSeen> {
  const seen = await daemonNow(context.places.home);
  if (seen !== "outdated") return seen;
  const { startDaemon } = await import("../reach/start-daemon.ts");
  try {
    await startDaemon(context);
    return "answers";
  } catch (cause) {
    if (isOtherBuild(cause)) return seen;
    throw cause;
  }
}

/** Undefined inside a sandbox too, where they are not to be seen. */
async function complaintAboutSettings(context: CliContext): Promise<string | undefined> {
  if (context.env.CONSTEL_CONFINED !== undefined) return undefined;
  try {
    return await context.backstage.settingsComplaint(await context.settings());
  } catch (cause) {
    return messageOf(cause);
  }
}

/** Returns what is wrong if the database or the settings cannot be read, and nothing else is wrong. */
function whyUnreadable(cause: unknown): FloorStatus["problem"] | undefined {
  if (cause instanceof Outage)
    return { code: "outage", message: cause.message, hint: "Trying again may help; `constel doctor` may know more." };
  if (!(cause instanceof Refusal) || !/^(store|config)\./.test(cause.code)) return undefined;
  const { code, message, hint } = cause;
  return { code, message, hint };
}

/** The owner looks here first when something is broken: who is there can be told all the same. */
async function floorLook(context: CliContext, running: boolean, problem: FloorStatus["problem"]): Promise<Look> {
  const agents = await lookAtAgents(context);
  const floor: FloorStatus = { problem, agents: agents.filter(({ role }) => role !== "ticker") };
  return {
    json: { daemon: { running }, ...floor },
    screen: (output) => floorScreen(floor, output, Date.now()),
    exit: problem.code === "outage" ? exitCodes.outage : exitCodes.negative,
  };
}

/** Until Ctrl-C. Where stdout is no terminal, a screen (with --json, a line) whenever something changed. */
async function watch(context: CliContext): Promise<undefined> {
  const { output, signal } = context;
  if (
    context.server === undefined &&
    output.interactive &&
    !output.json &&
    process.stdin.isTTY &&
    (await daemonNow(context.places.home)) === "answers"
  ) {
    const { monitor } = await import("./watch.ts");
    return await monitor(context);
  }
  if (output.interactive && !output.json) {
    const draw = async (): Promise<string> => (await lookNow(context)).screen(output.now());
    return await redraw(output, draw, { everyMs, signal });
  }
  let last = "";
  while (!signal.aborted) {
    const { json, screen } = await lookNow(context);
    const told = JSON.stringify({ ...json, seen_ms: null });
    if (told !== last) output.data(`${output.json ? jsonLine(json) : `${screen(output)}\n`}\n`);
    last = told;
    await systemClock.sleep(everyMs, signal);
  }
  return undefined;
}

/** Nothing when the daemon does not say: it may be ending just now. */
async function daemonsOwn(context: CliContext): Promise<{ sensing?: SensingState | undefined; memory?: OwnMemory }> {
  try {
    const { sensing, memory } = await directCaller(context).call("daemon.status", {});
    return { sensing: sensing ?? undefined, memory };
  } catch {
    return {};
  }
}
