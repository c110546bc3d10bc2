// A tool that is not known, or whose input has another shape than usual: nothing allows it, but what a rule forbids may stand in it. A text that
// is a denied path is one whatever the tool is called, and so is a command, or what is typed into a shell that runs already.

import { posix } from "node:path";
import { judgeShell } from "./judge-shell.ts";
import { judgePath } from "./paths.ts";
import { patchTools, quoteWord, shellTools } from "./read-request.ts";
import { unreached } from "./judge-reach.ts";
import { type JudgeContext, type Judgement, noRule, type PermissionRequest, strictest } from "./rule.ts";

/** How much of an input is looked at; nobody's tool takes more paths, or commands within lists within lists. */
const most = 200;
const deepest = 5;
const longestPath = 4096;

/** Undefined when no rule that forbids or asks is about it. */
export function judgeUnknown(context: JudgeContext, request: PermissionRequest, why: string): Judgement | undefined {
  const { tool, input, cwd } = request;
  const { paths: named, commands, directories } = textsIn(input);
  const places = [...new Set([cwd, ...directories.map((directory) => posix.resolve(cwd, directory))])];
  const isPlain = (text: string): boolean => text !== "" && text.length <= longestPath && !/\p{Cc}/u.test(text);
  const paths = context.rules.some(({ path }) => path !== undefined) ? named.filter(isPlain) : [];
  const isDirectory = (path: string): boolean =>
    places.some((place) => context.facts.names(posix.resolve(place, path)).length > 0);
  const standsIn = paths.some((path) => isDirectory(withoutScheme(path)));
  const found = [
    ...paths.flatMap((path) => {
      const plain = withoutScheme(path);
      // Beside a directory, a pattern is looked for in there, if it does not lead out.
      const isBelow = standsIn && !/^[/~]/.test(plain) && !plain.split("/").includes("..");
      return [plain, ...(isBelow ? [] : startOf(plain))].flatMap((one) =>
        (["read", "edit"] as const).map((action) => judgePath(context, action, one, places, path, isDirectory(one))),
      );
    }),
    ...commands.flatMap((command) => places.map((place) => judgeShell(context, command, place))),
    ...(shellTools.has(tool) || patchTools.has(tool) ? [unreached(context, tool, why)] : []),
  ].filter(({ decision, rule }) => decision !== "allow" && rule !== noRule);
  return found.length === 0 ? undefined : strictest(found);
}

const withoutScheme = (text: string): string =>
  text.replace(/^--?[\w-]+=/, "").replace(/^file:\/\/(?:localhost)?(?=\/)/, "");

/** Of a pattern with a directory in it, the directory that everything it may stand for lies in. */
function startOf(text: string): string[] {
  const [start = ""] = /^[^*?[{]*/.exec(text) ?? [];
  return start === text || !text.includes("/") ? [] : [start.slice(0, start.lastIndexOf("/") + 1) || "."];
}

interface Texts {
  readonly paths: string[];
  readonly commands: string[];
  readonly directories: string[];
}

/** The texts of an input that may be paths, and those that are commands, or where one is to run, by the names that tools have for them. */
export function textsIn(input: unknown): Texts {
  const found: Texts = { paths: [], commands: [], directories: [] };
  let seen = 0;
  const walk = (value: unknown, key: string, depth: number): void => {
    if (depth > deepest || ++seen > most) return;
    if (typeof value === "string") {
      // A sentence may speak of a file.
      if (pathKeys.test(key) || !/\s/.test(value)) found.paths.push(value);
      if (commandKeys.test(key)) found.commands.push(value);
      if (directoryKeys.test(key)) found.directories.push(value);
    } else if (Array.isArray(value)) {
      if (commandKeys.test(key) && value.length > 0 && value.every((word) => typeof word === "string"))
        found.commands.push(value.map(quoteWord).join(" "));
      for (const one of value) walk(one, pathKeys.test(key) ? key : "", depth + 1);
    } else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) walk(one, name, depth + 1);
  };
  walk(input, "", 0);
  return found;
}
const pathKeys = /path|file|dir|ur[il]|notebook/i;
const commandKeys = /^(?:command|cmd|commands|script|chars|shell|argv|code)$/i;
const directoryKeys = /^(?:workdir|working_?dir(?:ectory)?|cwd|directory|dir_?path)$/i;
