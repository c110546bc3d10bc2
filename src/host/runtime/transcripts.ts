// Searching and reading transcripts, the same for every program that keeps one as JSON lines.

import {
  type HookRecord,
  type LiveSession,
  type Proof,
  type RowReader,
  type TranscriptRow,
  type Usage,
} from "../../ports/runtime.ts";
import { messageMark } from "../../protocol/message-marks.ts";
import { bytesFrom, tailLines } from "./json-lines.ts";
import { readHooks } from "./hook-records.ts";
import { Kept } from "./read-once.ts";

const keptRows = new Kept<readonly TranscriptRow[]>();

/** The last rows of a transcript; the state of a session rests on these. */
export function tailRows(
  path: string | undefined,
  rowReader: () => RowReader,
  sinceMs: number,
): readonly TranscriptRow[] {
  if (path === undefined) return [];
  return keptRows.of(path, String(sinceMs), () => {
    // Programs log whole requests beside the conversation: one row may be 100 KB.
    const rows = tailLines(path, 1024 * 1024).map(rowReader());
    return rows.filter((row): row is TranscriptRow => row !== undefined && row.at >= sinceMs).slice(-200);
  });
}

/**
 * Looks for proof that a turn with this message began: its mark in a prompt row. May be asked again and again; what was read
 * once is not read twice, and only lines that hold the mark are parsed.
 */
export function proofSearch(messageId: string, readRow: RowReader): (path: string | undefined) => Proof | undefined {
  const mark = messageMark(messageId);
  let reading: string | undefined;
  let offset = 0;
  let rest = Buffer.alloc(0);
  return (path) => {
    if (path === undefined) return undefined;
    if (path !== reading) [reading, offset, rest] = [path, 0, Buffer.alloc(0)];
    const fresh = bytesFrom(path, offset);
    offset += fresh.length;
    const text = Buffer.concat([rest, fresh]);
    const end = text.lastIndexOf(10) + 1;
    rest = Buffer.from(text.subarray(end));
    for (const line of text.subarray(0, end).toString("utf8").split("\n")) {
      if (!line.includes(mark)) continue;
      const row = readRow(line);
      if (row?.kind === "prompt" && row.messages?.includes(messageId) === true) return { by: "transcript", at: row.at };
    }
    return undefined;
  };
}

/** Returns the usage in a transcript, each answer once: programs write one row per block of an answer, all with the same figures. */
export function usageIn(lines: Iterable<string>, readRow: RowReader): Usage[] {
  const byId = new Map<string, Usage>();
  for (const line of lines) {
    const usage = readRow(line)?.usage;
    if (usage === undefined) continue;
    const known = byId.get(usage.id);
    // Rows of a streamed answer may carry provisional figures: the one with the most output is the final one.
    if (known === undefined || usage.output > known.output) byId.set(usage.id, usage);
  }
  return [...byId.values()];
}

/**
 * Tells whether a transcript holds any part of a conversation. Programs begin the file before the first prompt, and do not resume a
 * session if they find only its head.
 */
export function holdsConversation(path: string | undefined, readRow: RowReader): boolean {
  if (path === undefined) return false;
  const lines = bytesFrom(path, 0).toString("utf8").split("\n");
  lines.pop(); // a torn last line is no proof
  return lines.some((line) => {
    const kind = line === "" ? undefined : readRow(line)?.kind;
    return kind === "prompt" || kind === "answer";
  });
}

/** The transcript the hooks last named. */
export function namedByHooks(hooks: readonly HookRecord[]): string | undefined {
  return hooks.findLast((hook) => hook.transcript !== undefined && hook.inSubagent !== true)?.transcript;
}

/** All transcripts that the hooks of this launch named: each `/clear` begins another. Else the one that its program would have begun. */
export function everyTranscript(
  { launch, sinceMs, untilMs }: LiveSession,
  usual: string | undefined,
): readonly string[] {
  const hooks = readHooks(launch.home, launch.agent, sinceMs);
  const own = untilMs === undefined ? hooks : hooks.filter(({ at }) => at < untilMs);
  const named = own.flatMap(({ transcript, inSubagent }) => (inSubagent === true ? [] : (transcript ?? [])));
  if (named.length > 0) return [...new Set(named)];
  return usual === undefined ? [] : [usual];
}

/** The lines of several transcripts, one after the other. */
export function* linesOf(paths: readonly string[]): Generator<string> {
  for (const path of paths) yield* bytesFrom(path, 0).toString("utf8").split("\n");
}
