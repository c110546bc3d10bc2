// Fills {{…}} in the strings of a reply: groups of the last matching regex, and what the situation has.

import type { Situation } from "./conversation.ts";

export interface Filling {
  readonly situation: Situation;
  readonly groups: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
}

const slot = /\{\{([\w.-]+)\}\}/g;

const named: Readonly<Record<string, (situation: Situation) => string>> = {
  prompt: ({ prompt }) => prompt,
  result: ({ results }) => results.map(({ text }) => text).join("\n"),
  latest: ({ latest }) => latest,
  cwd: ({ cwd }) => cwd,
  session: ({ session }) => session,
  model: ({ model }) => model,
  api: ({ api }) => api,
  step: ({ step }) => String(step),
};

/** The same value with every string in it filled. A group that did not take part is empty. */
export function fill<T>(value: T, filling: Filling): T {
  if (typeof value === "string") return fillText(value, filling) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => fill(one, filling)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill<unknown>(one, filling)])) as T;
}

/** Refuses names that nothing will ever fill. */
export function checkTemplates(value: unknown, vars: readonly string[], where: string): void {
  if (typeof value === "string") {
    for (const [, name = ""] of value.matchAll(slot)) {
      const isKnown = /^\d+$/.test(name) || name in named || vars.some((one) => name === `vars.${one}`);
      if (!isKnown) throw new Error(`${where}: nothing fills {{${name}}}`);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const one of Object.values(value)) checkTemplates(one, vars, where);
  }
}

function fillText(text: string, { situation, groups, vars }: Filling): string {
  return text.replace(slot, (whole, name: string) => {
    if (/^\d+$/.test(name)) return groups[Number(name)] ?? "";
    return named[name]?.(situation) ?? (name.startsWith("vars.") ? (vars[name.slice(5)] ?? "") : whole);
  });
}
