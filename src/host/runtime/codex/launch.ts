// Starting Codex in a terminal with no dialog left open. Everything is an override for this launch; the overrides are many and
// the instructions long, so they stand in a start script and the terminal is given only its path.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Outage } from "../../../protocol/errors.ts";
import type { Launch, McpServer, Permissions, Prepared, RuntimeMachine } from "../../../ports/runtime.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import { hookLine } from "../hook-line.ts";
import { codexEvents } from "../hook-record.ts";
import { trustedHashes } from "./hook-trust.ts";
import { envOf } from "./rollout.ts";

/** A hook that hangs must not hold the agent up; for the last two the program allows 3 s at most. */
const hookSeconds = 3;
/** A question for permission may wait for a person, for as long as the setting says (a day at most); the hook itself ends it. */
const permissionSeconds = 24 * 3600 + 120;

/** What leaves its sandbox is asked in both cases: constel answers by its rules, so nobody has to be there. */
const permissionFlags: Readonly<Record<Permissions, readonly string[]>> = {
  ask: ["--sandbox", "workspace-write", "--ask-for-approval", "on-request"],
  edits: ["--sandbox", "workspace-write", "--ask-for-approval", "on-request"],
  all: ["--dangerously-bypass-approvals-and-sandbox"],
};

/**
 * Confined it cannot make its sandbox inside of constel's, and every command would fail: as root because the kernel maps no uid 0 for a process without
 * capabilities, as another because it makes directories (`.agents`) where it stands, in the root directory, which is read-only there. So it has none of its own. It then asks for nothing by itself, and would run also what reaches the network: so the hook before a
 * tool asks constel, whose rules answer, or the owner.
 */
const nestedFlags = ["--sandbox", "danger-full-access", "--ask-for-approval", "never"] as const;

/**
 * Its sandbox has no way to any socket. Servers of tools run outside of it; and a request to run outside of it comes to constel, which
 * allows its own verbs by rule.
 */
const sandboxWords = `
## Your sandbox

Your shell runs in a sandbox from which \`constel\` cannot reach its daemon. Use the tools of the MCP server \`constel\` instead:
\`task\` with \`{"action": "ready", "task": <number>}\` when a task is done, \`register\`, \`publish\`, \`sync\` and the others for the rest.
What no tool does, run as a \`constel\` command with escalated permissions (\`sandbox_permissions: "require_escalated"\`), one at a time
or after \`cd <workspace> &&\`. constel answers such requests at once.
`;

/** Its own sandbox is around it, and none of constel's. */
export const isShutIn = ({ permissions, ownFiles }: Pick<Launch, "permissions" | "ownFiles">): boolean =>
  permissions !== "all" && ownFiles === undefined;

export async function prepareCodex(launch: Launch, machine: RuntimeMachine): Promise<Prepared> {
  const asksFirst = launch.ownFiles !== undefined && launch.permissions !== "all";
  const { overrides, notes } = await codexOverrides(launch, machine, Object.keys(codexEvents));
  const argv = [launch.program];
  if (launch.resume !== undefined) argv.push("resume", launch.resume);
  // Without its shared server, so that nothing of the agent lives on after it.
  argv.push("--no-daemon", ...(asksFirst ? nestedFlags : permissionFlags[launch.permissions]));
  if (launch.model !== undefined) argv.push("--model", launch.model);
  for (const override of overrides) argv.push("-c", override);
  if (launch.opening !== undefined) argv.push("--", launch.opening);

  const start = join("state", "runtime", launch.agent, "start-codex.sh");
  return {
    files: [{ path: start, content: `#!/bin/sh\nexec ${shellLine(argv)}\n` }],
    argv: ["/bin/sh", join(launch.home, start)],
    env: {
      ...codexEnv(launch),
      ...(asksFirst ? { CONSTEL_ASKS_FIRST: "yes" } : {}),
    },
    unset: codexUnset,
    notes,
  };
}

export const codexUnset: readonly string[] = ["CODEX_THREAD_ID", "CODEX_SANDBOX"];

export const codexEnv = (launch: Launch): Record<string, string> => ({
  CONSTEL_AGENT: launch.agent,
  CONSTEL_HOME: launch.home,
  ...envOf(launch, {}),
});

/** The configuration of this launch: hooks that are trusted, the trust of the directory, servers of tools, instructions. */
export async function codexOverrides(
  launch: Launch,
  machine: RuntimeMachine,
  events: readonly string[],
): Promise<{ readonly overrides: readonly string[]; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  const asksFirst = launch.ownFiles !== undefined && launch.permissions !== "all";
  const hooks = hookOverrides(launch.hookCommand, asksFirst, events);
  const overrides = [
    ...hooks,
    // It offers another model in a dialog when a limit comes near; an unattended agent would hang in it.
    "notice.hide_rate_limit_model_nudge=true",
    // A login shell sets the PATH anew, and then does not find constel, nor anything else that the agent's environment has.
    "allow_login_shell=false",
    ...(launch.trusted ? [await trustOverride(launch.cwd, machine)] : []),
    ...mcpOverrides(launch.mcp ?? {}),
    `developer_instructions=${toml(readPrompt(launch.promptFile) + (isShutIn(launch) ? sandboxWords : ""))}`,
  ];
  // A confined agent can write into its own place: nothing outside of its sandbox is run with that.
  const env = launch.ownFiles === undefined ? envOf(launch, machine.env) : machine.env;
  const hashes = await trustedHashes(launch.program, hooks, launch.cwd, { ...machine, env });
  if (hashes === undefined) notes.push("codex did not list its hooks, so ours are not trusted and will not run");
  else
    overrides.push(`hooks.state=${inlineTable(hashes.map(({ key, hash }) => [key, `{trusted_hash=${toml(hash)}}`]))}`);
  return { overrides, notes };
}

function hookOverrides(command: readonly string[], asksFirst: boolean, events: readonly string[]): string[] {
  const line = toml(hookLine(command));
  return events.map((event) => {
    const asks = event === "PermissionRequest" || (asksFirst && event === "PreToolUse");
    const timeout = asks ? permissionSeconds : hookSeconds;
    return `hooks.${event}=[{hooks=[{type="command",command=${line},timeout=${timeout}}]}]`;
  });
}

/** Trust is asked for the root of the main checkout, also in a worktree. */
export async function trustOverride(cwd: string, machine: RuntimeMachine): Promise<string> {
  const outcome = await machine.processes.run(["git", "rev-parse", "--path-format=absolute", "--git-common-dir"], {
    cwd,
    env: machine.env,
    deadlineMs: 10_000,
  });
  const common = new TextDecoder().decode(outcome.stdout).trim();
  const roots = new Set([cwd, ...(outcome.code === 0 && common.endsWith("/.git") ? [dirname(common)] : [])]);
  return trusting([...roots]);
}

export function trusting(roots: readonly string[]): string {
  return `projects=${inlineTable(roots.map((root) => [root, `{trust_level="trusted"}`]))}`;
}

export function mcpOverrides(servers: Readonly<Record<string, McpServer>>): string[] {
  return Object.entries(servers).map(([name, server]) => {
    const env = Object.entries(server.env ?? {}).map(([key, value]): [string, string] => [key, toml(value)]);
    // It does not wait for servers that are not required, and its first call then fails.
    const table = [
      `command=${toml(server.command)}`,
      `args=[${server.args.map(toml).join(",")}]`,
      `env=${inlineTable(env)}`,
      `required=${server.optional !== true}`,
      `default_tools_approval_mode="approve"`,
    ];
    return `mcp_servers.${name}={${table.join(",")}}`;
  });
}

export function readPrompt(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Outage("read prompt", path, cause);
  }
}

/** A JSON string is a TOML basic string, but for the delete character. */
export function toml(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function inlineTable(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${toml(key)}=${value}`).join(",")}}`;
}
