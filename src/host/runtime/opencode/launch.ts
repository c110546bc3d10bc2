// Starting opencode in a terminal, with its HTTP interface on a port and behind a password of our own.

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Launch, McpServer, Permissions, Prepared } from "../../../ports/runtime.ts";

const permissions: Readonly<Record<Permissions, Readonly<Record<string, string>>>> = {
  ask: { edit: "ask", bash: "ask" },
  edits: { edit: "allow", bash: "ask" },
  all: { edit: "allow", bash: "allow" },
};

export function prepareOpencode(launch: Launch): Prepared {
  const secret = crypto.randomUUID();
  const argv = [launch.program, "--hostname", "127.0.0.1", "--port", String(portOf(launch))];
  if (launch.model !== undefined) argv.push("--model", launch.model);
  if (launch.resume !== undefined) argv.push("--session", launch.resume);
  if (launch.opening !== undefined) argv.push("--prompt", launch.opening);
  return {
    files: [{ path: secretFile(launch), content: `${secret}\n` }],
    argv,
    env: {
      CONSTEL_AGENT: launch.agent,
      CONSTEL_HOME: launch.home,
      OPENCODE_SERVER_PASSWORD: secret,
      OPENCODE_CONFIG_CONTENT: configFor(launch.permissions, launch.promptFile, launch.mcp),
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
): string {
  const servers = Object.entries(mcp ?? {}).map(([name, server]) => [
    name,
    { type: "local", command: [server.command, ...server.args], environment: server.env ?? {}, enabled: true },
  ]);
  return JSON.stringify({
    permission: permissions[asked],
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
