// Marks a message so that it can be found again in a program's hooks and transcripts. This is apart from runtime.ts, because every hook
// loads it.

/** Marks a message so that hooks and transcripts can be searched for it. */
export const messageMark = (id: string): string => `[constel:${id}]`;

/** The text with its mark, added on a line of its own when it is not there yet. */
export function markedText(id: string, text: string): string {
  const mark = messageMark(id);
  return text.includes(mark) ? text : `${text.replace(/(?<!\n)\n+$/, "")}\n${mark}`;
}

/** The ids of all constel messages in a text. */
export function messagesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\[constel:([A-Za-z0-9_.:-]{1,200})\]/g)].map((match) => match[1] ?? ""))];
}
