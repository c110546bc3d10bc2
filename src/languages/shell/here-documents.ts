// Finds where the here-documents of a command end, line by line as shells do it and without the grammar. Only documents whose mark is quoted
// are found here: their text is literal, so `<<` in it (a shift, a stream, a merge's marks) means nothing.

export interface HereDocument {
  /** The offset at which its mark begins, with the quote. */
  readonly start: number;
  /** The offset at which its closing line ends. */
  readonly end: number;
}

/** In order; undefined when a line could be read in two ways. */
export function literalDocuments(source: string): readonly HereDocument[] | undefined {
  const found: HereDocument[] = [];
  for (let at = 0; at < source.length; at = endOfLine(source, at) + 1) {
    const line = source.slice(at, endOfLine(source, at));
    if (!line.includes("<<")) continue;
    const operator = oneOperator.exec(line);
    if (operator === null) return undefined;
    const [, before = "", dash = "", gap = "", , mark = ""] = operator;
    const end = endOf(source, endOfLine(source, at) + 1, mark, dash === "-");
    if (end === undefined) return undefined;
    found.push({ start: at + before.length + 2 + dash.length + gap.length, end });
    at = end;
  }
  return found;
}

/** One `<<` in the line, a quoted mark, and after it nothing that goes on in the next line. */
const oneOperator = /^((?:(?!<<).)*)<<(-?)( *)(['"])([A-Za-z_]\w*)\4(?:(?!<<)[^'"\\`(]|'[^']*'|"[^"\\`$]*")*$/;

function endOf(source: string, from: number, mark: string, indented: boolean): number | undefined {
  for (let at = from; at < source.length; at = endOfLine(source, at) + 1) {
    const line = source.slice(at, endOfLine(source, at));
    if ((indented ? line.replace(/^\t+/, "") : line) === mark) return endOfLine(source, at);
  }
  return undefined;
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}
