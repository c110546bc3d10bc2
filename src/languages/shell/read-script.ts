// Walks the syntax of a shell command and lists what it would run. Kinds of syntax are named here one by one; a kind that is not
// here is unclear, so that a newer grammar cannot slip anything past. Below an unclear part the walk goes on: a command in
// it may be forbidden, and forbidding comes before asking.

import type { ShellCommand, ShellRedirect, ShellScript, ShellStep, ShellWord } from "../../protocol/shell-script.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { type HereDocument, literalDocuments } from "./here-documents.ts";
import { mayExpand, readWord, textBeside, wordKinds } from "./read-word.ts";
import { type PlacedStep, stepsOf } from "./steps.ts";

export function readScript(syntax: Syntax): ShellScript {
  const reader = new Reader(syntax);
  reader.visit(1);
  const { commands, redirects, unclear, repeats } = reader;
  return { commands, redirects, unclear, repeats, steps: filled(stepsOf(syntax), reader) };
}

/** Each command and redirection is in the step that begins last before it; they come in the order of the steps. */
function filled(steps: readonly PlacedStep[] | undefined, reader: Reader): readonly ShellStep[] | undefined {
  return steps?.map(({ start, ...step }, at) => {
    const end = steps[at + 1]?.start ?? Infinity;
    const within = (places: readonly number[]): number =>
      places.filter((place) => place >= start && place < end).length;
    return { ...step, commands: within(reader.commandsAt), redirects: within(reader.redirectsAt) };
  });
}

/** They only hold other parts; in which order those run, and whether, makes no difference to whether they may. */
const containers = new Set([
  "program",
  "list",
  "pipeline",
  "subshell",
  "compound_statement",
  "if_statement",
  "elif_clause",
  "else_clause",
  "while_statement",
  "for_statement",
  "do_group",
  "case_statement",
  "case_item",
  "negated_command",
  "redirected_statement",
  "command_substitution",
  "process_substitution",
  "test_command",
  "unary_expression",
  "binary_expression",
]);
const loops = new Set(["while_statement", "for_statement", "c_style_for_statement", "function_definition"]);
const substitutions = new Set(["command_substitution", "process_substitution"]);
const harmless = new Set(["test_operator", "string_content", "heredoc_content", "heredoc_start", "heredoc_end"]);

const reasons: Readonly<Record<string, string>> = {
  function_definition: "it defines a function, which may stand in for any command",
  declaration_command: "it sets a variable",
  variable_assignment: "it sets a variable",
  variable_assignments: "it sets variables",
  unset_command: "it removes a variable",
  variable_name: "it uses a variable, whose value is not known",
  special_variable_name: "it uses a variable, whose value is not known",
  simple_expansion: "it uses a variable, whose value is not known",
  expansion: "it uses a variable, whose value is not known",
  arithmetic_expansion: "it reckons, which can run commands",
};

class Reader {
  readonly commands: ShellCommand[] = [];
  readonly redirects: ShellRedirect[] = [];
  readonly unclear: { source: string; why: string }[] = [];
  /** Where in the text each of them begins. */
  readonly commandsAt: number[] = [];
  readonly redirectsAt: number[] = [];
  repeats = false;
  /** Where commands end whose last word `-` the grammar lost. */
  readonly #lost = new Set<number>();
  #documents: readonly HereDocument[] | undefined;
  #counted: number | undefined;
  readonly #syntax: Syntax;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  visit(node: number): void {
    const kind = this.#syntax.kind(node);
    if (loops.has(kind)) this.repeats = true;
    if (kind === "command") this.#command(node);
    else if (kind === "file_redirect") this.#redirect(node);
    else if (kind === "herestring_redirect") this.#below(node);
    else if (kind === "heredoc_redirect") this.#heredoc(node);
    else if (kind === "test_command") this.#test(node);
    else if (wordKinds.has(kind)) this.#word(node);
    else if (containers.has(kind)) {
      if (kind === "redirected_statement") this.#findLost(node);
      this.#below(node);
    } else if (!harmless.has(kind)) {
      this.#note(node, reasons[kind] ?? `it has a part that is not judged (${kind})`);
      this.#below(node);
    }
  }

  #below(node: number): void {
    for (const child of this.#children(node)) this.visit(child);
  }

  /**
   * The grammar loses an argument `-` before a redirection, as in `git commit -F - <<'EOF'`: it stands beside the command there, as no
   * part of anything. It is the last word of the command that ends before it.
   */
  #findLost(node: number): void {
    const children = this.#syntax.children(node);
    const gaps = children.slice(1).map((child, at) => this.#syntax.textBetween(children[at] ?? 0, child));
    const [first = "", ...more] = gaps;
    const body = children[0] ?? 0;
    if (more.some((gap) => gap.trim() !== "")) this.#note(node, "it has an argument that is not judged");
    else if (/^ +- *$/.test(first) && this.#endsInCommand(body)) this.#lost.add(this.#syntax.end(body));
    else if (first.trim() !== "") this.#note(node, "it has an argument that is not judged");
  }

  /** Whether the last thing in a node is a simple command: `a && b` ends in one, `(a)` does not. */
  #endsInCommand(node: number): boolean {
    const kind = this.#syntax.kind(node);
    if (kind === "command") return true;
    const last = this.#syntax.children(node).at(-1);
    return (kind === "list" || kind === "pipeline") && last !== undefined && this.#endsInCommand(last);
  }

  /** Comments are checked and left out. */
  #children(node: number): number[] {
    const all: number[] = [];
    for (let child = this.#syntax.first(node); child !== 0; child = this.#syntax.next(child)) {
      if (this.#syntax.kind(child) !== "comment") all.push(child);
    }
    return all;
  }

  #command(node: number): void {
    const words: ShellWord[] = [];
    const assigns: string[] = [];
    for (const child of this.#children(node)) {
      const kind = this.#syntax.kind(child);
      if (kind === "command_name") {
        for (const name of this.#children(child)) words.push(this.#word(name));
      } else if (kind === "variable_assignment") {
        assigns.push(this.#syntax.text(child));
        this.#below(child);
      } else if (wordKinds.has(kind)) words.push(this.#word(child));
      else this.visit(child);
    }
    if (this.#lost.has(this.#syntax.end(node)))
      words.push({ source: "-", text: "-", start: "-", splits: false, glob: false });
    this.commands.push({ source: this.#syntax.text(node), words, assigns });
    this.commandsAt.push(this.#syntax.start(node));
  }

  #redirect(node: number): void {
    const parts = this.#children(node).filter((child) => this.#syntax.kind(child) !== "file_descriptor");
    const source = this.#syntax.text(node);
    const operator = /^\d*\s*([<>&|]+-?)/.exec(source)?.[1];
    const [target] = parts;
    if (operator === undefined || target === undefined || parts.length > 1) {
      // `>&-` closes a descriptor and has no target.
      if (!/^\d*[<>]&-$/.test(source)) this.#note(node, "it redirects in a way that is not judged");
      for (const part of parts) this.visit(part);
      return;
    }
    this.redirects.push({ source, operator, target: this.#word(target) });
    this.redirectsAt.push(this.#syntax.start(node));
  }

  /** Where the text of a here-document ends decides what is text and what is run, so it is worked out a second time. */
  #heredoc(node: number): void {
    const children = this.#children(node);
    const one = (kind: string): string | undefined => {
      const found = children.filter((child) => this.#syntax.kind(child) === kind);
      return found.length === 1 ? this.#syntax.text(found[0] ?? 0) : undefined;
    };
    const mark = one("heredoc_start")?.replace(/^(['"]?)([A-Za-z_]\w*)\1$/, "$2");
    const indented = this.#syntax.text(node).startsWith("<<-");
    const lines = this.#syntax.source.split("\n").map((line) => (indented ? line.replace(/^\t+/, "") : line));
    const isPlain =
      mark !== undefined &&
      /^\w+$/.test(mark) &&
      one("heredoc_end")?.trim() === mark &&
      this.#syntax.source.split("<<").length === 2 &&
      lines.filter((line) => line === mark).length === 1;
    if (!isPlain && !this.#isLiteral(children)) this.#note(node, "its here-document may not end where it seems to");
    for (const child of children) {
      const kind = this.#syntax.kind(child);
      if (kind === "heredoc_body") {
        const seen = this.#children(child).filter((part) => this.#syntax.kind(part) !== "heredoc_content");
        if (!/['"]/.test(one("heredoc_start") ?? "") && mayExpand(textBeside(this.#syntax, child, seen)))
          this.#note(child, "its here-document may hold an expansion");
        this.#below(child);
      } else if (wordKinds.has(kind)) {
        this.#note(child, "it has an argument after a here-document");
        this.visit(child);
      } else this.visit(child);
    }
  }

  /** Whether the grammar and the lines agree where a document with a quoted mark begins and ends, and where all others do. */
  #isLiteral(children: readonly number[]): boolean {
    const found = (this.#documents ??= literalDocuments(this.#syntax.source) ?? []);
    const one = (kind: string): number => children.find((child) => this.#syntax.kind(child) === kind) ?? 0;
    const [start, end] = [this.#syntax.start(one("heredoc_start")), this.#syntax.end(one("heredoc_end"))];
    return found.length === this.#heredocs() && found.some((each) => each.start === start && each.end === end);
  }

  #heredocs(): number {
    const count = (node: number): number =>
      this.#children(node).reduce((sum, child) => sum + count(child), 0) +
      (this.#syntax.kind(node) === "heredoc_redirect" ? 1 : 0);
    return (this.#counted ??= count(1));
  }

  /** Shells reckon with the operands of some tests, also with quoted ones, and reckoning runs what is in `a[$(…)]`. */
  #test(node: number): void {
    const text = this.#syntax.text(node).replaceAll(/['"]/g, "");
    const left = text.replaceAll(/(?<=\s)-?\d+\s+-(?:eq|ne|lt|le|gt|ge)\s+-?\d+(?=\s)|-t\s+\d+(?=\s)/g, "");
    if (/(?:^|[\s!(])-(?:eq|ne|lt|le|gt|ge|v|R|t)(?=\s)/.test(left))
      this.#note(node, "it reckons, which can run commands");
    this.#below(node);
  }

  #word(node: number): ShellWord {
    const { word, inner, why } = readWord(this.#syntax, node);
    if (why !== undefined) this.#note(node, why);
    for (const part of inner) {
      // A substitution is a word and holds commands; as a word it has been read.
      if (substitutions.has(this.#syntax.kind(part))) this.#below(part);
      else this.visit(part);
    }
    return word;
  }

  #note(node: number, why: string): void {
    this.unclear.push({ source: this.#syntax.text(node), why });
  }
}
