// Records what happened to each message, one JSON object a line in logs/bus-<UTC date>.jsonl, for the daemon to take in later by byte
// offset. The files of a mailbox are the truth and this is the account of them: a record can be missing (the process died between the step
// and its record) but never speaks of something that did not happen. Each record names the message whole, so that a row can be made from any
// one of them, and has an id of its own, so that taking it in twice is seen. A message that was sent to many is one line for all of them.
//
// A record is written as `\n{…}\n` in one call. Half a record, left by a full disk or lost power, so ends at the next one's first byte
// instead of spoiling it.

import { isAgentId } from "../../protocol/agent-id.ts";
import type { Complaint, Envelope } from "../../protocol/envelope.ts";
import type { RefusalCode } from "../../protocol/catalogue.ts";
import { makeId } from "../../protocol/ids.ts";
import { inHome, utcDate } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { Bus } from "./bus.ts";

/** `sent`: durable in the inbox. `delivered`: in the agent's context. `unknown`: handed out, and nothing said it arrived. */
export type DeliveryState = "sent" | "delivered" | "acked" | "unknown" | "duplicate" | "poisoned";

export interface BusRecord {
  /** `rec_…`, unique to the line it comes from. */
  readonly id: string;
  readonly at: string;
  readonly state: DeliveryState;
  /** The agent whose mailbox it is about. */
  readonly to: string;
  /** The file's name, which names the message though it has no id. */
  readonly name: string;
  /** The envelope less its body, which is cut to a beginning; absent when it could not be read. */
  readonly envelope?: Envelope;
  readonly textBytes?: number;
  /** The proof of the state, or the reason why it was poisoned. */
  readonly because?: string;
  readonly code?: RefusalCode;
  /** The writer of the line, as the line itself says. */
  readonly by?: string;
  /** The holder of the seal it carries. Undefined when it has no seal of anybody who may speak of this. */
  readonly sealedBy?: string | undefined;
}

/** A line as it is written. For `sent`, which costs its sender one line however many receivers there are, `to` may be a list. */
interface Line extends Omit<BusRecord, "to" | "sealedBy"> {
  readonly to: string | readonly string[];
}

/** Longer bodies are cut in the journal; the file has them whole for as long as done/ is kept. */
const keptTextLength = 2048;

export const journalName = (nowMs: number): string => `bus-${utcDate(nowMs)}.jsonl`;

export interface Happening {
  readonly state: DeliveryState;
  /** Many only of a message that was sent to all of them. */
  readonly to: string | readonly string[];
  readonly name: string;
  readonly envelope?: Envelope | undefined;
  readonly because?: string | undefined;
  readonly complaint?: Complaint;
}

/** `home`: where the caller has it open. False when it could not be written: the message's own state is already on disk, so that is no reason to fail. */
export function record(bus: Bus, happenings: readonly Happening[], home?: TrustedDirectory): boolean {
  if (happenings.length === 0) return true;
  const nowMs = bus.clock.nowMs();
  const at = new Date(nowMs).toISOString();
  const records = happenings.map((happening) => JSON.stringify(lineOf(bus, happening, nowMs, at)));
  const lines = (bus.recorder?.seal(records) ?? records).map((line) => `\n${line}\n`);
  try {
    using logs =
      home?.child(inHome.logs, { create: true }) ?? TrustedDirectory.open(bus.home, inHome.logs, { create: true });
    logs.append(journalName(nowMs), lines.join(""));
    return true;
  } catch {
    return false;
  }
}

export interface JournalSlice {
  readonly records: readonly BusRecord[];
  /** The offset to read on from. */
  readonly nextOffset: number;
  /** Lines that are no record: halves left by a torn write. */
  readonly torn: number;
}

/** The whole records of one day's file from a byte offset on. Half a line at the end waits for the next call. */
export function readJournal(bus: Bus, file: string, offset: number, maxBytes = 4 * 1024 * 1024): JournalSlice {
  using logs = TrustedDirectory.open(bus.home, inHome.logs, { create: true });
  const bytes = logs.readFrom(file, offset, maxBytes);
  const lastLineEnd = bytes.lastIndexOf(0x0a) + 1;
  // No record of ours fills a slice: what does is somebody's rubbish, and must not stop the reading for ever.
  const isRubbish = lastLineEnd === 0 && bytes.length === maxBytes;
  const end = isRubbish ? bytes.length : lastLineEnd;
  const records: BusRecord[] = [];
  let torn = 0;
  for (const line of bytes.subarray(0, end).toString("utf8").split("\n")) {
    if (line === "") continue;
    const found = asLine(line);
    if (found === undefined) torn += 1;
    else {
      const sealedBy = bus.sealedBy?.(line, whoMaySpeakOf(found));
      for (const to of receiversOf(found)) records.push({ ...found, to, sealedBy });
    }
  }
  return { records, nextOffset: offset + end, torn };
}

/**
 * An envelope as the account keeps it: its body cut to a beginning, and how long it was. Whom a record is about it says itself; with all
 * the receivers in each, a message to a hundred agents would be noted in a hundred times a hundred names.
 */
export function abridged(given: Envelope): { envelope: Envelope; textBytes: number } {
  const { receivers: _, ...envelope } = given;
  return {
    envelope: { ...envelope, text: envelope.text.slice(0, keptTextLength) },
    textBytes: Buffer.byteLength(envelope.text),
  };
}

/** That it was sent is its sender's to say, what became of it its receiver's; constel may say both. */
function whoMaySpeakOf({ state, to, envelope }: Line): readonly string[] {
  const whose = state === "sent" ? envelope?.from : to;
  return ["constellation", ...(typeof whose === "string" ? [whose] : [])];
}

function receiversOf({ state, to }: Line): readonly string[] {
  if (typeof to === "string") return [to];
  return state === "sent" && Array.isArray(to) ? to.filter(isAgentId) : [];
}

function asLine(line: string): Line | undefined {
  try {
    const value = JSON.parse(line) as Partial<Line> | null;
    return typeof value?.id === "string" && typeof value.state === "string" ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

function lineOf(bus: Bus, happening: Happening, nowMs: number, at: string): Line {
  const { envelope, complaint } = happening;
  const because = happening.because ?? complaint?.message;
  return {
    id: makeId("rec", nowMs, bus.random.bytes(10)),
    at,
    state: happening.state,
    to: happening.to,
    name: happening.name,
    ...(envelope === undefined ? {} : abridged(envelope)),
    ...(because === undefined ? {} : { because }),
    ...(complaint === undefined ? {} : { code: complaint.code }),
    ...(bus.recorder === undefined ? {} : { by: bus.recorder.by }),
  };
}
