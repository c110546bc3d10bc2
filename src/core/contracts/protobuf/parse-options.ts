// Options of a .proto file: `option name = value;` and `[name = value, …]`. Values stay text, because the comparison asks
// only whether they are the same. A braced value of plain entries also counts as the entries: `features = { x: Y }`.

import type { Option } from "./syntax.ts";
import type { Tokens } from "./tokens.ts";
import { ProtoError } from "./tokens.ts";

const maximumDepth = 64;

/** After the word `option`, up to and including its semicolon. */
export function parseOptionStatement(tokens: Tokens): Option[] {
  const options = parseOption(tokens);
  tokens.expect(";");
  return options;
}

/** `[…]` where one may stand. */
export function parseBracketedOptions(tokens: Tokens): Option[] {
  if (!tokens.take("[")) return [];
  const options: Option[] = [];
  do options.push(...parseOption(tokens));
  while (tokens.take(","));
  tokens.expect("]");
  return options;
}

function parseOption(tokens: Tokens): Option[] {
  const name = parseName(tokens);
  tokens.expect("=");
  if (!tokens.is("{")) return [{ name, value: parseScalar(tokens) }];
  const entries: Option[] = [];
  const value = parseBraced(tokens, 0, (key, text) => entries.push({ name: `${name}.${key}`, value: text }));
  return name === "features" ? entries : [{ name, value }];
}

function parseName(tokens: Tokens): string {
  let name = "";
  do {
    if (tokens.take("(")) {
      const leading = tokens.take(".") ? "." : "";
      name += `(${leading}${dotted(tokens)})`;
      tokens.expect(")");
    } else name += tokens.word("an option's name").text;
    // `.5` would be a number, and no option's part begins with a digit.
    if (tokens.is(".")) name += ".";
  } while (tokens.take("."));
  return name;
}

export function dotted(tokens: Tokens): string {
  let name = tokens.word("a name").text;
  while (tokens.take(".")) name += `.${tokens.word("a name").text}`;
  return name;
}

function parseScalar(tokens: Tokens): string {
  const { kind } = tokens.peek();
  if (kind === "text") return JSON.stringify(tokens.string("a value"));
  if (tokens.take("-")) return `-${parseScalar(tokens)}`;
  if (tokens.take("+")) return parseScalar(tokens);
  if (kind === "number" || kind === "word") return tokens.next().text;
  throw tokens.unexpected("a value");
}

/** `{ … }` in the text format. Only brackets are followed; the contents are the option's own affair. */
function parseBraced(tokens: Tokens, depth: number, entry?: (key: string, value: string) => void): string {
  const open = tokens.next();
  if (depth > maximumDepth) throw new ProtoError(open.line, "The option's value is nested too deeply.");
  const close = open.text === "{" ? "}" : open.text === "<" ? ">" : "]";
  const words: string[] = [];
  while (!tokens.is(close)) {
    const token = tokens.peek();
    if (token.kind === "end") throw tokens.unexpected(`"${close}"`);
    if (token.kind === "sign" && (token.text === "{" || token.text === "[" || token.text === "<")) {
      words.push(parseBraced(tokens, depth + 1));
    } else if (token.kind === "text") words.push(JSON.stringify(tokens.string("a value")));
    else {
      tokens.next();
      words.push(token.text);
      if (token.text === ":" && entry !== undefined && words.length > 1) entryOf(tokens, words, entry);
    }
  }
  tokens.expect(close);
  return `${open.text} ${words.join(" ")} ${close}`;
}

function entryOf(tokens: Tokens, words: string[], entry: (key: string, value: string) => void): void {
  const key = words.at(-2) ?? "";
  const { kind } = tokens.peek();
  if (kind !== "word" && kind !== "number" && kind !== "text") return;
  const value = parseScalar(tokens);
  words.push(value);
  entry(key, value);
}
