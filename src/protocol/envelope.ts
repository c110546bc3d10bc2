// An envelope: one message between agents. Its shape, the rules a body must keep before anyone may send or read it, and
// the bytes that a signature covers. Pure: files are floor/bus's, keys are somebody else's, the framing for a model is in
// frame-for-agent.ts.

import { isAgentId } from "./agent-id.ts";
import type { RefusalCode } from "./catalogue.ts";
import { bytesToSign } from "./canonical.ts";
import { Refusal } from "./errors.ts";
import { findWrapperToken } from "./wrapper-tokens.ts";

export interface Envelope {
  readonly from: string;
  readonly text: string;
  /** The time when it was written: ISO 8601, UTC. */
  readonly ts: string;
  readonly id?: string;
  readonly to?: string;
  /** The receivers, if there are several; then `to` is absent. One signature covers them all. */
  readonly receivers?: readonly string[];
  readonly kind?: string;
  readonly thread?: string;
  readonly in_reply_to?: string;
  readonly task?: string;
  /** Two envelopes of one sender with the same key are one message. */
  readonly idempotency_key?: string;
  readonly requires_ack?: boolean;
  /** The constellation it comes from, when not this one. */
  readonly origin?: string;
  /** The agent of another constellation that it is for (`agent3@desk`); `to` is then constel's own post. */
  readonly onward?: string;
  /** Over `signedBytes`; the verifying port knows the encoding. */
  readonly sig?: string;
}

/** A body in UTF-8 may have this many bytes. */
export const maxTextBytes = 1024 * 1024;
/** As many as a constellation can have agents, and then some. */
const maxReceivers = 1100;
/** A file may be larger than its body: JSON writes a control character as six bytes. Past this it is not even read. */
export const maxFileBytes = 6 * maxTextBytes + 64 * 1024;

const labels = ["id", "kind", "thread", "in_reply_to", "task", "idempotency_key", "origin", "onward"] as const;
// Labels stand in attributes of the frame a model sees, and in names: nothing that could end an attribute or a line.
const labelRule = /^[\p{L}\p{N} ._:@/+=#,~-]{1,200}$/u;
const signatureRule = /^[A-Za-z0-9+/=_.:-]{1,1024}$/;

/** The reason why something may not be sent or read. Rules return it; verbs throw `refusalOf` it. */
export interface Complaint {
  readonly code: RefusalCode;
  readonly message: string;
}

export const refusalOf = (complaint: Complaint): Refusal => new Refusal(complaint.code, complaint.message);

/** Reads the JSON of an envelope, short form included. Unknown fields are dropped, so that newer writers can be read. */
export function parseEnvelope(json: string | Uint8Array): Envelope | Complaint {
  let value: unknown;
  try {
    value = JSON.parse(typeof json === "string" ? json : new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch {
    return { code: "bus.bad-json", message: "the message is not JSON in UTF-8" };
  }
  return shapeEnvelope(value);
}

/** The same for a value that is not text: fields of the right type only, and the time as ISO 8601. */
export function shapeEnvelope(value: unknown): Envelope | Complaint {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("the message is not an object");
  const given = value as Readonly<Record<string, unknown>>;
  const { from, text } = given;
  if (typeof from !== "string") return bad("`from` must be a string");
  if (typeof text !== "string") return bad("`text` must be a string");
  const ts = timeOf(given["ts"]);
  if (ts === undefined) return bad("`ts` must be a time: ISO 8601, or seconds or milliseconds since 1970");
  const envelope: { -readonly [Field in keyof Envelope]: Envelope[Field] } = { from, text, ts };
  for (const label of labels) {
    const content = given[label];
    if (content === undefined || content === null) continue;
    if (typeof content !== "string" || !labelRule.test(content)) return bad(`\`${label}\` is not a plain short text`);
    envelope[label] = content;
  }
  if (given["to"] !== undefined && given["to"] !== null) {
    if (typeof given["to"] !== "string") return bad("`to` must be a string");
    envelope.to = given["to"];
  }
  if (given["receivers"] !== undefined && given["receivers"] !== null) {
    const receivers: unknown = given["receivers"];
    if (!Array.isArray(receivers) || receivers.length > maxReceivers || !receivers.every(isAgentId))
      return bad("`receivers` must be a list of agent ids");
    envelope.receivers = receivers;
  }
  if (given["requires_ack"] !== undefined && given["requires_ack"] !== null) {
    if (typeof given["requires_ack"] !== "boolean") return bad("`requires_ack` must be true or false");
    envelope.requires_ack = given["requires_ack"];
  }
  if (given["sig"] !== undefined && given["sig"] !== null) {
    if (typeof given["sig"] !== "string" || !signatureRule.test(given["sig"])) return bad("`sig` is not a signature");
    envelope.sig = given["sig"];
  }
  return envelope;
}

/** The rules an envelope of the right shape must still keep; undefined when it keeps them all. */
export function complaintAbout(envelope: Envelope): Complaint | undefined {
  for (const id of [envelope.from, envelope.to]) {
    if (id !== undefined && !isAgentId(id)) {
      return { code: "bus.bad-agent-id", message: `not an agent id: ${shown(id)}` };
    }
  }
  if (envelope.text.trim() === "") return { code: "bus.empty", message: "the message says nothing" };
  const bytes = new TextEncoder().encode(envelope.text).length;
  if (bytes > maxTextBytes) {
    return { code: "bus.too-large", message: `the body has ${bytes} bytes, ${maxTextBytes} are allowed` };
  }
  const token = findWrapperToken(envelope.text);
  if (token !== undefined) {
    return { code: "bus.wrapper-token", message: `the body contains the tag of machine-written context \`${token}\`` };
  }
  return undefined;
}

/** Tells whether it may lie in this agent's mailbox. One that names nobody is for anyone who finds it. */
export const isFor = ({ to, receivers }: Envelope, agent: string): boolean =>
  (to === undefined || to === agent) && (receivers === undefined || receivers.includes(agent));

export const isComplaint = (outcome: Envelope | Complaint): outcome is Complaint => "code" in outcome;

/** Returns the bytes that a signature covers: every field but `sig`, receivers included. */
export function signedBytes(envelope: Envelope): Uint8Array<ArrayBuffer> {
  const { sig: _, ...rest } = envelope;
  return bytesToSign("envelope", rest);
}

/** The thread an envelope belongs to: the one it names, else the message it answers, else the one it begins. */
export const threadOf = (envelope: Envelope): string | undefined =>
  envelope.thread ?? envelope.in_reply_to ?? envelope.id;

function timeOf(value: unknown): string | undefined {
  let ms: number;
  if (typeof value === "number") {
    // Seconds until the year 5138, milliseconds since 1973: nobody means the years between.
    ms = Math.abs(value) < 1e11 ? value * 1000 : value;
  } else if (typeof value === "string" && value.length <= 40) {
    ms = Date.parse(value);
  } else {
    return undefined;
  }
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}

const bad = (message: string): Complaint => ({ code: "bus.bad-json", message });

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
