// `constel status`: one look, or with --watch the same screen over and over, drawn in place.

import { join } from "node:path";
import { request } from "../../../client/socket.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { inHome } from "../../../settings/paths.ts";
import type { RunCommand } from "../command.ts";
import type { CliContext } from "../context.ts";
import { type Status, statusScreen } from "../present/status.ts";
import { redraw } from "../redraw.ts";

const everyMs = 1_000;

export const status: RunCommand = async (context, input) => {
  if (input.has("watch")) return await watch(context);
  const { running, answer } = await look(context);
  return {
    json: { daemon: { running }, ...answer },
    text: () => statusScreen(answer, running, context.output, Date.now()),
    ...(answer.needs.length > 0 ? { exit: exitCodes.negative } : {}),
  };
};

async function look(context: CliContext): Promise<{ running: boolean; answer: Status }> {
  const running = await isRunning(join(context.places.home, inHome.socket));
  return { running, answer: await (await context.caller()).call("status.look", {}) };
}

/** Until Ctrl-C. Where stdout is no terminal, a screen (with --json, a line) whenever something changed. */
async function watch(context: CliContext): Promise<undefined> {
  const { output, signal } = context;
  if (output.interactive && !output.json) {
    const draw = async (): Promise<string> => {
      const { running, answer } = await look(context);
      return statusScreen(answer, running, output.now(), Date.now());
    };
    return await redraw(output, draw, { everyMs, signal });
  }
  let last = "";
  while (!signal.aborted) {
    const { running, answer } = await look(context);
    const told = JSON.stringify({ daemon: { running }, ...answer, seen_ms: null });
    if (told !== last) {
      const json = JSON.stringify({ daemon: { running }, ...answer });
      output.data(`${output.json ? json : `${statusScreen(answer, running, output, Date.now())}\n`}\n`);
    }
    last = told;
    await systemClock.sleep(everyMs, signal);
  }
  return undefined;
}

async function isRunning(socket: string): Promise<boolean> {
  try {
    return (await request(socket, "/health")).ok;
  } catch {
    return false;
  }
}
