// Starting opencode in a terminal, with its HTTP interface on a port and behind a password of our own.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Launch, McpServer, Permissions, Prepared } from "../../../ports/runtime.ts";

import { hookLine } from "../hook-line.ts";
import { installedPlugin, pluginText } from "./install.ts";

const permissions: Readonly<Record<Permissions, Readonly<Record<string, string>>>> = {
  ask: { edit: "ask", bash: "ask" },
  edits: { edit: "allow", bash: "ask" },
  all: { edit: "allow", bash: "allow" },
};

export function prepareOpencode(launch: Launch, env: Readonly<Record<string, string>> = {}): Prepared {
  const secret = crypto.randomUUID();
  // Where `constel install` has put the plugin, it speaks to agents of ours too.
  const plugin = existsSync(installedPlugin(env))
    ? undefined
    : join("state", "runtime", launch.agent, "opencode-plugin.js");
  const argv = [launch.program, "--hostname", "127.0.0.1", "--port", String(portOf(launch))];
  if (launch.model !== undefined) argv.push("--model", launch.model);
  if (launch.resume !== undefined) argv.push("--session", launch.resume);
  if (launch.opening !== undefined) argv.push("--prompt", launch.opening);
  return {
    files: [
      { path: secretFile(launch), content: `${secret}\n` },
      ...(plugin === undefined ? [] : [{ path: plugin, content: pluginText(hookLine(launch.hookCommand)) }]),
    ],
    argv,
    env: {
      CONSTEL_AGENT: launch.agent,
      CONSTEL_HOME: launch.home,
      OPENCODE_SERVER_PASSWORD: secret,
      CONSTEL_OPENCODE_URL: `http://127.0.0.1:${portOf(launch)}`,
      ...(plugin === undefined ? { CONSTEL_INSTALLED_HOOKS: "yes" } : {}),
      OPENCODE_CONFIG_CONTENT: configFor(
        launch.permissions,
        launch.promptFile,
        launch.mcp,
        plugin === undefined ? {} : { plugin: [pathToFileURL(join(launch.home, plugin)).href] },
      ),
    },
    unset: ["OPENCODE", "OPENCODE_PID"],
    notes: [],
  };
}

/** Laid over the user's own configuration for this launch. */
export function configFor(
  asked: Permissions,
  promptFile: string | undefined,
  mcp: Readonly<Record<string, McpServer>> | undefined,
  more: { readonly plugin?: readonly string[] } = {},
): string {
  const servers = Object.entries(mcp ?? {}).map(([name, server]) => [
    name,
    { type: "local", command: [server.command, ...server.args], environment: server.env ?? {}, enabled: true },
  ]);
  return JSON.stringify({
    permission: permissions[asked],
    ...more,
    ...(promptFile === undefined ? {} : { instructions: [promptFile] }),
    ...(servers.length === 0 ? {} : { mcp: Object.fromEntries(servers) as unknown }),
  });
}

export function secretFile(launch: Launch): string {
  return join("state", "runtime", launch.agent, "opencode-secret");
}

/** The port the launch names, else one that the same agent of the same home always gets. */
export function portOf(launch: Launch): number {
  if (launch.port !== undefined) return launch.port;
  return 20_000 + (createHash("sha256").update(`${launch.home}\0${launch.agent}`).digest().readUInt16BE(0) % 20_000);
}
