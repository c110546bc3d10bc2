// Help for all commands, for a group (`constel daemon`), for one command; and what is said to a command nobody knows.

import { Refusal } from "../../protocol/errors.ts";
import { exitCodes } from "../../protocol/exit-codes.ts";
import { closest } from "./closest.ts";
import type { ArgumentDeclaration, CommandShape, FlagDeclaration } from "./command-shape.ts";
import { allCommands, firstWords } from "./manifest/all.ts";
import type { Output, Paint } from "./output.ts";
import { globalFlags } from "./parse.ts";

export async function showHelp(output: Output, words: readonly string[]): Promise<number> {
  const named = words.filter((word) => word !== "help" && !word.startsWith("-"));
  const commands = (await allCommands()).filter((command) => command.hidden !== true);
  const chosen = commands.filter((command) => named.every((word, index) => command.name.split(" ")[index] === word));
  if (chosen.length === 0) throw await unknownCommand(named);
  if (output.json) {
    output.data(`${JSON.stringify(chosen.map(({ name, summary, tier }) => ({ name, summary, tier })))}\n`);
    return exitCodes.ok;
  }
  const [only] = chosen;
  const { paint } = output;
  if (chosen.length === 1 && only !== undefined) output.data(commandHelp(only, paint));
  else output.data(named.length === 0 ? overview(chosen, paint) : group(named.join(" "), chosen, paint));
  return exitCodes.ok;
}

export function commandHelp(command: CommandShape, paint: Paint): string {
  const lines = [command.summary, "", `${paint.bold("Usage")}  ${usage(command)}`];
  if (command.details !== undefined) lines.push("", command.details);
  const args = (command.arguments ?? []).map((argument): [string, string] => [shown(argument), argument.summary]);
  if (args.length > 0) lines.push("", paint.bold("Arguments"), ...columns(args));
  const flags = Object.entries(command.flags ?? {}).map(describeFlag);
  if (flags.length > 0) lines.push("", paint.bold("Flags"), ...columns(flags));
  lines.push("", paint.bold("Flags of every command"), ...columns(Object.entries(globalFlags).map(describeFlag)));
  lines.push(
    "",
    paint.bold(command.examples.length > 1 ? "Examples" : "Example"),
    ...command.examples.map((line) => `  ${line}`),
  );
  return `${lines.join("\n")}\n`;
}

export function usage(command: CommandShape): string {
  const args = (command.arguments ?? []).map(shown);
  const flags = Object.keys(command.flags ?? {}).length > 0 ? ["[flags]"] : [];
  return ["constel", command.name, ...args, ...flags].join(" ");
}

export async function unknownCommand(words: readonly string[]): Promise<Refusal> {
  const [first = "", second = ""] = words;
  const names = (await allCommands()).filter((command) => command.hidden !== true).map((command) => command.name);
  const guess = closest(`${first} ${second}`.trim(), names) ?? closest(first, firstWords);
  return new Refusal(
    "usage.unknown-command",
    `there is no command ${JSON.stringify(firstWords.includes(first) ? `${first} ${second}` : first)}`,
    { command: first },
    guess === undefined ? undefined : `Did you mean \`constel ${guess}\`?`,
  );
}

function overview(commands: readonly CommandShape[], paint: Paint): string {
  const rows = commands.map((command): [string, string] => [command.name, command.summary]);
  return `${[
    "constel runs a constellation of coding agents and keeps their parallel work from colliding.",
    "",
    `${paint.bold("Usage")}  constel <command> [arguments] [flags]`,
    "",
    paint.bold("Commands"),
    ...columns(rows),
    "",
    "`constel <command> --help` shows its arguments, flags and an example.",
    "Exit codes: 0 done, 1 a negative answer, 2 wrong usage, 3 refused, 4 the machine failed, 70 a bug.",
  ].join("\n")}\n`;
}

function group(name: string, commands: readonly CommandShape[], paint: Paint): string {
  const rows = commands.map((command): [string, string] => [usage(command), command.summary]);
  return `${[paint.bold(`constel ${name}`), ...columns(rows)].join("\n")}\n`;
}

function shown(argument: ArgumentDeclaration): string {
  const name = argument.rest === true ? `${argument.name}…` : argument.name;
  return argument.optional === true ? `[${name}]` : `<${name}>`;
}

function describeFlag([name, flag]: [string, FlagDeclaration]): [string, string] {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  return [`${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`, flag.summary];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(40, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
