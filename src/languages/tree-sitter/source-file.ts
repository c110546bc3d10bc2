// Holds what the readers of Go, Java and Rust have in common: bounds, the draft of a summary, and the local names of a function. A name that
// is bound anywhere in a function counts as local in all of it: that costs a few uses and never blames one wrongly.

import {
  type SourceDeclaration,
  type SourceImport,
  type SourceSummary,
  sourceSummaryVersion,
  type SourceUse,
} from "../compiled/facts.ts";
import { readInBudget } from "../../ports/budget.ts";
import type { FlatTree } from "./flat-tree.ts";
import { type Grammar, loadGrammar, type ParsedEach } from "./grammar.ts";
import { Syntax } from "./syntax.ts";

/** A file of 1 MiB parses in about half a second; what takes longer is hostile or the machine is starved. */
const deadlineMs = 900;
const maxLength = 1_048_576;

interface SourceText {
  readonly grammarPath: string;
  readonly source: string;
  /** To name it by. */
  readonly path: string;
}

type Summarise = (syntax: Syntax, draft: Draft) => void;
/** Reads more of the file before it is summarised. */
type ReadMore = (tree: FlatTree, text: string, parseEach: (text: string) => ParsedEach) => FlatTree;

export async function readSource(
  { grammarPath, source, path }: SourceText,
  summarise: Summarise,
  more?: ReadMore,
): Promise<SourceSummary> {
  if (source.length > maxLength) return skipped("too large");
  if (source.includes("\0")) return skipped("not text");
  const grammar = await loadGrammar(grammarPath);
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  return readInBudget({ path, text }, () => read(grammar, text, summarise, more), skipped);
}

function read(grammar: Grammar, text: string, summarise: Summarise, more: ReadMore | undefined): SourceSummary {
  const parsed = grammar.parse(text, deadlineMs);
  if (parsed.tree === undefined)
    return { ...skipped(parsed.skipped), ...(parsed.line === undefined ? {} : { skippedLine: parsed.line }) };
  const draft = new Draft();
  try {
    const tree = more?.(parsed.tree, text, (part) => grammar.parseEach(part, deadlineMs)) ?? parsed.tree;
    summarise(new Syntax(tree, text), draft);
  } catch (cause) {
    // The walk recurses as deep as the syntax; the stack is the only honest bound.
    if (cause instanceof RangeError) return skipped("nested too deeply");
    throw cause;
  }
  return draft.finished();
}

function skipped(reason: string): SourceSummary {
  return { version: sourceSummaryVersion, skipped: reason, package: "", imports: [], declarations: [], uses: [] };
}

type Optional<T, Keys extends keyof T> = Omit<T, Keys> & Partial<Pick<T, Keys>>;

export class Draft {
  package = "";
  doubtful = false;
  private readonly imports: SourceImport[] = [];
  private readonly declarations: SourceDeclaration[] = [];
  private readonly uses: SourceUse[] = [];

  declare(one: Optional<SourceDeclaration, "of" | "module" | "access" | "words" | "shape">): void {
    this.declarations.push({ of: "", module: "", access: "", words: [], shape: 0, ...one });
  }

  bring(one: Optional<SourceImport, "module" | "access" | "words">): void {
    this.imports.push({ module: "", access: "", words: [], ...one });
  }

  use(one: Optional<SourceUse, "kind" | "module" | "of" | "members">): void {
    this.uses.push({ kind: "name", module: "", of: "", members: [], ...one });
  }

  brings(name: string): boolean {
    return this.imports.some((one) => one.name === name);
  }

  /** The package that a name is imported from, by itself; undefined when it is not. */
  packageOf(name: string): string | undefined {
    return this.imports
      .find((one) => one.name === name)
      ?.path.slice(0, -1)
      .join(".");
  }

  finished(): SourceSummary {
    return {
      version: sourceSummaryVersion,
      package: this.package,
      ...(this.doubtful ? { doubtful: 1 as const } : {}),
      imports: this.imports,
      declarations: this.declarations,
      uses: this.uses,
    };
  }
}

/** A value whose type can be told by reading: the name it comes from, and the members reached from there. */
export interface Known {
  readonly path: readonly string[];
  readonly members: readonly string[];
  /** Rust: what makes a reference of it, `&` or `&mut `, once for each. */
  readonly behind?: string;
  /** Go: what it leads to itself, which may be a function that is not called. */
  readonly isItself?: true;
}

export class Locals {
  private readonly names = new Map<string, Known | undefined>();
  private readonly types = new Map<string, string>();

  /** Bound twice with different types: the name stays local, and its type is unknown. */
  bind(name: string, known?: Known, type = ""): void {
    if (!this.names.has(name)) {
      this.names.set(name, known);
      this.types.set(name, type);
      return;
    }
    if (JSON.stringify(this.names.get(name)) !== JSON.stringify(known)) this.names.set(name, undefined);
    if (this.types.get(name) !== type) this.types.set(name, "");
  }

  /** Its type as written; "" when it is not. */
  typeOf(name: string): string {
    return this.types.get(name) ?? "";
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  get(name: string): Known | undefined {
    return this.names.get(name);
  }
}

/** A type as written, the same however it is spaced. */
export function typeText(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([^\w ]) ?/g, "$1")
    .trim();
}

/** Of the text, white space aside: the same for code that was only moved or indented anew. */
export function shapeOf(text: string): number {
  return Number(Bun.hash.crc32(text.replaceAll(/\s+/g, " ").trim()));
}
