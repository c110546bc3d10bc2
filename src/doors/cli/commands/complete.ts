// Shell completion. The scripts are a few lines each and ask the program itself, so they never go stale.

import type { RunCommand } from "../input/command.ts";
import type { ArgumentDeclaration, CommandShape, FlagDeclaration, Offer } from "../input/command-shape.ts";
import { type Candidate, offered } from "../input/offers.ts";
import { globalFlags } from "../input/parse.ts";

export const completion: RunCommand = async (_context, input) => {
  const shell = input.argument("shell") as keyof typeof scripts;
  return { json: { shell, script: scripts[shell] }, text: scripts[shell] };
};

export const complete: RunCommand = async (context, input) => {
  const commands = (await context.commands()).filter((command) => command.hidden !== true);
  const words = input.rest("words");
  const offer = offerFor(commands, words);
  const known =
    offer === undefined ? [] : (await offered(context, offer, words.slice(0, -1))).filter(([word]) => plain.test(word));
  const named = startingWith(known, words.at(-1) ?? "");
  const answers = [...named, ...candidates(commands, words)];
  return {
    json: { candidates: answers.map(([word, summary]) => ({ word, summary })) },
    text: answers.map(([word, summary]) => `${word}\t${summary.replaceAll(/\s+/g, " ")}`).join("\n"),
  };
};

/**
 * The texts that a shell takes as they are. Branches and repositories have names that agents chose, bash puts what it is offered into the
 * line without quoting it, and a name may well be `x$(command)`: such a one is not offered.
 */
const plain = /^[\p{L}\p{N}._/@%+:,=-]+$/u;

/** Lists the words that the commands' declarations allow in the place of the last word, with a line about each. */
function candidates(commands: readonly CommandShape[], words: readonly string[]): Candidate[] {
  const typed = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const command = commandOf(commands, typed);
  const next = command === undefined ? nextWords(commands, typed) : insideCommand(command, typed, last);
  return startingWith(next, last).sort(([a], [b]) => (a < b ? -1 : 1));
}

function startingWith(all: readonly Candidate[], last: string): Candidate[] {
  return all.filter(([word]) => word.startsWith(last));
}

function commandOf(commands: readonly CommandShape[], typed: readonly string[]): CommandShape | undefined {
  return [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .find((one) => one.name.split(" ").every((part, index) => typed[index] === part));
}

/** Returns the kind of thing that the last word would name. */
function offerFor(commands: readonly CommandShape[], words: readonly string[]): Offer | undefined {
  const typed = words.slice(0, -1);
  const command = commandOf(commands, typed);
  if (command === undefined || words.at(-1)?.startsWith("-") === true) return undefined;
  const flag = openFlag(command, typed);
  return flag === undefined ? argumentAt(command, typed)?.offers : flag.offers;
}

/** The flag that the last word is the value of. */
function openFlag(command: CommandShape, typed: readonly string[]): FlagDeclaration | undefined {
  const before = typed.at(-1) ?? "";
  const flag = before.startsWith("--") ? { ...globalFlags, ...command.flags }[before.slice(2)] : undefined;
  return flag?.value === undefined ? undefined : flag;
}

function argumentAt(command: CommandShape, typed: readonly string[]): ArgumentDeclaration | undefined {
  const flags = { ...globalFlags, ...command.flags };
  const isValue = (index: number): boolean => {
    const before = typed[index - 1] ?? "";
    return before.startsWith("--") && flags[before.slice(2)]?.value !== undefined;
  };
  const start = command.name.split(" ").length;
  const given = typed.filter((word, index) => index >= start && !word.startsWith("-") && !isValue(index)).length;
  const all = command.arguments ?? [];
  const last = all.at(-1);
  return all[given] ?? (last?.rest === true ? last : undefined);
}

function nextWords(commands: readonly CommandShape[], typed: readonly string[]): Candidate[] {
  const found = new Map<string, string>();
  for (const command of commands) {
    const parts = command.name.split(" ");
    const word = parts[typed.length];
    if (word === undefined || !typed.every((given, index) => parts[index] === given)) continue;
    found.set(
      word,
      parts.length > typed.length + 1 ? `${parts.slice(0, typed.length + 1).join(" ")} …` : command.summary,
    );
  }
  return [...found];
}

function insideCommand(command: CommandShape, typed: readonly string[], last: string): Candidate[] {
  const flag = openFlag(command, typed);
  if (flag !== undefined) return (flag.oneOf ?? []).map((value): Candidate => [value, ""]);
  const flags = { ...globalFlags, ...command.flags };
  const names = Object.entries(flags).map(([name, { summary }]): Candidate => [`--${name}`, summary]);
  if (last.startsWith("-")) return names;
  const argument = argumentAt(command, typed);
  const values = (argument?.oneOf ?? []).map((value): Candidate => [value, ""]);
  return values.length > 0 || argument?.offers !== undefined ? values : names;
}

const scripts = {
  bash: `_constel() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do COMPREPLY+=("$line"); done < <(constel complete -- "\${words[@]}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _constel constel
`,
  zsh: `#compdef constel
_constel() {
  local -a found
  local word about
  while IFS=$'\\t' read -r word about; do found+=("\${word//:/\\\\:}:\${about}"); done < <(constel complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)
  _describe constel found
}
compdef _constel constel
`,
  fish: `function __constel_complete
  set -l words (commandline -opc) (commandline -ct)
  constel complete -- $words[2..-1] 2>/dev/null
end
complete -c constel -f -a '(__constel_complete)'
`,
};
