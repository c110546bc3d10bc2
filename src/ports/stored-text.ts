// Declares what core asks about somebody's text before it keeps it.

export interface StoredTexts {
  /** The text without secrets. */
  hideSecrets(text: string): Promise<string>;
}
