// Keeps the notes that agents leave for their next session: `notes/YYYY/MM/DD/agent<N>.md` under the root directory, by UTC day.

import { inRoot } from "../settings/paths.ts";
import { appendTrusted, listTrusted, readTrusted } from "../files/trusted-files.ts";
import { checkAgentId, rootAgent } from "../protocol/agent-id.ts";

const dayMs = 86_400_000;

export interface Notes {
  /** Relative to the root directory. */
  readonly path: string;
  readonly text: string;
  readonly from: "today" | "yesterday" | "root";
}

/** Today's notes of the agent, else yesterday's, else the root's newest of any day. */
export function latestNotes(root: string, agent: string, nowMs: number): Notes | undefined {
  return (
    notesAt(root, notesPath(agent, nowMs), "today") ??
    notesAt(root, notesPath(agent, nowMs - dayMs), "yesterday") ??
    newestOfRoot(root)
  );
}

/** Tells whether anybody has ever left notes here. */
export function anyNotes(root: string): boolean {
  return daysNewestFirst(root).some((day) => listTrusted(root, day).some((name) => name.endsWith(".md")));
}

export interface NotesEntry {
  readonly did: string;
  readonly why: string;
  readonly pickup: string;
}

/** Appends one entry to today's notes and answers their path relative to the root directory. */
export function appendNotes(root: string, agent: string, nowMs: number, entry: NotesEntry): string {
  const path = notesPath(agent, nowMs);
  const time = new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  const text = `\n## ${time} ${agent}\n\n### Did\n\n${said(entry.did)}\n\n### Why\n\n${said(entry.why)}\n\n### Pickup\n\n${said(entry.pickup)}\n`;
  appendTrusted(root, path, text, { sync: true });
  return path;
}

export function notesPath(agent: string, nowMs: number): string {
  const [year, month, day] = new Date(nowMs).toISOString().slice(0, 10).split("-");
  return `${inRoot.notes}/${year}/${month}/${day}/${checkAgentId(agent)}.md`;
}

const said = (text: string): string => text.trim() || "(nothing said)";

function notesAt(root: string, path: string, from: Notes["from"]): Notes | undefined {
  const text = readTrusted(root, path)?.toString("utf8");
  return text === undefined ? undefined : { path, text, from };
}

function newestOfRoot(root: string): Notes | undefined {
  for (const day of daysNewestFirst(root)) {
    const notes = notesAt(root, `${day}/${rootAgent}.md`, "root");
    if (notes !== undefined) return notes;
  }
  return undefined;
}

/** Directories of days, walked only as far as the caller looks. */
function daysNewestFirst(root: string): IteratorObject<string> {
  const inside = (directory: string, shape: RegExp): string[] =>
    listTrusted(root, directory)
      .filter((name) => shape.test(name))
      .reverse()
      .map((name) => `${directory}/${name}`);
  return Iterator.from(inside(inRoot.notes, /^\d{4}$/))
    .flatMap((year) => inside(year, /^\d\d$/))
    .flatMap((month) => inside(month, /^\d\d$/));
}
