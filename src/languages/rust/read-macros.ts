// Reads the arguments of known macros as expressions. To tree-sitter they are a heap of words, so all that a file holds are written into one
// text, each macro as a call and each `matches!` as a match, parsed once more, and put into the file's tree in place of the words, where
// every node keeps its true place. Words that do not parse this way stay unread, and a file without such macros is not parsed again.

import type { FlatTree } from "../tree-sitter/flat-tree.ts";
import type { ParsedEach } from "../tree-sitter/grammar.ts";
import { Syntax } from "../tree-sitter/syntax.ts";
import { hasForm, isItself, type MacroForm, macroForm } from "./macro-forms.ts";
import { useLeaves } from "./rust-syntax.ts";

export function withMacros(tree: FlatTree, text: string, parseEach: (text: string) => ParsedEach): FlatTree {
  if (!tree.type.includes(tree.kinds.indexOf("macro_invocation"))) return tree;
  const syntax = new Syntax(tree, text);
  const calls = new Calls(syntax, ownNames(syntax));
  for (const node of syntax.each("macro_invocation")) calls.add(node);
  if (calls.all.length === 0) return tree;
  const parsed = parseEach(calls.text);
  return parsed.tree === undefined ? tree : grafted(tree, parsed.tree, calls, parsed.broken);
}

interface OwnNames {
  /** Another macro of that name is defined or brought in somewhere in the file. */
  readonly hidden: ReadonlySet<string>;
  /** Brought in from `log`. */
  readonly brought: ReadonlySet<string>;
}

function ownNames(syntax: Syntax): OwnNames {
  const [hidden, brought] = [new Set<string>(), new Set<string>()];
  for (const node of syntax.each("macro_definition")) hidden.add(syntax.text(syntax.at(node, "name")));
  for (const node of syntax.each("use_declaration"))
    for (const { name, path } of useLeaves(syntax, syntax.at(node, "argument"))) {
      if (!hasForm(name) && (name !== "log" || path.length === 1)) continue;
      if (name === path.at(-1) && isItself(path)) brought.add(name);
      else hidden.add(name);
    }
  for (const node of syntax.each("mod_item")) if (syntax.text(syntax.at(node, "name")) === "log") hidden.add("log");
  return { hidden, brought };
}

/** The macros of a file written as calls, and where each letter of that comes from. */
class Calls {
  /** `node` of the file stands from `start` to `end` of the text. */
  readonly all: { readonly node: number; readonly start: number; readonly end: number }[] = [];
  readonly origins: number[] = [];
  /** The offsets in the text at which names of macros end. */
  readonly names = new Set<number>();
  private parts: string[] = [];
  private readonly syntax: Syntax;
  private readonly own: OwnNames;

  constructor(syntax: Syntax, own: OwnNames) {
    this.syntax = syntax;
    this.own = own;
  }

  get text(): string {
    return this.parts.join("");
  }

  add(node: number): void {
    const { syntax } = this;
    const name = syntax.at(node, "macro");
    const words = syntax.children(node).find((one) => syntax.kind(one) === "token_tree") ?? 0;
    const form = this.formOf(syntax.text(name).split("::"));
    if (words === 0 || form === undefined || !this.isList(words)) return;
    const start = this.origins.length;
    this.copy(syntax.start(name), syntax.end(name));
    this.given(words, form);
    this.all.push({ node, start, end: this.origins.length });
    this.insert(";\n", syntax.end(words));
  }

  private formOf(path: readonly string[]): MacroForm | undefined {
    const clean = path[0] === "" ? path.slice(1) : path;
    const [first = ""] = clean;
    const { hidden, brought } = this.own;
    return hidden.has(first) ? undefined : macroForm(clean, (name) => brought.has(name));
  }

  private isList(words: number): boolean {
    return this.syntax.source[this.syntax.start(words)] !== "{";
  }

  private given(words: number, form: MacroForm): void {
    const { syntax } = this;
    const [open, close] = [syntax.start(words), syntax.end(words) - 1];
    this.names.add(this.origins.length);
    const isPattern = form.asks === "pattern";
    this.insert(isPattern ? "(match (" : "(", open);
    // `vec![value; count]` has two arguments as well.
    this.inside(words, isPattern ? [",", "){"] : [";", ","], isPattern);
    this.insert(isPattern ? "\n=>1,_=>0})" : ")", close);
  }

  /** Writes the text between the brackets; the first `from` outside inner brackets is written as `to`. */
  private inside(words: number, [from, to]: readonly [from?: string, to?: string], dropsLast: boolean): void {
    const { syntax } = this;
    let at = syntax.start(words) + 1;
    let sought = from;
    const gap = (until: number, isLast: boolean): void => {
      const found = sought === undefined ? -1 : syntax.source.slice(at, until).indexOf(sought);
      if (found !== -1) {
        sought = undefined;
        this.copy(at, at + found);
        this.insert(to ?? "", at + found);
        at += found + 1;
      }
      const comma = isLast && dropsLast ? syntax.source.slice(at, until).indexOf(",") : -1;
      this.copy(at, comma === -1 ? until : at + comma);
      at = until;
    };
    for (let node = syntax.first(words); node !== 0; node = syntax.next(node)) {
      gap(syntax.start(node), false);
      const next = syntax.next(node);
      const form = this.nested(node, next);
      if (form !== undefined) {
        this.copy(syntax.start(node), syntax.end(node));
        this.given(next, form);
        node = next;
      } else if (syntax.kind(node) === "token_tree") {
        this.copy(syntax.start(node), syntax.start(node) + 1);
        this.inside(node, [], false);
        this.copy(syntax.end(node) - 1, syntax.end(node));
      } else this.copy(syntax.start(node), syntax.end(node));
      at = syntax.end(node);
    }
    gap(syntax.end(words) - 1, true);
  }

  private nested(node: number, next: number): MacroForm | undefined {
    const { syntax } = this;
    if (syntax.kind(node) !== "identifier" || next === 0 || syntax.kind(next) !== "token_tree") return undefined;
    if (syntax.textBetween(node, next).trim() !== "!" || !this.isList(next)) return undefined;
    const before = /(?<![\p{L}\p{N}_:])[\p{L}\p{N}_:]*$/u.exec(
      syntax.source.slice(Math.max(0, syntax.start(node) - 80), syntax.start(node)),
    );
    return this.formOf(`${before?.[0] ?? ""}${syntax.text(node)}`.split("::"));
  }

  private copy(from: number, to: number): void {
    this.parts.push(this.syntax.source.slice(from, to));
    for (let at = from; at < to; at += 1) this.origins.push(at);
  }

  private insert(text: string, origin: number): void {
    this.parts.push(text);
    for (let at = 0; at < text.length; at += 1) this.origins.push(origin);
  }
}

/** The file's tree with what was read in the place of its words. Nodes of the second tree are numbered on after those of the first. */
function grafted(
  tree: FlatTree,
  read: FlatTree,
  { all, origins, names }: Calls,
  broken: ParsedEach["broken"],
): FlatTree {
  const shift = tree.type.length;
  const moved = (from: Int32Array): Int32Array => from.map((node) => (node === 0 ? 0 : node + shift));
  const start = read.start.map((at) => origins[at] ?? 0);
  const end = read.end.map((at) => (at === 0 ? 0 : (origins[at - 1] ?? 0) + 1));
  const [type, field] = [read.type.slice(), read.field.slice()];
  const [called, invoked] = [read.kinds.indexOf("call_expression"), read.kinds.indexOf("macro_invocation")];
  for (let node = type.indexOf(called); node !== -1; node = type.indexOf(called, node + 1)) {
    const callee = read.child[node] ?? 0;
    if (!names.has(read.end[callee] ?? 0)) continue;
    type[node] = invoked;
    field[callee] = read.fields.indexOf("macro");
  }
  const child = joined(tree.child, moved(read.child));
  // The statements, in the order they were written; what was not understood is no statement, or a broken one.
  let statement = read.child[1] ?? 0;
  for (const { node, start: from, end: to } of all) {
    while (statement !== 0 && (read.start[statement] ?? 0) < from) statement = read.next[statement] ?? 0;
    if (statement === 0) break;
    const isBroken = broken.some(([first, last]) => first < to && from < last);
    if (read.start[statement] !== from || read.end[statement] !== to + 1 || isBroken) continue;
    const invocation = read.child[statement] ?? 0;
    if (type[invocation] === invoked) child[node] = (read.child[invocation] ?? 0) + shift;
  }
  return {
    ...tree,
    type: joined(tree.type, type),
    field: joined(tree.field, field),
    start: joined(tree.start, start),
    end: joined(tree.end, end),
    child,
    next: joined(tree.next, moved(read.next)),
  };
}

function joined<T extends Uint16Array | Uint8Array | Int32Array>(one: T, other: T): T {
  const both = new (one.constructor as new (length: number) => T)(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
