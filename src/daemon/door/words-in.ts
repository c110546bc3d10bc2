// The words in an operation's input that others will read: of each field that is named, every text, however deep it stands.

export interface Words {
  /** The place of the text: `text`, `tasks.2.title`. */
  readonly field: string;
  readonly text: string;
}

export function wordsIn(input: unknown, fields: readonly string[]): Words[] {
  const found: Words[] = [];
  if (typeof input !== "object" || input === null) return found;
  for (const field of fields) {
    const value = (input as Readonly<Record<string, unknown>>)[field];
    // A file travels as base64, and others read what it says.
    if (field.endsWith("_base64") && typeof value === "string")
      found.push({ field, text: Buffer.from(value, "base64").toString("utf8") });
    else addTexts(found, value, field);
  }
  return found;
}

function addTexts(found: Words[], value: unknown, field: string): void {
  if (typeof value === "string") found.push({ field, text: value });
  else if (typeof value === "object" && value !== null)
    for (const [name, content] of Object.entries(value)) addTexts(found, content, `${field}.${name}`);
}
