// Turns the words after a command's name into its input, by its declaration: `--flag value`, `--flag=value`, `-n 5`, `-n5`,
// `-abc` for switches, `--` before words that begin with a dash. Fields of an operation are read by read-field.ts. Node's parseArgs does the same
// for 3.6 ms at every start, as much as Bun itself takes; hence these few lines.

import { Refusal } from "../../../protocol/errors.ts";
import { CommandInput } from "./command.ts";
import type { CommandShape, FlagDeclaration } from "./command-shape.ts";
import { closest } from "./closest.ts";
import { agentIn, agentsIn, fieldsOf } from "./read-field.ts";

/** Flags that every command takes. */
export const globalFlags: Readonly<Record<string, FlagDeclaration>> = {
  help: { summary: "Show this help", short: "h" },
  json: { summary: "Print data as JSON" },
  home: { summary: "The home directory, instead of CONSTEL_HOME", value: "DIR" },
  root: { summary: "The root directory, instead of CONSTEL_ROOT", value: "DIR" },
  set: { summary: "Override a setting for this run", value: "KEY=VALUE", repeat: true, offers: "assignments" },
  server: {
    summary: "Ask this server (constel login) instead of this machine, where the command can",
    value: "NAME",
    offers: "servers",
  },
  "no-color": { summary: "No colour" },
};

export function parseInput(command: CommandShape, words: readonly string[], cwd: string): CommandInput {
  const declared: Readonly<Record<string, FlagDeclaration>> = { ...globalFlags, ...command.flags };
  const flags = new Map<string, string[]>();
  const positionals: string[] = [];
  const queue = [...words];
  const add = (name: string, flag: FlagDeclaration, inline: string | undefined): void => {
    const value = flag.value !== undefined && inline === undefined ? takeValue(queue) : inline;
    flags.set(name, [...(flags.get(name) ?? []), flagValue(command, name, flag, value)]);
  };
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") positionals.push(...queue.splice(0));
    else if (word.startsWith("--")) {
      const [raw = "", ...value] = word.slice(2).split("=");
      const flag = Object.hasOwn(declared, raw) ? declared[raw] : undefined;
      if (flag === undefined) throw unknownFlag(command, `--${raw}`, Object.keys(declared));
      add(raw, flag, word.includes("=") ? value.join("=") : undefined);
    } else if (word.length > 1 && word.startsWith("-") && !/^-\d/.test(word)) readShort(command, declared, word, add);
    else positionals.push(word);
  }
  if (flags.has("help")) return new CommandInput(new Map(), flags);
  const args = assign(command, positionals);
  return new CommandInput(args, flags, fieldsOf(command, args, flags, cwd));
}

/** A flag's value is the next word, unless that is a flag itself. */
function takeValue(queue: string[]): string | undefined {
  const [next] = queue;
  return next === undefined || /^--?[a-z]/.test(next) ? undefined : queue.shift();
}

function readShort(
  command: CommandShape,
  declared: Readonly<Record<string, FlagDeclaration>>,
  word: string,
  add: (name: string, flag: FlagDeclaration, inline: string | undefined) => void,
): void {
  for (let at = 1; at < word.length; at++) {
    const found = Object.entries(declared).find(([, flag]) => flag.short === word[at]);
    if (found === undefined) throw unknownFlag(command, `-${word[at]}`, Object.keys(declared));
    const [name, flag] = found;
    const rest = word.slice(at + 1);
    if (flag.value !== undefined) return add(name, flag, rest === "" ? undefined : rest.replace(/^=/, ""));
    add(name, flag, undefined);
  }
}

function flagValue(command: CommandShape, name: string, flag: FlagDeclaration, value: string | undefined): string {
  const refuse = (problem: string): Refusal =>
    new Refusal("usage.bad-value", `constel ${command.name}: --${name} ${problem}`, { flag: name, value });
  if (flag.value === undefined) {
    if (value !== undefined) throw refuse("takes no value");
    return "true";
  }
  if (value === undefined) throw refuse(`needs a value (${flag.value})`);
  if (value === "" && flag.mayBeEmpty !== true) throw refuse(`is empty: it needs ${flag.value}`);
  if (flag.oneOf !== undefined && !flag.oneOf.includes(value)) throw refuse(`must be one of ${flag.oneOf.join(", ")}`);
  return flag.value === "AGENT" ? agentIn(value) : value;
}

function assign(command: CommandShape, positionals: readonly string[]): Map<string, string[]> {
  const assigned = new Map<string, string[]>();
  let next = 0;
  for (const argument of command.arguments ?? []) {
    const values = argument.rest === true ? positionals.slice(next) : positionals.slice(next, next + 1);
    if (values.length === 0 && argument.optional !== true) {
      throw new Refusal(
        "usage.missing-argument",
        `constel ${command.name} needs <${argument.name}>: ${argument.summary}`,
        {
          argument: argument.name,
        },
      );
    }
    if (argument.mayBeEmpty !== true && values.includes("")) {
      throw new Refusal("usage.bad-value", `constel ${command.name}: <${argument.name}> is empty`, {
        argument: argument.name,
      });
    }
    const wrong = argument.oneOf === undefined ? undefined : values.find((value) => !argument.oneOf?.includes(value));
    if (wrong !== undefined) {
      throw new Refusal(
        "usage.bad-value",
        `<${argument.name}> must be one of ${argument.oneOf?.join(", ")}, not ${wrong}`,
        {
          argument: argument.name,
        },
      );
    }
    const read = argument.name !== "agent" ? as : argument.several === true ? agentsIn : agentIn;
    if (values.length > 0) assigned.set(argument.name, values.map(read));
    next += values.length;
  }
  const extra = positionals[next];
  if (extra !== undefined) {
    throw new Refusal("usage.extra-argument", `constel ${command.name} does not take ${JSON.stringify(extra)}`, {
      extra,
    });
  }
  return assigned;
}

const as = (word: string): string => word;

function unknownFlag(command: CommandShape, raw: string, known: readonly string[]): Refusal {
  const guess = closest(raw.replace(/^-+/, ""), known);
  return new Refusal(
    "usage.unknown-flag",
    `constel ${command.name} does not take ${raw}`,
    { flag: raw },
    guess === undefined ? undefined : `Did you mean --${guess}?`,
  );
}
