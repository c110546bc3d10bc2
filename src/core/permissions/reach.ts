// Works out what a command could read or change, for rules about paths. A command is let past such a rule only if it is of a known form: a
// program that shows no file, one whose words say which files it reads, or one that runs the project's own tools. Everything else could read
// any file, and is asked or denied in the rule's name. What the project's own programs do once they run is not looked into.

import { posix } from "node:path";
import type { ShellCommand, ShellWord } from "../../protocol/shell-script.ts";
import { fileCommand } from "./default-files.ts";
import { gitReach } from "./git-reach.ts";
import type { Standing } from "./opinion.ts";
import { writtenIn } from "./paths.ts";
import { type JudgeContext, type PlaceFacts } from "./rule.ts";
import { setsProgram } from "./telling-variables.ts";

export interface Reach {
  readonly reads: readonly ShellWord[];
  readonly edits: readonly ShellWord[];
  /** True when everything below the paths is reached too. */
  readonly descends: boolean;
}

const nothing: Reach = { reads: [], edits: [], descends: false };

/** Undefined when it could be anything. */
export function reachOf(context: JudgeContext, command: ShellCommand, { places }: Standing): Reach | undefined {
  const [name, ...rest] = withoutPlace(command.words);
  const base = name?.text;
  if (name === undefined || base === undefined || base.includes("/") || command.assigns.some(setsProgram))
    return base !== undefined && base === context.place.program ? nothing : undefined;
  if (base === "git") return git(context, rest, places);
  if (setters.has(base)) return rest.some(({ text, source }) => setsProgram(text ?? source)) ? undefined : nothing;
  // A `cd` is followed only if its target is written out.
  if (base === "cd") return rest.length === 1 && /^[^-~]/.test(rest[0]?.text ?? "") ? nothing : undefined;
  if (base === "constel" && showsWork(rest.map(({ text = "" }) => text))) return undefined;
  if (showsNothing.has(base)) return nothing;
  if (changes.has(base)) return { ...nothing, edits: operandsOf(rest), descends: true };
  const opinion = fileCommand([name, ...rest]);
  if (opinion !== undefined && !("ask" in opinion))
    return { reads: opinion.reads ?? [], edits: opinion.edits ?? [], descends: opinion.descends === true };
  if (runsProject(base, rest)) return nothing;
  return readers.get(base)?.(rest);
}

/** Tells whether the program's work is to show files: an owner who allows it by its name has not said which. */
export const showsFiles = (base: string): boolean =>
  base === "git" || readers.has(base) || (fileCommand([wordOf(base)]) !== undefined && !showsNothing.has(base));

/** A program of the system's, by its whole path, is that program. */
function withoutPlace([name, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  const found = /^(?:\/usr)?(?:\/local)?\/s?bin\/([^/]+)$/.exec(name?.text ?? "")?.[1];
  if (name === undefined || found === undefined) return name === undefined ? [] : [name, ...rest];
  return [{ ...name, text: found }, ...rest];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** They print no file's content, whatever their options are; constel's verbs name their files, which are looked at as words. */
const showsNothing = words(
  "pwd ls which type mkdir sleep whoami id uname hostname nproc echo printf true false : test [ seq ps pgrep kill free uptime printenv " +
    "basename dirname realpath readlink wait jobs unset shift exit return break continue umask ulimit clear stat local read mktemp constel",
);
/** constel's verbs that show what is in files, of this workspace or of others, and the engine that reads any. */
function showsWork(texts: readonly string[]): boolean {
  const [first, second] = texts.filter((text) => !text.startsWith("-"));
  return (
    (first === "task" && second === "diff") ||
    texts.includes("--hunks") ||
    (first === "query" && texts.some((text) => text.startsWith("--engine")))
  );
}
const setters = words("export declare typeset readonly set");
const changes = words("rm rmdir chmod chown touch");

const operandsOf = (rest: readonly ShellWord[]): ShellWord[] => {
  const end = rest.findIndex(({ text }) => text === "--");
  const before = (end === -1 ? rest : rest.slice(0, end)).filter(({ text, start }) => !(text ?? start).startsWith("-"));
  return [...before, ...(end === -1 ? [] : rest.slice(end + 1))];
};

type Reader = (rest: readonly ShellWord[]) => Reach | undefined;

/** Programs that read the files they name, or what comes in, with the options under which they do nothing else. */
const reads =
  (options: RegExp, before = 0, isHarmless: (text: string) => boolean = () => true): Reader =>
  (rest) => {
    const isKnown = rest.every(({ text, start }) => !(text ?? start).startsWith("-") || options.test(text ?? ""));
    const operands = operandsOf(rest);
    const programs = operands.slice(0, before).map(({ text }) => text);
    if (!isKnown || !programs.every((text) => text !== undefined && isHarmless(text))) return undefined;
    return { ...nothing, reads: operands.slice(before) };
  };

const plainFlags = /^(?:-|-[a-zA-Z]+|--decode|--wrap=\d+)$/;
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...["base64", "base32", "xxd", "od", "hexdump", "strings", "nl", "tac", "rev", "fold", "column", "cksum", "sum"].map(
    (name): [string, Reader] => [name, reads(plainFlags)],
  ),
  ...["less", "more", "bat", "zcat", "gunzip", "sha1sum", "sha512sum", "b2sum", "comm", "paste"].map(
    (name): [string, Reader] => [name, reads(plainFlags)],
  ),
  [
    "jq",
    reads(
      /^-[rcsneaSCMj]+$|^--(?:raw-output|compact-output|slurp|tab|exit-status)$/,
      1,
      (text) => !/\b(?:include|import|input_filename|getpath)\b/.test(text),
    ),
  ],
  ["awk", reads(/^-F.{1,4}$/, 1, (text) => !/getline|system|ARG|[|<>]|@/.test(text))],
  ["sed", reads(/^-[nE]+$/, 1, (text) => /^(?:s\/[^/\\]*\/[^/\\]*\/[gIp\d]*|\d*(?:,\d+|,\$)?[pd])$/.test(text))],
]);

/** The project's own tools, by a name that its manifest or its build file gives a meaning. */
const runners: ReadonlyMap<string, RegExp> = new Map([
  ...["npm", "pnpm", "yarn", "bun"].map((name): [string, RegExp] => [
    name,
    /^(?:test|t|run [\w:-]+|run-script [\w:-]+|start|build|lint|install|i|ci|add|remove|ls|outdated|audit|why|--version|-v)?(?: |$)/,
  ]),
  ["make", /^(?:[\w%.-]+(?: |$)|-j\d* ?|-s ?|-k ?)*$/],
  ["cargo", /^(?:build|check|test|clippy|fmt|doc|bench|run|tree|update|--version)(?: |$)/],
  ["go", /^(?:build|test|vet|fmt|mod|list|version)(?: |$)/],
  ["pip", /^(?:install|list|show|check|--version)(?: |$)/],
  ["pip3", /^(?:install|list|show|check|--version)(?: |$)/],
  ["uv", /^(?:sync|lock|add|remove|pip install|--version)(?: |$)/],
  ["poetry", /^(?:install|lock|add|remove|--version)(?: |$)/],
  ...["pytest", "tsc", "vitest", "jest", "mvn", "gradle", "ruff", "mypy", "oxlint"].map((name): [string, RegExp] => [
    name,
    /^/,
  ]),
]);

/** An option that tells a program to run something else, or to be set up by a file, is none of the project's own. */
const tellsOther =
  /^-{1,2}(?:eval|exec|e|c|f|file|file=.*|shell|script-shell|config|pre|cmd|command|require|r|prefix|C|directory)(?:=|$)/;

export function runsProject(base: string, rest: readonly ShellWord[]): boolean {
  const known = runners.get(base);
  const texts = rest.map(({ text }) => text);
  if (known === undefined || !texts.every((text) => text !== undefined)) return false;
  return known.test(texts.join(" ")) && !texts.some((text) => tellsOther.test(text ?? ""));
}

function git({ facts, place }: JudgeContext, rest: readonly ShellWord[], places: readonly string[]): Reach | undefined {
  let at = 0;
  let stands = [...places];
  for (; rest[at]?.text?.startsWith("-") === true; at++) {
    const option = rest[at]?.text ?? "";
    if (/^(?:--no-pager|--no-optional-locks|--literal-pathspecs|-P)$/.test(option)) continue;
    if (/^--(?:version|help)$/.test(option)) return nothing;
    const directory = rest[at + 1]?.text;
    if (option !== "-C" || directory === undefined) return undefined;
    stands = stands.map((one) => posix.resolve(writtenIn(one, directory)));
    at++;
  }
  return reachIn(facts, rest.slice(at), stands, place.workspace);
}

/** The files that a git command shows, as words that can be judged. */
export function reachIn(
  facts: PlaceFacts,
  verb: readonly ShellWord[],
  stands: readonly string[],
  workspace: string | undefined,
): Reach {
  const exists = (path: string): boolean =>
    stands.every((stand) => {
      const whole = posix.resolve(stand, path);
      return facts.names(posix.dirname(whole)).includes(posix.basename(whole));
    });
  const tops = stands.map((stand) => facts.repositoryOf(stand) ?? workspace ?? stand);
  const shown = gitReach(verb, { exists });
  const edits = changedByGit(verb, exists);
  const moved = verb[0]?.text === "mv" ? edits : [];
  if (shown === "nothing") return { reads: moved, edits, descends: true };
  if (shown === "everything") return { reads: tops.map(wordOf), edits, descends: true };
  const paths = shown.flatMap((path) =>
    stands.map((stand, at) => (path.startsWith("/") ? `${tops[at] ?? stand}${path}` : writtenIn(stand, path))),
  );
  return { ...nothing, reads: paths.map(wordOf), descends: true };
}

/**
 * The files of the workspace that a git command writes anew, moves or removes by their names. Switching to another commit, and bringing
 * everything back to the last one, is git's own work: no rule about a path holds that.
 */
function changedByGit([verb, ...rest]: readonly ShellWord[], exists: (path: string) => boolean): ShellWord[] {
  const texts = rest.map(({ text }) => text);
  const named = operandsOf(rest);
  const end = texts.indexOf("--");
  switch (verb?.text) {
    case "mv":
    case "rm":
      return named;
    case "restore": {
      const source = texts.findIndex((text) => /^(?:-s|--sou[a-z]*)$/.test(text ?? ""));
      const paths = source === -1 ? named : named.filter((word) => word !== rest[source + 1]);
      const hasSource = source !== -1 || texts.some((text) => /^(?:-s.|--sou[a-z]*=)/.test(text ?? ""));
      return hasSource ? paths : paths.filter(({ text }) => text !== ".");
    }
    case "checkout": {
      const paths =
        end === -1 ? named.filter(({ text, glob }) => glob || text === "." || exists(text ?? "")) : rest.slice(end + 1);
      const hasSource = named.length > paths.length;
      return hasSource ? paths : paths.filter(({ text }) => text !== ".");
    }
    case "clean":
      return named.length === 0 ? [wordOf(".")] : named;
    default:
      return [];
  }
}

const wordOf = (text: string): ShellWord => ({ source: text, text, start: text, splits: false, glob: false });
