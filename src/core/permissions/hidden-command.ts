// Whether a command that could not be judged might be one that a rule names, though its words do not stand there: `g${x}t push`, `/bin/r?`,
// `. ./script`, `echo … | sh`, `python -c …`. Nobody can tell without running it; so a rule that forbids counts here, and the
// command is not let through unseen. Programs and scripts that lie on the disk are not looked into: `make` and `./run.sh` are what they are.

import type { ParseShell, ShellCommand, ShellWord } from "../../protocol/shell-script.ts";
import { gitOptionsWithValue } from "./git-words.ts";
import { openWrapper, runsOthers } from "./wrappers.ts";

/** Why the command might come down to these words; undefined when it cannot. */
export function hiddenCommand(
  parse: ParseShell,
  source: string,
  wanted: readonly string[],
  depth = 0,
): string | undefined {
  if (depth > deepest) return "it runs commands within commands too deep to be judged";
  const script = parse(source);
  if ("unreadable" in script) return script.unreadable;
  for (const command of script.commands) {
    const why = hidden(parse, command, wanted, depth);
    if (why !== undefined) return why;
  }
  return script.unclear.find(({ why }) => !seenInWords(why, source))?.why;
}

const deepest = 6;

/** What a variable or a backslash hides is a word, and words are looked at where they stand; but not one that begins a line unseen. */
export function seenInWords(why: string, source: string): boolean {
  if (why.includes("backslash")) return !/\n\s*\\/.test(source);
  return /uses a variable|sets a variable|sets variables|removes a variable/.test(why);
}

function hidden(
  parse: ParseShell,
  command: ShellCommand,
  wanted: readonly string[],
  depth: number,
): string | undefined {
  const [name, ...rest] = command.words;
  if (name === undefined) return undefined;
  if (name.text === undefined)
    return mayBecome(command.words, wanted) ? "which command it runs is not written out" : undefined;
  if (isOdd(name.text)) return "the name of its command holds characters that are not what they look like";
  const base = name.text.slice(name.text.lastIndexOf("/") + 1);
  if (takesScript.has(base)) return "it runs a script that is not in the command";
  if (renames.has(base)) return "it gives a command another name";
  if (base === "git" && rest.some(({ text, start }) => runsInGit.test(text ?? start)))
    return "git runs another command there";
  if (isCode(base, rest)) return "it runs a text in another language";
  const opened = openWrapper(command);
  if (opened === undefined) return undefined;
  if (opened.inner.length === 0) return opened.why;
  for (const one of opened.inner) {
    const why =
      typeof one === "string" ? hiddenCommand(parse, one, wanted, depth + 1) : hiddenWithin(parse, one, wanted, depth);
    if (why !== undefined) return why;
  }
  return undefined;
}

function hiddenWithin(
  parse: ParseShell,
  command: ShellCommand,
  wanted: readonly string[],
  depth: number,
): string | undefined {
  return depth >= deepest
    ? "it runs commands within commands too deep to be judged"
    : hidden(parse, command, wanted, depth + 1);
}

/** Whether words, some of which are not known, might begin with these. */
export function mayBecome(words: readonly ShellWord[], wanted: readonly string[]): boolean {
  const [name, ...rest] = words;
  const [first = "", ...others] = wanted;
  if (name === undefined) return false;
  if (name.text === undefined) return name.splits || mayFollow(rest, others);
  const base = name.text.slice(name.text.lastIndexOf("/") + 1);
  if (base !== first && name.text !== first) return false;
  return mayFollow(rest, others) || (base === "git" && mayFollow(afterOptions(rest), others));
}

function mayFollow(words: readonly ShellWord[], wanted: readonly string[]): boolean {
  const [next, ...others] = wanted;
  const [word, ...rest] = words;
  if (next === undefined) return true;
  if (word === undefined) return false;
  if (word.text !== undefined) return word.text === next && mayFollow(rest, others);
  // It may be several words, or none.
  if (word.splits && (next.startsWith(word.start) || mayFollow(rest, wanted))) return true;
  return next.startsWith(word.start) && mayFollow(rest, others);
}

function afterOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while ((words[at]?.text ?? words[at]?.start)?.startsWith("-") === true)
    at += gitOptionsWithValue.has(words[at]?.text ?? "") ? 2 : 1;
  return words.slice(at);
}

/** Anything but printable ASCII: letters of other scripts that look like ours, spaces that are none, control characters. */
const isOdd = (text: string): boolean => /[^\x21-\x7e]/.test(text);

const takesScript: ReadonlySet<string> = new Set([".", "source"]);
const renames: ReadonlySet<string> = new Set(["alias", "hash", "enable", "complete", "bind"]);
const runsInGit = /^(?:-x.*|--exec(?:=.*)?|foreach|run|filter-branch|.*alias\..*|--config-env.*|--exec-path=.*)$/s;
const languages =
  /^(?:python|pypy|perl|ruby|irb|node|nodejs|bun|deno|tsx|php|lua|luajit|tclsh|wish|osascript|Rscript|R|julia|elixir|erl|guile|racket|sbcl|clisp|emacs|vim?|nvim|ex|ed|groovy|scala|jshell|pwsh|powershell|runghc|ocaml|gdb|m4|xonsh|nu|elvish|csh|tcsh|rc|es)[\d.]*$/;
const databases = /^(?:psql|mysql|mariadb|sqlite3|duckdb|redis-cli|mongosh)$/;
const codeOptions = /^(?:-[A-Za-z]*[ceEpr](?:[^-].*)?|--(?:eval|print|command|execute|run|code|exec)(?:=.*)?|eval|-)$/s;
const awk = /^[gnm]?awk$|^original-awk$/;

/** Code in one of the words, or on standard input. awk and sed run programs from within their own. */
function isCode(base: string, rest: readonly ShellWord[]): boolean {
  const texts = rest.map(({ text }) => text ?? "$");
  if (awk.test(base)) return texts.some((text) => /system|\||getline|^\$$|^-f/.test(text));
  if (base === "sed" || base === "gsed") return texts.some((text) => /e\s*$|(?:^|[;}\d/])\s*e\b|^\$$|^-f/.test(text));
  if (databases.test(base)) return texts.some((text) => /\\!|\.s[hy]|system|^\$$/.test(text));
  if (!languages.test(base)) return false;
  const operands = texts.filter((text) => !text.startsWith("-"));
  const asksOnly = texts.length > 0 && texts.every((text) => /^(?:-[vV]|--version|--help|-h)$/.test(text));
  return !asksOnly && (operands.length === 0 || texts.some((text) => codeOptions.test(text)));
}

/**
 * Whether a text has anything by which a command can be hidden, told without reading the shell's grammar. It may say yes too often, never
 * too seldom.
 */
export function mayHide(text: string): boolean {
  if (/[^\x20-\x7e\t\n]|\(\s*\)|`|\b(?:function|case|select)\b/.test(text)) return true;
  const bare = text.replaceAll(/['"\\]/g, "");
  for (const token of bare.split(/[\s;&|()<>{}]+/)) {
    const base = token.slice(token.lastIndexOf("/") + 1);
    if (takesScript.has(base) || renames.has(base) || base === "git" || base === "sed" || base === "gsed") return true;
    if (awk.test(base) || languages.test(base) || databases.test(base) || runsOthers(base)) return true;
  }
  return text.split(/[;&|\n()]/).some((piece) => {
    const first = /^\s*(?:(?:do|then|else|elif|if|while|until|for|case|in|time|!|\{)\s+)*(\S+)/.exec(piece)?.[1] ?? "";
    return /[$`*?[{~\\]|^=/.test(first) || /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(first) || first.endsWith("$");
  });
}
