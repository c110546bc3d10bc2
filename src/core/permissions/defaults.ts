// Decides what an agent may do unasked, so that a task needs no hand: git in its own workspace, constel's verbs for agents, reading, and
// simple changes of files in the workspace. It is a list of what is known to be safe; everything else is asked.

import { posix } from "node:path";
import type { ShellCommand, ShellWord } from "../../protocol/shell-script.ts";
import { constelVerb } from "./default-constel.ts";
import { fileCommand } from "./default-files.ts";
import { gitCommand } from "./default-git.ts";
import { plainTarget } from "./change-directory.ts";
import type { Standing } from "./opinion.ts";
import { judgePath, matchesName } from "./paths.ts";
import { byDefault, type JudgeContext, type Judgement, noRule, type PlaceFacts, strictest, unruled } from "./rule.ts";

export function judgeByDefault(context: JudgeContext, command: ShellCommand, standing: Standing): Judgement {
  const { places } = standing;
  const { source, words } = command;
  const texts = words.map((word) => word.text);
  const target = plainTarget(texts);
  if (target !== undefined) return judgePath(context, "read", target, places, source);
  const [name] = texts;
  const opinion =
    name === "git"
      ? gitCommand(context, words, standing)
      : name === "constel" || (name !== undefined && name === context.place.program)
        ? constelVerb(words, context.place.role)
        : fileCommand(words);
  if (opinion === undefined) return unruled(source, `no rule allows ${name ?? "it"}`);
  if ("ask" in opinion) return unruled(source, opinion.ask);
  const paths = (all: readonly ShellWord[] | undefined, action: "read" | "edit"): Judgement[] =>
    (all ?? []).map((word) => judgeWord(context, action, word, places, source, opinion.descends === true));
  return strictest([
    byDefault(source, opinion.allow),
    ...paths(opinion.reads, "read"),
    ...paths(opinion.edits, "edit"),
  ]);
}

/** A path in a command: written out, or a pattern whose names all lie below a directory that is. */
export function judgeWord(
  context: JudgeContext,
  action: "read" | "edit",
  word: ShellWord,
  places: readonly string[],
  part: string,
  descends: boolean,
): Judgement {
  if (word.text !== undefined) return judgePath(context, action, word.text, places, part, descends);
  if (!word.glob) return unruled(part, `${word.source} is not written out`);
  // Names that begin with a dot (.git, ..) are met only by patterns that have one there.
  const names = word.source.split("/");
  const isPlain = names.every((name) => /^[\w*?.,@%+=:-]*$/.test(name) && !(name.startsWith(".") && /[*?]/.test(name)));
  if (!isPlain || names.includes("..")) return unruled(part, `what ${word.source} stands for is not known`);
  const first = names.findIndex((name) => /[*?]/.test(name));
  const directory = names.slice(0, first).join("/") || (word.source.startsWith("/") ? "/" : ".");
  // The pattern is judged by where it looks, and by every name written in it.
  const probe = [directory, ...names.slice(first).map((name) => name.replaceAll(/[*?]/g, "x"))].join("/");
  const named = judgePath(context, action, probe, places, part, descends);
  // It is not known which names the pattern stands for, so a rule about any of them counts.
  const looked = judgePath(context, "read", directory, places, part, true);
  const ruled = judgePath(context, action, directory, places, part, true);
  // The names it stands for now may include a link that leads out, or a name that decides what programs do.
  const met = places.flatMap((place) => namesMet(context.facts, posix.resolve(place, directory), names.slice(first)));
  if (met.length > mostMet) return unruled(part, `${word.source} stands for too many names to be judged`);
  const each = met.map((path) => judgePath(context, action, path, ["/"], part, descends));
  return strictest([named, looked, ...each, ...(ruled.rule === named.rule || ruled.rule === noRule ? [] : [ruled])]);
}

const mostMet = 2000;

/** The paths below a directory that a pattern stands for, name by name. */
function namesMet(facts: PlaceFacts, directory: string, [pattern, ...rest]: readonly string[]): readonly string[] {
  if (pattern === undefined) return [directory];
  if (!/[*?]/.test(pattern)) return namesMet(facts, posix.join(directory, pattern), rest);
  const met = facts.names(directory).filter((name) => !name.startsWith(".") && matchesName(pattern, name));
  const found: string[] = [];
  for (const name of met) {
    found.push(...namesMet(facts, posix.join(directory, name), rest));
    if (found.length > mostMet) break;
  }
  return found;
}
