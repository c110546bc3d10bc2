// Names in files that nobody parses: what a text no longer defines, and what its new lines name. It knows no grammar: a name is
// defined where a line begins with it or with a word such as `function`, and this is enough to say that two edits may concern
// each other. Whether they do is for a person to see.

/** The names in one changed file that speak for and against others. */
export interface TextNames {
  /** Names that it defined, and that are nowhere in it any more; in scripts also those whose inside changed. */
  readonly gone: readonly string[];
  /** Names on its new lines, with the line they first stand on (from 1). */
  readonly used: ReadonlyMap<string, number>;
  /** Names inside quotes with the module they are said to be in, and names on lines that look something up by its name. */
  readonly quoted: ReadonlyMap<string, { readonly line: number; readonly where: string | undefined }>;
}

export const noNames: TextNames = { gone: [], used: new Map(), quoted: new Map() };

/** Longer lines are data, or made by a program. */
const longestLine = 2_000;
const mostNames = 2_000;

export function textNames(path: string, before: string, after: string): TextNames {
  const [was, is] = [before.split(/\r?\n|\r/), after.split(/\r?\n|\r/)];
  const [wasThere, isThere] = [new Set(was.map(trimmed)), new Set(is.map(trimmed))];
  const left = new Set(is.flatMap(wordsOf));
  const gone = new Set<string>();
  for (const [at, line] of was.entries()) {
    if (line.length > longestLine || isThere.has(line.trim()) || gone.size >= mostNames) continue;
    for (const name of definedBy(path, line)) if (!left.has(name)) gone.add(name);
    const around = bodies.test(path) ? enclosing(was, at) : undefined;
    if (around !== undefined) for (const name of definedBy(path, around)) gone.add(name);
  }
  if (bodies.test(path)) {
    for (const [at, line] of is.entries()) {
      if (wasThere.has(line.trim()) || line.length > longestLine) continue;
      const around = enclosing(is, at);
      if (around !== undefined && wasThere.has(around.trim()))
        for (const name of definedBy(path, around)) gone.add(name);
    }
  }
  return { gone: [...gone], ...usesOf(is, wasThere) };
}

function usesOf(lines: readonly string[], wasThere: ReadonlySet<string>): Pick<TextNames, "used" | "quoted"> {
  const used = new Map<string, number>();
  const quoted = new Map<string, { line: number; where: string | undefined }>();
  for (const [at, line] of lines.entries()) {
    if (line.length > longestLine || wasThere.has(line.trim()) || used.size >= mostNames) continue;
    const own = new Set(assignedBy(line));
    for (const name of wordsOf(line)) if (!own.has(name) && !used.has(name)) used.set(name, at + 1);
    for (const [, text = ""] of line.matchAll(quotes)) {
      const [where, name = ""] = text.split(/[.:/#]/).slice(-2);
      if (!quoted.has(name)) quoted.set(name, { line: at + 1, where });
    }
    if (byName.test(line))
      for (const name of wordsOf(line)) if (!quoted.has(name)) quoted.set(name, { line: at + 1, where: undefined });
    // A name of a file stands with its ending, and a script's target may hold a colon.
    for (const [word] of line.matchAll(/[\w$][\w$.:-]*[\w$]/g))
      if (!used.has(word) && !own.has(word)) used.set(word, at + 1);
  }
  return { used, quoted };
}

/** The names without regard to how a language writes them: `full_name`, `fullName` and `GetFullName` are one. */
export function sameName(name: string): string {
  return name.replaceAll(/[_$-]/g, "").toLowerCase();
}

/** In these, what stands inside a definition is what others rely on. */
const bodies = /\.(sh|bash|zsh|ksh|fish|bats|ps1|psm1|sql|mk|just)$|(^|\/)(GNU)?[Mm]akefile$|(^|\/)[jJ]ustfile$/;

/** Looked up at run time by a name in a string. */
const byName =
  /\b(getattr|hasattr|setattr|delattr|import_module|import_string|__import__|forName|getMethod|getDeclaredMethod)\b/;

const quotes = /["'`]([\w$]+(?:[.:/#][\w$]+)+)["'`]/g;

const keywords = new Set(
  `abstract add all and any as async await bool boolean break by byte call case catch char class column const constexpr constraint
  continue copy create data declare def default define delete do done double drop echo elif else end endif enum env exec exists export
  expose extends extern extension external false fi field final float fn for foreign fragment from fun func function get if implements
  import in include index inline input insert int integer interface into int32 int64 is key let list local long macro map match message
  method mixin mod module mut mutation name namespace new nil none not null number object oneof or out output override package primary
  private proc procedure property protected pub public query raise readonly record references repeated required reserved resource return
  returns rpc run scalar schema select self service set short signed sint32 sint64 static std str string struct sub subroutine subscription
  super switch syntax table template text then this throw trait true try type typedef uint32 uint64 undefined union unique unsigned until
  update use using val value values var varchar variable view virtual void volatile when where while with yield yes no true false id key
  version description title label url path file files test tests main build install all clean lint image container
  assert del dict except finally frozenset global isinstance issubclass lambda len nonlocal pass print range sorted tuple None True False
  getattr hasattr setattr delattr import_module import_string forName getMethod getDeclaredMethod callable iterable
  the that these those there here are was were has have had can may see you its crate cfg impl unsafe`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Too common to say anything by itself; names such as `__len__` are everywhere. */
export const isCommon = (name: string): boolean =>
  name.length < 3 ||
  keywords.has(name) ||
  /^__\w+__$/.test(name) ||
  (name === name.toUpperCase() && keywords.has(name.toLowerCase()));

const isName = (word: string): boolean => word.length >= 2 && /\p{L}/u.test(word);

function wordsOf(line: string): string[] {
  return [...line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu)].flatMap(([word]) =>
    word.includes("-") ? [word, ...word.split("-")].filter(isName) : isName(word) ? [word] : [],
  );
}

/** A definition's name stands before what it gives or takes, after a few words at most. */
const longestHead = 120;
const mostWords = 6;

function headOf(line: string): string {
  const text = line.replace(/^[\s{([<\-*+>|]{1,40}/, "");
  const end = text.search(/[=:({;,\])}]/);
  const begins = (end === -1 ? text : text.slice(0, end)).trim();
  if (begins.length > longestHead || /[^\w$."'`#@*&[<>?!\s-]/.test(begins)) return "";
  return begins.split(/\s+/).length > mostWords ? "" : begins;
}

/** Comments, and lines that name what is defined elsewhere. */
const definesNothing =
  /^\s*(\/\/|\/\*|\*|# |-- |<!--|(import|package|include|use|using|option|require|from|source|#include)\b)/;

const keys = /["']([^"'\n]{3,80})["']\s*[:=]/g;
const namedArguments = /\b(?:name|id|key|alias|target)\s*[=:]\s*["']?([\w$./:-]{3,80})/g;
const firstArgument = /^\s*[\w.]+\s*\(\s*["']?([\w$-]{3,80})/;
const inBraces = /[({]\s*(?:\w+\s+)?([\w$]+)\s*[=:,)}]/g;
const asName = /\bAS\s+([\w-]+)/gi;

function definedBy(path: string, line: string): string[] {
  if (definesNothing.test(line)) return [];
  // Of `module.name` the name.
  const found = wordsOf(headOf(line).replaceAll(/(?<![\w$])[\w$]+\.(?=[\w$])/g, ""));
  for (const pattern of [keys, namedArguments, inBraces, asName])
    for (const [, name = ""] of line.matchAll(pattern)) if (isName(name)) found.push(name);
  const [, argument = ""] = firstArgument.exec(line) ?? [];
  if (isName(argument)) found.push(argument);
  if (path.endsWith(".sql")) found.push(...wordsOf(line));
  return found;
}

/** What a line gives a value to is its own. */
function assignedBy(line: string): string[] {
  const [, begins = ""] = /^\s*(?:-\s+)?["']?([\w$.:/-]+)["']?\s*(?::(?!:)|=(?!=)|\(\)\s*\{)/.exec(line) ?? [];
  const [, defined = ""] =
    /^\s*(?:export\s+)?(?:def|function|class|fn|func|const|let|var|type|interface)\s+([\w$-]+)/.exec(line) ?? [];
  return [begins, defined, ...wordsOf(begins), ...wordsOf(defined)];
}

/** The nearest line above that is indented less. */
function enclosing(lines: readonly string[], at: number): string | undefined {
  const depth = indentOf(lines[at] ?? "");
  if (depth === 0) return undefined;
  for (let line = at - 1; line >= 0 && at - line < 400; line--) {
    const text = lines[line] ?? "";
    if (text.trim() !== "" && indentOf(text) < depth) return text;
  }
  return undefined;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const trimmed = (line: string): string => line.trim();
