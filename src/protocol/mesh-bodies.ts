// The bodies of items that travel between constellations. A peer wrote them: each is read by its shape before anything of it is used, and what
// it says of itself (`from`, times) is shown as its word.

import { z } from "zod";
import { isAgentId } from "./agent-id.ts";
import { isReserved, isReservedKind, ownerOnBus } from "./bus-names.ts";
import { Refusal } from "./errors.ts";

const agent = z.string().refine(isAgentId, "not an agent's id");
const label = z.string().min(1).max(200);

/** Below the largest body of an item. */
export const sidePartBytes = 512 * 1024;

export const messageBody = z.strictObject({
  /** An agent there, or whoever owns that machine: no owner's word here, which its origin tells. Names of constel's own are nobody's over the mesh. */
  from: agent.refine((from) => from === ownerOnBus || !isReserved(from), "a name that only constel uses"),
  to: agent,
  text: z.string().min(1),
  ts: z.string().max(40),
  kind: label.refine((kind) => !isReservedKind(kind), "a kind that only constel sends").optional(),
  thread: label.optional(),
  in_reply_to: label.optional(),
  task: label.optional(),
  requires_ack: z.boolean().optional(),
});

export const pageBody = z.strictObject({
  subject: z.string().min(1).max(400),
  body: z.string().max(20_000),
  urgent: z.boolean(),
  at_ms: z.number().int(),
});
export type PageBody = z.infer<typeof pageBody>;

/** What became of a page that the root was asked to bring to the owner. */
export const pageToldBody = z.strictObject({ page: label, told: z.boolean(), says: z.string().max(2_000) });

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, "not a commit");

/** Asks for the objects of a side whose origin does not take them. */
export const sideWantedBody = z.strictObject({ ref: label, commit });
export type SideWanted = z.infer<typeof sideWantedBody>;

/** One part of them, in base64; `parts` is 0 where there are none to be had. */
export const sideObjectsBody = z.strictObject({
  ref: label,
  commit,
  part: z.number().int().min(0).max(99),
  parts: z.number().int().min(0).max(100),
  content: z.string().max(sidePartBytes),
});

/** A refusal names what is wrong, and not what was sent. */
export function readBody<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new Refusal("mesh.bad-item", `${where === "" ? "the item" : where}: ${issue?.message ?? "not understood"}`, {});
}
