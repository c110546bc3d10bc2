// Quotes values for a tmux command line so that they arrive as they are.

/** One argument. Double quotes are the only form in which tmux takes every character, line ends included. */
export function quote(value: string): string {
  if (/^[A-Za-z0-9_=%@:.,/+-]+$/.test(value)) return value;
  // A tilde in front is expanded even inside quotes.
  // Line ends would end the command and NUL the text; the other control characters are escaped to keep logs readable.
  // eslint-disable-next-line no-control-regex
  const escaped = value.replace(/[\\"$~]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, octal);
  return `"${escaped}"`;
}

/** For arguments that tmux expands as a format (a directory, a path): `#` begins an expansion unless it is doubled. */
export function literalFormat(value: string): string {
  // Before `[` a run of `#` is left as it is.
  return value.replace(/(#+)(\[?)/g, (run: string, marks: string, bracket: string) => (bracket ? run : marks + marks));
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
