// git in the agent's own workspace. Git runs programs in many ways (hooks, aliases, pagers, transports, `-c`), so a verb is allowed
// with the options that are known to be harmless, and only where git would use the workspace's own repository. Options of git may
// be shortened; a shortened one is not known, or counts as the worst it could stand for.

import { posix } from "node:path";
import type { ShellWord } from "../../protocol/shell-script.ts";
import type { Opinion, Standing } from "./opinion.ts";
import { gitWords } from "./git-words.ts";
import { writtenIn } from "./paths.ts";
import { type Reach, reachIn } from "./reach.ts";
import type { JudgeContext } from "./rule.ts";

export function gitCommand(context: JudgeContext, words: readonly ShellWord[], { places, calm }: Standing): Opinion {
  const { workspace } = context.place;
  if (workspace === undefined) return { ask: "it has no workspace" };
  if (words.length === 2 && words[1]?.text === "--version") return { allow: allowed };
  let stands = [...places];
  let at = 1;
  for (; words[at]?.text?.startsWith("-") === true; at++) {
    const option = words[at]?.text ?? "";
    if (option === "--no-pager" || option === "--no-optional-locks" || option === "--literal-pathspecs") continue;
    const directory = words[at + 1]?.text;
    if (option !== "-C" || directory === undefined) return { ask: `git ${option} can make git run programs` };
    const led = stands.map((place) => context.facts.resolve(writtenIn(place, directory)));
    if (!led.every((place) => place !== undefined)) return { ask: `where ${directory} leads cannot be told` };
    stands = led;
    at++;
  }
  const elsewhere = stands.find((place) => context.facts.repositoryOf(place) !== workspace);
  if (elsewhere !== undefined) return { ask: `git would not use its workspace's repository in ${elsewhere}` };
  // A directory that is filled by the same command may be a repository by then, and its settings run programs.
  if (!calm && stands.some((place) => place !== workspace))
    return { ask: "it changes files and runs git below the workspace" };
  const verb = words[at]?.text;
  if (verb === undefined) return { ask: "which git command it is is not written out" };
  const rest = words.slice(at + 1);
  const looking = lookers.get(verb);
  const known = changers.get(verb);
  const opinion =
    looking !== undefined
      ? look(verb, rest, looking, workspace)
      : known === undefined
        ? undefined
        : change(verb, rest, known);
  if (opinion !== undefined) return withReach(opinion, reachIn(context.facts, words.slice(at), stands, workspace));
  if (verb === "push") return push(rest, context.place.branch);
  if (verb === "fetch") return fetch(rest);
  return { ask: `no rule allows git ${verb}` };
}

const allowed = "git in its own workspace";

/** Adds the files that the command could show, which a rule about paths has to know. */
function withReach(opinion: Opinion, { reads, edits }: Reach): Opinion {
  if ("ask" in opinion || (reads.length === 0 && edits.length === 0)) return opinion;
  return {
    ...opinion,
    reads: [...(opinion.reads ?? []), ...reads],
    edits: [...(opinion.edits ?? []), ...edits],
    descends: true,
  };
}

/** Options that write files, run programs or leave the repository. Of these every beginning is refused. */
const dangerous = [
  "--output",
  "--open-files-in-pager",
  "--ext-diff",
  "--exec",
  "--upload-pack",
  "--receive-pack",
  "--no-index",
  "--contents",
  "--git-dir",
  "--index-output",
  "--batch-command",
  "--filters",
  "--textconv",
  "--path-format",
  "--ignore-revs-file",
  "--exclude-from",
  "--pathspec-from-file",
  "--from-file",
  "--run",
  "--extcmd",
];

/** Verbs that only look. The pattern names options and words that make them do more. */
const lookers: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ["status", /^(?!)/],
  ["diff", /^-O/],
  ["log", /^-O/],
  ["show", /^-O/],
  ["shortlog", /^-O/],
  ["blame", /^-S/],
  ["annotate", /^-S/],
  ["describe", /^(?!)/],
  ["rev-parse", /^(?!)/],
  ["rev-list", /^(?!)/],
  ["ls-files", /^-X/],
  ["ls-tree", /^(?!)/],
  ["cat-file", /^(?!)/],
  ["merge-base", /^(?!)/],
  ["name-rev", /^(?!)/],
  ["for-each-ref", /^(?!)/],
  ["show-ref", /^(?!)/],
  ["show-branch", /^(?!)/],
  ["cherry", /^(?!)/],
  ["range-diff", /^-O/],
  ["diff-tree", /^-O/],
  ["grep", /^-[a-zA-Z]*[Of]/],
  ["count-objects", /^(?!)/],
  ["check-ignore", /^(?!)/],
  ["version", /^(?!)/],
]);

function look(verb: string, words: readonly ShellWord[], bad: RegExp, workspace: string): Opinion {
  let paths = false;
  const reads: ShellWord[] = [];
  for (const word of words) {
    const { text } = word;
    // It compares any two files when one of them lies outside; a name of a commit lies inside like any other word.
    if (verb === "diff" && (paths || !word.start.startsWith("-"))) {
      if (text === undefined && !word.glob) return { ask: "not all of its words are written out" };
      if (text !== "--") reads.push(word);
    }
    if (showsFiles.has(verb) && text !== undefined && (paths || !text.startsWith("-")) && !/^[^:].*:/.test(text)) {
      // `:/secrets` and `:(top)secrets` begin at the top, wherever the agent stands.
      const magic = /^:(?:\([^)]*\)|[!^/]+)/.exec(text)?.[0];
      const path = magic === undefined ? text : posix.join(workspace, text.slice(magic.length));
      if (text !== "--") reads.push({ ...word, text: path });
    }
    // `HEAD:secrets/key` reads that file, whichever commit it is from.
    const file = /^[^:]*:(?:\d:)?(.+)$/.exec(text ?? "")?.[1];
    if (file !== undefined && !paths && text?.startsWith("-") === false) {
      // From the top, wherever the agent stands, unless it begins with a dot.
      const path = /^\.{1,2}\//.test(file) ? file : posix.join(workspace, file);
      reads.push({ ...here, text: path, source: text });
    }
    if (text === "--") paths = true;
    if (paths) continue;
    if (text === undefined) {
      if ((word.splits && !word.glob) || word.start === "" || word.start.startsWith("-"))
        return { ask: "not all of its words are written out" };
      continue;
    }
    const name = text.split("=")[0] ?? text;
    const isBad =
      name.startsWith("--") &&
      name.length > 2 &&
      dangerous.some((option) => option.startsWith(name) || name.startsWith(option));
    if (isBad || bad.test(text)) return { ask: `git ${verb} ${name} writes files or runs programs` };
  }
  return { allow: allowed, reads };
}

/** They show what is in the files that are named; a name of a commit lies inside like any other word. */
const showsFiles: ReadonlySet<string> = new Set(["log", "show", "blame", "annotate", "diff-tree"]);

const here: ShellWord = { source: ".", text: ".", start: ".", splits: false, glob: false };

interface Changer {
  /** Options without a value, or with one joined by `=`. */
  readonly flags: RegExp;
  /** Options whose value is the next word: a text that is only kept. */
  readonly texts?: RegExp;
  /** Options whose value is a file to read. */
  readonly files?: RegExp;
  /** The other words that it may have. */
  readonly operands: "any" | "none";
  /** A first word of its own, as `git stash pop` has. */
  readonly verbs?: RegExp;
}

const changers: ReadonlyMap<string, Changer> = new Map<string, Changer>([
  [
    "add",
    {
      flags: /^-[AuvnfN]+$|^--(?:all|update|verbose|dry-run|force|intent-to-add|no-all|ignore-errors|renormalize)$/,
      operands: "any",
    },
  ],
  [
    "commit",
    {
      flags:
        /^-[aqvs]+$|^-[aqvs]*m.+$|^-[aqvs]*F-$|^--file=-$|^--(?:all|quiet|verbose|signoff|amend|no-edit|allow-empty|allow-empty-message|no-status|only|include|dry-run|no-gpg-sign|(?:message|author|date|fixup|squash|trailer|cleanup)=.*)$/s,
      texts: /^-[aqvs]*m$|^--(?:message|author|date|fixup|squash|trailer|cleanup)$|^-C$|^--reuse-message$/,
      files: /^-[aqvs]*F$|^--file$/,
      operands: "any",
    },
  ],
  ["rm", { flags: /^-[rfqn]+$|^--(?:cached|force|quiet|dry-run|ignore-unmatch)$/, operands: "any" }],
  ["mv", { flags: /^-[fknv]+$|^--(?:force|dry-run|verbose)$/, operands: "any" }],
  [
    "restore",
    {
      flags: /^-[SWq]+$|^--(?:staged|worktree|quiet|ours|theirs|source=.*)$/,
      texts: /^-s$|^--source$/,
      operands: "any",
    },
  ],
  ["checkout", { flags: /^-[qbB]+$|^--(?:quiet|ours|theirs|detach)$/, operands: "any" }],
  ["switch", { flags: /^-[qcCd]+$|^--(?:quiet|create|detach)$/, operands: "any" }],
  [
    "branch",
    {
      flags:
        /^-[avrl]+$|^--(?:all|list|show-current|verbose|merged|no-merged|contains|remotes|(?:merged|no-merged|contains|sort|format)=.*)$/,
      operands: "any",
    },
  ],
  [
    "tag",
    { flags: /^-[ln]+\d*$|^--(?:list|contains|points-at|(?:sort|format|contains|points-at)=.*)$/, operands: "none" },
  ],
  [
    "stash",
    {
      flags: /^-[upkq]+$|^--(?:include-untracked|keep-index|quiet|staged|stat|patch)$/,
      texts: /^-m$|^--message$/,
      verbs: /^(?:push|pop|apply|list|show)$/,
      operands: "any",
    },
  ],
  ["cherry-pick", { flags: /^-[nx]+$|^--(?:no-commit|continue|abort|skip|quit)$/, operands: "any" }],
  ["revert", { flags: /^-n$|^--(?:no-commit|no-edit|continue|abort|skip)$/, operands: "any" }],
  [
    "merge",
    {
      flags: /^--(?:no-edit|ff-only|no-ff|ff|squash|abort|continue|quiet|no-commit)$|^-q$/,
      texts: /^-m$/,
      operands: "any",
    },
  ],
  [
    "rebase",
    { flags: /^--(?:continue|abort|skip|quiet|autostash|no-autostash)$|^-q$/, texts: /^--onto$/, operands: "any" },
  ],
  ["reset", { flags: /^-q$|^--(?:soft|mixed|quiet)$/, operands: "any" }],
  ["remote", { flags: /^-v$|^--verbose$/, verbs: /^get-url$/, operands: "none" }],
  ["worktree", { flags: /^--porcelain$|^-v$/, verbs: /^list$/, operands: "none" }],
  ["reflog", { flags: /^-\d+$|^--(?:oneline|date=\w+)$/, verbs: /^show$/, operands: "none" }],
  [
    "config",
    { flags: /^--(?:get|get-all|list|local|global|show-origin)$|^-l$/, verbs: /^(?:get|list)$/, operands: "none" },
  ],
]);

/** Their only form that reads needs one of these. */
const mustHave: ReadonlyMap<string, RegExp> = new Map([["config", /^(?:--get|--get-all|--list|-l|get|list)$/]]);
/** After these one word may follow: a name to look up. */
const nameAfter = /^(?:get-url|--get|--get-all|get|show)$/;

/** Their words are files that are changed, or names of commits, which look like files of the workspace. */
const changesNamed: ReadonlySet<string> = new Set(["mv", "rm", "restore", "checkout", "stash"]);

function change(verb: string, words: readonly ShellWord[], known: Changer): Opinion {
  const opinion = judgeChange(verb, words, known);
  // An added file is read, and goes wherever the branch goes.
  if (verb === "add" && !("ask" in opinion))
    return { ...opinion, reads: namesIn(words, known).filter(({ text, glob }) => text !== undefined || glob) };
  if ("ask" in opinion || !changesNamed.has(verb)) return opinion;
  const named = namesIn(words, known);
  if (named.some(({ text, glob }) => text === undefined && !glob))
    return { ask: "not all of its words are written out" };
  // Everything, as it was committed or noted last.
  const isAll =
    named.length === 1 && named[0]?.text === "." && /^(?:restore|checkout)$/.test(verb) && !hasSource(words);
  return isAll ? opinion : { ...opinion, edits: named, descends: verb === "mv" };
}

const hasSource = (words: readonly ShellWord[]): boolean => words.some(({ text }) => /^-s$|^--source/.test(text ?? ""));

/** Returns the words that are not an option, an option's text or a verb of its own. */
function namesIn(words: readonly ShellWord[], { texts, files, verbs }: Changer): ShellWord[] {
  const end = words.findIndex(({ text }) => text === "--");
  const before = end === -1 ? words : words.slice(0, end);
  const isValue = (at: number): boolean => {
    const option = before[at - 1]?.text ?? "";
    return texts?.test(option) === true || files?.test(option) === true;
  };
  const named = before.filter(
    ({ text, start }, at) =>
      !(text ?? start).startsWith("-") && !isValue(at) && !(at === 0 && verbs?.test(text ?? "") === true),
  );
  return [...named, ...(end === -1 ? [] : words.slice(end + 1))];
}

function judgeChange(verb: string, words: readonly ShellWord[], known: Changer): Opinion {
  const reads: ShellWord[] = [];
  const need = mustHave.get(verb);
  if (need !== undefined && !words.some(({ text }) => text !== undefined && need.test(text)))
    return { ask: `git ${verb} changes settings` };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const { text } = word;
    if (text === "--") break;
    if (text === undefined) {
      const harmless =
        known.operands === "any" && (word.glob || (!word.splits && word.start !== "")) && !word.start.startsWith("-");
      // `--message="$(cat …)"` is one word whose beginning names the option.
      const isText =
        !word.splits && /^--(?:message|trailer)=/.test(word.start) && known.texts?.test("--message") === true;
      if (!harmless && !isText) return { ask: "not all of its words are written out" };
      continue;
    }
    if (known.texts?.test(text) === true || known.files?.test(text) === true) {
      const value = words[++at];
      if (value === undefined || value.splits) return { ask: "not all of its words are written out" };
      if (known.files?.test(text) === true && value.text !== "-") reads.push(value);
      continue;
    }
    if (text.startsWith("-") && text !== "-") {
      if (!known.flags.test(text)) return { ask: `git ${verb} ${text.split("=")[0]} is not known to be harmless` };
      continue;
    }
    if (at === 0 && known.verbs?.test(text) === true) continue;
    if (known.verbs !== undefined && at === 0) return { ask: `no rule allows git ${verb} ${text}` };
    if (known.operands === "none" && !nameAfter.test(words[at - 1]?.text ?? ""))
      return { ask: `no rule allows git ${verb} ${text}` };
  }
  return { allow: allowed, reads };
}

/** Its own branch, under its own name, to where the workspace came from. */
function push(words: readonly ShellWord[], branch: string | undefined): Opinion {
  const texts = words.map(({ text }) => text).filter((text) => text !== "-u" && text !== "--set-upstream");
  const [remote, ref, ...more] = texts;
  const isOwn = branch !== undefined && remote === "origin" && ref === branch && more.length === 0;
  return isOwn
    ? { allow: "git push of its own branch to origin" }
    : { ask: "it pushes something other than its own branch to origin" };
}

/** Allows fetching from origin by plain names: a colon would set branches here, and another remote is somewhere else. */
function fetch(words: readonly ShellWord[]): Opinion {
  const texts = words
    .map(({ text }) => text)
    .filter((text) => !/^(?:-[qpvt]|--(?:quiet|prune|verbose|tags|no-tags))$/.test(text ?? ""));
  const [remote = "origin", ...names] = texts;
  const isPlain = remote === "origin" && names.every((name) => name !== undefined && /^\w[\w./-]*$/.test(name));
  return isPlain ? { allow: "git fetch from origin" } : { ask: "it fetches something other than branches of origin" };
}

/** Tells whether a git command leaves the files of the workspace as they are. */
export function leavesFiles(words: readonly (string | undefined)[]): boolean {
  const [, verb = ""] = gitWords(words);
  return (
    lookers.has(verb) ||
    ["add", "commit", "branch", "tag", "remote", "config", "reflog", "push", "fetch"].includes(verb)
  );
}
