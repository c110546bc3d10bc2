// Judges whether a command that could not be judged might be one that a rule names, though its words do not appear in it: `g${x}t push`,
// `/bin/r?`,
// `. ./script`, `echo … | sh`, `python -c …`. Nobody can tell without running it; so a rule that forbids counts here, and the command is not let through unseen. Programs and scripts on the disk are not looked into: `make` and `./run.sh` are what they are.

import type { ParseShell, ShellCommand, ShellWord } from "../../protocol/shell-script.ts";
import { setsInGit } from "./git-settings.ts";
import { gitOptionsWithValue, gitVerbs } from "./git-words.ts";
import { isProgram, programName } from "./program-name.ts";
import { setsProgram } from "./telling-variables.ts";
import { isScript, openWrapper, runsOthers, runsOthersBy } from "./wrappers.ts";

/** Returns the reason why the command might come down to these words. Undefined if it cannot. */
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

/** A variable or a backslash hides a word, and words are looked at where they stand; but not a word that begins a line unseen. */
export function seenInWords(why: string, source: string): boolean {
  if (why.includes("backslash")) return !/\n[^\S\n]*\\/.test(source);
  return /uses a variable|sets a variable|sets variables|removes a variable/.test(why);
}

function hidden(
  parse: ParseShell,
  command: ShellCommand,
  wanted: readonly string[],
  depth: number,
): string | undefined {
  const [name, ...rest] = command.words;
  if (command.assigns.some(setsProgram)) return "it sets a variable that tells programs what to run";
  if (name === undefined) return undefined;
  if (name.text === undefined)
    return mayBecome(command.words, wanted) ? "which command it runs is not written out" : undefined;
  if (isOdd(name.text)) return "the name of its command holds characters that are not what they look like";
  const base = programName(name.text);
  if (takesScript.has(base)) return "it runs a script that is not in the command";
  if (renames.has(base)) return "it gives a command another name";
  if (mayCarry.has(base) && rest.some(({ text, source }) => setsProgram(text ?? source)))
    return "it sets a variable that tells programs what to run";
  if (base === "git" && (rest.some(({ text, start }) => runsInGit.test(text ?? start)) || setsInGit(rest)))
    return "git runs another command there";
  if (base === "git" && mayBeAlias(rest)) return "it may be an alias of git's";
  if (isCode(base, rest)) return "it runs a text in another language";
  const opened = openWrapper(command);
  if (opened === undefined) return takesText.has(base) ? undefined : hiddenInWords(parse, rest, wanted, depth);
  if (opened.inner.length === 0) return opened.why;
  for (const one of opened.inner) {
    const why =
      typeof one === "string" ? hiddenCommand(parse, one, wanted, depth + 1) : hiddenWithin(parse, one, wanted, depth);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** In the words of a program that is not known: a text that it might run, and what stands behind an option that runs something. */
function hiddenInWords(
  parse: ParseShell,
  words: readonly ShellWord[],
  wanted: readonly string[],
  depth: number,
): string | undefined {
  for (const [at, { text = "" }] of words.entries()) {
    const option = runOption.exec(text);
    if (joinedTo(text, wanted).some((script) => runsIn(parse, script, wanted, depth)))
      return "it may run a text that is joined to an option";
    if (option === null && !isScript(text)) continue;
    const behind = option === null || option[1] !== undefined ? [] : words.slice(at + 1);
    if (behind.length > 0 && mayBecome(behind, wanted)) return `it may run what stands behind ${text}`;
    const script = option?.[1] ?? text;
    if (script === "" || (option !== null && option[1] === undefined)) continue;
    if (runsIn(parse, script, wanted, depth)) return "it may run a text that stands in it";
  }
  return undefined;
}

function runsIn(parse: ParseShell, script: string, wanted: readonly string[], depth: number): boolean {
  const read = depth >= deepest ? undefined : parse(script);
  if (read === undefined || "unreadable" in read) return false;
  return read.commands.some(
    (one) => mayBecome(one.words, wanted) || hiddenWithin(parse, one, wanted, depth) !== undefined,
  );
}

/** `-H'curl x'`, `-ae'curl x'`: what may stand behind the letters of an option in the same word. */
function joinedTo(text: string, [first = ""]: readonly string[]): string[] {
  if (!/^-[A-Za-z]./.test(text)) return [];
  const at = text.indexOf(first, 2);
  const isBehindLetters = at > 2 && /^-[A-Za-z]+$/.test(text.slice(0, at)) && /\s/.test(text);
  return isBehindLetters ? [text.slice(2), text.slice(at)] : [text.slice(2)];
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

/** Tells whether words, some of them unknown, might begin with these. */
export function mayBecome(words: readonly ShellWord[], wanted: readonly string[]): boolean {
  const [name, ...rest] = words;
  const [first = "", ...others] = wanted;
  if (name === undefined) return false;
  if (name.text === undefined) return name.splits || mayFollow(rest, others);
  const base = programName(name.text);
  if (!isProgram(name.text, first)) return false;
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

/** A word behind `git` that is none of its commands. */
function mayBeAlias(words: readonly ShellWord[]): boolean {
  const [verb] = afterOptions(words);
  return verb?.text !== undefined && verb.text !== "" && !gitVerbs.has(verb.text);
}

function afterOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while ((words[at]?.text ?? words[at]?.start)?.startsWith("-") === true)
    at += gitOptionsWithValue.has(words[at]?.text ?? "") ? 2 : 1;
  return words.slice(at);
}

/** Anything but printable ASCII: letters of other scripts that look like ours, spaces that are none, control characters. */
const isOdd = (text: string): boolean => /[^\x21-\x7e]/.test(text);

const takesScript: ReadonlySet<string> = new Set([".", "source", "at", "batch", "crontab"]);
/** Variables may stand among their words. */
const mayCarry: ReadonlySet<string> = new Set([
  "export",
  "declare",
  "typeset",
  "readonly",
  "env",
  "set",
  "local",
  "sudo",
]);
/** Their words are texts that they print, look for or send, and never run. */
const takesText: ReadonlySet<string> = new Set(
  (
    "echo printf grep egrep fgrep rg ag ack git constel test [ expr tr cut sort uniq head tail wc ls cat cd mkdir touch cp mv rm ln chmod " +
    "curl wget jq yq diff cmp date sleep basename dirname export declare typeset readonly local set unset read gh glab true false :"
  ).split(" "),
);
/** Options by which programs are told to run something: `fd -x`, `tar --to-command=…`, `rg --pre`, `rsync -e`. */
const runOption =
  /^--?(?:x|X|e|c|P|I|W|TT|exec(?:-batch|ute|-path)?|run|cmd|command|eval|pre|filter|shell|script-shell|rsh|to-command|use-compress-program|compress-program|checkpoint-action|pager|editor|program|browser|rsync-path|proxy-command|ex|on-\w+)(?:=(?:exec=)?(.*))?$/s;
const renames: ReadonlySet<string> = new Set(["alias", "hash", "enable", "complete", "bind"]);
const runsInGit =
  /^(?:-i*x.*|--exec(?:=.*)?|[\w.+-]+::.*|--templ.*|foreach|run|filter-branch|.*alias\..*|--config-env.*|--exec-path=.*|--(?:up|rec|ext|extcmd|open-files|textconv|tool).*|-O.+|difftool|mergetool|instaweb|daemon|send-email|credential.*)$/s;
const languages =
  /^(?:python|pypy|perl|ruby|irb|node|nodejs|bun|deno|tsx|php|lua|luajit|tclsh|wish|osascript|Rscript|R|julia|elixir|erl|guile|racket|sbcl|clisp|emacs|vim?|nvim|ex|ed|groovy|scala|jshell|pwsh|powershell|runghc|ocaml|gdb|m4|xonsh|nu|elvish|csh|tcsh|rc|es)[\d.]*$/i;
const databases = /^(?:psql|mysql|mariadb|sqlite3|duckdb|redis-cli|mongosh)$/;
const codeOptions = /^(?:-[A-Za-z]*[ceEpr](?:[^-].*)?|--(?:eval|print|command|execute|run|code|exec)(?:=.*)?|eval|-)$/s;
const awk = /^[gnm]?awk$|^original-awk$/;

const isMake = (base: string): boolean => base === "make" || base === "gmake";
/** Options and variables by which make is given rules that no file holds, or another shell. */
const makeCode = /^-(?:f|[a-zA-Z]*E|-eval|-file|-makefile)|^(?:SHELL|\.SHELLFLAGS|MAKE)[:+]?=/;

/** Code in one of the words, or on standard input. awk and sed run programs from within their own. */
function isCode(base: string, rest: readonly ShellWord[]): boolean {
  const texts = rest.map(({ text }) => text ?? "$");
  if (isMake(base)) return texts.some((text) => text === "$" || makeCode.test(text));
  if (awk.test(base)) return texts.some((text) => /system|\||getline|^\$$|^-f/.test(text));
  if (base === "sed" || base === "gsed") return texts.some((text) => /e\s*$|(?:^|[;}\d/])\s*e\b|^\$$|^-f/.test(text));
  if (databases.test(base)) return texts.some((text) => /\\!|\.s[hy]|system|^\$$/.test(text));
  if (!languages.test(base)) return false;
  const operands = texts.filter((text) => !text.startsWith("-"));
  const asksOnly = texts.length > 0 && texts.every((text) => /^(?:-[vV]|--version|--help|-h)$/.test(text));
  return !asksOnly && (operands.length === 0 || texts.some((text) => codeOptions.test(text)));
}

/**
 * Tells whether a text has anything that can hide a command, without reading the shell's grammar. It may say yes too often, never too
 * seldom.
 */
export function mayHide(text: string): boolean {
  if (/[^\x20-\x7e\t\n]|\(\s*\)|`|\b(?:function|case|select)\b/.test(text)) return true;
  const bare = text.replaceAll(/['"\\]/g, "");
  const tokens = bare.split(/[\s;&|()<>{}]+/);
  for (const token of tokens) {
    const base = programName(token);
    if (takesScript.has(base) || renames.has(base) || base === "git" || base === "sed" || base === "gsed") return true;
    if (awk.test(base) || languages.test(base) || databases.test(base) || runsOthers(base)) return true;
    if (runsOthersBy(base, tokens) || (isMake(base) && tokens.some((one) => makeCode.test(one)))) return true;
    if (runOption.test(token) || setsProgram(token)) return true;
  }
  return text.split(/[;&|\n()]/).some((piece) => {
    const first = /^\s*(?:(?:do|then|else|elif|if|while|until|for|case|in|time|!|\{)\s+)*(\S+)/.exec(piece)?.[1] ?? "";
    return /[$`*?[{~\\]|^=/.test(first) || /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(first) || first.endsWith("$");
  });
}
