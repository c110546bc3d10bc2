// Settings that name a command, and whether its program is there. `config set` refuses one that is not, and doctor looks at all of them: the audit's
// copy, a page to the owner or an agent would else be missed on the day it is needed.

import type { Config } from "./declarations.ts";
import { declarations, type SettingKey, settingKeys } from "./declarations.ts";

export interface NamedCommand {
  readonly setting: string;
  readonly program: string;
}

export const namesCommand = (key: SettingKey): boolean => "isCommand" in declarations[key];

/** Every command that the settings name, the owner's channels among them. */
export function commandsIn(config: Config): NamedCommand[] {
  const plain = settingKeys.flatMap((key) => (namesCommand(key) ? named(key, config[key]) : []));
  const channels = config["escalate.channels"].flatMap((table, index) =>
    named(`escalate.channels, table ${index + 1}`, table["command"]),
  );
  return [...plain, ...channels];
}

function named(setting: string, value: unknown): NamedCommand[] {
  const program: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof program === "string" ? [{ setting, program }] : [];
}

/** Says what is wrong with a program's name here. Undefined when it can be run. */
export function complaintAboutProgram(program: string, path: string | undefined): string | undefined {
  if (program.includes("/") && !program.startsWith("/"))
    return `${JSON.stringify(program)} depends on where one stands; name the program by its absolute path`;
  if (Bun.which(program, { PATH: path ?? "" }) !== null) return undefined;
  return program.startsWith("/")
    ? `there is no program at ${program}, or it may not be run`
    : `there is no program ${JSON.stringify(program)} on the PATH`;
}
