// Decides about a request purely: what may be in a message, whom a rule lets through, and what the state of its task is called over A2A.

import { a2aLimits, type A2aPart, type A2aState, taskSkill, wordsOf } from "../../protocol/a2a.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { A2aRule } from "../../ports/a2a.ts";
import { nameOf } from "./words.ts";

export function refuseContent(parts: readonly A2aPart[]): void {
  const no = (why: string): Refusal => new Refusal("a2a.content", why, {});
  if (parts.some(({ text, data }) => text === undefined && data === undefined))
    throw no("a part is neither text nor data: files and addresses are not taken");
  const { length } = wordsOf(parts);
  if (length === 0) throw no("the message says nothing");
  if (length > a2aLimits.text) throw no(`a message may have ${a2aLimits.text} characters, and this one has ${length}`);
}

/** The rule of the owner's that lets this through; undefined where it is theirs to decide. */
export function ruleFor(rules: readonly A2aRule[], sender: string, skill: string): A2aRule | undefined {
  const is = (wanted: string, given: string): boolean => wanted === "*" || wanted === given;
  // Nobody is let in by a star alone: the owner names whom they trust.
  return rules.find((rule) => rule.sender === nameOf(sender) && is(rule.skill, skill));
}

export function refuseSkill(skill: string, known: readonly string[]): void {
  if (skill === taskSkill || known.includes(skill)) return;
  throw new Refusal("a2a.content", `there is no skill ${JSON.stringify(skill.slice(0, 100))} here`, {
    skills: [taskSkill, ...known],
  });
}

/** docs/guides/a2a.md has this table for readers. */
const ofTask: Readonly<Record<string, A2aState>> = {
  open: "submitted",
  queued: "submitted",
  in_progress: "working",
  ready: "working",
  needs_review: "working",
  closed: "completed",
  taken_back: "working",
  cancelled: "canceled",
};

export const stateOfTask = (state: string): A2aState => ofTask[state] ?? "working";

const says: Readonly<Record<string, string>> = {
  open: "It is on the list.",
  queued: "It waits for a free agent.",
  in_progress: "An agent works on it.",
  ready: "The work is done and is to land; the changes are handed over.",
  needs_review: "The work came back and is not done.",
  closed: "It has landed.",
  taken_back: "It had landed, and the target no longer has it.",
  cancelled: "It was given up.",
};

export const saysOfTask = (state: string): string => says[state] ?? state;
