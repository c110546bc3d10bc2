// Small questions to Rust's syntax that declarations and uses both ask.

import type { Syntax } from "../tree-sitter/syntax.ts";

export interface Item {
  readonly node: number;
  /** Texts of the attributes before it. */
  readonly attributes: readonly string[];
}

/** Items of a body, each with its attributes. */
export function itemsOf(syntax: Syntax, body: number): Item[] {
  const items: Item[] = [];
  let pending: string[] = [];
  for (const node of syntax.children(body)) {
    if (syntax.kind(node) === "attribute_item") pending.push(syntax.text(node));
    else {
      items.push({ node, attributes: pending });
      pending = [];
    }
  }
  return items;
}

const harmless =
  /^#\[\s*(allow|warn|deny|expect|inline|must_use|doc|deprecated|repr|non_exhaustive|cold|track_caller|serde|rustfmt|clippy|default|automatically_derived|no_mangle|error|from|source|stable|unstable)\b/;
const plainDerives = /^(Debug|Clone|Copy|PartialEq|Eq|Hash|Default|PartialOrd|Ord|Serialize|Deserialize)$/;

/**
 * Returns what attributes mean to us: `conditional` (cfg), `test` (built with the tests, which anyone who works on the code builds too),
 * `shaped` (a macro may rewrite it), `elsewhere` (#[path]), `macro-use`, derives.
 */
export function attributes(texts: readonly string[]): string[] {
  const words: string[] = [];
  for (const text of texts) {
    // An attribute that is there under a condition mostly says nothing about the item itself.
    if (/^#\[\s*cfg_attr\b/.test(text))
      words.push(
        /\b(derive|path|macro_use)\b/.test(text) ? "conditional" : "",
        /\bmacro_use\b/.test(text) ? "macro-use" : "",
      );
    else if (/^#\[\s*(test\b|cfg\s*\(\s*test\s*\))/.test(text)) words.push("test");
    else if (/^#\[\s*(cfg|bench)\b/.test(text)) {
      words.push("conditional");
      if (/\b(test|bench)\b/.test(text)) words.push("test");
    } else if (/^#\[\s*path\b/.test(text)) words.push("elsewhere");
    else if (/^#\[\s*macro_use\b/.test(text)) words.push("shaped", "macro-use");
    else if (/^#\[\s*derive\b/.test(text)) {
      for (const name of text
        .replace(/^#\[\s*derive\s*\(/, "")
        .replace(/\)\s*\]$/, "")
        .split(",")) {
        const last = name.trim().split("::").at(-1) ?? "";
        if (last !== "") words.push(plainDerives.test(last) ? `derive ${last}` : "shaped");
      }
    } else if (!harmless.test(text)) words.push("shaped");
  }
  return words.filter((word) => word !== "");
}

/** `public` for `pub`, what stands in the parentheses of `pub(…)`, else "". */
export function visibility(syntax: Syntax, node: number): string {
  const written = syntax.children(node).find((child) => syntax.kind(child) === "visibility_modifier");
  if (written === undefined) return "";
  const text = syntax.text(written);
  return text === "pub" ? "public" : text.replace(/^pub\s*\(|\)$/g, "").trim();
}

/** A path of names: `crate::a::B`, without type arguments. undefined for anything else. */
export function pathOf(syntax: Syntax, node: number): readonly string[] | undefined {
  switch (syntax.kind(node)) {
    case "identifier":
    case "type_identifier":
    case "crate":
    case "super":
    case "self":
    case "metavariable":
      return [syntax.text(node)];
    case "scoped_identifier":
    case "scoped_type_identifier": {
      const path = syntax.at(node, "path");
      // `::name` begins at the crates outside.
      const before = path === 0 ? undefined : pathOf(syntax, path);
      return before === undefined ? undefined : [...before, syntax.text(syntax.at(node, "name"))];
    }
    case "generic_type":
    case "generic_type_with_turbofish":
      return pathOf(syntax, syntax.at(node, "type"));
    case "generic_function":
      return pathOf(syntax, syntax.at(node, "function"));
    default:
      return undefined;
  }
}

/** A named type, behind references or not. */
export function typePath(syntax: Syntax, node: number): readonly string[] | undefined {
  if (syntax.kind(node) === "reference_type") return typePath(syntax, syntax.at(node, "type"));
  return pathOf(syntax, node);
}

export interface UseLeaf {
  readonly name: string;
  readonly path: readonly string[];
  readonly line: number;
}

/** Each name that a `use` brings, with its full path. */
export function useLeaves(syntax: Syntax, node: number, before: readonly string[] = []): UseLeaf[] {
  const line = syntax.line(node);
  const leaf = (path: readonly string[] | undefined, name?: string): UseLeaf[] => {
    if (path === undefined) return [];
    const all = [...before, ...path];
    const clean = all.at(-1) === "self" && all.length > 1 ? all.slice(0, -1) : all;
    return [{ name: name ?? clean.at(-1) ?? "", path: clean, line }];
  };
  switch (syntax.kind(node)) {
    case "use_as_clause":
      return leaf(pathOf(syntax, syntax.at(node, "path")), syntax.text(syntax.at(node, "alias")));
    case "use_wildcard": {
      const inner = syntax.first(node);
      return leaf(inner === 0 ? [] : pathOf(syntax, inner), "*");
    }
    case "use_list":
      return syntax.children(node).flatMap((child) => useLeaves(syntax, child, before));
    case "scoped_use_list": {
      const path = syntax.at(node, "path");
      const own = path === 0 ? undefined : pathOf(syntax, path);
      return own === undefined ? [] : useLeaves(syntax, syntax.at(node, "list"), [...before, ...own]);
    }
    default:
      return leaf(pathOf(syntax, node));
  }
}

/** As words in a macro they are no names. */
export const keywords = new Set(
  "as async await break const continue dyn else enum fn for if impl in let loop match mod move mut pub ref return static struct trait type unsafe use where while".split(
    " ",
  ),
);

/** The nodes that may stand at the end of a body as its value. */
export const tails = new Set([
  "call_expression",
  "field_expression",
  "identifier",
  "scoped_identifier",
  "struct_expression",
  "match_expression",
  "if_expression",
  "macro_invocation",
  "integer_literal",
  "string_literal",
  "boolean_literal",
]);
