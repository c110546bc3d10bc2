// Makes conflicts of the errors that only the merge has: whose line it is, and what of the other side's work it meets. A compiler
// says where a use no longer fits and seldom why; the why is looked for among the lines that the other side took away or
// wrote anew, by the names in the message. What is not found is not claimed: then only the use is shown.

import type { Place, SemanticConflict, SemanticInput, SemanticRule, Side } from "../../ports/semantic.ts";
import { isSymbolName } from "../symbol-name.ts";
import { ChangedLines } from "./changed-lines.ts";
import type { PlacedError } from "./new-errors.ts";

export interface ErrorReading {
  readonly language: string;
  /** `go 1.19.8` */
  readonly by: string;
  read(message: string): { readonly names: readonly string[]; readonly rule: SemanticRule };
}

/** More errors than this have one cause, and say nothing new. */
const maxConflicts = 100;

export async function errorConflicts(
  errors: readonly PlacedError[],
  input: SemanticInput,
  reading: ErrorReading,
): Promise<SemanticConflict[]> {
  const changes = new ChangedLines(input);
  const found = new Map<string, SemanticConflict>();
  for (const error of errors.slice(0, maxConflicts)) {
    const conflict = await conflictOf(error, changes, reading);
    const key = `${conflict.use.path}:${conflict.use.line} ${conflict.symbol}`;
    if (!found.has(key)) found.set(key, conflict);
  }
  return [...found.values()];
}

async function conflictOf(
  error: PlacedError,
  changes: ChangedLines,
  { language, by, read }: ErrorReading,
): Promise<SemanticConflict> {
  const { path, line, message, text } = error;
  const { names: said, rule } = read(message);
  const names = said.filter((name) => /^[\p{L}_$]/u.test(name) && isSymbolName(name));
  const use: Place = { path, line, text };
  const cause = await causeOf(error, names, changes);
  const symbol = cause.name ?? names.find((name) => !builtIn.has(name)) ?? path;
  return {
    language,
    rule: ruleFor(rule, cause.after !== undefined),
    symbol,
    definitionSide: cause.definer,
    definitionBefore: cause.before ?? use,
    definitionAfter: cause.after,
    use,
    message: `${by} on the merged tree: ${path}:${line}: ${message}`,
    suggestion: `Change ${path} to fit ${symbol} as it is now.`,
    byCompiler: true,
  };
}

/** What is still there under its name was not removed, whatever the compiler's words for the use are. */
function ruleFor(rule: SemanticRule, isThere: boolean): SemanticRule {
  return isThere && (rule === "removed" || rule === "removed-member") ? "type-mismatch" : rule;
}

interface Cause {
  readonly definer: Side;
  readonly name?: string;
  readonly before?: Place;
  readonly after?: Place;
}

/** The side that has the line uses; the other changed what it uses. Where both or neither have it, who changed such a thing did. */
async function causeOf(error: PlacedError, names: readonly string[], changes: ChangedLines): Promise<Cause> {
  const user = await changes.owner(error.path, error.text);
  const definers: readonly Side[] = user === undefined ? ["ours", "theirs"] : [other(user)];
  const words = [...error.text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].map(([word]) => word);
  const onLine = words.filter((word) => !keywords.has(word));
  for (const [candidates, isSure] of [
    [names.filter((name) => !builtIn.has(name)), true],
    [onLine.filter((name) => !builtIn.has(name)), false],
    // A type of the language is what somebody changed only where nothing else on the line was.
    [names, true],
  ] as const) {
    for (const name of new Set(candidates)) {
      for (const definer of definers) {
        const change = await changes.definitionOf(name, definer, isSure);
        if (change !== undefined) return { definer, name, ...change };
      }
    }
  }
  return { definer: definers[0] ?? "ours" };
}

/** Words of the languages themselves, which stand on many lines and mean nothing that somebody could change. */
const keywords = new Set(
  "return if else for while do switch case break continue new this super null nil true false var let const func fn def class struct enum type interface impl pub public private protected static final abstract void int long string str bool boolean self Self mut use import from package as in is not and or match async await try catch throw throws raise except with None True False String".split(
    " ",
  ),
);

/** Types that messages name when something is of one of them: `"dict[str, int]" is not assignable to "int"`. */
const builtIn = new Set(
  `str int float bool bytes list dict set tuple frozenset object Literal Any None type Callable Optional Union Iterable Sequence Mapping
  string byte rune error any int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 map chan
  String Object Integer Long Double Float Boolean Character Short Byte List Map Set Collection char short long double boolean void
  i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Vec Option Result Box Some Ok Err`.split(/\s+/),
);

const other = (side: Side): Side => (side === "ours" ? "theirs" : "ours");
