// The parameters of A2A's methods, checked. Names are taken as ProtoJSON writes them and as the protocol's own files do, since both are
// allowed there; what we do not know is passed over.

import { z } from "zod";
import { a2aLimits, a2aStates } from "../../protocol/a2a.ts";
import { Refusal } from "../../protocol/errors.ts";

const word = z.string().min(1).max(200);
const maybe = word.or(z.literal("").transform(() => undefined)).optional();
const count = z.coerce.number().int();
const history = count.min(0).max(1_000).optional();

const part = z
  .object({
    text: z.string().optional(),
    data: z.json().optional(),
    raw: z.string().optional(),
    url: z.string().optional(),
    filename: z.string().max(300).optional(),
    mediaType: z.string().max(200).optional(),
  })
  .refine((one) => ["text", "data", "raw", "url"].filter((name) => Object.hasOwn(one, name)).length === 1, {
    message: "a part has one of text, raw, url, data",
  });

const push = z.object({
  id: maybe,
  taskId: maybe,
  url: z.string().min(1).max(2_000),
  token: z.string().max(2_000).optional(),
  authentication: z.object({ scheme: z.string().max(100), credentials: z.string().max(4_000).optional() }).optional(),
});

export const params = {
  send: z.object({
    message: z.object({
      messageId: word,
      role: z.literal("ROLE_USER"),
      parts: z.array(part).min(1).max(a2aLimits.parts),
      taskId: maybe,
      contextId: maybe,
      metadata: z.record(z.string(), z.json()).optional(),
    }),
    configuration: z
      .object({
        historyLength: history,
        returnImmediately: z.boolean().optional(),
        taskPushNotificationConfig: push.optional(),
        acceptedOutputModes: z.array(z.string()).optional(),
      })
      .optional(),
    metadata: z.record(z.string(), z.json()).optional(),
  }),
  get: z.object({ id: word, historyLength: history }),
  list: z.object({
    contextId: maybe,
    status: z.string().optional(),
    pageSize: count.min(1).max(100).optional(),
    pageToken: z.string().max(500).optional(),
    historyLength: history,
    statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
    includeArtifacts: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).optional(),
  }),
  one: z.object({ id: word }),
  push: push.extend({ taskId: word }),
  pushes: z.object({ taskId: word }),
  pushOne: z.object({ taskId: word, id: word }),
} as const;

export function read<Shape extends z.ZodType>(shape: Shape, given: unknown): z.output<Shape> {
  const parsed = shape.safeParse(camel(given ?? {}));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new Refusal(
    "a2a.message",
    `${where === "" ? "the parameters" : where}: ${issue?.message ?? "not as it should be"}`,
    {
      field: where,
    },
  );
}

/** `context_id` is `contextId`. What a sender wrote as data is theirs, and stays as it is. */
function camel(value: unknown, depth = 0): unknown {
  if (depth > 20) return null;
  if (Array.isArray(value)) return value.map((one) => camel(one, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, content]) => content !== null)
      .map(([name, content]) => {
        const camelled = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
        const isTheirs = camelled === "data" || camelled === "metadata";
        return [camelled, isTheirs ? content : camel(content, depth + 1)];
      }),
  );
}

export function readState(text: string | undefined): (typeof a2aStates)[number] | "none" | undefined {
  if (text === undefined || text === "" || text === "TASK_STATE_UNSPECIFIED") return undefined;
  const state = text
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  const known = a2aStates.find((one) => one === state);
  if (known !== undefined) return known;
  if (state === "auth-required") return "none";
  throw new Refusal("a2a.message", `status: ${JSON.stringify(text.slice(0, 100))} is no state of a task`);
}
