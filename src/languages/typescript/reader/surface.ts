// What of a file others can see: its text without comments, and without the bodies of functions that say what they give. While
// that stays the same, no other file can be broken by the change.

import { parseSync, type ParseResult } from "oxc-parser";
import { isScript } from "../files.ts";
import { nestsTooDeeply } from "./nesting.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Equal for two texts of one file that look the same from outside; the text itself where that is not known. */
export function surfaceOf(path: string, text: string): string {
  if (!isScript(path) || nestsTooDeeply(text)) return text;
  const result = parseSync(path, text, { astType: "ts", preserveParens: false });
  if (result.errors.some((one) => String(one.severity) === "Error")) return text;
  // In JavaScript a body says what a thing is.
  const hidden = [...result.comments, ...(/\.[cm]?tsx?$/.test(path) ? bodiesIn(result) : [])];
  let seen = "";
  let at = 0;
  for (const { start, end } of hidden.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    seen += text.slice(at, start);
    at = end;
  }
  return (seen + text.slice(at)).replaceAll(/\s+/g, " ").trim();
}

/** A part of the tree, of whatever kind. */
type Part = Readonly<Record<string, unknown>> & { readonly type?: string };

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
