// What core asks about a text of somebody's before it keeps it.

export interface StoredTexts {
  /** The text without secrets. */
  hideSecrets(text: string): Promise<string>;
}
