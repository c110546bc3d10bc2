// Starting Claude Code in a terminal with no dialog left open.

import { join } from "node:path";
import type { Launch, McpServer, Permissions, Prepared, PreparedFile } from "../../../ports/runtime.ts";
import { claudeHooks } from "./hooks.ts";
import { envOf } from "./transcript.ts";

/** Set inside a Claude session; a child that sees them behaves as part of it. */
export const claudeUnset: readonly string[] = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_PID",
];

/** The default mode lets a classifier decide; `manual` asks a person, which constel can see. */
export const permissionModes: Readonly<Record<Permissions, string>> = {
  ask: "manual",
  edits: "acceptEdits",
  all: "bypassPermissions",
};

export function prepareClaude(launch: Launch): Prepared {
  const settings = join("state", "runtime", launch.agent, "claude-settings.json");
  const files: PreparedFile[] = [
    {
      path: settings,
      content: `${JSON.stringify(
        {
          hooks: claudeHooks(launch),
          // Its warning preselects "No, exit"; the mode was chosen by the owner in constel's own settings.
          ...(launch.permissions === "all" ? { skipDangerousModePermissionPrompt: true } : {}),
        },
        null,
        2,
      )}\n`,
    },
  ];
  const argv = [launch.program, "--settings", join(launch.home, settings)];
  if (launch.resume !== undefined) argv.push("--resume", launch.resume);
  else if (launch.sessionId !== undefined) argv.push("--session-id", launch.sessionId);
  argv.push("--append-system-prompt-file", launch.promptFile, "--permission-mode", permissionModes[launch.permissions]);
  if (launch.model !== undefined) argv.push("--model", launch.model);
  if (launch.mcp !== undefined) {
    const mcp = join("state", "runtime", launch.agent, "claude-mcp.json");
    files.push({ path: mcp, content: mcpFile(launch.mcp) });
    argv.push("--mcp-config", join(launch.home, mcp));
  }
  // After `--`, because --mcp-config takes any number of values.
  if (launch.opening !== undefined) argv.push("--", launch.opening);
  return { files, argv, env: claudeEnv(launch), unset: claudeUnset, notes: [] };
}

export function mcpFile(servers: Readonly<Record<string, McpServer>>): string {
  return `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;
}

/** The trust question is answered for this launch only; the trust a person has given or refused elsewhere is left alone. */
export function claudeEnv(
  launch: Pick<Launch, "trusted" | "ownFiles" | "account"> & { readonly agent?: string; readonly home?: string },
): Record<string, string> {
  return {
    ...envOf(launch, {}),
    ...(launch.trusted ? { CLAUDE_CODE_SANDBOXED: "1" } : {}),
    ...(launch.agent === undefined ? {} : { CONSTEL_AGENT: launch.agent }),
    ...(launch.home === undefined ? {} : { CONSTEL_HOME: launch.home }),
  };
}
