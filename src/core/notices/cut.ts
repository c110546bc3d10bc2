// Cutting long text, so that it says that it was cut and leaves no half of a word: half a key is no longer known for one and would
// slip past the masking that comes after.

/** The number of characters shown of an endless word. */
const shownOfWord = 12;

export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let at = most;
  while (at > 0 && isOfWord(text.charAt(at - 1)) && isOfWord(text.charAt(at))) at -= 1;
  if (at === 0) at = Math.min(shownOfWord, most);
  return `${text.slice(0, at).toWellFormed()}… (${text.length - at} more characters cut)`;
}

const isOfWord = (character: string): boolean => /[\w+=.~-]/.test(character);
