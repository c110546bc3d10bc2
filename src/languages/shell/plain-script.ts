// Commands that need no grammar to be read: one line of simple commands, joined by `&&`, `||`, `|` or `;`, of plain words, quotes and
// redirections, such as `cd "$PWD/app" && git push 2>&1 | tail -5`. Loading the grammar takes a process tens of milliseconds, and a hook that
// judges one command is such a process. Everything else (substitutions, backslashes, patterns, blocks, assignments, comments) is
// left to the grammar; a test compares the two.

import type { ShellCommand, ShellRedirect, ShellScript, ShellWord } from "../../protocol/shell-script.ts";

/** What the grammar would make of it; undefined when it takes the grammar to say. */
export function plainScript(source: string): ShellScript | undefined {
  if (source.length > longest || !plainText.test(source)) return undefined;
  const read: Read = { commands: [], redirects: [], unclear: [] };
  const joins: Join[] = [];
  for (let at = 0; ;) {
    const end = readCommand(source, at, read);
    if (end === undefined) return undefined;
    if (end.at === source.length) return { ...read, repeats: false, led: isLed([...joins, { ...end, by: "" }]) };
    const by = next(between, source, end.at);
    if (by === undefined) return undefined;
    joins.push({ ...end, by: by.trim() });
    at = end.at + by.length;
  }
}

/** Nobody writes longer ones, and the grammar says what it thinks of them. */
const longest = 2_000;
/** Characters that all shells read alike; a backslash, a backtick, a comment or a new line is not among them. */
const plainText = /^[\w./:@%+,=^~()[\]{}<>*?!&|;'"$ -]+$/;

const between = /; | (?:&&|\|\||\|) /y;
const name = /[A-Za-z_./][\w./+-]*(?= |;|$)/y;
const bare = /[\w./:@%+,-][\w./:@%+,=-]*/y;
const raw = /'[\w./:@%+,=^~()[\]{}<>*?!&|;"$ -]*'/y;
const quoted = /"(?:[\w./:@%+,=^~()[\]{}<>*?&|;' -]|\$[A-Za-z_]\w*(?![[:]))*"/y;
const redirection = /([012]?)(>>?|<)( ?)(?=[\w./'"-])|[12]?>&[12](?= |;|$)/y;

/** Words that begin something else than a simple command. */
const keywords: ReadonlySet<string> = new Set([
  ..."if then else elif fi for while until do done case esac in function select time coproc".split(" "),
  ..."declare typeset export readonly local unset unsetenv let".split(" "),
]);

interface Read {
  readonly commands: ShellCommand[];
  readonly redirects: ShellRedirect[];
  readonly unclear: { source: string; why: string }[];
}

interface Join {
  /** Of a command: whether it is redirected, and what joins it to the next one. */
  readonly redirected: boolean;
  readonly by: string;
}

/** Everything else hangs on the first command: the grammar's answer, which is on the safe side where a redirected command is piped on. */
function isLed(joins: readonly Join[]): boolean {
  const [first] = joins;
  if (first === undefined || first.by !== "&&" || first.redirected) return false;
  return joins.every(({ by, redirected }) => by === "&&" || by === "" || (by === "|" && !redirected));
}

function readCommand(source: string, from: number, read: Read): { at: number; redirected: boolean } | undefined {
  const first = next(name, source, from);
  if (first === undefined) return undefined;
  const words = [wordOf(first, first)];
  let end = from + first.length;
  let at = end;
  let redirected = false;
  while (at < source.length && source[at] === " " && next(between, source, at) === undefined) {
    const operator = next(redirection, source, at + 1);
    const word = operator === undefined ? readWord(source, at + 1) : undefined;
    if (operator !== undefined) {
      const redirect = readRedirect(source, at + 1, operator);
      if (redirect === undefined) return undefined;
      redirected = true;
      read.redirects.push(redirect.read);
      if (redirect.read.target.text === undefined) return undefined;
      at += 1 + redirect.read.source.length;
    } else if (word === undefined || redirected) return undefined;
    else {
      words.push(word);
      if (word.text === undefined) read.unclear.push({ source: word.source, why: usesVariable });
      at += 1 + word.source.length;
      end = at;
    }
  }
  if (words.some(({ source: word }) => keywords.has(word) || (redirected && word === "-"))) return undefined;
  read.commands.push({ source: source.slice(from, end), words, assigns: [] });
  return { at, redirected };
}

const usesVariable = "it uses a variable, whose value is not known";

function readRedirect(source: string, at: number, operator: string): { read: ShellRedirect } | undefined {
  const sign = /[<>]+&?/.exec(operator)?.[0] ?? "";
  if (sign.endsWith("&")) {
    const target = operator.slice(-1);
    return { read: { source: operator, operator: sign, target: wordOf(target, target) } };
  }
  const target = readWord(source, at + operator.length);
  return target && { read: { source: operator + target.source, operator: sign, target } };
}

/** Pieces that stand together are one word. */
function readWord(source: string, from: number): ShellWord | undefined {
  let [at, text, start]: [number, string | undefined, string] = [from, "", ""];
  while (at < source.length && source[at] !== " " && source[at] !== ";") {
    const piece = next(bare, source, at) ?? next(raw, source, at) ?? next(quoted, source, at);
    if (piece === undefined) return undefined;
    const value = /^['"]/.test(piece) ? piece.slice(1, -1) : piece;
    const isKnown = !piece.startsWith('"') || !value.includes("$");
    if (text !== undefined) start += isKnown ? value : value.slice(0, value.indexOf("$"));
    text = isKnown && text !== undefined ? text + value : undefined;
    at += piece.length;
  }
  return at === from ? undefined : wordOf(source.slice(from, at), text, start);
}

function wordOf(source: string, text: string | undefined, start = text ?? ""): ShellWord {
  return { source, ...(text === undefined ? {} : { text }), start, splits: false, glob: false };
}

function next(what: RegExp, source: string, at: number): string | undefined {
  what.lastIndex = at;
  return what.exec(source)?.[0];
}
