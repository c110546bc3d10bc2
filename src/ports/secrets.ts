// Finding secrets in a text. What is found is told by kind and place, never repeated.

export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** The kind of secret that it seems to be: `aws AWSAccessKeyID`. */
  readonly kind: string;
}

/** At once, where that is enough. */
export type FindSecrets = (text: string) => readonly FoundSecret[] | Promise<readonly FoundSecret[]>;

/** The text with stars in the place of every secret. */
export function withoutSecrets(text: string, found: readonly FoundSecret[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of found) {
    if (start < from) continue;
    masked += `${text.slice(from, start)}***`;
    from = end;
  }
  return masked + text.slice(from);
}
