// Holds what the walk over one file writes down: uses with their scopes, star imports, stores, and `__all__`.

import { expectsMissingAttribute, expectsTypeError, throughLocal, type PythonUse } from "../facts.ts";
import { isWrittenOut, listedRef, rootName } from "../ref.ts";
import type { Scope } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

export class FileRecord {
  readonly uses: PythonUse[] = [];
  readonly scopes: string[] = [];
  readonly stars: string[] = [];
  readonly stores = new Set<string>();
  all: string[] | null | undefined;
  dynamic = false;
  /** Names that are written by key: `globals()["name"] = …`, with the line. */
  readonly byKey = new Map<string, number>();
  /** The code that writes names by computed keys. */
  readonly computed: string[] = [];
  /** The names that the module's `__getattr__` answers for, where they are written out. */
  answers: readonly string[] | undefined;

  private readonly syntax: Syntax;
  private readonly scopeIndex = new Map<string, number>();
  private readonly seen = new Set<string>();
  private expects = 0;
  private asked: ReadonlySet<string> = new Set();

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  expecting(bits: number, inside: () => void): void {
    const before = this.expects;
    this.expects |= bits;
    inside();
    this.expects = before;
  }

  /** Around these names of the module somebody asks what they are, or whether they are anything. */
  asking(names: readonly string[], inside: () => void): void {
    const before = this.asked;
    if (names.length > 0) this.asked = new Set([...before, ...names]);
    inside();
    this.asked = before;
  }

  /** One entry for each use in each scope; repetitions say nothing new. */
  emit(ref: string, node: number, scope: Scope): void {
    if (ref === "" || isWrittenOut(ref)) return;
    let index = this.scopeIndex.get(scope.name);
    if (index === undefined) {
      index = this.scopes.push(scope.name) - 1;
      this.scopeIndex.set(scope.name, index);
    }
    const isAsked = this.asked.size > 0 && this.asked.has(rootName(ref) ?? "");
    const expects = isAsked ? this.expects | expectsMissingAttribute | expectsTypeError : this.expects;
    const key = `${index} ${expects & ~throughLocal} ${ref}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.uses.push({ line: this.syntax.line(node), scope: index, expects, ref });
  }

  /** Names that `__all__` is given, or null for good once they cannot be read. */
  exports(list: number, scope: Scope, more: boolean): void {
    const { syntax } = this;
    const names: string[] = [];
    const kind = syntax.kind(list);
    const items = kind === "list" || kind === "tuple" || kind === "argument_list" ? syntax.children(list) : [0];
    for (const item of items) {
      const text = item === 0 || syntax.kind(item) !== "string" ? "" : syntax.text(item);
      const name = /^["']([^"'\\{}]+)["']$/.exec(text)?.[1];
      if (name === undefined) {
        this.all = null;
        return;
      }
      names.push(name);
      this.emit(listedRef(name), item, scope);
    }
    if (this.all === null) return;
    this.all = more ? [...(this.all ?? []), ...names] : this.all === undefined ? names : null;
  }
}
