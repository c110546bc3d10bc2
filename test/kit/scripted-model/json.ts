// Reading JSON that somebody else wrote: what is not of the expected shape reads as empty.

export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text of a message's content: a string, or parts of which those with a `text` count. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => (typeof part === "string" ? part : textOf(objectOf(part)["text"])))
    .filter((text) => text !== "")
    .join("\n");
}

/** Returns what a client wrote as a string of JSON. Undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
