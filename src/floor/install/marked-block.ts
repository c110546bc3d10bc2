// A block of ours in a text file of somebody else's, between two lines that say whose it is: instructions in Markdown, trust in
// TOML. Pure.

export interface BlockMarks {
  readonly begin: string;
  readonly end: string;
}

export const markdownMarks: BlockMarks = {
  begin: "<!-- constel: begin. `constel install --undo` takes this block away. -->",
  end: "<!-- constel: end -->",
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
  if (before.trim() === "") return text + lines;
  const gap = before.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  return text + gap + lines;
}

/** What stands there between our marks; undefined when nothing does. */
export function blockIn(text: string, marks: BlockMarks): string | undefined {
  const found = placeOf(text, marks);
  return found === undefined ? undefined : text.slice(found.start, found.end);
}

/** The text without our block, and without the one empty line that was put before it. */
export function removeBlock(text: string, marks: BlockMarks): string {
  const found = placeOf(text, marks);
  if (found === undefined) return text;
  const before = text.slice(0, found.start);
  const gap = /\r?\n(?=\r?\n$)/.exec(before.slice(-4));
  const kept = gap === null ? before : before.slice(0, before.length - (before.endsWith("\r\n") ? 2 : 1));
  return kept + text.slice(found.end);
}

function placeOf(
  text: string,
  { begin, end }: BlockMarks,
): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(begin);
  const last = start < 0 ? -1 : text.indexOf(end, start);
  if (last < 0) return undefined;
  const after = /^\r?\n/.exec(text.slice(last + end.length))?.[0].length ?? 0;
  return { start, end: last + end.length + after };
}
