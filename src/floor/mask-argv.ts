// Takes secrets out of command lines and messages before they are kept. It errs on the side of hiding: a masked value
// that was harmless costs a look at the shell's history, a kept secret cannot be taken back.

const hidden = "***";
/** Prompts are passed as arguments too; a record needs their beginning only. */
const longestArgument = 2000;

export function maskArgv(argv: readonly string[]): string[] {
  // A line of plain verbs holds no secret, and compiling the patterns below costs such a command a millisecond.
  if (argv.every((word) => /^[a-z]{1,16}$/.test(word))) return [...argv];
  const masked: string[] = [];
  let nextIsSecret = false;
  let nextIsUser = false;
  for (const whole of argv) {
    const argument = whole.length > longestArgument ? `${whole.slice(0, longestArgument)}…` : whole;
    if (nextIsSecret && !argument.startsWith("--")) {
      masked.push(hidden);
      nextIsSecret = false;
      continue;
    }
    if (nextIsUser) {
      masked.push(argument.replace(/:.*$/s, `:${hidden}`));
      nextIsUser = false;
      continue;
    }
    const flag = /^(--?)([A-Za-z][\w.-]*)$/.exec(argument);
    nextIsSecret = flag !== null && isSecretName(flag[2] ?? "");
    // curl's way of giving name and password
    nextIsUser = argument === "-u" || argument === "--user";
    masked.push(maskText(argument));
  }
  return masked;
}

export function maskText(text: string): string {
  let masked = text;
  for (const [pattern, replacement] of shapes) masked = masked.replace(pattern, replacement);
  return maskNamed(masked).replace(/[A-Za-z0-9+/_=.~-]{16,}/g, (word) => (holdsKey(word) ? hidden : word));
}

/**
 * The same for texts that are kept to be read again, where plain words must stay: only what has the shape of a key, what a
 * name that says so is set to, and long random pieces.
 */
export function maskKeys(text: string): string {
  let masked = text;
  for (const [pattern, replacement] of shapes) masked = masked.replace(pattern, replacement);
  return masked
    .replace(plainlySet, (all, before: string, value: string) => (/^\*+$/.test(value) ? all : `${before}${hidden}`))
    .replace(/[A-Za-z0-9+/_=-]{20,}/g, (word) => (isRandom(word) ? hidden : word));
}

/** `password: x`, `api_key=x`, "the password is x1", with whatever stands around the name. */
const plainlySet =
  /((?:pass(?:word|wd|phrase|code)|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|credentials?|passwort|kennwort|contraseña|senha)[A-Za-z0-9_]{0,20}["'`]?\s*(?:=>|->|[:=]|\s(?:is|was|ist)\s)\s*)("[^"\n]+"|'[^'\n]+'|`[^`\n]+`|[^\s,;"'`]*\d[^\s,;"'`]*|[^\s,;"'`]{6,})/gi;

function isRandom(word: string): boolean {
  if (/^[0-9a-f]+$/.test(word) && (word.length === 40 || word.length === 64)) return false;
  const isMixed = /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
  return isMixed && !word.includes("/") && bitsPerCharacter(word) > 3.7;
}

const name = /\p{L}[\p{L}\p{N}_.-]{0,60}/gu;
/**
 * Matches the value that a name is set to: `name=value`, `name: value`, `"name": "value"`, "the name is value", and with no more than a
 * blank between them, as in a .netrc or in prose.
 */
const setTo = /(["']?(?:\s*(?:=>|->|[:=])\s*|\s+(?:is|was|are|ist)\s+|\s+))("[^"]*"|'[^']*'|[^\s&"',;]+)/uy;

function maskNamed(text: string): string {
  let masked = "";
  let from = 0;
  for (const { 0: word, index } of text.matchAll(name)) {
    if (index < from) continue;
    setTo.lastIndex = index + word.length;
    const [all, between = "", value = ""] = setTo.exec(text) ?? [];
    if (all === undefined) continue;
    // After a mere blank only what looks like no word of a sentence is taken for the value.
    const isSet = between.trim() !== "" || /["'\p{N}\p{P}\p{S}]/u.test(value);
    if (!(isSecretName(word) ? isSet : between.includes("=") && looksRandom(value))) continue;
    masked += `${text.slice(from, index + word.length)}${between}${hidden}`;
    from = index + word.length + all.length;
  }
  return masked + text.slice(from);
}

/** A long piece of mixed letters and digits, as keys are; our own ids and commit ids are left to be read. */
function holdsKey(word: string): boolean {
  if (/^[a-z]{2,8}_[0-9A-HJKMNP-TV-Z]{26}$/.test(word)) return false;
  return word
    .split(/[-_./=~]/)
    .some(
      (piece) =>
        piece.length >= 16 &&
        !/^[0-9a-f]{40}$/.test(piece) &&
        /\d/.test(piece) &&
        /[A-Za-z]/.test(piece) &&
        bitsPerCharacter(piece) > 2.8,
    );
}

/** Secrets that are known by their own shape, wherever they stand. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  [/([A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/)[^\s/]+@/g, `$1${hidden}@`],
  [
    /\b((?:proxy-)?authorization|x-api-key|api-key|x-auth-token|private-token|cookie|set-cookie)(["']?\s*[:=]\s*)["']?(?:(?:bearer|basic|token|digest)\s+)?[^\s"']+/gi,
    `$1$2${hidden}`,
  ],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${hidden}`],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, hidden],
  [/\b(?:gh[opusr]_|github_pat_|glpat-|npm_|hf_|rk_live_|sk_live_|pk_live_)[A-Za-z0-9_-]{8,}/g, hidden],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{12,}/g, hidden],
  [/\bxox[a-z]-[A-Za-z0-9-]{8,}/g, hidden],
  [/\bAIza[0-9A-Za-z_-]{20,}/g, hidden],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, hidden],
  [/\bAGE-SECRET-KEY-1[A-Z0-9]{8,}/g, hidden],
  [/\/(services|webhooks?|webhookb2|hooks)\/\S{8,}/gi, `/$1/${hidden}`],
  // a Telegram bot's token, also inside its URL
  [/\d{6,12}:[A-Za-z0-9_-]{30,}/g, hidden],
];

const secretWords = new Set(
  "token tokens secret secrets password passwords passwd passphrase passcode pass pwd pw pin key apikey accesskey credential credentials auth authorization bearer cookie pat otp passwort kennwort senha contraseña".split(
    " ",
  ),
);
/** Keys that open nothing. */
const harmlessBefore = new Set(["idempotency", "public", "primary", "foreign", "sort", "cache"]);

function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_.]+/);
  return words.some((word, index) => secretWords.has(word) && !harmlessBefore.has(words[index - 1] ?? ""));
}

/** Long, mixed and without a word in it: a key rather than a name. Commit ids are left to be read. */
function looksRandom(value: string): boolean {
  if (!/^[A-Za-z0-9+/_=-]{24,}$/.test(value) || /^[0-9a-f]{40}$/.test(value)) return false;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (value.includes("/") && !(/[A-Z]/.test(value) && /[a-z]/.test(value) && !/^[./~]/.test(value))) return false;
  return bitsPerCharacter(value) > 3.3;
}

function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
