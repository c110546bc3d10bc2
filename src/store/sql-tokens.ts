// Just enough of SQL's lexical grammar to judge a statement: words, names, strings, comments, punctuation. Both dialects.

export interface Token {
  readonly kind: "word" | "name" | "text" | "number" | "mark";
  /** Words in lower case; names without their quotes. */
  readonly value: string;
  /** The position in the text where it begins. */
  readonly at: number;
  /** The number of parentheses that are open around it. */
  readonly depth: number;
}

const pattern = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`(?<text>[eExXbBnN]?'(?:[^']|'')*(?:'|$)|(?<dollar>\$[A-Za-z_]*\$)[\s\S]*?(?:\k<dollar>|$))`,
    String.raw`(?<name>"(?:[^"]|"")*(?:"|$)|` + "`[^`]*(?:`|$)" + String.raw`|\[[^\]]*(?:\]|$))`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`(?<mark>[<>!=]=|<>|\|\||::|[\s\S])`,
  ].join("|"),
  "gyu",
);

export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const match of sql.matchAll(pattern)) {
    const groups = match.groups ?? {};
    const [text] = match;
    const at = match.index;
    if (groups["space"] !== undefined) continue;
    if (groups["mark"] === ")") depth = Math.max(0, depth - 1);
    if (groups["text"] !== undefined) tokens.push({ kind: "text", value: text, at, depth });
    else if (groups["name"] !== undefined) tokens.push({ kind: "name", value: text.slice(1, -1), at, depth });
    else if (groups["word"] !== undefined) tokens.push({ kind: "word", value: text.toLowerCase(), at, depth });
    else if (groups["number"] !== undefined) tokens.push({ kind: "number", value: text, at, depth });
    else tokens.push({ kind: "mark", value: text, at, depth });
    if (groups["mark"] === "(") depth += 1;
  }
  return tokens;
}
