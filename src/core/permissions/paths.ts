// A path is judged by where it leads from where it is written, by the agent's workspace, and by the names in it that are not the
// agent's to edit unasked. A path counts as inside only if it is so both as written and after following links.

import { posix } from "node:path";
import {
  byDefault,
  byRules,
  type JudgeContext,
  type Judgement,
  type Place,
  type Rule,
  strictest,
  unruled,
} from "./rule.ts";

export type PathAction = "read" | "edit";

/**
 * `directories`: every place the agent may stand in when the path is used. `descends`: what lies below the path is used too, so that
 * a rule about something there counts as well.
 */
export function judgePath(
  context: JudgeContext,
  action: PathAction,
  path: string,
  directories: readonly string[],
  part: string,
  descends = false,
): Judgement {
  const all = directories.map((directory) => writtenIn(directory, path));
  return strictest(all.map((one) => judgeOne(context, action, one, part, descends)));
}

/** As it is handed to the system. The `..` in `link/..` is what lies above where the link leads, so nothing is crossed out yet. */
export const writtenIn = (directory: string, path: string): string =>
  path.startsWith("/") ? path : `${directory}/${path}`;

function judgeOne(
  context: JudgeContext,
  action: PathAction,
  written: string,
  part: string,
  descends: boolean,
): Judgement {
  const { place, facts, rules } = context;
  const path = posix.resolve(written);
  const leads = facts.resolve(written);
  // A shell that enters `link/..` crosses both out; the two may be different files.
  const crossedOut = facts.resolve(path);
  const real = leads === undefined || crossedOut === undefined ? undefined : [leads, crossedOut];
  const both = [...new Set([path, ...(real ?? [])])];
  const fits = (rule: Rule, every: boolean): boolean => {
    if (rule.path === undefined || (rule.action !== undefined && rule.action !== action)) return false;
    // If case makes no difference here, another spelling is the same file.
    const spelt = (text: string): string => (every ? text : text.toLowerCase());
    const workspace = place.workspace === undefined ? undefined : spelt(place.workspace);
    const matches = both.map((one) => matchesGlob(spelt(patternOf(rule, place)), spelt(one), workspace));
    return every ? real !== undefined && matches.every(Boolean) : matches.some(Boolean);
  };
  // To forbid, one reading of the path is enough; to allow, all must fit.
  const ruled = byRules(rules, part, (rule) => fits(rule, rule.decision === "allow"));
  if (ruled !== undefined && ruled.decision !== "allow") return ruled;
  const below = rules.find(
    (rule) =>
      descends &&
      rule.path !== undefined &&
      rule.decision !== "allow" &&
      (rule.action ?? action) === action &&
      both.some((one) => mayMatchBelow(patternOf(rule, place), one, place.workspace)),
  );
  if (below !== undefined) {
    const mayBe = below.decision === "deny" ? "deny" : "ask";
    return { decision: "ask", rule: below.from, part, why: `${below.from} speaks of paths below ${path}`, mayBe };
  }
  if (ruled !== undefined) return ruled;
  if (real === undefined) return unruled(part, `where ${path} leads cannot be told`);
  const roots = action === "edit" ? [] : place.readable;
  const inside = [...(place.workspace === undefined ? [] : [place.workspace]), ...roots].some((root) =>
    both.every((one) => isInside(one, root)),
  );
  if (!inside) return unruled(part, `${path} is outside of its workspace`);
  if (action === "edit") {
    const kept = both.map((one) => protectedBy(one, place.workspace)).find((one) => one !== undefined);
    if (kept !== undefined) return unruled(part, `${path} ${kept}`);
    return byDefault(part, "editing in its own workspace");
  }
  return byDefault(part, "reading in its own workspace");
}

/** Relative patterns start at the workspace. Where there is none, a rule that forbids counts from every directory. */
function patternOf({ path = "", decision }: Rule, { workspace }: Place): string {
  return path.startsWith("/") || workspace !== undefined || decision === "allow" ? path : `/**/${path}`;
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

/** These decide what programs do on their own, or what an agent may do: a change here is a change of the rules. */
const keptNames: ReadonlyMap<string, string> = new Map([
  [".git", "decides what git runs"],
  [".husky", "is run by git"],
  [".githooks", "is run by git"],
  [".claude", "sets up the agent's own program"],
  [".codex", "sets up the agent's own program"],
  [".gemini", "sets up the agent's own program"],
  [".opencode", "sets up the agent's own program"],
  [".agents", "sets up the agent's own program"],
  ["opencode.json", "sets up the agent's own program"],
  ["opencode.jsonc", "sets up the agent's own program"],
  [".mcp.json", "sets up the agent's own program"],
  ["constel.toml", "holds rules for agents"],
  [".envrc", "is run by shells that enter the directory"],
]);

/** Programs that git's hooks start, and shells that enter a directory, do what these say. */
const keptPatterns: readonly (readonly [name: RegExp, why: string])[] = [
  [/^\.?lefthook(?:-local)?\.(?:ya?ml|json|toml)$/, "is run by git"],
  [/^\.pre-commit-(?:config|hooks)\.ya?ml$/, "is run by git"],
  [/^\.overcommit\.yml$/, "is run by git"],
  [/^\.(?:lintstagedrc|simple-git-hooks)(?:\.\w+)?$|^(?:lint-staged\.config|simple-git-hooks)\.\w+$/, "is run by git"],
  [/^\.?mise(?:\.[\w.-]+)?\.toml$|^\.mise$/, "is run by shells that enter the directory"],
];

/**
 * A file system may ignore case, characters that show nothing, and dots and blanks at the end, and take what follows a colon for a
 * part of the file: none of these makes another name of it.
 */
const plainName = (name: string): string =>
  name
    .replace(/:.*$/s, "")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<![.\s])[.\s]+$/, "");

/** The kept name that Windows may also know as `git~1`: six letters at most, without the dot that it begins with. */
function longName(plain: string): string {
  const [, start] = /^([^.~]{1,6})~\d+(?:\.|$)/.exec(plain) ?? [];
  const isLong = (name: string): boolean => start !== undefined && shortStart(name) === start;
  return [...keptNames.keys()].find(isLong) ?? "";
}

const shortStart = (name: string): string =>
  name
    .replace(/^\./, "")
    .replace(/\.[^]*$/, "")
    .slice(0, 6);

const whyKept = (name: string): string | undefined =>
  keptNames.get(name) ?? keptPatterns.find(([kept]) => kept.test(name))?.[1];

function protectedBy(path: string, workspace: string | undefined): string | undefined {
  if (workspace === undefined) return "is in no workspace";
  if (path === workspace) return "is the workspace itself";
  for (const name of posix.relative(workspace, path).split("/")) {
    const plain = plainName(name);
    const why = whyKept(plain) ?? whyKept(longName(plain));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** `*` stays within a name, `**` does not. Relative patterns start at the workspace. */
export function matchesGlob(pattern: string, path: string, workspace: string | undefined): boolean {
  const [reached, names] = [reachedIn(pattern, path, workspace).at(-1), path.split("/").length];
  return reached?.has(names) === true;
}

/** True if something below a directory could match. */
function mayMatchBelow(pattern: string, directory: string, workspace: string | undefined): boolean {
  const names = directory === "/" ? 1 : directory.split("/").length;
  return reachedIn(pattern, directory === "/" ? "" : directory, workspace)
    .slice(0, -1)
    .some((reached) => reached.has(names));
}

/** After each name of the pattern, the beginnings of the path that it can stand for. It never backtracks, whatever somebody writes. */
function reachedIn(pattern: string, path: string, workspace: string | undefined): ReadonlySet<number>[] {
  if (!pattern.startsWith("/") && workspace === undefined) return [];
  const whole = pattern.startsWith("/") ? pattern : posix.join(workspace ?? "/", pattern);
  const wanted = whole.split("/").filter((name, at, all) => name !== "**" || all[at - 1] !== "**");
  const names = path.split("/");
  const found: ReadonlySet<number>[] = [];
  let reached = new Set([0]);
  for (const name of wanted) {
    const next = new Set<number>();
    if (name === "**") {
      for (let at = Math.min(...reached); at <= names.length; at++) next.add(at);
    } else {
      for (const at of reached) if (at < names.length && matchesName(name, names[at] ?? "")) next.add(at + 1);
    }
    found.push(next);
    reached = next;
  }
  return found;
}

/** One name: `*` for any characters, `?` for one. Going back to the last `*` is enough. */
export function matchesName(pattern: string, name: string): boolean {
  let [at, from, star, kept] = [0, 0, -1, 0];
  while (from < name.length) {
    if (pattern[at] === "*") {
      star = at++;
      kept = from;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[from])) {
      at++;
      from++;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      from = ++kept;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
