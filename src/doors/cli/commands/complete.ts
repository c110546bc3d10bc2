// Shell completion. The scripts are a few lines each and ask the program itself, so they never go stale.

import type { RunCommand } from "../command.ts";
import type { CommandShape } from "../command-shape.ts";
import { globalFlags } from "../parse.ts";

export const completion: RunCommand = async (_context, input) => {
  const shell = input.argument("shell") as keyof typeof scripts;
  return { json: { shell, script: scripts[shell] }, text: scripts[shell] };
};

export const complete: RunCommand = async (context, input) => {
  const commands = (await context.commands()).filter((command) => command.hidden !== true);
  const answers = candidates(commands, input.rest("words"));
  return {
    json: answers.map(([word, summary]) => ({ word, summary })),
    text: answers.map((pair) => pair.join("\t")).join("\n"),
  };
};

type Candidate = readonly [word: string, summary: string];

/** What may stand in the place of the last word, with a line about each. */
export function candidates(commands: readonly CommandShape[], words: readonly string[]): Candidate[] {
  const typed = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const command = [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .find((one) => one.name.split(" ").every((part, index) => typed[index] === part));
  const next = command === undefined ? nextWords(commands, typed) : insideCommand(command, typed, last);
  return next.filter(([word]) => word.startsWith(last)).sort(([a], [b]) => (a < b ? -1 : 1));
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
  const flags = { ...globalFlags, ...command.flags };
  const before = typed.at(-1) ?? "";
  const open = before.startsWith("--") ? flags[before.slice(2)] : undefined;
  if (open?.value !== undefined) return (open.oneOf ?? []).map((value): Candidate => [value, ""]);
  const names = Object.entries(flags).map(([name, flag]): Candidate => [`--${name}`, flag.summary]);
  if (last.startsWith("-")) return names;
  const given = typed.slice(command.name.split(" ").length).filter((word) => !word.startsWith("-")).length;
  const values = (command.arguments?.[given]?.oneOf ?? []).map((value): Candidate => [value, ""]);
  return values.length > 0 ? values : names;
}

const scripts = {
  bash: `_constel() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do COMPREPLY+=("$line"); done < <(constel complete -- "\${words[@]}" 2>/dev/null)
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
