// A command as one line for a POSIX shell, for hooks that are configured as such lines and for commands that a reader copies.

export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
