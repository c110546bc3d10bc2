// Reads what a source file says about interfaces, in whichever language it is written. Nothing for languages whose frameworks are not read.
// Imports are looked for in the text alone: many files do nothing else.

import { inBudget, textSubject } from "../ports/budget.ts";
import { type CodeImport, type CodeInterfaces, noInterfaces } from "../ports/code-interfaces.ts";
import { languages } from "./all.ts";
import type { Language } from "./language.ts";

const isMade = /(^|\/)(node_modules|vendor|dist|build|\.venv|venv|site-packages|coverage)\/|\.min\.js$|\.d\.[cm]?ts$/;
const mostImports = 500;

/** True when a file is read for interfaces, by its path alone. */
export const tellsInterfaces = (path: string): boolean => readerOf(path) !== undefined;

/** Throws `OverBudget` for a text that ran over before: an application of which a file is missing would seem to serve less. */
export async function readInterfaces(path: string, text: string): Promise<CodeInterfaces> {
  const reader = readerOf(path);
  if (reader === undefined) return noInterfaces;
  const read = await inBudget(textSubject(path, text), () => reader(path, text));
  return read.imports.length > 0 ? read : { ...read, imports: importsIn(text) };
}

function readerOf(path: string): Language["interfaces"] {
  if (isMade.test(path)) return undefined;
  return languages.find(({ interfaces, sources }) => interfaces !== undefined && sources.test(path))?.interfaces;
}

function importsIn(text: string): CodeImport[] {
  const found: CodeImport[] = [];
  const pattern =
    /^[^\S\n]*(?:import\b[^"'\n]*["']([^"'\n]+)["']|(?:\}\s*)?from\s+["']([^"'\n]+)["']|from\s+([\w.]+)\s+import\b|import\s+([\w.]+))/;
  for (const [index, line] of text.split("\n").entries()) {
    if (found.length >= mostImports) break;
    if (line.length > 400) continue;
    const match = pattern.exec(line);
    const module = match?.slice(1).find((one) => one !== undefined);
    if (module !== undefined) found.push({ module, line: index + 1 });
  }
  return found;
}
