// Finding texts by words, alike on both databases: texts and words are folded the same way, and a word is found wherever it
// stands, also inside a longer one.

/** Lower case, compatibility forms folded, accents gone, one blank between words. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

const mostWords = 12;

/** The words of a question, each once, the first dozen. */
export function foldWords(query: string): string[] {
  const words = fold(query)
    .split(/[^\p{L}\p{N}_.@/-]+/u)
    .map((word) => word.replaceAll(/^[./-]+|[./-]+$/g, ""))
    .filter((word) => word !== "");
  return [...new Set(words)].slice(0, mostWords);
}

export const isAbout = (text: string, foldedWord: string): boolean => fold(text).includes(foldedWord);

/** For LIKE with `\` as its escape. */
export const likePattern = (foldedWord: string): string => `%${foldedWord.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
