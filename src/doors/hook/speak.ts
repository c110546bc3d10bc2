// Prints what lies ready for an agent at this moment, each item once: its mark is made before, and must not have been there. An edit
// that an item is about is held back the first time, because what a hook adds to a tool call reaches the model only after the
// tool has run; the model reads the item and makes the edit again, or another. What denies an edit denies it every time.

import { isAbsolute, join, normalize } from "node:path";
import { existsSync, realpathSync, writeSync } from "node:fs";
import { hasProc, makeMark } from "../../files/descend.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import type { Hear, HearItem, HearMoment } from "../../protocol/hear.ts";
import { isConstels } from "../../host/keys/seal-for-constel.ts";
import { type HearDue, isHearFor, parseHear } from "../../protocol/hear.ts";
import type { HookCall } from "./moment.ts";
import { answerFor } from "./answers.ts";
import { touchedFiles } from "../../host/runtime/hook-record.ts";

export interface Speech extends HookCall {
  readonly home: string;
  readonly agent: string;
  readonly moment: HearMoment;
  /** The content of the agent's hear file. */
  readonly hear: string;
  /** What it is told again after a compaction. */
  readonly checkpoint?: string;
}

/** A model pays for each word; what does not fit waits for the next moment. */
const longestSaid = 12_000;

const heldBack =
  "constel held this edit back once, so that you know this first; no file was changed. If the edit is still right, make it again: it will go through.";

/** The record of the hook, with what was said. */
export async function speak(speech: Speech): Promise<HookRecord> {
  const { record, moment } = speech;
  const hear = heard(speech);
  const { items, told } = await take(speech, hear.items);
  const packet = [
    ...(hear.join === undefined ? [] : [hear.join]),
    ...(speech.checkpoint === undefined ? [] : [speech.checkpoint]),
  ];
  const texts = [...packet, ...items.map(({ text }) => text)];
  if (texts.length === 0) return record;
  if (moment === "edit" && !items.some(({ denies }) => denies === true)) texts.push(heldBack);
  if (!print(answerFor(speech.runtime, moment, texts.join("\n\n")))) return record;
  // Held back, the turn goes on.
  const event = moment === "stop" ? "other" : record.event;
  return told.length === 0 ? { ...record, event } : { ...record, event, told };
}

/** Nothing of what somebody else laid there. */
function heard(speech: Speech): Pick<Hear, "items" | "join"> {
  const { moment } = speech;
  const hear = parseHear(speech.hear, { only: dueAt(moment, speech), join: moment === "start" });
  if (hear === undefined || (hear.items.length === 0 && hear.join === undefined)) return { items: [] };
  // Asked last, because it costs the most.
  return isHearFor(speech.agent, speech.hear) && isConstels(speech.home)(speech.hear.trim()) ? hear : { items: [] };
}

/** Those that are said now, and those of them that are told by it: what denies is said again each time, and told once. */
async function take(speech: Speech, due: readonly HearItem[]): Promise<{ items: HearItem[]; told: string[] }> {
  const items: HearItem[] = [];
  const told: string[] = [];
  let length = 0;
  for (const item of due) {
    if (length > 0 && length + item.text.length > longestSaid) continue;
    const isNew = await mark(speech, item.id);
    if (isNew) told.push(item.id);
    else if (item.denies !== true || speech.moment !== "edit") continue;
    items.push(item);
    length += item.text.length;
  }
  return { items, told };
}

/** True for one of all hooks that ever ask. */
async function mark({ home, agent }: Speech, id: string): Promise<boolean> {
  if (hasProc) return makeMark(home, ["state", "hear", `${agent}.told`], id);
  const { TrustedDirectory } = await import("../../files/trusted-directory.ts");
  try {
    using marks = TrustedDirectory.open(home, `state/hear/${agent}.told`, { create: true });
    marks.writeNew(id, "", { sync: false });
    return true;
  } catch {
    return false; // it is there, or cannot be made
  }
}

/** False when nobody reads any more: a mark without a record is offered again. */
function print(answer: unknown): boolean {
  const bytes = Buffer.from(JSON.stringify(answer));
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(1, bytes, written);
    return true;
  } catch {
    return false;
  }
}

/** Picks the items that are due at this moment. Pure but for one look at where a link leads. */
export function dueAt(moment: HearMoment, { record, payload }: HookCall): (item: HearDue) => boolean {
  let paths: ReadonlySet<string> | undefined;
  return ({ at, files, to }) => {
    if (!at.includes(moment) || (to !== undefined && to !== record.session)) return false;
    if (moment !== "edit" || files.length === 0) return true;
    paths ??= pathsOf(payload, record.cwd);
    for (const file of files) if (isAmong(paths, file)) return true;
    return false;
  };
}

/** A directory stands for all that is in it. */
function isAmong(paths: ReadonlySet<string>, file: string): boolean {
  if (paths.has(file)) return true;
  for (const path of paths) if (path.startsWith(`${file}/`)) return true;
  return false;
}

/** Each path as it was given and as it really is: whoever wrote the item knows the worktree by its real name. */
function pathsOf(payload: unknown, cwd: string | undefined): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const named of touchedFiles((payload as { tool_input?: unknown }).tool_input)) {
    if (!isAbsolute(named) && (cwd === undefined || !isAbsolute(cwd))) continue;
    const path = normalize(isAbsolute(named) ? named : join(cwd ?? "", named));
    paths.add(path);
    paths.add(realPath(path));
  }
  return paths;
}

/** A file that is yet to be made has a real directory. */
function realPath(path: string): string {
  let above = path;
  while (above !== "" && !existsSync(above)) above = above.slice(0, above.lastIndexOf("/"));
  try {
    return above === "" ? path : realpathSync(above) + path.slice(above.length);
  } catch {
    return path; // it has gone meanwhile
  }
}
