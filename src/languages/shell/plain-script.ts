// Commands that need no grammar to be read: one line of simple commands, joined by `&&`, `||`, `|` or `;`, of plain words, quotes and
// redirections, such as `cd "$PWD/app" && git push 2>&1 | tail -5`. Loading the grammar takes a process tens of milliseconds, and a hook that
// judges one command is such a process. Everything else (substitutions, backslashes, patterns, blocks, assignments, comments) is
// left to the grammar; a test compares the two.

import type { ShellCommand, ShellRedirect, ShellScript, ShellStep, ShellWord } from "../../protocol/shell-script.ts";

/** What the grammar would make of it; undefined when it takes the grammar to say. */
export function plainScript(source: string): ShellScript | undefined {
  if (source.length > longest || !plainText.test(source)) return undefined;
  const read: Read = { commands: [], redirects: [], unclear: [] };
  const joins: Join[] = [];
  for (let at = 0; ;) {
    const end = readCommand(source, at, read);
    if (end === undefined) return undefined;
    if (end.at === source.length) return { ...read, repeats: false, steps: stepsOf([...joins, { ...end, by: "" }]) };
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
  /** Of a command: how often it is redirected, and what joins it to the next one. */
  readonly redirects: number;
  readonly by: string;
}

/** Those of the grammar (steps.ts), which hangs some longer pipelines together in a way of its own and then has none. */
function stepsOf(joins: readonly Join[]): ShellStep[] | undefined {
  const steps: ShellStep[] = [];
  let [commands, redirects] = [0, 0];
  for (const { by: join, redirects: own } of joins) {
    if (join === "||") return undefined;
    commands += 1;
    redirects += own;
    if (join === "|") continue;
    const by = join === "&&" ? "&&" : ";";
    steps.push({ commands, redirects, isPlain: commands === 1 && redirects === 0, by });
    [commands, redirects] = [0, 0];
  }
  return steps;
}

function readCommand(source: string, from: number, read: Read): { at: number; redirects: number } | undefined {
  const first = next(name, source, from);
  if (first === undefined) return undefined;
  const words = [wordOf(first, first)];
  let end = from + first.length;
  let at = end;
  let redirects = 0;
  while (at < source.length && source[at] === " " && next(between, source, at) === undefined) {
    const operator = next(redirection, source, at + 1);
    const word = operator === undefined ? readWord(source, at + 1) : undefined;
    if (operator !== undefined) {
      const redirect = readRedirect(source, at + 1, operator);
      if (redirect === undefined) return undefined;
      redirects += 1;
      read.redirects.push(redirect.read);
      if (redirect.read.target.text === undefined) return undefined;
      at += 1 + redirect.read.source.length;
    } else if (word === undefined || redirects > 0) return undefined;
    else {
      words.push(word);
      if (word.text === undefined) read.unclear.push({ source: word.source, why: usesVariable });
      at += 1 + word.source.length;
      end = at;
    }
  }
  if (words.some(({ source: word }) => keywords.has(word) || (redirects > 0 && word === "-"))) return undefined;
  read.commands.push({ source: source.slice(from, end), words, assigns: [] });
  return { at, redirects };
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
