// Text that somebody else wrote, made safe for where it goes. One place for terminals, one for JSON on a terminal, one for a
// model. What acts on a terminal (control characters, old and new), what turns the direction of writing round and what has no
// shape at all is shown as its number instead: it can neither act, nor hide what stands beside it.

/**
 * Control characters but tab and newline, marks and overrides of direction, blanks and fillers without width, and everything of the
 * plane that has no shape: its tags and selectors can carry a whole text that a model reads and nobody sees. Joiners and selectors
 * belong to many scripts and to emoji, where no three of them stand in a row.
 */
const acting =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- finding such characters one by one is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u200c\u200d\ufe00-\ufe0f]{3,}/gu;
/** Matches most texts. Nothing in them is any of these, and finding that out is several times cheaper than looking for each. */
const plain = /^[\t\n -~]*$/;

/** Colours of our own, told by a number from those in texts of others, who cannot know it. */
export interface OwnColours {
  paint(code: number, text: string): string;
  /** With the code of the colour as its first group. */
  readonly pattern: RegExp;
}

export function ownColours(number: number): OwnColours {
  const sequence = (code: number): string => `\u001b[${code};${number}m`;
  return {
    paint: (code, text) => (text === "" ? "" : `${sequence(code)}${text}${sequence(0)}`),
    pattern: new RegExp(`\\u001b\\[(\\d+);${number}m`, "g"),
  };
}

/** For a terminal or a pipe that may end in one. `colours`: these are let through, in the words that a terminal knows. */
export function forTerminal(text: string, { colours }: { readonly colours?: OwnColours | undefined } = {}): string {
  if (plain.test(text)) return text;
  if (colours === undefined) return text.replace(acting, asNumbers);
  let safe = "";
  let from = 0;
  for (const { 0: colour, 1: code, index } of text.matchAll(colours.pattern)) {
    safe += `${text.slice(from, index).replace(acting, asNumbers)}\u001b[${code}m`;
    from = index + colour.length;
  }
  return safe + text.slice(from).replace(acting, asNumbers);
}

/** JSON that says the same, with everything that acts on a terminal written as an escape. */
export function forJson(json: string): string {
  if (plain.test(json)) return json;
  return json.replace(acting, (character) =>
    [...Array(character.length).keys()].map((at) => escaped(character.charCodeAt(at))).join(""),
  );
}

/** Lines for a model: each begins with a bar, so that no line of content can be a line of ours. */
export function forModel(text: string): string[] {
  return withoutMarks(text)
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `| ${line.replace(acting, "�")}`);
}

/** One line for a model, inside a line of ours: nothing in it opens or closes a tag. */
export function forModelInline(text: string): string {
  return withoutMarks(text)
    .replaceAll(/[\n\r\v\f\u0085\u2028\u2029\t]+/g, " ")
    .replace(acting, "�")
    .replaceAll(/[<>\u226e\u226f\ufe64\ufe65\uff1c\uff1e]/g, (bracket) =>
      /[<\u226e\ufe64\uff1c]/.test(bracket) ? "‹" : "›",
    );
}

/** Whole characters alone; and the mark of a message (message-marks.ts) proves that it arrived, so quoting one must prove nothing. */
export const withoutMarks = (text: string): string => text.toWellFormed().replaceAll(/\[(?=constel:)/gi, "(");

/** Each character as its number, as a terminal is shown it. */
export function asNumbers(characters: string): string {
  return [...characters].map((character) => numberOf(character.codePointAt(0) ?? 0)).join("");
}

const numberOf = (code: number): string =>
  code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
