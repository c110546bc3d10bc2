// Follows the compiler's errors after a declaration has changed, until none is left or nothing more can be done. Knows of lines and
// names only, so whatever it gets wrong does not compile, and is set aside.

import type { Files } from "../judge-trees.ts";
import type { CompilerError, RealJudge } from "./judge-real.ts";
import type { Piece } from "./piece.ts";
import type { RealLanguage } from "./read-pieces.ts";

const mostRounds = 6;

type Repair = (lines: string[], error: CompilerError, files: Record<string, string>) => boolean;

/** undefined when an error is left that the repair cannot do anything about. */
async function repaired(judge: RealJudge, first: Files, repair: Repair): Promise<Files | undefined> {
  let files: Record<string, string> = { ...first };
  for (let round = 0; round < mostRounds; round += 1) {
    const errors = await judge.errors(files);
    if (errors.length === 0) return files;
    if (errors.length > 400) return undefined;
    const next = { ...files };
    let isBetter = false;
    for (const error of once(errors)) {
      const lines = (next[error.path] ?? "").split("\n");
      if (!repair(lines, error, next)) continue;
      isBetter = true;
      next[error.path] = lines.join("\n");
    }
    if (!isBetter) return undefined;
    files = next;
  }
  return undefined;
}

function once(errors: readonly CompilerError[]): CompilerError[] {
  const seen = new Set<string>();
  // From below, so that lines that are put in move nothing that is still to be repaired.
  return [...errors]
    .sort((a, b) => b.line - a.line)
    .filter(({ path, line }) => !seen.has(`${path}:${line}`) && seen.add(`${path}:${line}`));
}

export async function repairRename(
  judge: RealJudge,
  first: Files,
  from: string,
  to: string,
): Promise<Files | undefined> {
  const word = new RegExp(`(?<![\\w$])${from}(?![\\w$])`, "g");
  return await repaired(judge, first, (lines, { line }) => {
    // A chain may be broken over lines: the compiler points at its beginning.
    for (let at = line - 1; at < line + 3; at += 1) {
      const text = lines[at];
      if (text === undefined || !word.test(text)) continue;
      word.lastIndex = 0;
      lines[at] = text.replaceAll(word, to);
      return true;
    }
    return false;
  });
}

export async function repairGrown(
  language: RealLanguage,
  judge: RealJudge,
  first: Files,
  pieces: readonly Piece[],
  _name: string,
): Promise<Files | undefined> {
  const given = new Set<string>();
  return await repaired(judge, first, (lines, { line, message }, files) => {
    if (language === "go") {
      const type = /([\w]+)(?:\[[^\]]*\])? does not implement .*missing method GrownSince/.exec(message)?.[1];
      const home = pieces.find((one) => one.kind === "type" && one.name === type);
      if (type === undefined || home === undefined || given.has(type)) return type !== undefined && given.has(type);
      given.add(type);
      const more = `\n\nfunc (x *${type}) GrownSince() {}\n`;
      // The file of the error is written back by the caller, so it is changed by its lines.
      if ((files[home.path] ?? "") === lines.join("\n")) lines.push(...more.split("\n"));
      else files[home.path] = (files[home.path] ?? "") + more;
      return true;
    }
    const put = language === "java" ? " public void grownSince() {}" : " fn grown_since(&self) {}";
    if (!/grown_?since/i.test(message)) return false;
    return afterBrace(lines, line, put);
  });
}

export async function repairNewField(judge: RealJudge, first: Files, field: string): Promise<Files | undefined> {
  return await repaired(judge, first, (lines, { line, message }) => {
    if (/E0063/.test(message)) return afterBrace(lines, line, ` ${field}: 0,`);
    return /E0027/.test(message) ? afterBrace(lines, line, ` ${field}: _,`) : false;
  });
}

export async function repairNewArgument(judge: RealJudge, first: Files, type: string): Promise<Files | undefined> {
  const call = new RegExp(`(new\\s+(?:[\\w.]+\\.)?${type}(?:<[^>]*>)?|\\bsuper|\\bthis)\\((?!0)(\\s*\\))?`);
  return await repaired(judge, first, (lines, { line }) => {
    const text = lines[line - 1] ?? "";
    if (!call.test(text)) return false;
    lines[line - 1] = text.replace(
      call,
      (_, made: string, end: string | undefined) => `${made}(0${end === undefined ? ", " : ")"}`,
    );
    return true;
  });
}

function afterBrace(lines: string[], line: number, put: string): boolean {
  for (let at = line - 1; at < line + 6; at += 1) {
    const text = lines[at];
    if (text === undefined) return false;
    const brace = text.indexOf("{");
    if (brace === -1) continue;
    lines[at] = text.slice(0, brace + 1) + put + text.slice(brace + 1);
    return true;
  }
  return false;
}
