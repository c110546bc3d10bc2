// The man pages: constel(1), and a page for each first word (constel-task(1)), made from the same declarations as help.

import { commandsFor, helpGroups } from "../../src/doors/cli/manifest/all.ts";
import type { CommandShape } from "../../src/doors/cli/input/command-shape.ts";
import { usage } from "../../src/doors/cli/input/help.ts";
import { exitCodes } from "../../src/protocol/exit-codes.ts";
import { globalFlags } from "../../src/doors/cli/input/parse.ts";

export interface Page {
  /** `constel-task.1` */
  readonly name: string;
  readonly text: string;
}

export async function manualPages(version: string): Promise<Page[]> {
  const words = helpGroups.flatMap(([, those]) => those);
  const shown = await Promise.all(
    words.map(async (word) => [word, (await commandsFor(word)).filter(({ hidden }) => hidden !== true)] as const),
  );
  const pages = shown.filter(([, commands]) => commands.length > 0);
  return [
    { name: "constel.1", text: overview(version, new Map(pages)) },
    ...pages.map(([word, commands]) => ({ name: `constel-${word}.1`, text: wordPage(version, word, commands) })),
  ];
}

function overview(version: string, pages: ReadonlyMap<string, readonly CommandShape[]>): string {
  const groups = helpGroups.map(([heading, words]) => {
    const rows = words.flatMap((word) => (pages.get(word) ?? []).map((command) => row(command.name, command.summary)));
    return [`.SS ${escaped(heading)}`, ...rows].join("\n");
  });
  return [
    head("CONSTEL", version),
    ".SH NAME",
    "constel \\- runs a constellation of coding agents and keeps their parallel work from colliding",
    ".SH SYNOPSIS",
    ".B constel",
    ".I command",
    "[arguments] [flags]",
    ".SH COMMANDS",
    ...groups,
    ".SH FLAGS OF EVERY COMMAND",
    ...flagRows(globalFlags),
    ".SH EXIT STATUS",
    ...Object.entries(exitCodes).map(([name, code]) => row(String(code), name)),
    ".SH SEE ALSO",
    [...pages.keys()].map((word) => `.BR constel\\-${escaped(word)} (1)`).join(",\n"),
    "",
  ].join("\n");
}

function wordPage(version: string, word: string, commands: readonly CommandShape[]): string {
  const [first] = commands;
  return [
    head(`CONSTEL-${word.toUpperCase()}`, version),
    ".SH NAME",
    `constel\\-${escaped(word)} \\- ${escaped(commands.length === 1 ? (first?.summary ?? "") : `commands that begin with ${word}`)}`,
    ".SH COMMANDS",
    ...commands.map(commandSection),
    ".SH SEE ALSO",
    ".BR constel (1)",
    "",
  ].join("\n");
}

function commandSection(command: CommandShape): string {
  const args = (command.arguments ?? []).map(({ name, summary }) => row(name, summary));
  return [
    `.SS ${escaped(usage(command))}`,
    escaped(command.summary),
    ...(command.details === undefined ? [] : [".PP", escaped(command.details)]),
    ...args,
    ...flagRows(command.flags ?? {}),
    ".PP",
    "Example:",
    ".nf",
    ...command.examples.map((line) => `  ${escaped(line)}`),
    ".fi",
  ].join("\n");
}

const flagRows = (flags: NonNullable<CommandShape["flags"]>): string[] =>
  Object.entries(flags).map(([name, { value, summary }]) =>
    row(value === undefined ? `--${name}` : `--${name} ${value}`, summary),
  );

const row = (left: string, right: string): string => [".TP", `.B ${escaped(left)}`, escaped(right)].join("\n");

const head = (title: string, version: string): string =>
  `.TH ${escaped(title)} 1 "" "constel ${version}" "constel manual"`;

/** A line that begins with a full stop or an apostrophe would be an order to the formatter. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/\n+/g, "\n")
    .replaceAll(/^(?=[.'])/gm, "\\&");
