// Settings: show, set, and where they live.

import { join } from "node:path";
import { maskText } from "../../../floor/mask-argv.ts";
import { Refusal } from "../../../protocol/errors.ts";
import {
  type Config,
  type ConfigValue,
  declarations,
  isSettingKey,
  type SettingKey,
  settingKeys,
  variableOf,
} from "../../../settings/declarations.ts";
import { commandsIn, complaintAboutProgram, namesCommand } from "../../../settings/commands.ts";
import { inHome } from "../../../settings/paths.ts";
import { makeTrustedDirectory, readTrusted, writeTrusted } from "../../../files/trusted-files.ts";
import { closest } from "../input/closest.ts";
import type { CliContext } from "../context.ts";
import type { RunCommand } from "../input/command.ts";
import type { Output } from "../present/output.ts";
import { folded } from "../present/fold.ts";
import { oneLine, table } from "../present/table.ts";

export const show: RunCommand = async (context, input) => {
  const { config, origins } = await context.settings();
  const only = input.optional("key");
  const keys = only === undefined ? settingKeys : [known(only)];
  const rows = keys.map((key) => ({
    key,
    value: shown(config[key]),
    from: origins[key],
    variable: variableOf(key),
    summary: declarations[key].summary,
  }));
  return {
    json: { settings: rows },
    text: () =>
      context.output.columns < tableFrom
        ? rows.map((row) => settingBlock(row, context.output)).join("\n")
        : table(
            ["setting", "value", "from", "meaning"],
            rows.map((row) => [row.key, JSON.stringify(row.value), row.from, row.summary]),
            { ...context.output, whole: new Set([0]) },
          ),
  };
};

/** On a narrower terminal the meanings would be cut before they mean anything. */
const tableFrom = 140;

function settingBlock(
  { key, value, from, summary }: { key: string; value: unknown; from: string; summary: string },
  { columns, paint }: Pick<Output, "columns" | "paint">,
): string {
  const origin = from === "default" ? "" : `  (${from})`;
  const meaning = folded(summary, columns - 4, "").map((line) => paint.dim(`    ${line}`));
  return [`${paint.bold(key)} = ${oneLine(JSON.stringify(value))}${origin}`, ...meaning].join("\n");
}

export const set: RunCommand = async (context, input) => {
  const key = known(input.argument("key"));
  const changed = await changeSetting(context, key, input.argument("value"));
  if (key === "agents.confined" && changed[key]) await sayWhoIsNot(context.places.home, context.output);
  const value = maskText(input.argument("value"));
  return { json: { key, value }, text: `${key} = ${value}` };
};

/** Writes it to config.toml, and waits until a running daemon has taken it up. */
export const changeSetting = (context: CliContext, key: SettingKey, value: string): Promise<Config> =>
  changeSettings(context, [[key, value]]);

/** Several in one step. */
export async function changeSettings(
  context: CliContext,
  changes: readonly (readonly [key: SettingKey, value: string])[],
): Promise<Config> {
  const { home } = context.places;
  // Loaded here, because `config path` is a floor verb and should cost next to nothing.
  const { loadConfig } = await import("../../../settings/config.ts");
  const { setInText } = await import("../../../settings/set-in-text.ts");
  const { waitForLock } = await import("../../../host/process/file-lock.ts");
  const { systemClock } = await import("../../../host/clock/system-clock.ts");
  makeTrustedDirectory(home, inHome.state);
  const lock = await waitForLock(home, inHome.configLock, systemClock, 5_000);
  if (lock === undefined) throw new Refusal("config.busy", "another process is changing config.toml");
  let changed: Config;
  try {
    let after = readTrusted(home, inHome.config)?.toString() ?? "";
    for (const [key, value] of changes) after = setInText(after, key, value);
    const { config } = loadConfig({ file: after, filePath: join(home, inHome.config), env: {}, flags: [] }); // never write what cannot be read
    for (const [key] of changes) refuseMissingProgram(key, config, context.env["PATH"]);
    writeTrusted(home, inHome.config, after);
    changed = config;
  } finally {
    lock.release();
  }
  const { takenUp } = await import("../reach/daemons-settings.ts");
  const told = new Set<string>();
  for (const [key] of changes) told.add((await takenUp(context, key, changed)) ?? "");
  for (const line of told) if (line !== "") context.output.say(`constel: ${line}`);
  return changed;
}

/** It holds for agents that are started from now on. */
async function sayWhoIsNot(home: string, { say }: Pick<Output, "say">): Promise<void> {
  const { saysUnconfined, unconfinedClones } = await import("../../../floor/agents/unconfined.ts");
  const agents = unconfinedClones(home);
  if (agents.length > 0) say(`constel: ${saysUnconfined(agents)}; \`constel restart --all\` confines them`);
}

/** A command is needed on some later day; that its program is not there is better known now. */
function refuseMissingProgram(key: SettingKey, config: Config, path: string | undefined): void {
  for (const { setting, program } of namesCommand(key) ? commandsIn(config) : []) {
    const complaint = setting === key ? complaintAboutProgram(program, path) : undefined;
    if (complaint !== undefined)
      throw new Refusal(
        "usage.bad-value",
        `${key}: ${complaint}`,
        { key },
        `Install it first, or name a program that is there; its arguments follow it: constel config set ${key} '["sh", "-c", "…"]'`,
      );
  }
}

/** A database's address holds its password; whoever needs it has config.toml. */
function shown(value: ConfigValue): ConfigValue {
  return typeof value === "string" ? maskText(value) : value;
}

function known(key: string): SettingKey {
  if (isSettingKey(key)) return key;
  const guess = closest(key, settingKeys);
  throw new Refusal(
    "config.unknown-key",
    `there is no setting ${key}`,
    { key },
    guess === undefined ? undefined : `Did you mean ${guess}?`,
  );
}
