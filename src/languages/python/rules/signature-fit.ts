// Tells whether a call fits a parameter list, by Python's own rules. Pure.

import { counted } from "../../../protocol/counted.ts";
import type { PythonParameter } from "../parameter.ts";
import type { CallShape } from "../ref.ts";

/** Says what is wrong with the call, in words. Undefined when it fits. `skip` leading parameters are already bound. */
export function misfit(parameters: readonly PythonParameter[], skip: number, call: CallShape): string | undefined {
  const byPosition: { name: string; required: boolean; byKeyword: boolean }[] = [];
  const keywordOnly = new Map<string, boolean>();
  let takesMore = false;
  let takesKeywords = false;
  for (const { name, kind, hasDefault } of parameters) {
    const required = !hasDefault;
    if (kind === "more keywords") takesKeywords = true;
    else if (kind === "more arguments") takesMore = true;
    else if (kind === "by keyword") keywordOnly.set(name, required);
    else byPosition.push({ name, required, byKeyword: kind === "plain" });
  }
  if (byPosition.length < skip && !takesMore) return "it takes no such first argument";
  const free = byPosition.slice(skip);

  if (call.positional > free.length && !takesMore) {
    return `it takes ${counted(free.length, "positional argument")}, the call gives ${call.positional}`;
  }
  const filled = new Set(free.slice(0, call.positional).map((parameter) => parameter.name));
  const byName = new Map(
    free.filter((parameter) => parameter.byKeyword).map((parameter) => [parameter.name, parameter]),
  );
  for (const keyword of call.keywords) {
    if (keywordOnly.has(keyword)) continue;
    if (!byName.has(keyword)) {
      if (takesKeywords) continue;
      return `it has no parameter \`${keyword}\``;
    }
    if (filled.has(keyword)) return `\`${keyword}\` is given twice`;
  }
  const given = new Set([...call.keywords, ...filled]);
  for (const [name, required] of keywordOnly) {
    if (required && !given.has(name) && !call.doubleStar) return `it now needs \`${name}\``;
  }
  for (const parameter of free) {
    if (!parameter.required || given.has(parameter.name) || call.star) continue;
    if (parameter.byKeyword && call.doubleStar) continue;
    return `it now needs \`${parameter.name}\``;
  }
  return undefined;
}
