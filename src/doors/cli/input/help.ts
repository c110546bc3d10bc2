// Help for all commands, for a group (`constel daemon`), for one command; and what is said to a command nobody knows.

import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { closest } from "./closest.ts";
import type { ArgumentDeclaration, CommandShape, FlagDeclaration } from "./command-shape.ts";
import { allCommands, firstWords, helpGroups } from "../manifest/all.ts";
import { jsonLine } from "../present/json-answer.ts";
import type { Output } from "../present/output.ts";
import { globalFlags } from "./parse.ts";
import { folded } from "../present/fold.ts";

type Screen = Pick<Output, "columns" | "paint">;

export async function showHelp(output: Output, words: readonly string[]): Promise<number> {
  const named = words.filter((word) => word !== "help" && !word.startsWith("-"));
  const all = (await allCommands()).filter((command) => command.hidden !== true);
  const chosen = all.filter((command) => named.every((word, index) => command.name.split(" ")[index] === word));
  if (chosen.length === 0) throw await unknownCommand(named);
  if (output.json) {
    const commands = chosen.map(({ name, summary, tier }) => ({ name, summary, tier }));
    output.data(`${jsonLine({ commands })}\n`);
    return exitCodes.ok;
  }
  const [only] = chosen;
  if (chosen.length === 1 && only !== undefined) output.data(commandHelp(only, output));
  else output.data(named.length === 0 ? overview(chosen, output) : group(named.join(" "), chosen, output));
  return exitCodes.ok;
}

export function commandHelp(command: CommandShape, screen: Screen): string {
  const { paint } = screen;
  const width = proseWidth(screen);
  const columns = (rows: readonly (readonly [string, string])[]): string[] => columnsOf(rows, width);
  const lines = [...folded(command.summary, width, ""), "", `${paint.bold("Usage")}  ${usage(command)}`];
  if (command.details !== undefined) lines.push("", ...folded(command.details, width, ""));
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

function overview(commands: readonly CommandShape[], screen: Screen): string {
  const { paint } = screen;
  const columns = proseWidth(screen);
  const words = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];
  const sections = helpGroups.map(([subject, those]) => ({
    subject,
    rows: those.filter((word) => words.includes(word)).flatMap((word) => rowsOf(word, commands)),
  }));
  const left = Math.max(...sections.flatMap(({ rows }) => rows.map(([name]) => name.length)));
  return `${[
    ...folded(
      "constel runs a constellation of coding agents and keeps their parallel work from colliding.",
      columns,
      "",
    ),
    "",
    `${paint.bold("Usage")}  constel <command> [arguments] [flags]`,
    ...sections
      .filter(({ rows }) => rows.length > 0)
      .flatMap(({ subject, rows }) => ["", paint.bold(subject), ...columnsOf(rows, columns, left)]),
    "",
    "`constel <command> --help` shows its arguments, flags and an example.",
    ...folded(
      "Exit codes: 0 done, 1 a negative answer, 2 wrong usage, 3 refused, 4 the machine failed, 5 nothing found but not everything was checked, 70 a bug.",
      columns,
    ),
  ].join("\n")}\n`;
}

/** A line for a command; one for the many that follow a word, beside the word's own where it is a command too. */
function rowsOf(word: string, commands: readonly CommandShape[]): [string, string][] {
  const those = commands.filter(({ name }) => name === word || name.startsWith(`${word} `));
  if (those.length <= 2) return those.map(({ name, summary }) => [name, summary]);
  const own = those.filter(({ name }) => name === word).map(({ name, summary }): [string, string] => [name, summary]);
  const behind = those.filter(({ name }) => name !== word).map(({ name }) => name.slice(word.length + 1));
  return [...own, [`${word} …`, behind.join(", ")]];
}

function group(name: string, commands: readonly CommandShape[], screen: Screen): string {
  const { paint } = screen;
  const columns = proseWidth(screen);
  const rows = commands.map((command): [string, string] => [usage(command), command.summary]);
  const hint = `\`constel ${name} <command> --help\` shows its flags and an example.`;
  return `${[paint.bold(`constel ${name}`), ...columnsOf(rows, columns), "", hint].join("\n")}\n`;
}

function shown(argument: ArgumentDeclaration): string {
  const name = argument.rest === true ? `${argument.name}…` : argument.name;
  return argument.optional === true ? `[${name}]` : `<${name}>`;
}

function describeFlag([name, flag]: [string, FlagDeclaration]): [string, string] {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const values = flag.oneOf === undefined ? "" : `: ${flag.oneOf.join(", ")}`;
  return [`${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`, `${flag.summary}${values}`];
}

/** Longer lines are hard to read, wherever they are read. */
const proseWidth = ({ columns }: Screen): number => Math.min(columns, 100);

/** Two columns; the right one goes on below itself where the terminal ends. */
function columnsOf(
  rows: readonly (readonly [string, string])[],
  columns: number,
  left = Math.max(...rows.map(([name]) => name.length)),
): string[] {
  const width = Math.min(36, left);
  const indent = " ".repeat(width + 4);
  return rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = folded(text, Math.max(24, columns - indent.length), "");
    const more = rest.map((line) => `${indent}${line}`);
    return name.length > width
      ? [`  ${name}`, `${indent}${first}`, ...more]
      : [`  ${name.padEnd(width)}  ${first}`.trimEnd(), ...more];
  });
}
