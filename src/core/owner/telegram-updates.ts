// Reads the answer to a bot's getUpdates as replies. Only plain messages with text count; everything else is skipped, but counted as read.
// An unknown shape is an outage of the other side, not an empty list.

export interface TelegramReply {
  readonly update: number;
  readonly sender: string;
  readonly text: string;
}

export interface TelegramUpdates {
  readonly replies: readonly TelegramReply[];
  /** The highest number in it; undefined when there was none. */
  readonly last: number | undefined;
}

export function telegramUpdates(body: string): TelegramUpdates {
  const answer = JSON.parse(body) as { ok?: unknown; result?: unknown };
  if (answer.ok !== true || !Array.isArray(answer.result))
    throw new Error("the bot's server did not answer as expected");
  const replies: TelegramReply[] = [];
  let last: number | undefined;
  for (const update of answer.result as unknown[]) {
    const { update_id: id, message } = asObject(update);
    if (typeof id !== "number" || !Number.isSafeInteger(id)) continue;
    last = Math.max(last ?? id, id);
    const { from, text } = asObject(message);
    const sender = asObject(from)["id"];
    if (typeof text === "string" && typeof sender === "number")
      replies.push({ update: id, sender: String(sender), text });
  }
  return { replies, last };
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
