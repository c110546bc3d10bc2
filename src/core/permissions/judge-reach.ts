// Rules about paths, for what a command could reach rather than for what it says: a path that is named in any of its words, what a known
// program would read, and everything for a program that is not known. What cannot be judged is asked in the name of a rule, and denied
// where the agent's program cannot ask.

import { posix } from "node:path";
import type { ShellCommand, ShellWord } from "../../protocol/shell-script.ts";
import { judgeWord } from "./defaults.ts";
import type { Standing } from "./opinion.ts";
import { judgePath } from "./paths.ts";
import { type Reach, reachOf, runsProject, showsFiles } from "./reach.ts";
import { type JudgeContext, type Judgement, noRule, type Rule, strictest, unruled } from "./rule.ts";

type PathRule = Rule & { readonly path: string };
const isStrictPath = (rule: Rule): rule is PathRule => rule.path !== undefined && rule.decision !== "allow";

/** Something that could read any file: in the name of a rule about paths, where there is one. */
export function unreached({ rules }: Pick<JudgeContext, "rules">, part: string, why: string): Judgement {
  const strict = rules.filter(isStrictPath);
  const rule = strict.find(({ decision }) => decision === "deny") ?? strict[0];
  if (rule === undefined) return unruled(part, why);
  const mayBe = rule.decision === "deny" ? "deny" : "ask";
  return { decision: "ask", rule: rule.from, part, why: `${rule.from} speaks of ${rule.path}, and ${why}`, mayBe };
}

/** Undefined when no rule about paths concerns the command. `chosen`: the owner allows it by its words, whatever it reads. */
export function judgeReach(
  context: JudgeContext,
  command: ShellCommand,
  standing: Standing,
  chosen: boolean,
): Judgement | undefined {
  if (!context.rules.some(isStrictPath)) return undefined;
  const reach = reachOf(context, command, standing);
  const [name, ...rest] = command.words;
  const isOwn = name?.text === "constel" || (name?.text !== undefined && name.text === context.place.program);
  const isNamedOnly = reach === undefined || runsProject(name?.text ?? "", rest);
  const found = [
    ...(isNamedOnly ? named(context, command, standing) : []),
    ...(isOwn ? namedWhole(context, command, standing) : []),
    ...(reach === undefined ? [] : within(context, command, standing, reach)),
    ...(reach === undefined && !(chosen && !showsFiles(name?.text ?? ""))
      ? [unreached(context, command.source, `what ${name?.text ?? "it"} could read is not known`)]
      : []),
  ].filter(({ rule, decision }) => decision !== "allow" && rule !== noRule);
  return found.length === 0 ? undefined : strictest(found);
}

function within(context: JudgeContext, { source }: ShellCommand, { places }: Standing, reach: Reach): Judgement[] {
  const { reads, edits, descends } = reach;
  return [...reads.map((word) => ["read", word] as const), ...edits.map((word) => ["edit", word] as const)].map(
    ([action, word]) => {
      if (places.some((place) => isOfProcess(word, place)))
        return unreached(context, source, `where ${word.source} leads is a process's to say`);
      const judgement = judgeWord(context, action, word, places, source, descends);
      // Outside of the workspace is no matter of these rules; not knowing where it leads is.
      const isUnknown = judgement.rule === noRule && !judgement.why.endsWith("is outside of its workspace");
      const isDoubtful = isUnknown && (word.text === undefined || judgement.why.endsWith("cannot be told"));
      return isDoubtful ? unreached(context, source, judgement.why) : judgement;
    },
  );
}

/** A process's directory, root or open file: it leads wherever that process stands. A pattern is looked at by how it begins. */
function isOfProcess({ text, glob, start }: ShellWord, place: string): boolean {
  const path = posix.resolve(place, text ?? start);
  if (glob && text === undefined) return path.startsWith("/proc/") || "/proc/".startsWith(path);
  return leadsByProcess(path);
}

export const leadsByProcess = (path: string): boolean =>
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:cwd|root|fd|exe|map_files)(?:\/|$)|^\/dev\/fd\/(?![012]$)/.test(path);

const longestPath = 4096;

/** Of constel's own verbs: a word that is a path by itself or behind `=`. A sentence may speak of a file. */
function namedWhole(context: JudgeContext, { words, source }: ShellCommand, { places }: Standing): Judgement[] {
  const paths = words
    .slice(1)
    .map(({ text = "" }) => text.replace(/^--[\w-]+=/, ""))
    .filter((text) => text !== "" && !/^-|\s/.test(text) && text.length <= longestPath);
  return paths.flatMap((path) =>
    (["read", "edit"] as const).map((action) => judgePath(context, action, path, places, source)),
  );
}

/** Paths in the words of a program that is not known: alone, behind `=`, `@` or `:`, or joined to an option. */
function named(context: JudgeContext, { words, source }: ShellCommand, { places }: Standing): Judgement[] {
  const pieces = words
    .slice(1)
    .flatMap(({ text = "" }) => [
      text,
      text.replace(/^-[A-Za-z]/, ""),
      ...text.replaceAll("file://", " ").split(/[=@:,\s"'()[\]{}<>|;&]+/),
    ]);
  const paths = new Set(
    pieces.filter((piece) => piece !== "" && !piece.startsWith("-") && piece.length <= longestPath),
  );
  return [...paths].flatMap((path) =>
    (["read", "edit"] as const).map((action) => judgePath(context, action, path, places, source)),
  );
}
