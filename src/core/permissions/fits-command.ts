// Tells whether a rule about a command is about this one. `rm -fr x`, `rm x -r --force` and `rm -rf x` are one command in three spellings, so a
// rule that forbids or asks counts the options wherever they stand and however they are written.

import type { ShellCommand } from "../../protocol/shell-script.ts";
import { gitWords } from "./git-words.ts";
import { mayBecome } from "./hidden-command.ts";
import { isProgram, programName } from "./program-name.ts";
import type { Rule } from "./rule.ts";

/** To allow, the words must be written as in the rule. To forbid or ask, it is enough that the command comes down to them. */
export function fitsCommand(rule: Rule, { words }: ShellCommand): boolean {
  const wanted = rule.command;
  if (wanted === undefined) return false;
  const begins = (given: readonly (string | undefined)[]): boolean => wanted.every((word, at) => given[at] === word);
  const given = words.map((word) => word.text);
  if (rule.decision === "allow") return begins(given);
  const [name = "", ...rest] = given;
  const base = programName(name);
  const [first = "", ...others] = wanted;
  const spelt = [first.includes("/") ? first : programName(first), ...others];
  const plain = gitWords([base, ...rest]);
  // Arguments that are not known might be the forbidden ones.
  const mayBe = wanted.every((word, at) => {
    const one = words[at];
    return at === 0 ? isProgram(name, word) : one !== undefined && (one.text === undefined || one.text === word);
  });
  return (
    begins(given) ||
    mayBe ||
    [[base, ...rest], plain].some((one) => spelt.every((word, at) => one[at] === word)) ||
    comesTo(plain, spelt) ||
    mayBecome(words, wanted)
  );
}

/** Tells whether the words come down to the wanted ones: its words in their order, with nothing but options and their values between, and every option. */
function comesTo([name, ...given]: readonly (string | undefined)[], [first, ...wanted]: readonly string[]): boolean {
  if (name !== first || wanted.length === 0) return false;
  const end = given.indexOf("--");
  const before = end === -1 ? given : given.slice(0, end);
  const options = before.filter((word) => isOption(word));
  const operands = wanted.filter((word) => !isOption(word));
  let at = 0;
  for (const [index, word] of given.entries()) {
    if (at === operands.length) break;
    if (word === operands[at]) at++;
    else if (!isOption(word) && !isOption(given[index - 1])) return false;
  }
  return at === operands.length && wanted.filter(isOption).every((option) => isGiven(option, options));
}

const isOption = (word: string | undefined): boolean => word !== undefined && /^-./.test(word) && word !== "--";

function isGiven(wanted: string, options: readonly (string | undefined)[]): boolean {
  if (options.includes(wanted)) return true;
  if (isLong(wanted))
    return options.some(
      (option = "") => isSpelt(wanted, option) || lettersIn(option).some((letter) => longOf(letter).includes(wanted)),
    );
  return (
    lettersIn(wanted).length > 0 &&
    lettersIn(wanted).every((letter) => options.some((option = "") => isLetter(letter, option)))
  );
}

const isLong = (option: string): boolean => option.startsWith("--");
/** Programs take any beginning of a long option. */
const isSpelt = (long: string, option: string): boolean =>
  isLong(option) && option.length > 2 && (long.startsWith(option) || option.startsWith(`${long}=`));
const isLetter = (letter: string, option: string): boolean =>
  lettersIn(option).some((one) => one === letter || (/r/i.test(one) && one.toLowerCase() === letter.toLowerCase())) ||
  longOf(letter).some((long) => isSpelt(long, option));

/** `-rvf` is three options; a longer word is a value that is joined to one, or an option of one dash. */
const lettersIn = (option: string): readonly string[] =>
  /^-[A-Za-z]{1,4}$/.test(option) ? option.slice(1).split("") : [];

const longNames: Readonly<Record<string, readonly string[]>> = {
  a: ["--all"],
  d: ["--delete"],
  D: ["--delete"],
  f: ["--force"],
  g: ["--global"],
  i: ["--in-place", "--interactive"],
  n: ["--no-verify"],
  p: ["--publish"],
  r: ["--recursive"],
  R: ["--recursive"],
  y: ["--yes"],
};
const longOf = (letter: string): readonly string[] => longNames[letter] ?? [];
