// A shell command, judged by all its parts: every simple command in it, every file it redirects to or from, and every part that is
// not clear. Commands that run other commands (sh -c, env, xargs, find -exec…) are opened and what is inside is judged too.

import type { ShellCommand, ShellRedirect, ShellScript } from "../../protocol/shell-script.ts";
import { onlyLooks } from "./default-files.ts";
import { leavesFiles } from "./default-git.ts";
import { judgeByDefault } from "./defaults.ts";
import { fitsCommand } from "./fits-command.ts";
import { followDirectories } from "./follow-directories.ts";
import { hiddenCommand, seenInWords } from "./hidden-command.ts";
import type { Standing } from "./opinion.ts";
import { judgePath } from "./paths.ts";
import { byRules, type JudgeContext, type Judgement, noRule, type Rule, strictest, unruled } from "./rule.ts";
import { programName } from "./program-name.ts";
import { judgeReach, unreached } from "./judge-reach.ts";
import { setsProgram } from "./telling-variables.ts";
import { type Opened, openWrapper } from "./wrappers.ts";

/** A command in a command in a command… */
const deepest = 6;
/** Commands that are opened and judged for one request. Nobody writes as many; what does is made to take long. */
const most = 300;

export function judgeShell(context: JudgeContext, source: string, cwd: string): Judgement {
  const judgement = judgeText(context, source, { places: [cwd], calm: true, depth: 0, budget: { left: most } });
  // A rule about paths that is sure counts; one that is only in doubt leaves a rule about the command its say.
  if (judgement.decision !== "ask" || (judgement.rule !== noRule && judgement.mayBe === undefined)) return judgement;
  const strict = context.rules.filter(isStrict);
  // Rules that forbid are looked at first.
  for (const rule of [...strict.filter(({ decision }) => decision === "deny"), ...strict]) {
    const why = hiddenCommand(context.parse, source, rule.command);
    if (why !== undefined)
      return { ...inNameOf(rule, judgement, why), mayBe: rule.decision === "deny" ? "deny" : "ask" };
  }
  const spoken = judgement.rule === noRule ? spokenOf(strict, source) : undefined;
  return spoken === undefined ? judgement : inNameOf(spoken, judgement, judgement.why);
}

type StrictRule = Rule & { readonly command: readonly string[] };
const isStrict = (rule: Rule): rule is StrictRule => rule.command !== undefined && rule.decision !== "allow";

const inNameOf = ({ from, command }: StrictRule, judgement: Judgement, why: string): Judgement => ({
  ...judgement,
  rule: from,
  why: `${from} speaks of ${command.join(" ")}, and ${why}`,
});

/**
 * A rule that forbids or asks, and whose words stand in a text that could not be judged: in a script that another program reads, in an
 * alias, behind a backslash. Whether it is about them cannot be told, so it is asked in the rule's name.
 */
function spokenOf(rules: readonly StrictRule[], source: string): StrictRule | undefined {
  const words = source.replaceAll(/['"\\]/g, "").split(/[^\w./@%+-]+/);
  const names = words.map(programName);
  return rules.find((rule) => {
    let from = 0;
    return rule.command.every((word, at) => {
      const found = (at === 0 ? names : words).indexOf(at === 0 ? programName(word) : word, from);
      from = found + 1;
      return found !== -1;
    });
  });
}

function judgeText(context: JudgeContext, source: string, around: Around): Judgement {
  if (around.depth > deepest)
    return unreached(context, source, "it runs commands within commands too deep to be judged");
  const script = context.parse(source);
  if ("unreadable" in script) return unreached(context, source, script.unreadable);
  return judgeScript(context, script, source, around);
}

interface Around extends Standing {
  readonly depth: number;
  readonly budget: { left: number };
}

function judgeScript(context: JudgeContext, script: ShellScript, source: string, around: Around): Judgement {
  const followed = followDirectories(script, around.places, context.facts.resolve);
  const judgements = followed.inLoops.map(({ source: part }) =>
    unreached(context, part, "it changes the directory in a loop"),
  );
  const calm = around.calm && isCalm(context, script);
  for (const [at, command] of script.commands.entries())
    judgements.push(judgeCommand(context, command, { ...around, places: followed.commands[at] ?? [], calm }));
  for (const [at, redirect] of script.redirects.entries())
    judgements.push(...judgeRedirect(context, redirect, followed.redirects[at] ?? []));
  for (const { source: part, why } of script.unclear)
    judgements.push(seenInWords(why, source) ? unruled(part, why) : unreached(context, part, why));
  if (judgements.length === 0) return unruled(source, "there is no command in it");
  return strictest(judgements);
}

/** Tells whether nothing in it changes a file that a later part could stumble over. */
function isCalm({ rules }: JudgeContext, { commands, redirects }: ShellScript): boolean {
  const looks = commands.every((command) => {
    const texts = command.words.map(({ text }) => text);
    const [name = ""] = texts;
    if (name === "git" ? leavesFiles(texts) : onlyLooks(name)) return true;
    // The command inside is looked at when it is judged, but only by itself.
    if (openWrapper(command) !== undefined) return commands.length === 1;
    return rules.some((rule) => rule.decision === "allow" && rule.trusted && fitsCommand(rule, command));
  });
  return looks && redirects.every((redirect) => redirect.operator === "<" || writesNothing(redirect));
}

/** `2>&1` joins descriptors; `>&name` is a file. */
function writesNothing({ operator, target: { text = "" } }: ShellRedirect): boolean {
  return text === "/dev/null" || (operator.endsWith("&") && /^\d+-?$|^-$/.test(text));
}

function judgeCommand(context: JudgeContext, command: ShellCommand, around: Around): Judgement {
  const { source, words, assigns } = command;
  const [name] = words;
  if (name === undefined)
    return assigns.some(setsProgram)
      ? unreached(context, source, "it sets a variable that tells programs what to run")
      : unruled(source, "it only sets variables");
  if (name.text === undefined) return unreached(context, source, "which command it runs is not written out");
  const ruled = byRules(context.rules, source, (rule) => fitsCommand(rule, command));
  if (ruled !== undefined && ruled.decision !== "allow") return ruled;
  around.budget.left--;
  if (around.budget.left < 0) return unreached(context, source, "it holds too many commands to be judged");
  const opened = openWrapper(command);
  const deeper: Around = { ...around, depth: around.depth + 1 };
  const inner = (opened?.inner ?? []).map((one) => {
    if (typeof one === "string") return judgeText(context, one, deeper);
    if (around.depth >= deepest)
      return unreached(context, source, "it runs commands within commands too deep to be judged");
    // `command cd x` moves the shell as `cd x` does, and what comes after it would be judged elsewhere than it runs.
    if (one.words[0]?.text === "cd")
      return unreached(context, source, "it changes the directory by way of another command");
    return judgeCommand(context, one, deeper);
  });
  const forbidden = inner.find(({ decision }) => decision === "deny");
  if (forbidden !== undefined) return forbidden;
  if (opened !== undefined && ruled === undefined) return judgeOpened(context, command, opened, inner);
  const reached = judgeReach(context, command, around, ruled !== undefined);
  if (reached !== undefined) return reached;
  if (assigns.length > 0) return unruled(source, "it sets a variable for the command it runs");
  return ruled ?? judgeByDefault(context, command, around);
}

/** By what is inside. Where nothing is, nobody knows what it runs. */
function judgeOpened(
  context: JudgeContext,
  { source, words, assigns }: ShellCommand,
  opened: Opened,
  inner: readonly Judgement[],
): Judgement {
  const set = [...assigns, ...words.map(({ text, source: written }) => text ?? written)].some(setsProgram);
  const around = assigns.length > 0 ? "it sets a variable for the command it runs" : opened.why;
  if (set || inner.length === 0)
    return strictest([unreached(context, source, around ?? "it runs another command"), ...inner]);
  // Of several readings of one command only the first, where its name may stand, need be known.
  return around === undefined ? strictest(inner) : strictest([unruled(source, around), ...inner]);
}

function judgeRedirect(context: JudgeContext, redirect: ShellRedirect, places: readonly string[]): Judgement[] {
  const { operator, source, target } = redirect;
  const { text } = target;
  if (text === undefined) return [unreached(context, source, "where it redirects to is not written out")];
  if (writesNothing(redirect)) return [];
  if (operator === "<") return [judgePath(context, "read", text, places, source)];
  return [judgePath(context, "edit", text, places, source)];
}
