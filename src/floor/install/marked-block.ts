// A block of ours in a text file of somebody else's, between two lines that say whose it is: instructions in Markdown, trust in
// TOML. Somebody may quote the two lines, in a code block or in a string of TOML, or leave one of them over: that is no block of ours. Pure.

export interface BlockMarks {
  readonly begin: string;
  readonly end: string;
  /** The line that opens and closes a stretch in which the lines are merely shown. */
  readonly fence?: RegExp;
}

export const markdownMarks: BlockMarks = {
  begin: "<!-- constel: begin. `constel install --undo` takes this block away. -->",
  end: "<!-- constel: end -->",
  fence: /^ {0,3}(```|~~~)/,
};

export const tomlMarks: BlockMarks = {
  begin: "# constel: begin. `constel install codex --undo` takes this block away.",
  end: "# constel: end",
};

/** At the end of the text, with the text's own line ends. */
export function addBlock(text: string, block: string, { begin, end }: BlockMarks): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = [begin, ...block.trimEnd().split("\n"), end, ""].join(lineEnd);
  const before = text.replace("\uFEFF", "");
  if (before.trim() === "") return text + (before === "" || before.endsWith("\n") ? "" : lineEnd) + lines;
  const gap = before.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  return text + gap + lines;
}

/** Returns the text between our marks. Undefined when there is none. */
export function blockIn(text: string, marks: BlockMarks): string | undefined {
  const found = blocksIn(text, marks).at(-1);
  return found === undefined ? undefined : text.slice(found.start, found.end);
}

/**
 * The text without our block, and without the one empty line that was put before it. `isRight` is asked whether what would be left is;
 * `keep` says what of the block is to stay; undefined: it is none of ours.
 */
export function removeBlock(
  text: string,
  marks: BlockMarks,
  {
    isRight = () => true,
    keep = () => "",
  }: { readonly isRight?: (left: string) => boolean; readonly keep?: (inside: string) => string | undefined } = {},
): string {
  // It was put at the end.
  for (const { start, end, inside } of blocksIn(text, marks).toReversed()) {
    const before = text.slice(0, start);
    const isAfterEmpty = /(^|\n)\r?\n$/.test(before);
    const kept = isAfterEmpty ? before.slice(0, before.length - (before.endsWith("\r\n") ? 2 : 1)) : before;
    const stays = keep(inside);
    const left = kept + (stays ?? "") + text.slice(end);
    if (stays !== undefined && isRight(left)) return left;
  }
  return text;
}

interface Block {
  readonly start: number;
  readonly end: number;
  /** Between the two lines. */
  readonly inside: string;
}

/** Each end with the last begin before it, both on lines of their own. */
function blocksIn(text: string, { begin, end, fence }: BlockMarks): Block[] {
  const blocks: Block[] = [];
  const fences: { readonly mark: string; readonly from: number; to: number }[] = [];
  let opened: { readonly start: number; readonly after: number } | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const after = Math.min(text.length, at + line.length + 1);
    const words = line.replace(/\r$/, "").replace("\uFEFF", "");
    const mark = fence?.exec(words)?.[1];
    const shown = fences.at(-1);
    if (mark !== undefined && shown?.to === Infinity) {
      if (shown.mark === mark) shown.to = at;
    } else if (mark !== undefined) fences.push({ mark, from: at, to: Infinity });
    if (words === begin) opened = { start: at + line.indexOf(begin), after };
    else if (words === end && opened !== undefined) {
      blocks.push({ start: opened.start, end: after, inside: text.slice(opened.after, at) });
      opened = undefined;
    }
    at = after;
  }
  // One that is never closed is no code block of anybody's, as far as our own block at the end goes.
  const isShown = ({ start }: Block): boolean =>
    fences.some(({ from, to }) => from < start && start < to && to < Infinity);
  return blocks.filter((block) => !isShown(block));
}
