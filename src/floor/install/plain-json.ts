// Settings as their program reads them. Most programs read JSON and nothing else: of a file with a comment or a trailing comma they skip
// all, hooks included, and say nothing. So what they would not read is taken out, and every other byte stays. Pure.

import { visit } from "jsonc-parser";

export interface PlainJson {
  readonly text: string;
  readonly comments: number;
  readonly commas: number;
  /** A byte order mark was taken out. */
  readonly mark: boolean;
}

/** `keepsComments` and `keepsMark`: the program reads them. */
export function plainJson(text: string, keepsComments: boolean, keepsMark = true): PlainJson {
  const cuts: { readonly at: number; readonly length: number }[] = [];
  let comments = 0;
  let commas = 0;
  let comma: number | undefined;
  const value = (): void => void (comma = undefined);
  const end = (): void => {
    if (comma === undefined) return;
    commas += 1;
    cuts.push({ at: comma, length: 1 });
    comma = undefined;
  };
  visit(
    text.replace("\uFEFF", " "),
    {
      onComment(at, length) {
        if (keepsComments) return;
        comments += 1;
        cuts.push(withItsLine(text, at, length));
      },
      onSeparator(character, at) {
        if (character === ",") comma = at;
      },
      onObjectBegin: value,
      onArrayBegin: value,
      onObjectProperty: value,
      onLiteralValue: value,
      onObjectEnd: end,
      onArrayEnd: end,
    },
    { allowTrailingComma: true, disallowComments: false },
  );
  const left = cuts
    .sort((a, b) => b.at - a.at)
    .reduce((rest, { at, length }) => rest.slice(0, at) + rest.slice(at + length), text);
  const mark = !keepsMark && text.startsWith("\uFEFF");
  return { text: mark ? left.slice(1) : left, comments, commas, mark };
}

/** A comment that has its lines to itself goes with them; of one behind something, the blanks before it go too. */
function withItsLine(text: string, at: number, length: number): { readonly at: number; readonly length: number } {
  const before = /(?<![\t ])[\t ]*$/.exec(text.slice(0, at))?.[0].length ?? 0;
  const start = at - before;
  const end = at + length;
  const isLineStart = start === 0 || text[start - 1] === "\n";
  const rest = /^[\t ]*(\r?\n|$)/.exec(text.slice(end))?.[0];
  if (isLineStart && rest !== undefined) return { at: start, length: end + rest.length - start };
  return rest === undefined ? { at, length } : { at: start, length: end - start };
}
