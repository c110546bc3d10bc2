// Reads shell commands and lists what they would run. It is stricter than a shell: control characters, odd white space and every kind of syntax
// that shells disagree about make a command unreadable or unclear, because what is misread here would be approved unseen. Below an unclear part the
// walk goes on: a command in it may be forbidden, and forbidding comes before asking. A test compares all of it with what a real bash runs.

import {
  type AndOr,
  type Assignment,
  type Command,
  type HereDoc,
  parse,
  type ParsedScript,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
  forEachChild,
} from "unbash";
import type {
  ParseShell,
  ShellCommand,
  ShellRedirect,
  ShellScript,
  ShellStep,
  ShellWord,
} from "../../protocol/shell-script.ts";
import { literalDocuments } from "./here-documents.ts";
import { mayExpand, readWord } from "./read-word.ts";

/** Nobody writes longer ones. */
const maxLength = 20_000;

/** Shells disagree about these, or a reader cannot see them. Newlines and tabs are white space to all. */
const oddCharacters = /[^\P{C}\n\t]|[\p{Z}--[ ]]|[\u00AD\u115F\u1160\u3164\uFFA0]/v;

export const readShell: ParseShell = (source) => {
  if (source.length > maxLength) return { unreadable: "it is too long to be judged" };
  if (!source.isWellFormed() || oddCharacters.test(source))
    return { unreadable: "it has control characters, or white space that is not a plain blank" };
  const script = parse(source);
  const reader = new Reader(source);
  const steps = reader.script(script);
  reader.countDocuments();
  if (reader.error !== undefined) return { unreadable: `it cannot be read as a shell command: ${reader.error}` };
  const { commands, redirects, unclear, repeats } = reader;
  return { commands, redirects, unclear, repeats, steps } satisfies ShellScript;
};

const reasons: Readonly<Record<string, string>> = {
  Function: "it defines a function, which may stand in for any command",
  Coproc: "it runs a command in the background",
  Select: "it asks for a choice",
  ArithmeticFor: "it reckons, which can run commands",
  ArithmeticCommand: "it reckons, which can run commands",
};

class Reader {
  readonly commands: ShellCommand[] = [];
  readonly redirects: ShellRedirect[] = [];
  readonly unclear: { source: string; why: string }[] = [];
  repeats = false;
  /** The first thing that is no shell at all. */
  error: string | undefined;
  /** Of the script that is read now: what stands in old backticks has a text of its own. */
  #source: string;
  readonly #whole: string;
  #documents = 0;
  #ends: ReadonlySet<string> | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#whole = source;
  }

  /** The steps of a plain sequence: statements one after another in one shell, and nothing with `||` or `&`. */
  script(script: ParsedScript): ShellStep[] | undefined {
    this.error ??= script.errors?.[0]?.message;
    if (script.shebang !== undefined) this.#note(script.shebang, "it begins with a line that is read in two ways");
    const before = this.#source;
    this.#source = script.source ?? before;
    const steps: ShellStep[] = [];
    let isPlain = true;
    for (const { command, background } of script.commands) {
      const parts = command.type === "AndOr" ? command.commands : [command];
      if (background === true || (command.type === "AndOr" && command.operators.includes("||"))) isPlain = false;
      for (const [at, part] of parts.entries()) {
        const [commands, redirects] = [this.commands.length, this.redirects.length];
        this.visit(part);
        steps.push({
          commands: this.commands.length - commands,
          redirects: this.redirects.length - redirects,
          isPlain: part.type === "Command" && part.prefix.length === 0 && part.redirects.length === 0,
          by: at < parts.length - 1 ? "&&" : ";",
        });
      }
    }
    this.#source = before;
    return isPlain && steps.length > 0 ? steps : undefined;
  }

  visit(node: PipelineNode | AndOr): void {
    switch (node.type) {
      case "Command":
        this.#command(node);
        return;
      case "TestCommand":
        this.#test(this.#text(node));
        break;
      case "While":
      case "For":
        this.repeats = true;
        break;
      case "ArithmeticFor":
      case "Function":
      case "Select":
        this.repeats = true;
        this.#note(this.#text(node), reasons[node.type] ?? "");
        break;
      case "Coproc":
      case "ArithmeticCommand":
        this.#note(this.#text(node), reasons[node.type] ?? "");
        break;
    }
    this.#below(node);
  }

  /** Everything in a node, in order; in which order it runs, and whether, makes no difference to whether it may. */
  #below(node: SyntaxNode): void {
    forEachChild(node, (child) => {
      this.#part(child);
    });
  }

  #part(node: SyntaxNode): void {
    switch (node.type) {
      case "Statement":
        this.visit((node satisfies Statement).command);
        return;
      case "Word":
        this.#word(node);
        return;
      case "Redirect":
      case "HereString":
      case "HereDoc":
        this.#redirect(node);
        return;
      case "Assignment":
        this.#assignment(node);
        return;
      case "Script":
        this.script(node);
        return;
      case "Command":
      case "TestCommand":
      case "While":
      case "For":
      case "ArithmeticFor":
      case "Function":
      case "Select":
      case "Coproc":
      case "ArithmeticCommand":
        this.visit(node);
        return;
      default:
        this.#below(node);
    }
  }

  #command({ name, prefix, suffix }: Command): void {
    const assigned = prefix.filter((one) => one.type === "Assignment");
    const args = suffix.filter((one) => one.type === "Word" || one.type === "Assignment");
    // What is substituted runs first.
    for (const one of assigned) this.#assignment(one);
    const words = [...(name === undefined ? [] : [name]), ...args].map((one) =>
      one.type === "Word" ? this.#word(one) : this.#declared(one),
    );
    for (const one of [...prefix, ...suffix]) if (isRedirection(one)) this.#redirect(one);
    const parts = [...assigned, ...(name === undefined ? [] : [name]), ...args];
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return;
    const source = this.#source.slice(first.pos, last.end);
    if (words.length === 0) this.#note(source, "it sets a variable");
    // A test runs nothing, unless it reckons.
    if (words[0]?.source === "[" && words.at(-1)?.source === "]" && assigned.length === 0) return this.#test(source);
    this.commands.push({ source, words, assigns: assigned.map(({ text }) => text) });
  }

  /** `export X=y`: a word to whoever judges the command. */
  #declared(assignment: Assignment): ShellWord {
    this.#assignment(assignment);
    this.#note(assignment.text, "it sets a variable");
    const { text } = assignment;
    return { source: text, start: /^[\w./=-]*/.exec(text)?.[0] ?? "", splits: false, glob: false };
  }

  #assignment({ value, index }: Assignment): void {
    const inner = value.type === "Word" ? [value] : value.elements;
    for (const word of [...(index === undefined ? [] : [index]), ...inner]) this.#word(word);
  }

  #redirect(redirection: Redirection): void {
    if (redirection.type === "HereDoc") return this.#document(redirection);
    const { target, descriptor } = redirection;
    const source = this.#text(redirection);
    if (descriptor?.type === "FileDescriptorVariable" || target === undefined)
      this.#note(source, "it redirects in a way that is not judged");
    if (target === undefined) return;
    const word = this.#word(target);
    if (redirection.type === "Redirect") this.redirects.push({ source, operator: redirection.operator, target: word });
  }

  /** Where the text of a here-document ends decides what is text and what is run, so it is worked out a second time. */
  #document({ delimiter, body, closing, operator }: HereDoc): void {
    this.#documents += 1;
    const isNamed = delimiter !== undefined && /^[A-Za-z_]\w*$/.test(delimiter.value) && closing !== undefined;
    const lines = this.#whole.split("\n").map((line) => (operator === "<<-" ? line.replace(/^\t+/, "") : line));
    const isAlone =
      isNamed &&
      this.#whole.split("<<").length === 2 &&
      lines.filter((line) => line === delimiter.value).length === 1 &&
      /^(['"]?)[A-Za-z_]\w*\1$/.test(delimiter.text);
    this.#ends ??= new Set(literalDocuments(this.#whole)?.map(({ start, end }) => `${start} ${end}`));
    const isLiteral = isNamed && delimiter.quoted && this.#ends.has(`${delimiter.pos} ${closing.end}`);
    if (!isAlone && !isLiteral) this.#note(body.text, "its here-document may not end where it seems to");
    if (delimiter?.quoted !== true) {
      if (/\\\n/.test(body.text)) this.#note(body.text, "it has a backslash that joins two lines");
      const literal = (body.parts ?? []).filter(({ type }) => type === "Literal").map(({ text }) => text);
      if (mayExpand(body.parts === undefined ? body.text : literal.join(" ")))
        this.#note(body.text, "its here-document may hold an expansion");
      if (body.parts?.some(({ type }) => /Simple|Parameter/.test(type)) === true)
        this.#note(body.text, "it uses a variable, whose value is not known");
      if (body.parts?.some(({ type }) => type === "ArithmeticExpansion") === true)
        this.#note(body.text, "it reckons, which can run commands");
      this.#below(body);
    }
  }

  /** The lines have as many here-documents as were read, or one of them was taken for something else. */
  countDocuments(): void {
    if (this.#ends !== undefined && this.#ends.size > 0 && this.#ends.size !== this.#documents)
      this.#note(this.#whole, "its here-document may not end where it seems to");
  }

  /** Shells reckon with the operands of some tests, also with quoted ones, and reckoning runs what is in `a[$(…)]`. */
  #test(text: string): void {
    const bare = text.replaceAll(/['"]/g, "");
    const left = bare.replaceAll(/(?<=\s)-?\d+\s+-(?:eq|ne|lt|le|gt|ge)\s+-?\d+(?=\s)|-t\s+\d+(?=\s)/g, "");
    if (/(?:^|[\s!(])-(?:eq|ne|lt|le|gt|ge|v|R|t)(?=\s)/.test(left))
      this.#note(text, "it reckons, which can run commands");
  }

  #word(node: Word): ShellWord {
    const { word, why } = readWord(node);
    if (why !== undefined) this.#note(node.text, why);
    for (const part of node.parts ?? []) this.#below(part);
    return word;
  }

  #text({ pos, end }: { readonly pos: number; readonly end: number }): string {
    return this.#source.slice(pos, end);
  }

  #note(source: string, why: string): void {
    this.unclear.push({ source, why });
  }
}

const isRedirection = (node: SyntaxNode): node is Redirection =>
  node.type === "Redirect" || node.type === "HereString" || node.type === "HereDoc";
