// Adds hooks of ours to a settings file in JSON, and takes them out, by inserting and cutting text: every other byte stays, with its
// comments, order, trailing commas, indentation and line ends. Pure. A file that is no such JSON is refused with the line.

import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** For each event, the entry to add at the end of its list. */
export type HookEntries = Readonly<Record<string, unknown>>;

export interface Unfit {
  readonly line: number;
  readonly why: string;
}

interface Edit {
  readonly at: number;
  readonly cut: number;
  readonly text: string;
}

/** The text with the entries, each as the last of its event. */
export function addHooks(text: string, entries: HookEntries): string | Unfit {
  const edits = hookInsertions(text, entries);
  return "why" in edits ? edits : apply(text, edits);
}

/** Returns the texts that are added for the entries, each by itself. */
export function addedTexts(text: string, entries: HookEntries): readonly string[] {
  const edits = hookInsertions(text, entries);
  return "why" in edits ? [] : edits.map((edit) => edit.text);
}

function hookInsertions(text: string, entries: HookEntries): readonly Edit[] | Unfit {
  const blank = text.replace("\uFEFF", "").trim() === "";
  if (blank) return [{ at: text.length, cut: 0, text: `${JSON.stringify({ hooks: listed(entries) }, null, 2)}\n` }];
  const tree = treeOf(text);
  if ("why" in tree) return tree;
  const style = styleOf(text, tree);
  const hooks = member(text, tree, "hooks", "object");
  if (hooks !== undefined && "why" in hooks) return hooks;
  if (hooks === undefined) return [adding(tree, "hooks", listed(entries), style, 1)];
  const edits: Edit[] = [];
  const fresh: Record<string, unknown> = {};
  for (const [event, entry] of Object.entries(entries)) {
    const list = member(text, hooks, event, "array");
    if (list !== undefined && "why" in list) return list;
    if (list === undefined) fresh[event] = [entry];
    else edits.push(insertion(list, style.print(entry, 3), style, 3));
  }
  const news = Object.entries(fresh).map(([event, list]) => `${JSON.stringify(event)}: ${style.print(list, 2)}`);
  if (news.length > 0) edits.push(insertion(hooks, news.join(`,${style.line(2)}`), style, 2));
  return edits;
}

/** The text without the entries that are ours, and without the lists and the `hooks` that were there only for them. */
export function removeHooks(text: string, isOurs: (entry: unknown) => boolean): string | Unfit {
  let left = text;
  for (;;) {
    if (left.replace("\uFEFF", "").trim() === "") return left;
    const tree = treeOf(left);
    if ("why" in tree) return tree;
    const found = findOurs(tree, left, isOurs);
    if (found === undefined) return left;
    left = apply(left, [cutting(found, left)]);
  }
}

const listed = (entries: HookEntries): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries(entries).map(([event, entry]) => [event, [entry]]));

function treeOf(text: string): Node | Unfit {
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    // A byte order mark is no JSON; a space in its place keeps every offset.
    tree = parseTree(text.replace("\uFEFF", " "), errors, { allowTrailingComma: true, disallowComments: false });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return { line: 1, why: "it is nested too deeply" };
  }
  const [error] = errors;
  if (error !== undefined)
    return { line: lineOf(text, error.offset), why: `it is not JSON: ${wordsOf(printParseErrorCode(error.error))}` };
  if (tree?.type !== "object") return { line: 1, why: "it is not a JSON object" };
  return tree;
}

const wordsOf = (code: string): string => code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** Undefined when it is not there. Of two with one name programs take the last, and people see the first. */
function member(text: string, object: Node, name: string, type: "object" | "array"): Node | Unfit | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === name);
  const [, second] = found;
  if (second !== undefined) return { line: lineOf(text, second.offset), why: `it has ${JSON.stringify(name)} twice` };
  const value = found[0]?.children?.[1];
  if (value === undefined || value.type === type) return value;
  const article = type === "array" ? "a list" : "an object";
  return { line: lineOf(text, value.offset), why: `${JSON.stringify(name)} is not ${article}` };
}

interface Style {
  /** A value as it stands at this depth. */
  readonly print: (value: unknown, depth: number) => string;
  /** Returns the text that begins a new line at this depth. A space if all is on one line. */
  readonly line: (depth: number) => string;
}

function styleOf(text: string, tree: Node): Style {
  const isOneLine = !text.trim().includes("\n");
  if (isOneLine) return { print: (value) => JSON.stringify(value), line: () => " " };
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const first = tree.children?.[0];
  const before = first === undefined ? "" : (/(?<![\t ])[\t ]*$/.exec(text.slice(0, first.offset))?.[0] ?? "");
  const indent = before === "" ? "  " : before;
  const line = (depth: number): string => end + indent.repeat(depth);
  return {
    line,
    print: (value, depth) => JSON.stringify(value, null, indent.slice(0, 10)).replaceAll("\n", line(depth)),
  };
}

function adding(object: Node, name: string, value: unknown, style: Style, depth: number): Edit {
  return insertion(object, `${JSON.stringify(name)}: ${style.print(value, depth)}`, style, depth);
}

/** Right after the last one, so that a comment or a trailing comma behind it stays behind it. */
function insertion(container: Node, text: string, style: Style, depth: number): Edit {
  const last = container.children?.at(-1);
  if (last !== undefined) return { at: last.offset + last.length, cut: 0, text: `,${style.line(depth)}${text}` };
  return { at: container.offset + 1, cut: 0, text: `${style.line(depth)}${text}${style.line(depth - 1)}` };
}

/** An entry, or the list that held nothing else, or `hooks` when that list was all of it. A comment in there is somebody's, and keeps it. */
function findOurs(tree: Node, text: string, isOurs: (entry: unknown) => boolean): Node | undefined {
  const hooks = findNodeAtLocation(tree, ["hooks"]);
  if (hooks?.type !== "object") return undefined;
  for (const property of hooks.children ?? []) {
    const list = property.children?.[1];
    if (list?.type !== "array") continue;
    const ours = list.children?.find((entry) => isOurs(valueOf(entry)));
    if (ours === undefined) {
      const one = oursAmongTheirs(list, isOurs);
      if (one !== undefined) return one;
      continue;
    }
    const hasOthers = (node: Node): boolean =>
      /\/[/*]/.test(
        text.slice(node.offset, ours.offset) + text.slice(ours.offset + ours.length, node.offset + node.length),
      );
    if (list.children?.length !== 1 || hasOthers(property)) return ours;
    return hooks.children?.length === 1 && !hasOthers(hooks.parent ?? hooks) ? hooks.parent : property;
  }
  return undefined;
}

/** One of ours in an entry to which somebody added theirs: the entry is theirs by now. */
function oursAmongTheirs(list: Node, isOurs: (entry: unknown) => boolean): Node | undefined {
  for (const entry of list.children ?? []) {
    const hooks = entry.type === "object" ? findNodeAtLocation(entry, ["hooks"]) : undefined;
    const ours = hooks?.children?.find((hook) => isOurs({ hooks: [valueOf(hook)] }));
    if (hooks?.type === "array" && ours !== undefined) return ours;
  }
  return undefined;
}

function cutting(node: Node, text: string): Edit {
  const siblings = node.parent?.children ?? [];
  const index = siblings.indexOf(node);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  const end = node.offset + node.length;
  if (before !== undefined)
    return { at: before.offset + before.length, cut: end - before.offset - before.length, text: "" };
  if (after !== undefined) return { at: node.offset, cut: after.offset - node.offset, text: "" };
  const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
  const parent = node.parent;
  const inner = parent === undefined ? "" : text.slice(parent.offset + 1, parent.offset + parent.length - 1);
  // Nothing but us and white space between the brackets: they close up again.
  if (parent !== undefined && inner.replace(text.slice(node.offset, end), "").replace(",", "").trim() === "")
    return { at: parent.offset + 1, cut: inner.length, text: "" };
  return { at: node.offset, cut: node.length + comma, text: "" };
}

function apply(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.at - a.at)
    .reduce((left, { at, cut, text: put }) => left.slice(0, at) + put + left.slice(at + cut), text);
}

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value as unknown;
  const pairs = (node.children ?? []).map(({ children = [] }): [string, unknown] => [
    String(children[0]?.value),
    children[1] === undefined ? undefined : valueOf(children[1]),
  ]);
  return Object.fromEntries(pairs);
}
