// One word of a shell command: what its value is, as far as that is known without running anything. Only plain characters, quotes and the
// escapes that every shell agrees on are read; everything else leaves the value open.

import type { CommandExpansionPart, DoubleQuotedPart, Word, WordPart } from "unbash";
import type { ShellWord } from "../../protocol/shell-script.ts";

export interface ReadWord {
  readonly word: ShellWord;
  /** The reason why the word cannot be judged at all. */
  readonly why?: string;
}

interface Piece {
  /** Undefined: not known. */
  readonly text?: string;
  readonly start: string;
  readonly splits: boolean;
  readonly glob: boolean;
  readonly why?: string | undefined;
}

export function readWord({ text: source, parts }: Word): ReadWord {
  const piece = parts === undefined ? plain(source, true) : joined(source, parts);
  // `~` at the start is somebody's home, and `=` is a program to zsh.
  const special = /^[~=]/.test(source);
  const value = piece.text !== undefined && !special ? { text: piece.text } : {};
  const { splits, glob, why } = piece;
  const word: ShellWord = { source, ...value, start: special ? "" : piece.start, splits, glob };
  return { word, ...(why === undefined ? {} : { why }) };
}

const known = (text: string): Piece => ({ text, start: text, splits: false, glob: false });
const unknown = (splits: boolean, why?: string): Piece => ({ start: "", splits, glob: false, why });

const usesVariable = "it uses a variable, whose value is not known";
const reckons = "it reckons, which can run commands";

function pieceOf(part: WordPart, isFirst: boolean): Piece {
  switch (part.type) {
    case "Literal":
      return plain(part.text, isFirst);
    case "Glob":
      return { start: "", splits: true, glob: true };
    case "SingleQuoted":
      return known(part.text.slice(1, -1));
    case "DoubleQuoted":
      return quoted(part);
    case "AnsiCQuoted":
      return unknown(false);
    case "SimpleExpansion":
      // This is the exit code of the last command: a number, whatever it is.
      return part.text === "$?" ? unknown(false) : unknown(true, usesVariable);
    case "ParameterExpansion":
      return unknown(true, usesVariable);
    case "CommandExpansion":
      return unknown(true, part.script === undefined ? "it has a substitution that is not judged" : undefined);
    case "ProcessSubstitution":
      return unknown(false, part.script === undefined ? "it has a substitution that is not judged" : undefined);
    case "ArithmeticExpansion":
      return /^\$\(\([\d\s+*/%()-]+\)\)$/.test(part.text) ? unknown(false) : unknown(true, reckons);
    case "BraceExpansion":
      return unknown(true);
    default:
      return unknown(true, "it has a word that is not judged");
  }
}

/** Without quotes. `\;` is how a semicolon is handed to find, `'\''` a quote within quotes; other escapes are not judged. */
function plain(source: string, isFirst: boolean): Piece {
  if (source === "\\;" || source === "\\'") return known(source.slice(1));
  if (source.includes("\\")) return unknown(true, "it has a backslash outside of quotes");
  if (source === "[" || source === "]" || source === "") return known(source);
  const glob = /[*?[\]]/.test(source);
  const isPlain = /^[^\s\\'"`$&|;<>(){}*?[\]]*$/u.test(source) && !(isFirst && /^[!#]/.test(source));
  if (isPlain) return known(source);
  const start = /^[\w./-]*/.exec(source)?.[0] ?? "";
  return { start: glob ? start : "", splits: true, glob };
}

/** `"$@"`, `"${all[@]}"`, `"${!names@}"`: as many words as there are, also in quotes. */
const manyWords = /\$@|\$\{[^{}]*@[^{}]*\}/;

/** In double quotes: a substitution in them stays one word, but for those that stand for a list. */
function quoted({ text: source, parts }: DoubleQuotedPart): Piece {
  const text = source.slice(1, -1);
  const inner = parts.filter(({ type }) => type !== "Literal");
  const beside = parts.map((part) => (part.type === "Literal" ? part.text : " ")).join("");
  if (mayExpand(inner.length === 0 ? text : beside)) return unknown(true, "its quotes may hold an expansion");
  if (/\\\n/.test(beside)) return unknown(false, "it has a backslash that joins two lines");
  if (inner.length === 0) return known(text.replace(/\\(["\\$`])/g, "$1"));
  const [only] = parts;
  const literal = parts.length === 1 && only?.type === "CommandExpansion" ? literalText(only) : "";
  if (literal !== "") return known(literal);
  const why = inner.map((part) => pieceOf(part, false).why).find((one) => one !== undefined);
  const start = /^[^$`\\]*/.exec(text)?.[0] ?? "";
  return { start, splits: manyWords.test(text), glob: false, why };
}

/**
 * Returns the text that `$(cat <<'EOF' …)` stands for: the document's, without the line ends that close it. Empty if it is something else.
 */
function literalText({ script, text }: CommandExpansionPart): string {
  const [statement, ...more] = script?.commands ?? [];
  const command = statement?.command;
  if (command?.type !== "Command" || more.length > 0 || statement?.background === true || !text.startsWith("$("))
    return "";
  const [document, ...others] = command.suffix;
  const isCat = command.name?.text === "cat" && command.prefix.length === 0 && others.length === 0;
  if (!isCat || document?.type !== "HereDoc" || document.operator !== "<<" || document.closing === undefined) return "";
  const isLiteral = /^['"]\w+['"]$/.test(document.delimiter?.text ?? "") && document.descriptor === undefined;
  return isLiteral ? document.body.text.replace(/(?<!\n)\n+$/, "") : "";
}

function joined(source: string, parts: readonly WordPart[]): Piece {
  const pieces = parts.map((part, at) => pieceOf(part, at === 0));
  const gapless = parts.map(({ text }) => text).join("") === source;
  const why = gapless ? pieces.find((piece) => piece.why !== undefined)?.why : "it has a word that is not judged";
  if (gapless && pieces.every((piece) => piece.text !== undefined))
    return known(pieces.map(({ text }) => text).join(""));
  let start = "";
  for (const piece of pieces) {
    start += piece.text ?? piece.start;
    if (piece.text === undefined) break;
  }
  const glob = pieces.some((piece) => piece.glob);
  return { start: gapless ? start : "", splits: !gapless || pieces.some(({ splits }) => splits), glob, why };
}

/** Tells whether a text that is not literal has something that a shell would expand. Asked where nothing of the kind was seen. */
export const mayExpand = (text: string): boolean => /(?<!\\)(?:\\\\)*(?:\$[\w{([@*#?$!-]|`)/.test(text);
