// Opens the owner's page in a browser. The code in the link is good once, for two minutes, and stands in the fragment: it is sent to no server.

import { findProgram } from "../../../host/runtime/detect.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { CliContext } from "../context.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";

type Opened = OutputOf<(typeof operations)["dashboard.open"]>;

export const open: RunCommand = async (context, input) => {
  const { say } = context.output;
  const opened = await linkFor(context, input);
  if (!opened.has_page)
    say("constel: this installation was built without the page; scripts/install.sh in its clone builds it");
  const isOpened = !input.has("no-open") && !context.output.json && openInBrowser(context, opened.url);
  say(`constel: the link works once, for two minutes${isOpened ? "; it was opened in your browser" : ""}`);
  return { json: opened, text: opened.url };
};

async function linkFor(context: CliContext, input: CommandInput): Promise<Opened> {
  const asked = input.asked("dashboard.open");
  const ask = async (): Promise<Opened> => (await context.caller()).call("dashboard.open", asked);
  if (context.server !== undefined) return await fromServer(context, context.server, await ask());
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.code !== "http.off" || context.server !== undefined) throw cause;
  }
  context.output.say("constel: switching on loopback HTTP (off again: constel config set http.enabled false)");
  const { changeSetting } = await import("./config.ts");
  await changeSetting(context, "http.enabled", "true");
  return await ask();
}

/** The daemon names the address that its own machine knows it by. */
async function fromServer(context: CliContext, name: string, opened: Opened): Promise<Opened> {
  const { reachServer } = await import("../reach/servers.ts");
  return { ...opened, url: `${reachServer(context, name).known.url}/${new URL(opened.url).hash}` };
}

/** True when a browser's starter was begun. Over ssh, and where there is no desktop, nothing is. */
export function openInBrowser({ env, output }: Pick<CliContext, "env" | "output">, url: string): boolean {
  if (!output.interactive || env["SSH_CONNECTION"] !== undefined) return false;
  const own = childEnvironment(env);
  const isMac = process.platform === "darwin";
  if (!isMac && own["DISPLAY"] === undefined && own["WAYLAND_DISPLAY"] === undefined) return false;
  const program = findProgram(isMac ? "open" : "xdg-open", own["PATH"] ?? "/usr/bin:/bin");
  if (program === undefined) return false;
  const child = Bun.spawn([program, url], { env: own, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  child.unref();
  return true;
}
