// Reads tasks from a markdown list: every top-level item is one; what is indented below it says more. `P0`…`P3` and a time in
// parentheses at the end are its priority and estimate; a ticked box means it is done.
//
//   - [ ] Paginate the list of orders (P1, 90m)
//         The endpoint times out at 10,000 orders.

import { parseDuration } from "../../../protocol/duration.ts";
import { Refusal } from "../../../protocol/errors.ts";

export interface ListedTask {
  readonly key: string;
  readonly title: string;
  readonly directive: string;
  readonly priority?: "P0" | "P1" | "P2" | "P3";
  readonly estimate_ms?: number;
}

export function readMarkdownTasks(text: string, name: string): ListedTask[] {
  const items: { title: string; lines: string[]; done: boolean }[] = [];
  let isFenced = false;
  for (const line of text.split(/\r?\n/)) {
    const wasFenced = isFenced;
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const item = wasFenced || isFenced ? null : /^(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$/.exec(line);
    if (item !== null) items.push({ title: item[2]?.trim() ?? "", lines: [], done: (item[1] ?? " ") !== " " });
    else if (/^\s+\S/.test(line) || line.trim() === "") items.at(-1)?.lines.push(line);
    else if (!wasFenced && !isFenced) items.push({ title: "", lines: [], done: true }); // a heading or paragraph ends the item
  }
  return items.filter(({ done, title }) => !done && title !== "").map(({ title, lines }) => toTask(title, lines, name));
}

function toTask(line: string, lines: readonly string[], name: string): ListedTask {
  const more = /^(.*\S)\s*\(([^()]*)\)$/.exec(line);
  const words = (more?.[2] ?? "").split(",").map((word) => word.trim());
  const isMeta = more !== null && words.every((word) => /^(P[0-3]|(\d+(\.\d+)?[mhd])+)$/.test(word));
  const title = isMeta ? (more[1] ?? line) : line;
  const priority = isMeta ? words.find((word) => word.startsWith("P")) : undefined;
  const estimate = isMeta ? words.find((word) => /^\d/.test(word)) : undefined;
  return {
    key: `markdown:${name}:${Bun.hash(title).toString(36)}`,
    title,
    directive: dedent(lines),
    ...(priority === undefined ? {} : { priority: priority as "P0" }),
    ...(estimate === undefined ? {} : { estimate_ms: estimateOf(estimate) }),
  };
}

function estimateOf(text: string): number {
  const ms = parseDuration(text);
  if (ms >= 60_000) return ms;
  throw new Refusal("usage.bad-value", `an estimate is a minute or more, not ${text}`, { text });
}

function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents, 100);
  return lines
    .map((line) => line.slice(common))
    .join("\n")
    .trim();
}
