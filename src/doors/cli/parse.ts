// Turns the words after a command's name into its input, by its declaration. Node's own parser reads the flags; what it
// reports is turned into refusals of ours, with a suggestion on a typo.

import { parseArgs } from "node:util";
import { Refusal } from "../../protocol/errors.ts";
import { type CommandDeclaration, CommandInput, type FlagDeclaration } from "./command.ts";
import { closest } from "./closest.ts";

/** Flags that every command takes. */
export const globalFlags: Readonly<Record<string, FlagDeclaration>> = {
  help: { summary: "Show this help", short: "h" },
  json: { summary: "Print data as JSON" },
  home: { summary: "The home directory, instead of CONSTEL_HOME", value: "DIR" },
  root: { summary: "The root directory, instead of CONSTEL_ROOT", value: "DIR" },
  set: { summary: "Override a setting for this run", value: "KEY=VALUE", repeat: true },
  "no-color": { summary: "No colour" },
};

export function parseInput(command: CommandDeclaration, words: readonly string[]): CommandInput {
  const declared: Readonly<Record<string, FlagDeclaration>> = { ...globalFlags, ...command.flags };
  const flags = new Map<string, string[]>();
  const positionals: string[] = [];
  const { tokens } = parseArgs({ args: [...words], options: optionsOf(declared), strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(declared, token.name) ? declared[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(command, token.rawName, Object.keys(declared));
    flags.set(token.name, [...(flags.get(token.name) ?? []), flagValue(command, token.name, flag, token.value)]);
  }
  return new CommandInput(flags.has("help") ? new Map() : assign(command, positionals), flags);
}

function optionsOf(declared: Readonly<Record<string, FlagDeclaration>>) {
  return Object.fromEntries(
    Object.entries(declared).map(([name, flag]) => [
      name,
      {
        type: flag.value === undefined ? ("boolean" as const) : ("string" as const),
        ...(flag.short === undefined ? {} : { short: flag.short }),
        multiple: flag.repeat === true,
      },
    ]),
  );
}

function flagValue(command: CommandDeclaration, name: string, flag: FlagDeclaration, value: string | undefined): string {
  const refuse = (problem: string): Refusal =>
    new Refusal("usage.bad-value", `constel ${command.name}: --${name} ${problem}`, { flag: name, value });
  if (flag.value === undefined) {
    if (value !== undefined) throw refuse("takes no value");
    return "true";
  }
  if (value === undefined) throw refuse(`wants a value (${flag.value})`);
  if (flag.oneOf !== undefined && !flag.oneOf.includes(value)) throw refuse(`must be one of ${flag.oneOf.join(", ")}`);
  return value;
}

function assign(command: CommandDeclaration, positionals: readonly string[]): Map<string, string[]> {
  const assigned = new Map<string, string[]>();
  let next = 0;
  for (const argument of command.arguments ?? []) {
    const values = argument.rest === true ? positionals.slice(next) : positionals.slice(next, next + 1);
    if (values.length === 0 && argument.optional !== true) {
      throw new Refusal("usage.missing-argument", `constel ${command.name} wants <${argument.name}>: ${argument.summary}`, {
        argument: argument.name,
      });
    }
    const wrong = argument.oneOf === undefined ? undefined : values.find((value) => !argument.oneOf?.includes(value));
    if (wrong !== undefined) {
      throw new Refusal("usage.bad-value", `<${argument.name}> must be one of ${argument.oneOf?.join(", ")}, not ${wrong}`, {
        argument: argument.name,
      });
    }
    if (values.length > 0) assigned.set(argument.name, values);
    next += values.length;
  }
  const extra = positionals[next];
  if (extra !== undefined) {
    throw new Refusal("usage.extra-argument", `constel ${command.name} does not take ${JSON.stringify(extra)}`, { extra });
  }
  return assigned;
}

function unknownFlag(command: CommandDeclaration, raw: string, known: readonly string[]): Refusal {
  const guess = closest(raw.replace(/^-+/, ""), known);
  return new Refusal(
    "usage.unknown-flag",
    `constel ${command.name} does not take ${raw}`,
    { flag: raw },
    guess === undefined ? undefined : `Did you mean --${guess}?`,
  );
}
