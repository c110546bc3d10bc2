// Secrets that have no shape of their own and are known by the name before them: `password: …`, `AccountKey=…`, `api_key = "…"`. Prose speaks of
// passwords too, so the value must look like one: not a plain word, a placeholder, a path, a date, or the name of a variable.

import type { FoundSecret } from "../../ports/secrets.ts";

/** Few characters are enough behind these; people choose such values. */
const chosen = "pass(?:word|wd|phrase|code)|pwd|secret|passwort|kennwort|contraseña|senha|motdepasse";
/** What programs hand out is longer. */
const handedOut =
  "(?:api|access|auth|account|shared[_-]?access|secret|private|signing|encryption|storage|master|service|subscription|app|consumer)[_-]?key|" +
  "(?:access|auth|api|bearer|refresh|session|bot|id|deploy|personal)?[_-]?token|credentials?|client[_-]?secret|webhook[_-]?secret";

/** One look at each place: nothing before the name is repeated, and everything behind it is bounded. */
const name = (words: string): string => String.raw`(${words})([\w-]{0,20})["'\x60]?`;
const value = String.raw`("[^"\n]{4,500}"|'[^'\n]{4,500}'|\x60[^\x60\n]{4,500}\x60|[^\s"'\x60,;]{6,500})`;
const behindChosen = new RegExp(
  String.raw`${name(chosen)}\s{0,3}(?:=>|->|:=|[:=]|\s(?:is|was|ist)\s)\s{0,3}${value}`,
  "giu",
);
const behindHandedOut = new RegExp(String.raw`${name(handedOut)}\s{0,3}(?:=>|:=|[:=])\s{0,3}${value}`, "giu");

/** `passwordHash`, `token_count`, `secretName`: words about a secret. */
const aboutIt =
  /hash|digest|len|polic|field|reset|name|(?:^|[_-])ids?$|file|path|ur[il]|type|count|expir|ttl|budget|limit|min|max|rule|hint|prompt|manager|store|provider|version|format|regex|pattern|label|column|check|strength|size|algo/i;

export function namedValuesIn(text: string): FoundSecret[] {
  return [
    ...found(text, behindChosen, "a password", isChosen),
    ...found(text, behindHandedOut, "a key or token by its name", isHandedOut),
  ];
}

function found(text: string, pattern: RegExp, kind: string, isSecret: (value: string) => boolean): FoundSecret[] {
  return [...text.matchAll(pattern)].flatMap(({ index, 0: whole, 1: word = "", 2: more = "", 3: given = "" }) => {
    const bare = given.replace(/^["'`]|["'`]$/g, "");
    if (
      !isWord(text[index - 1] ?? "", word, more) ||
      aboutIt.test(more) ||
      isOpen(bare) ||
      !isSecret(bare.replace(/(?<![.)\]}>!?])[.)\]}>!?]+$/, ""))
    )
      return [];
    return [{ start: index + whole.length - given.length, end: index + whole.length, kind }];
  });
}

/** A word of its own: `dbPassword`, `api_key`, `tokens`; not `monkey` or `secretary`. */
const isWord = (before: string, word: string, more: string): boolean =>
  (!/\p{L}/u.test(before) || (/\p{Ll}/u.test(before) && /^\p{Lu}/u.test(word))) &&
  /^(?:s|[_-].*|\p{Lu}.*|\d*)$/u.test(more);

const isChosen = (given: string): boolean =>
  given.length >= 6 && !/\s/.test(given) && /\p{L}/u.test(given) && /[\d!@#$%^&*+?~]/.test(given);

const isHandedOut = (given: string): boolean =>
  given.length >= 12 && !/\s/.test(given) && /[A-Za-z]/.test(given) && /\d/.test(given) && !isUuid(given);

const isUuid = (given: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);

/** Something that stands for a value: a variable, a placeholder, code, a path, a date, a version. */
function isOpen(given: string): boolean {
  return (
    /^(?:[$<{[(%*]|\.\.\.|…|x{3,}|your|my-|example|changeme|redacted|null|none|undefined)/i.test(given) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(given) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(given) ||
    /[(){}<>]|\*{3}|…/.test(given) ||
    (/^~?\.{0,2}\/?[\w.-]+(?:\/[\w.-]+)+$/.test(given.replace(/(?<!=)=+$/, "/")) && /\.\w{1,5}$|^[./~]/.test(given)) ||
    /^\d{4}-\d{2}-\d{2}/.test(given) ||
    /^v?\d+(?:\.\d+)+/.test(given) ||
    /^https?:\/\/[^@]*$/.test(given)
  );
}
