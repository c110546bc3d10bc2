// Plain commands that read, and a few that change files, with the options under which they do nothing else. An option that is not
// here makes the command one that is asked: many of these run programs or write files with the right option.

import { posix } from "node:path";
import type { ShellWord } from "../../protocol/shell-script.ts";
import type { Opinion } from "./opinion.ts";

interface FileCommand {
  /** Options it may have, alone or with their value joined. */
  readonly options: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** The number of operands before the paths, such as a pattern. */
  readonly before?: number;
  /** The use it makes of its paths. `none`: it takes no paths, only words. */
  readonly paths: "read" | "edit" | "copy" | "none";
  /** The most operands it may have. */
  readonly most?: number;
}

const reading = (options: RegExp, more: Partial<FileCommand> = {}): FileCommand => ({
  options,
  paths: "read",
  ...more,
});

const commands: ReadonlyMap<string, FileCommand> = new Map<string, FileCommand>([
  ["true", { options: /^(?!)/, paths: "none" }],
  ["false", { options: /^(?!)/, paths: "none" }],
  [":", { options: /^(?!)/, paths: "none", most: 0 }],
  ["pwd", { options: /^-[LP]$/, paths: "none", most: 0 }],
  ["echo", { options: /^-[neE]+$|^--+$|^-+[^-]*$/, paths: "none" }],
  ["printf", { options: /^--$/, paths: "none" }],
  ["sleep", { options: /^(?!)/, paths: "none", most: 1 }],
  ["date", { options: /^(?:-u|--utc|--iso-8601(?:=\w+)?|-I\w*|-R)$/, paths: "none", most: 0 }],
  ["whoami", { options: /^(?!)/, paths: "none", most: 0 }],
  ["hostname", { options: /^(?!)/, paths: "none", most: 0 }],
  ["uname", { options: /^-[amnrsvpio]+$/, paths: "none", most: 0 }],
  ["id", { options: /^-[ugGn]+$/, paths: "none", most: 0 }],
  ["nproc", { options: /^--all$/, paths: "none", most: 0 }],
  ["which", { options: /^-a$/, paths: "none" }],
  ["basename", { options: /^-[az]$/, paths: "none" }],
  ["dirname", { options: /^-z$/, paths: "none" }],
  ["cat", reading(/^-[nbsAeEtTv]+$/)],
  ["head", reading(/^-(?:[qv]|\d+|[nc]-?\d+)$/, { valued: /^-[nc]$/ })],
  ["tail", reading(/^-(?:[qv]|\d+|[nc][-+]?\d+)$/, { valued: /^-[nc]$/ })],
  ["wc", reading(/^-[lwcmL]+$/)],
  ["nl", reading(/^-b[atn]$|^-ba$/)],
  ["ls", reading(/^-[aAlhrtR1dFSpsi]+$|^--color(?:=\w+)?$|^--all$/)],
  ["stat", reading(/^(?!)/)],
  ["file", reading(/^-[bi]$/)],
  ["du", reading(/^-[shca]+$|^-d\d+$/)],
  ["tree", reading(/^-[adfCL]$|^--noreport$/, { valued: /^-[LI]$/ })],
  ["realpath", reading(/^(?!)/)],
  ["cmp", reading(/^-s$/)],
  // Without `r`, as `grep` without `R` and `rg` without `L`: they would follow links out of the workspace.
  ["diff", reading(/^-[uNqwbBiy]+$|^-U\d+$|^--color(?:=\w+)?$|^--brief$/)],
  ["md5sum", reading(/^(?!)/)],
  ["sha256sum", reading(/^(?!)/)],
  ["cut", reading(/^-[dfcs].*$/, { valued: /^-[dfc]$/ })],
  ["tr", { options: /^-[dsc]+$/, paths: "none" }],
  ["sort", reading(/^-[nrufbhVdiMs]+$|^-k[\d.,nr]+$|^-t.$/, { valued: /^-[kt]$/ })],
  ["uniq", reading(/^-[cdui]+$/, { most: 1 })],
  [
    "grep",
    reading(
      /^-[nriIlLcvwxoEFPHhsqaz]+$|^-[ABCm]\d+$|^--(?:include|exclude|exclude-dir)=[^/]*$|^--color(?:=\w+)?$|^--line-number$|^--recursive$|^-\d+$/,
      { valued: /^-[ABCm]$/, before: 1 },
    ),
  ],
  [
    "rg",
    reading(
      /^-[niIlcvwxoFPHNsSuU.]+$|^-[ABCm]\d+$|^-[gt].+$|^--(?:files|hidden|no-ignore|line-number|count|files-with-matches|ignore-case|fixed-strings|no-heading|multiline|type-list|json|stats)$|^--(?:glob|type|max-count|context)=.+$/,
      { valued: /^-[ABCmgt]$|^--(?:glob|type|max-count|context)$/, before: 1 },
    ),
  ],
  ["mkdir", { options: /^-pv?$|^-v$|^--parents$/, paths: "edit" }],
  ["touch", { options: /^-[acm]$/, paths: "edit" }],
  ["tee", { options: /^-a$|^--append$/, paths: "edit" }],
  ["rm", { options: /^-[rRfvdi]+$|^--recursive$|^--force$/, paths: "edit" }],
  ["rmdir", { options: /^-pv?$|^-v$/, paths: "edit" }],
  ["mv", { options: /^-[fnvi]+$/, paths: "edit" }],
  ["cp", { options: /^-[rRapfnvi]+$|^--recursive$/, paths: "copy" }],
]);

/** With their files all that is in them is used. */
const alwaysDescend: ReadonlySet<string> = new Set(["rg", "tree", "du", "mv", "cp", "diff"]);

/** Undefined for a command that is not here. */
export function fileCommand(words: readonly ShellWord[]): Opinion | undefined {
  const [name, ...rest] = words;
  if (name?.text === "sed") return sed(rest);
  if (name?.text === "find") return find(rest);
  if (name?.text === "[") return { ask: "what it tests is not judged" };
  if (name?.text === "test") return testing(rest);
  const known = commands.get(name?.text ?? "");
  if (known === undefined) return undefined;
  const operands = operandsOf(known, rest);
  if (operands === undefined) return { ask: "it has options that are not judged" };
  if (operands.length > (known.most ?? Number.POSITIVE_INFINITY)) return { ask: "it has more words than are judged" };
  const descends =
    alwaysDescend.has(name?.text ?? "") || rest.some(({ text }) => /^-[a-zA-Z]*[rRa]|^--rec/.test(text ?? ""));
  switch (known.paths) {
    case "none":
      return name?.text === "printf" && reckons(operands)
        ? { ask: "zsh and ksh reckon with its numbers, which can run commands" }
        : { allow: "commands that only print" };
    case "read": {
      const before = known.before ?? 0;
      if (operands.slice(0, before).some((word) => word.splits && !word.glob))
        return { ask: "its pattern is not written out" };
      const paths = operands.slice(before);
      // Without a path, many of them look where they stand.
      return { allow: "reading in its own workspace", reads: paths.length === 0 ? [here] : paths, descends };
    }
    case "edit":
      return operands.length === 0
        ? { ask: "it names no file" }
        : {
            allow: "editing in its own workspace",
            // A moved file can be read at its new path.
            ...(name?.text === "mv" ? { reads: operands.slice(0, -1) } : {}),
            edits: operands,
            descends,
          };
    case "copy":
      if (operands.length < 2) return { ask: "it names no file" };
      return {
        allow: "editing in its own workspace",
        reads: operands.slice(0, -1),
        edits: [...operands.slice(-1), ...copiesIn(operands)],
        descends,
      };
  }
}

/** Returns the names that copies get when the last word is a directory: `cp fixtures/.envrc app` makes app/.envrc. */
function copiesIn(operands: readonly ShellWord[]): ShellWord[] {
  const target = operands.at(-1)?.text;
  return operands.slice(0, -1).flatMap(({ source, text }) => {
    if (text === undefined || target === undefined) return [];
    const copy = `${target}/${posix.basename(text)}`;
    return [{ source, text: copy, start: copy, splits: false, glob: false }];
  });
}

/** Tells whether printf is given a number that is not written out. In zsh and ksh a number may be `a[$(…)]`, and is evaluated. */
function reckons([format, ...given]: readonly ShellWord[]): boolean {
  const onlyTexts = format?.text !== undefined && !/%(?![-# +'0]*(?:[1-9]\d*)?(?:\.\d*)?[sbqc%])/.test(format.text);
  return !onlyTexts && given.some(({ text }) => text === undefined || !/^[-+]?[\w.]*$/.test(text));
}

/** The words that are no options; undefined when an option is not known, or a word might be one. */
function operandsOf({ options, valued, paths }: FileCommand, words: readonly ShellWord[]): ShellWord[] | undefined {
  const found: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const { text } = word;
    if (text === "--") return [...found, ...words.slice(at + 1)];
    // A word of which only the beginning is known is an operand if that beginning makes it one.
    if (text === undefined) {
      const isOperand = paths === "none" ? !word.splits : word.glob || (!word.splits && word.start !== "");
      if (!isOperand || word.start.startsWith("-")) return undefined;
      found.push(word);
    } else if (valued?.test(text) === true) {
      at++;
      if (words[at]?.text === undefined) return undefined;
    } else if (text.startsWith("-") && text !== "-") {
      if (!options.test(text)) return undefined;
    } else if (text !== "-") found.push(word);
  }
  return found;
}

/** Files and texts, told apart by words that are written out. Shells reckon with the operands of other tests, and reckoning runs `a[$(…)]`. */
function testing(words: readonly ShellWord[]): Opinion {
  const texts = words.map(({ text, source }) => (/^(?:!|={1,2}|!=)$/.test(source) ? source : text));
  const [first = "", second, third, ...more] = texts[0] === "!" ? texts.slice(1) : texts;
  const isKnown = texts.every((text) => text !== undefined && /^!?={0,2}$|^[\w./@%+,:-]+$/.test(text));
  const isTest =
    third === undefined ? second !== undefined && /^-[fdesrwxLhnz]$/.test(first) : /^!?={1,2}$/.test(second ?? "");
  return isKnown && isTest && more.length === 0
    ? { allow: "commands that only print" }
    : { ask: "what it tests is not judged" };
}

/** A line of sed: a number, the last, or a pattern in slashes whose end every sed finds at the same slash. */
const sedLine = /\d+|\$|\/(?:[^/\\[\]\n]|\\[^/\n\d]|\[\^?[^\]^/\\\n][^\]/\\\n]*\])+\//.source;
const sedPrint = new RegExp(`^(?:${sedLine})(?:,(?:${sedLine}|\\+\\d+))?p$`);

/** Only printing lines: sed can write files and run programs. */
function sed(words: readonly ShellWord[]): Opinion {
  const [flag, script, ...paths] = words;
  const isPrint = flag?.text === "-n" && sedPrint.test(script?.text ?? "");
  if (!isPrint || paths.some((path) => path.start.startsWith("-")))
    return { ask: "sed can write files and run programs" };
  return { allow: "reading in its own workspace", reads: paths };
}

/** Directories first, then tests that only look. */
function find(words: readonly ShellWord[]): Opinion {
  const start = words.findIndex(({ text }) => text === undefined || /^[-(!]/.test(text));
  const directories = start === -1 ? words : words.slice(0, start);
  const tests = start === -1 ? [] : words.slice(start);
  const looks =
    /^-(?:name|iname|path|ipath|type|maxdepth|mindepth|size|mtime|newer|not|o|or|a|and|print|prune|empty|print0)$/;
  const known = tests.every(({ text }) => text !== undefined && (!text.startsWith("-") || looks.test(text)));
  if (!known) return { ask: "find can delete files and run programs" };
  return {
    allow: "reading in its own workspace",
    reads: directories.length === 0 ? [here] : directories,
    descends: true,
  };
}
const here: ShellWord = { source: ".", text: ".", start: ".", splits: false, glob: false };

/** Tells whether a command only looks and prints. */
export function onlyLooks(name: string): boolean {
  const paths = commands.get(name)?.paths;
  return paths === "read" || paths === "none" || ["sed", "find", "cd", "constel"].includes(name);
}
