// The words that two constellations exchange over a line: a greeting, items in order, and how far they were taken. Pure: the line below it has
// proven who speaks (ports/mesh.ts), and core/mesh decides what an item does.
//
// Each side numbers what it has for the other in one stream. Whoever greets says which stream it has, where it begins and how far it has taken the
// other's; the other goes on from there. So a cut line, a restart or a restored database loses nothing, and what was lost all the same is known.

import { z } from "zod";

export const itemKinds = ["message", "rows", "page", "page.told", "side.wanted", "side.objects", "void"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Below the largest frame by more than everything around a body takes. */
export const largestBodyBytes = 1024 * 1024 - 4096;

const label = z.string().min(1).max(200);
const seq = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const greeting = z.strictObject({
  is: z.literal("greeting"),
  stream: label,
  /** The number of the first item that is still held for the other, or of the next one. */
  first: seq,
  taken: z.strictObject({ stream: label, seq }).nullable(),
  /** The sender's clock, to tell a skew; nothing is decided by it. */
  now_ms: seq,
});
const item = z.strictObject({
  is: z.literal("item"),
  seq,
  id: label,
  kind: z.enum(itemKinds),
  at_ms: seq,
  body: z.string(),
});
const taken = z.strictObject({ is: z.literal("taken"), seq });
/** What the other knows of the sender is how things are now, once it has taken everything up to this number. */
const current = z.strictObject({ is: z.literal("current"), seq });

export const meshFrame = z.discriminatedUnion("is", [greeting, item, taken, current]);
export type MeshFrame = z.infer<typeof meshFrame>;
export type Greeting = z.infer<typeof greeting>;
export type MeshItem = z.infer<typeof item>;

const encoder = new TextEncoder();

export const encodeFrame = (frame: MeshFrame): Uint8Array => encoder.encode(JSON.stringify(frame));

/** Undefined for anything else: the line ends then, because nothing behind it can be trusted to be in order. */
export function decodeFrame(bytes: Uint8Array): MeshFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  const read = meshFrame.safeParse(value);
  return read.success ? read.data : undefined;
}
