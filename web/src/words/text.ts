// Words and figures for people.

import { ownerOnBus } from "../../../src/protocol/bus-names.ts";
import { nounFor } from "../../../src/protocol/counted.ts";

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${nounFor(count, one, many)}`;
}

/** Cut in the middle, where the beginning and the end both say something. */
export function middle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - end)}…${text.slice(-end)}`;
}

export function money(micros: number): string {
  return `$${(micros / 1e6).toFixed(2)}`;
}

export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1e6 ? `${Math.round(count / 1e3)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/** The task that a branch of constel's own belongs to. */
export function taskOfBranch(branch: string | null | undefined): number | undefined {
  const number = /(?:^|\/)constel\/[^/]+\/(\d+)-/.exec(`/${branch ?? ""}`)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** A sentence with the branches of tasks called by their tasks. */
export function plainly(sentence: string): string {
  return sentence.replaceAll(/constel\/[\w.-]+\/(\d+)-[\w.-]*[\w]/g, "task $1");
}

/** A message as one reads it: without the bars that set a quotation off from what constel says around it, for the agent. */
export function unquoted(text: string): string {
  return text.replaceAll(/^\| ?/gm, "").replaceAll(/\n{2,}/g, "\n");
}

export interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

/** A sentence in pieces: what is code in it, and what is not. Names in back quotes count as code too. */
export function pieces(sentence: string, codes: readonly string[]): Piece[] {
  const found: Piece[] = [];
  const names = [...new Set(codes)]
    .filter((one) => one.length > 1 && one.length < 300)
    .sort((a, b) => b.length - a.length);
  const escaped = names.slice(0, 50).map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const path = "[\\w@./-]+\\.[a-z]{1,5}:\\d+";
  const pattern = new RegExp(
    ["`[^`]+`", ...escaped.map((one) => `(?<![\\w$])${one}(?::\\d+)?(?![\\w$])`), path].join("|"),
    "gu",
  );
  let from = 0;
  for (const { 0: code, index } of sentence.matchAll(pattern)) {
    if (index > from) found.push({ text: sentence.slice(from, index), isCode: false });
    found.push({ text: code.replaceAll("`", ""), isCode: true });
    from = index + code.length;
  }
  if (from < sentence.length) found.push({ text: sentence.slice(from), isCode: false });
  return found;
}

export const isOwner = (name: string): boolean => name === ownerOnBus || name === "owner";

/** As people call them. */
export const named = (name: string): string => (isOwner(name) ? "you" : name);
