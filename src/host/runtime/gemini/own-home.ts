// Gemini CLI takes hooks only from a settings file, and per launch only the place of a person's settings can be chosen. So an agent of
// ours has a home of its own in constel's: its settings are the person's as they are now, with our hooks added; everything else
// (login, conversations, commands, extensions) is linked to where the person has it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type ParseError } from "jsonc-parser";
import type { Launch, Prepared } from "../../../ports/runtime.ts";
import { geminiEvents } from "../hook-record.ts";
import { hookLine } from "../hook-line.ts";
import { geminiHome } from "./chat.ts";

type OwnHome = Required<Pick<Prepared, "files" | "links" | "env" | "notes">>;

const hookMs = 5_000;
const settingsName = "settings.json";

/** The value of GEMINI_CLI_HOME for an agent, whether or not it is there yet. */
export const ownGeminiHome = ({ home, agent }: Pick<Launch, "home" | "agent">): string => join(home, placeOf(agent));

/**
 * Returns the directory where a start of this agent finds its conversations (the program calls it `.gemini`). In the agent's own home
 * these are the ones that the person had when it was first started, or its own if there were none.
 */
export function homeAtStart(launch: Launch, env: Readonly<Record<string, string>>): string {
  const theirs = geminiHome(env);
  const own = join(ownGeminiHome(launch), ".gemini");
  return settingsIn(theirs) !== undefined && existsSync(join(own, "tmp")) ? own : theirs;
}

const placeOf = (agent: string): string => join("state", "runtime", agent, "gemini");

export function prepareOwnHome(launch: Launch, env: Readonly<Record<string, string>>): OwnHome {
  const theirs = geminiHome(env);
  const settings = settingsIn(theirs);
  if (settings === undefined) {
    const notes = [
      `${join(theirs, settingsName)} is not a JSON object: until that is fixed, this agent has no hooks and hears no notices`,
    ];
    return { files: [], links: [], env: {}, notes };
  }
  const hooks = withHooks(settings, launch);
  const place = join(placeOf(launch.agent), ".gemini");
  // A file that somebody is just writing is gone in a moment.
  const names = namesIn(theirs).filter((name) => name !== settingsName && !name.endsWith(".tmp"));
  // A link to what the person has removed since: the program could not make a directory of that name.
  const stale = namesIn(join(launch.home, place)).filter((name) => !existsSync(join(launch.home, place, name)));
  return {
    files: [{ path: join(place, settingsName), content: `${JSON.stringify(hooks, null, 2)}\n` }],
    links: [...new Set([...names, ...stale])].map((name) => ({ path: join(place, name), target: join(theirs, name) })),
    env: {
      GEMINI_CLI_HOME: ownGeminiHome(launch),
      ...(hooks === settings ? { CONSTEL_INSTALLED_HOOKS: "yes" } : {}),
    },
    notes: [],
  };
}

type Settings = Readonly<Record<string, unknown>>;

function settingsIn(directory: string): Settings | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, settingsName), "utf8");
  } catch {
    return {}; // none yet
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  return errors.length === 0 && isObject(value) ? value : undefined;
}

/** After the person's own; not a second time where `constel install` has put them there. */
function withHooks(settings: Settings, launch: Launch): Settings {
  const theirs = isObject(settings["hooks"]) ? settings["hooks"] : {};
  if (JSON.stringify(theirs).includes(" hook gemini --guest")) return settings;
  const command = hookLine(launch.hookCommand);
  const ours = { hooks: [{ name: "constel", type: "command", command, timeout: hookMs }] };
  const hooks: Record<string, unknown> = { ...theirs };
  for (const event of Object.keys(geminiEvents)) {
    const list = theirs[event];
    hooks[event] = [...(Array.isArray(list) ? (list as unknown[]) : []), ours];
  }
  return { ...settings, hooks };
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const isObject = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value);
