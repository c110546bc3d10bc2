// Claude Code's hooks: which we ask for.

import { join } from "node:path";
import type { InstallTarget, InstallWish, Launch } from "../../../ports/runtime.ts";
import { hookLine } from "../hook-line.ts";
import { claudeEvents } from "../hook-record.ts";
import { hooksTarget } from "../install-hooks.ts";
import { configHome } from "./transcript.ts";

/** A hook that hangs must not hold the agent up. */
const hookSeconds = 5;
/** A question for permission may wait for a person, for as long as the setting says (a day at most); the hook itself ends it. */
const permissionSeconds = 24 * 3600 + 120;
/** The waiting hook lives as long as the session may. */
const waitSeconds = 7 * 24 * 3600;

/** The `hooks` part of a settings file. */
export function claudeHooks(launch: Launch): Record<string, unknown[]> {
  const line = hookLine(launch.hookCommand);
  const hooks: Record<string, unknown[]> = {};
  for (const name of Object.keys(claudeEvents)) hooks[name] = [entryFor(name, line)];
  if (launch.waitCommand !== undefined) {
    const wait = { type: "command", command: hookLine(launch.waitCommand), asyncRewake: true, timeout: waitSeconds };
    for (const name of ["SessionStart", "Stop"]) hooks[name]?.push({ hooks: [wait] });
  }
  return hooks;
}

/** In a repository, into the file that is not shared with others: the line names a program of this machine. */
export function claudeInstalls({ env, project, line, instructions }: InstallWish): readonly InstallTarget[] {
  const settings =
    project === undefined ? join(configHome(env), "settings.json") : join(project, ".claude", "settings.local.json");
  const path = join(project ?? configHome(env), "CLAUDE.md");
  return [
    hooksTarget("claude", settings, claudeEvents, (event) => entryFor(event, line)),
    { kind: "instructions", runtime: "claude", path, text: instructions },
  ];
}

function entryFor(event: string, command: string): unknown {
  const takesMatcher = event.includes("ToolUse") || event === "PermissionRequest";
  return {
    ...(takesMatcher ? { matcher: "*" } : {}),
    hooks: [{ type: "command", command, timeout: event === "PermissionRequest" ? permissionSeconds : hookSeconds }],
  };
}
