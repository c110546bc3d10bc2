// Finds what others can see of a file: its text without comments, and without the bodies of functions that declare what they return. While
// that stays the same, no other file can be broken by the change.

import { parseSync, type ParseResult } from "oxc-parser";
import { isScript } from "../files.ts";
import { nestsTooDeeply } from "./nesting.ts";

export interface Statement {
  /** As others see it. */
  readonly surface: string;
  readonly part: Part;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Equal for two texts of one file that look the same from outside; the text itself where that is not known. */
export function surfaceOf(path: string, text: string): string {
  const read = readFile(path, text);
  return read === undefined ? text : seenIn(text, { start: 0, end: text.length }, read.hidden);
}

/** The statements of a file, each as others see it; undefined where that is not known. */
export function statementsOf(path: string, text: string): Statement[] | undefined {
  const read = readFile(path, text);
  return read?.body.map((part) => ({ part, surface: seenIn(text, part as unknown as Span, read.hidden) }));
}

function readFile(path: string, text: string): { body: readonly Part[]; hidden: readonly Span[] } | undefined {
  if (!isScript(path) || nestsTooDeeply(text)) return undefined;
  const result = parseSync(path, text, { astType: "ts", preserveParens: false });
  if (result.errors.some((one) => String(one.severity) === "Error")) return undefined;
  // In JavaScript a body says what a thing is.
  const hidden = [...result.comments, ...(/\.[cm]?tsx?$/.test(path) ? bodiesIn(result) : [])];
  return {
    body: result.program.body as unknown as readonly Part[],
    hidden: hidden.sort((a, b) => a.start - b.start),
  };
}

function seenIn(text: string, whole: Span, hidden: readonly Span[]): string {
  let seen = "";
  let at = whole.start;
  for (const { start, end } of hidden) {
    if (start < at || end > whole.end) continue;
    seen += text.slice(at, start);
    at = end;
  }
  return (seen + text.slice(at, whole.end)).replaceAll(/\s+/g, " ").trim();
}

/** A part of the tree, of whatever kind. */
export type Part = Readonly<Record<string, unknown>> & { readonly type?: string };

function bodiesIn({ program }: ParseResult): Span[] {
  return (program.body as unknown as readonly Part[]).flatMap((statement) => {
    const part = (statement["declaration"] as Part | null | undefined) ?? statement;
    if (part.type === "FunctionDeclaration") return bodyOf(part);
    if (part.type === "ClassDeclaration") return methodsOf(part);
    if (part.type !== "VariableDeclaration") return [];
    return (part["declarations"] as readonly Part[]).flatMap((one) => {
      const made = one["init"] as Part | null;
      const isFunction = made?.type === "ArrowFunctionExpression" || made?.type === "FunctionExpression";
      const isTyped = (one["id"] as Part | undefined)?.["typeAnnotation"] != null;
      return made !== null && isFunction ? bodyOf(made, isTyped) : [];
    });
  });
}

function methodsOf(part: Part): Span[] {
  const members = (part["body"] as Part | undefined)?.["body"] as readonly Part[] | undefined;
  return (members ?? []).flatMap((member) => {
    if (member.type !== "MethodDefinition") return [];
    const isSilent = member["kind"] === "constructor" || member["kind"] === "set";
    return bodyOf(member["value"] as Part, isSilent);
  });
}

function bodyOf(made: Part, isTyped = false): Span[] {
  const body = made["body"] as (Part & Span) | null | undefined;
  return body != null && (isTyped || made["returnType"] != null) ? [{ start: body.start, end: body.end }] : [];
}
