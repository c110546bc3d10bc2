// Finds the files whose content a git command could show. History and the index hold every file of the repository, under names (commits,
// blobs, tags) that say nothing of the path; so a verb is known to show nothing, or only the paths that it is limited to, or else it reaches
// everything. Options that are not known count as the loudest.

import { posix } from "node:path";
import { leadsElsewhere } from "./git-elsewhere.ts";
import { setsInGit } from "./git-settings.ts";
import type { ShellWord } from "../../protocol/shell-script.ts";

/** Paths from the top of the repository where they begin with `/`, else from where the agent stands. */
export type GitReach = "nothing" | "everything" | readonly string[];

export interface GitScene {
  /** Tells whether a path exists, seen from the agent's directory. */
  readonly exists: (path: string) => boolean;
}

/** `words`: the verb and what follows it. */
export function gitReach([verb, ...rest]: readonly ShellWord[], scene: GitScene): GitReach {
  const name = verb?.text;
  if (name === undefined || rest.some(isUnknown)) return "everything";
  const texts = rest.map(({ text, source }) => text ?? source);
  if (leadsElsewhere(name, texts, scene.exists)) return "everything";
  // A setting may name a file that a later command shows: `include.path`, `blame.ignoreRevsFile`.
  if (name === "config" && setsInGit(verb === undefined ? [] : [verb, ...rest])) return "everything";
  const end = texts.indexOf("--");
  const before = end === -1 ? texts : texts.slice(0, end);
  const given: Given = {
    options: before.filter((text) => text.startsWith("-") && text !== "-"),
    operands: before.filter((text) => !text.startsWith("-")),
    paths: end === -1 ? [] : texts.slice(end + 1),
  };
  const loud = silentVerbs.get(name);
  if (loud !== undefined) return given.options.some((option) => loud.test(option)) ? "everything" : "nothing";
  if (name === "for-each-ref" || name === "branch" || name === "tag")
    return texts.some((text) => /raw|contents|^-[a-zA-Z]*[dv]/.test(text)) && name !== "branch"
      ? "everything"
      : "nothing";
  if (name === "stash") return stash(given);
  if (name === "worktree")
    return /^(?:list|prune|remove|lock|unlock)$/.test(given.operands[0] ?? "") ? "nothing" : "everything";
  if (name === "cat-file") return objects(given, /^-[tse]$/);
  if (name === "show") return shown(given);
  if (name === "blame" || name === "annotate") {
    const named = [...given.operands, ...given.paths];
    return named.every(isPlainPath) ? named.map(fromHere) : "everything";
  }
  if (name === "grep") return limited(given, { ...scene, exists: () => false });
  if (isPatch.has(name)) {
    const quiet = given.options.every((option) => quietOptions.test(option));
    const isQuiet = quiet && (name === "log" || given.options.some((option) => noContent.test(option)));
    return isQuiet ? "nothing" : limited(given, scene);
  }
  return "everything";
}

interface Given {
  readonly options: readonly string[];
  readonly operands: readonly string[];
  readonly paths: readonly string[];
}

/** A pattern of names is judged as one; anything else that is not written out could be any option. */
const isUnknown = ({ text, glob }: ShellWord): boolean => text === undefined && !glob;

const never = /^(?!)/;
const patch = /^-[a-zA-Z]*[pU]|^--(?:p|i|u)/;
/** Commits chosen by what their files hold: a pattern after another, and the answers tell the content. */
const search = /^-[a-zA-Z]*[SG]|^--pickaxe/;
/** Verbs that show no file, with the options under which they do. */
const silentVerbs: ReadonlyMap<string, RegExp> = new Map([
  ...(
    "fetch pull push init gc prune remote rev-parse rev-list merge-base name-rev describe show-ref show-branch symbolic-ref ls-files ls-tree " +
    "switch merge cherry-pick revert mv rm cherry check-ignore count-objects version help maintenance"
  )
    .split(" ")
    .map((verb): [string, RegExp] => [verb, never]),
  ["clean", /^-[a-zA-Z]*i|^--i/],
  ...["checkout", "restore", "reset"].map((verb): [string, RegExp] => [verb, patch]),
  ["reflog", new RegExp(`${patch.source}|${search.source}`)],
  ["shortlog", search],
  ["add", /^-[a-zA-Z]*[pUie]|^--(?:p|i|u|e)/],
  ["status", /^-[a-zA-Z]*v|^--v/],
  ["commit", /^-(?:[a-zA-Z]*[vp]$|[a-zA-Z]*F(?!-$))|^--(?:v|p|i|dry|f)/],
  ["rebase", /^-[a-zA-Z]*[ix]|^--(?:i|e|sh|st|pat)/],
  ["config", /^-[a-zA-Z]*f|^--(?:f|b|i|e)/],
]);

const isPatch: ReadonlySet<string> = new Set(["log", "diff", "whatchanged", "diff-tree", "diff-index", "diff-files"]);

/** Options of log and diff that add no content and ask for none. */
const quietOptions = new RegExp(
  `^(?:${[
    "--(?:stat|shortstat|numstat|name-only|name-status|summary|dirstat|compact-summary)(?:=.*)?",
    "--(?:since|until|after|before|author|committer|grep|date|max-count|skip|diff-filter|min-parents|max-parents|abbrev)(?:=.*)?",
    "--(?:format|pretty|decorate|branches|tags|remotes|color)(?:=.*)?",
    "--(?:oneline|graph|no-decorate|all|reverse|first-parent|merges|no-merges|abbrev-commit|no-abbrev-commit|no-color|topo-order|date-order)",
    "--(?:left-right|cherry|cherry-pick|cherry-mark|not|no-patch|follow|full-history|simplify-by-decoration|quiet|cached|staged|merge-base|exit-code)",
    "-[siEFPMCzq]",
    String.raw`-n|-n?\d+`,
  ].join("|")})$`,
  "s",
);
const noContent =
  /^(?:--(?:stat|shortstat|numstat|name-only|name-status|summary|dirstat|compact-summary)(?:=.*)?|--quiet|--no-patch|-s|-q)$/;

/**
 * Returns the paths that a look is limited to: those behind `--`, or words that exist as files (git refuses a word that is a commit too).
 */
function limited({ options, operands, paths }: Given, { exists }: GitScene): GitReach {
  // A file's history under other names, and what it was copied from, lie elsewhere.
  if (options.some((option) => /^-[CLB]|^--(?:fol|find|no-index|out|ext)/.test(option))) return "everything";
  const named = paths.length > 0 ? paths : operands.filter(exists);
  return named.length > 0 && named.every(isPlainPath) ? named.map(fromHere) : "everything";
}

/** No pattern, and no magic but the one that begins at the top. */
const isPlainPath = (path: string): boolean => !/[*?[\]\\]/.test(path) && (!path.startsWith(":") || top.test(path));
const top = /^:(?:\/|\(top\))(?=[^!^(:])/;
const fromHere = (path: string): string => (top.test(path) ? posix.join("/", path.replace(top, "")) : path);

/** `HEAD:secrets/key` is that file; a name alone may be any object. */
function objects({ options, operands }: Given, silent: RegExp): GitReach {
  if (options.length > 0 && options.every((option) => silent.test(option))) return "nothing";
  const found = operands.map((operand) => (isSearch(operand) ? undefined : /^[^:]*:(?:\d:)?(.+)$/s.exec(operand)?.[1]));
  if (found.length === 0 || options.some((option) => option.startsWith("--"))) return "everything";
  // From the top, wherever the agent stands, unless it begins with a dot.
  return found.every((path) => path !== undefined)
    ? found.map((path) => (/^\.{1,2}\//.test(path) ? path : posix.join("/", path)))
    : "everything";
}

/** `:/words`, `HEAD^{/words: more}` and `@{10:00}` name a commit, whatever stands behind the colon. */
const isSearch = (operand: string): boolean => /^:\/|^[^:]*\{/.test(operand);

/** Of a commit that is certainly one, without its changes. */
function shown(given: Given): GitReach {
  const isCommit = given.operands.every((operand) => /^(?:HEAD|@)(?:[~^]\d*)*$/.test(operand));
  const isQuiet = given.options.some((option) => noContent.test(option));
  const isKnown = given.options.every((option) => quietOptions.test(option));
  return isCommit && isQuiet && isKnown ? "nothing" : objects(given, never);
}

function stash({ options, operands }: Given): GitReach {
  if (options.some((option) => search.test(option))) return "everything";
  const isLoud = options.some((option) => patch.test(option) && option !== "-u" && !/^--(?:include|keep)/.test(option));
  if (isLoud) return "everything";
  const verb = operands[0] ?? "push";
  if (/^(?:push|save|pop|apply|drop|clear|list)$/.test(verb)) return "nothing";
  // `stash.showPatch` makes a patch of it, unless something else is asked for.
  return verb === "show" && options.some((option) => noContent.test(option)) ? "nothing" : "everything";
}
