// Decides which rule answers a situation. Pure: how often a rule has answered already comes in with the question.

import type { Situation } from "./conversation.ts";
import type { Pattern, Reply, Rule, Rules, When } from "./rules.ts";

export interface Chosen {
  readonly rule: Rule;
  readonly reply: Reply;
  /** Of the last regex that matched; the whole match first. */
  readonly groups: readonly string[];
}

/** The first rule whose conditions all hold, and which of its replies is due; undefined when none has one. */
export function choose(rules: Rules, situation: Situation, answered: (rule: Rule) => number): Chosen | undefined {
  for (const rule of rules.rules ?? []) {
    if (rule.times !== undefined && answered(rule) >= rule.times) continue;
    if (!sideAllows(rule, situation)) continue;
    const groups = matches(rule, situation);
    const reply = groups === undefined ? undefined : replyDue(rule, situation);
    if (groups !== undefined && reply !== undefined) return { rule, reply, groups };
  }
  return undefined;
}

/** Tells whether the text matches, with the groups if the pattern is a regex. A list matches when one of it does. */
export function matchText(pattern: Pattern, text: string): { readonly groups?: readonly string[] } | undefined {
  if (typeof pattern !== "string") {
    for (const one of pattern) {
      const found = matchText(one, text);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const [, source, flags] = /^\/([\s\S]+)\/([dimsuvy]*)$/.exec(pattern) ?? [];
  if (source === undefined) return text.includes(pattern) ? {} : undefined;
  const found = new RegExp(source, flags).exec(text);
  return found === null ? undefined : { groups: [...found].map((group) => group ?? "") };
}

function sideAllows({ when }: Rule, { side }: Situation): boolean {
  if (when?.side === "any") return true;
  return side === (when?.side ?? false);
}

/** The groups of the last regex, in the order in which the rule names its conditions; undefined when one does not hold. */
function matches({ when = {} }: Rule, situation: Situation): readonly string[] | undefined {
  let groups: readonly string[] = [];
  const { side: _, ...conditions } = when;
  for (const [name, pattern] of Object.entries(conditions) as [Condition, Pattern][]) {
    const texts = textsFor[name](situation);
    const found = texts.map((text) => matchText(pattern, text)).find((one) => one !== undefined);
    if (found === undefined) return undefined;
    groups = found.groups ?? groups;
  }
  return groups;
}

type Condition = Exclude<keyof When, "side">;

const textsFor: Readonly<Record<Condition, (situation: Situation) => readonly string[]>> = {
  prompt: ({ prompt }) => [prompt],
  result: ({ results }) => results.map(({ text }) => text),
  tool: ({ results }) => results.map(({ tool }) => tool),
  latest: ({ latest }) => [latest],
  context: ({ context }) => [context],
  offers: ({ tools }) => tools,
  api: ({ api }) => [api],
  model: ({ model }) => [model],
};

/** A rule about the prompt answers it once; one about what came since answers whenever that is so. */
function replyDue(rule: Rule, { step }: Situation): Reply | undefined {
  if (rule.steps !== undefined) return rule.steps[step - 1];
  const { result, tool, latest } = rule.when ?? {};
  const aboutWhatCame = result !== undefined || tool !== undefined || latest !== undefined;
  return aboutWhatCame || step === 1 ? rule.reply : undefined;
}
