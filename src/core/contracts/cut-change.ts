// Names in a specification can be as long as the file. What is told of a change is cut to what a person can read, in every format.

import type { ContractChange } from "./format.ts";

const longest = 1_000;
const mostNames = 50;

export function cutChange(change: ContractChange): ContractChange {
  const { path, text, before, after, names } = change;
  const isLong = [path, text, before ?? "", after ?? "", ...names].some((one) => one.length > longest);
  if (!isLong && names.length <= mostNames) return change;
  return {
    ...change,
    path: cutText(path),
    text: cutText(text),
    before: before === null ? null : cutText(before),
    after: after === null ? null : cutText(after),
    // A name that is cut is found nowhere.
    names: names.filter((name) => name.length <= longest).slice(0, mostNames),
  };
}

export const cutText = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
