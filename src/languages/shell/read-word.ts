// One word of a shell command: what its value is, as far as that is known without running anything. Only plain characters,
// quotes and the escapes that every shell agrees on are read; everything else leaves the value open.

import type { ShellWord } from "../../protocol/shell-script.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";

export interface ReadWord {
  readonly word: ShellWord;
  /** Parts that run something: substitutions. */
  readonly inner: readonly number[];
  /** Why the word cannot be judged at all. */
  readonly why?: string;
}

export const wordKinds: ReadonlySet<string> = new Set([
  "word",
  "number",
  "string",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "concatenation",
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
  "brace_expression",
  "extglob_pattern",
  "regex",
]);

interface Piece {
  /** Undefined: not known. */
  readonly text?: string;
  readonly start: string;
  readonly splits: boolean;
  readonly glob: boolean;
  readonly inner: readonly number[];
  readonly why?: string | undefined;
}

export function readWord(syntax: Syntax, node: number): ReadWord {
  const piece = pieceOf(syntax, node);
  const source = syntax.text(node);
  // `~` at the start is somebody's home, and `=` is a program to zsh.
  const special = /^[~=]/.test(source) && syntax.kind(node) !== "string" && syntax.kind(node) !== "raw_string";
  const value = piece.text !== undefined && !special ? { text: piece.text } : {};
  const word: ShellWord = {
    source,
    ...value,
    start: special ? "" : piece.start,
    splits: piece.splits,
    glob: piece.glob,
  };
  return { word, inner: piece.inner, ...(piece.why === undefined ? {} : { why: piece.why }) };
}

const unknown = (splits: boolean, inner: readonly number[] = [], why?: string): Piece => ({
  start: "",
  splits,
  glob: false,
  inner,
  why,
});

function pieceOf(syntax: Syntax, node: number): Piece {
  const source = syntax.text(node);
  switch (syntax.kind(node)) {
    case "word":
    case "number":
      return plain(source);
    case "raw_string":
      return { text: source.slice(1, -1), start: source.slice(1, -1), splits: false, glob: false, inner: [] };
    case "string":
      return quoted(syntax, node, source);
    case "concatenation":
      return joined(syntax, node, source);
    case "ansi_c_string":
      return unknown(false);
    case "simple_expansion":
      // How the last command ended: a number, whatever it is.
      return source === "$?" ? unknown(false) : unknown(true, [], "it uses a variable, whose value is not known");
    case "expansion":
      return unknown(true, childrenOf(syntax, node), "it uses a variable, whose value is not known");
    case "command_substitution":
      return unknown(true, [node]);
    case "process_substitution":
      return unknown(false, [node]);
    case "brace_expression":
      return unknown(true);
    case "arithmetic_expansion": {
      const isNumbers = /^\$\(\([\d\s+*/%()-]+\)\)$/.test(source);
      return isNumbers ? unknown(false) : unknown(true, childrenOf(syntax, node), "it reckons, which can run commands");
    }
    default:
      return unknown(true, childrenOf(syntax, node), "it has a word that is not judged");
  }
}

const known = (text: string): Piece => ({ text, start: text, splits: false, glob: false, inner: [] });

/** Without quotes. `\;` is how a semicolon is handed to find, `'\''` a quote within quotes; other escapes are not judged. */
function plain(source: string): Piece {
  if (source === "\\;" || source === "\\'") return known(source.slice(1));
  // After a line's end the grammar takes a backslash for the line going on, and a shell does not.
  if (source.includes("\\")) return unknown(true, [], "it has a backslash outside of quotes");
  const glob = /[*?[\]]/.test(source);
  const isPlain = /^[^\s\\'"`$&|;<>(){}*?[\]!#][^\s\\'"`$&|;<>(){}*?[\]]*$/u.test(source);
  if (isPlain || source === "[" || source === "]") return known(source);
  const start = /^[\w./-]*/.exec(source)?.[0] ?? "";
  return { start: glob ? start : "", splits: true, glob, inner: [] };
}

/** In double quotes: a substitution in them stays one word. */
function quoted(syntax: Syntax, node: number, source: string): Piece {
  const parts = childrenOf(syntax, node).filter((child) => syntax.kind(child) !== "string_content");
  const pieces = parts.map((part) => pieceOf(syntax, part));
  const inner = pieces.flatMap((piece) => piece.inner);
  const why = pieces.find((piece) => piece.why !== undefined)?.why;
  const text = source.slice(1, -1);
  if (parts.length === 0) {
    if (mayExpand(text)) return unknown(true, [], "its quotes may hold an expansion");
    if (text.includes("\\\n")) return unknown(false);
    const value = text.replace(/\\(["\\$`])/g, "$1");
    return { text: value, start: value, splits: false, glob: false, inner };
  }
  if (mayExpand(textBeside(syntax, node, parts))) return unknown(true, inner, "its quotes may hold an expansion");
  const literal = parts.length === 1 && textBeside(syntax, node, parts) === '" "' ? literalText(syntax, parts[0]) : "";
  if (literal !== "") return { ...known(literal), inner };
  const start = /^[^$`\\]*/.exec(text)?.[0] ?? "";
  return { start, splits: false, glob: false, inner, why };
}

/** What `$(cat <<'EOF' …)` stands for: the text of the document, without the lines' ends that close it. Empty when it is something else. */
function literalText(syntax: Syntax, substitution = 0): string {
  const [statement = 0, ...more] = childrenOf(syntax, substitution);
  const [command = 0, document = 0, ...others] = childrenOf(syntax, statement);
  const isCat = syntax.kind(statement) === "redirected_statement" && syntax.text(command) === "cat";
  if (!isCat || more.length > 0 || others.length > 0 || syntax.kind(document) !== "heredoc_redirect") return "";
  const [mark = 0, body = 0, end = 0, ...rest] = childrenOf(syntax, document);
  const kinds = [mark, body, end].map((part) => syntax.kind(part)).join(" ");
  const isLiteral = /^<<['"]/.test(syntax.text(document)) && /^['"]\w+['"]$/.test(syntax.text(mark));
  if (kinds !== "heredoc_start heredoc_body heredoc_end" || rest.length > 0 || !isLiteral) return "";
  return syntax.text(body).replace(/\n+$/, "");
}

/** Whether a text that is not literal has something that a shell would expand; asked where the grammar saw nothing of the kind. */
export const mayExpand = (text: string): boolean => /(?<!\\)(?:\\\\)*(?:\$[\w{([@*#?$!-]|`)/.test(text);

/** A node's text without these parts of it. */
export function textBeside(syntax: Syntax, node: number, parts: readonly number[]): string {
  let left = syntax.text(node);
  for (const part of parts) left = left.replace(syntax.text(part), () => " ");
  return left;
}

const characterSet: Piece = { start: "", splits: true, glob: true, inner: [] };

function joined(syntax: Syntax, node: number, source: string): Piece {
  const parts = childrenOf(syntax, node);
  // `[` alone is a command; within a word it begins a set of characters.
  const pieces = parts.map((part) => (/^[[\]]$/.test(syntax.text(part)) ? characterSet : pieceOf(syntax, part)));
  const inner = pieces.flatMap((piece) => piece.inner);
  const gapless = parts.map((part) => syntax.text(part)).join("") === source;
  const why = gapless ? pieces.find((piece) => piece.why !== undefined)?.why : "it has a word that is not judged";
  const glob = pieces.some((piece) => piece.glob);
  const splits = !gapless || pieces.some((piece) => piece.splits);
  if (gapless && pieces.every((piece) => piece.text !== undefined)) {
    const text = pieces.map((piece) => piece.text).join("");
    return { text, start: text, splits: false, glob: false, inner };
  }
  let start = "";
  for (const piece of pieces) {
    start += piece.text ?? piece.start;
    if (piece.text === undefined) break;
  }
  return { start: gapless ? start : "", splits, glob, inner, why };
}

function childrenOf(syntax: Syntax, node: number): number[] {
  const all: number[] = [];
  for (let child = syntax.first(node); child !== 0; child = syntax.next(child)) all.push(child);
  return all;
}
