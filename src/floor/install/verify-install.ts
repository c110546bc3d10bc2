// Checks that what `constel install` put into a person's files is still there and still leads to a program.

import { accessSync, constants } from "node:fs";
import { messageOf } from "../../protocol/errors.ts";
import { hashOf, type InstallRecord } from "./install-records.ts";
import { blockIn, markdownMarks, tomlMarks } from "./marked-block.ts";
import { otherHome, type OwnHome } from "./other-home.ts";
import { plainJson } from "./plain-json.ts";
import { readSettingsFile } from "./settings-file.ts";

/** The programs in whose files a hook of ours stands, by what the files say now. */
export function hookedRuntimes(records: readonly InstallRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap(({ path, runtime }) => (hasHook(runtime, textOf(path)) ? [runtime] : [])));
}

/** Says what is wrong with a file that constel added to. Undefined when nothing is. */
export function installProblem(
  { path, runtime, afterHash, comments, mark }: InstallRecord,
  own: OwnHome,
): string | undefined {
  let text: string;
  try {
    const file = readSettingsFile(path);
    if (file.bytes === undefined) return `${path} is gone`;
    text = file.text;
    if (hashOf(file.bytes) !== afterHash && !hasOurs(runtime, text))
      return `${path} no longer holds what constel added`;
  } catch (cause) {
    return messageOf(cause);
  }
  if (path.endsWith(".json") && !isRead(mark === false ? text : text.replace("\uFEFF", ""), comments === true))
    return `${path} is not what ${runtime} reads (a comment, a trailing comma, a byte order mark or other errors): it skips the whole file`;
  const other = otherHome(text, runtime, own);
  if (other !== undefined) return `${path} leads to another home of constel: ${other}`;
  const program = /\[ -x ((?:[^\s'\\]|\\.)+|'[^']*') \]/.exec(text)?.[1]?.replaceAll("'", "");
  return program === undefined || isProgram(program) ? undefined : `${path} names ${program}, which is not there`;
}

function isRead(text: string, comments: boolean): boolean {
  try {
    JSON.parse(comments ? plainJson(text, false).text : text);
    return true;
  } catch {
    return false;
  }
}

function hasOurs(runtime: string, text: string): boolean {
  if (hasHook(runtime, text)) return true;
  return [markdownMarks, tomlMarks].some((marks) => blockIn(text, marks) !== undefined);
}

const hasHook = (runtime: string, text: string): boolean => text.includes(` hook ${runtime} --guest`);

function textOf(path: string): string {
  try {
    return readSettingsFile(path).text;
  } catch {
    return ""; // said by installProblem
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
