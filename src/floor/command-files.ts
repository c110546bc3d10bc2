// Files of ours in a person's own configuration: /up and /down, units of the machine's scheduler. Each ends with a line that says it is ours and carries a hash of
// the rest, so that a file that is somebody else's, or that a person has changed, is known and left alone.

import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import type { CommandFile } from "../ports/runtime.ts";
import { listTrusted, readTrusted, removeTrusted, writeTrusted } from "../files/trusted-files.ts";

export interface CommandFilePlan {
  readonly path: string;
  readonly invokedBy: string;
  readonly change: "write" | "remove" | "same" | "absent" | "not-ours";
  /** The text of the file once it is written. */
  readonly content: string;
  /** Lines that go and come, marked with - and +. */
  readonly diff: readonly string[];
}

/** `undoWord`: the command that takes them away, as the file itself says. */
export function planCommandFiles(
  files: readonly Pick<CommandFile, "path" | "content" | "invokedBy">[],
  undo: boolean,
  undoWord = "constel install --undo",
): readonly CommandFilePlan[] {
  return files.map(({ path, content, invokedBy }): CommandFilePlan => {
    const wanted = withMark(path, content, undoWord);
    const now = readTrusted(dirname(path), basename(path))?.toString("utf8");
    const plan = (change: CommandFilePlan["change"], diff: readonly string[] = []): CommandFilePlan => ({
      path,
      invokedBy,
      change,
      // Somebody else's file stays as it is.
      content: change === "not-ours" ? (now ?? "") : wanted,
      diff,
    });
    if (now === undefined) return undo ? plan("absent") : plan("write", difference("", wanted));
    if (!isOurs(path, now, undoWord)) return plan("not-ours");
    if (undo) return plan("remove", difference(now, ""));
    return now === wanted ? plan("same") : plan("write", difference(now, wanted));
  });
}

export function applyCommandFiles(plans: readonly CommandFilePlan[]): void {
  for (const { path, change, content } of plans) {
    if (change === "write") writeTrusted(dirname(path), basename(path), content);
    if (change === "remove") removeTrusted(dirname(path), basename(path));
  }
}

/** Removes what a process left beside one of them when it was killed while writing. */
export function removeHalfWritten(paths: readonly string[], isRunning: (pid: number) => boolean): void {
  for (const path of paths) {
    const directory = dirname(path);
    for (const name of listTrusted(directory, "")) {
      const found = /^\.(.+)\.(\d+)\.\d+\.tmp$/.exec(name);
      if (found?.[1] === basename(path) && !isRunning(Number(found[2]))) removeTrusted(directory, name);
    }
  }
}

function withMark(path: string, content: string, undoWord: string): string {
  const body = content.endsWith("\n") ? content : `${content}\n`;
  return `${body}${markFor(path, body, undoWord)}\n`;
}

function isOurs(path: string, text: string, undoWord: string): boolean {
  const lines = text.split("\n");
  const mark = lines.at(-2);
  const body = lines
    .slice(0, -2)
    .map((line) => `${line}\n`)
    .join("");
  return lines.at(-1) === "" && mark === markFor(path, body, undoWord);
}

/** A comment, in the file's own language. */
function markFor(path: string, body: string, undoWord: string): string {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const words = `Written by constel (${hash}). \`${undoWord}\` takes it away; once changed it is yours.`;
  return /\.(toml|service|timer)$/.test(path) ? `# ${words}` : `<!-- ${words} -->`;
}

/** The lines between what both begin and end with. */
function difference(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const cut = (lines: readonly string[]): readonly string[] => lines.slice(head, lines.length - tail);
  return [...cut(old).map((line) => `-${line}`), ...cut(now).map((line) => `+${line}`)];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
