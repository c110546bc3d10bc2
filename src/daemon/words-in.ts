// The words in an operation's input that others will read: of each field that is named, every text, however deep it stands.

export interface Words {
  /** Where it stands: `text`, `tasks.2.title`. */
  readonly field: string;
  readonly text: string;
}

export function* wordsIn(input: unknown, fields: readonly string[]): Generator<Words> {
  if (typeof input !== "object" || input === null) return;
  for (const field of fields) yield* textsIn((input as Readonly<Record<string, unknown>>)[field], field);
}

function* textsIn(value: unknown, field: string): Generator<Words> {
  if (typeof value === "string") yield { field, text: value };
  else if (typeof value === "object" && value !== null)
    for (const [name, content] of Object.entries(value)) yield* textsIn(content, `${field}.${name}`);
}
