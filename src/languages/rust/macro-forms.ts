// Macros whose arguments are read like the rest of a file, since what they take is known: those of Rust's library, and those of the crate `log`.

export interface MacroForm {
  /** The position of the argument that is the text to fill in. */
  readonly format?: number;
  /** Before the edition of 2021 a text that stands alone was not filled in. */
  readonly mayBePlain?: true;
  /** `condition`: the first is asked for its truth. `equality`: the first two are compared. `pattern`: the second is a pattern. */
  readonly asks?: "condition" | "equality" | "pattern";
}

const list: MacroForm = {};
const filled: MacroForm = { format: 0 };
const written: MacroForm = { format: 1 };
const ending: MacroForm = { format: 0, mayBePlain: true };
const condition: MacroForm = { format: 1, mayBePlain: true, asks: "condition" };
const equality: MacroForm = { format: 2, asks: "equality" };

const library = new Map<string, MacroForm>([
  ...["print", "println", "eprint", "eprintln", "format", "format_args"].map((name) => [name, filled] as const),
  ...["write", "writeln"].map((name) => [name, written] as const),
  ...["panic", "todo", "unimplemented", "unreachable"].map((name) => [name, ending] as const),
  ...["assert", "debug_assert"].map((name) => [name, condition] as const),
  ...["assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"].map((name) => [name, equality] as const),
  ...["vec", "dbg"].map((name) => [name, list] as const),
  ["matches", { asks: "pattern" }],
]);
const log = new Map(["error", "warn", "info", "debug", "trace"].map((name) => [name, filled] as const));

/** Take words, or nothing, and no names of the program. */
export const wordMacros: ReadonlySet<string> = new Set(
  "stringify env option_env include_str include_bytes line column file module_path compile_error cfg concat".split(" "),
);

/** Crates that bring no macro by the name of one of these when all their macros are brought in. */
export const plainCrates: ReadonlySet<string> = new Set(
  "std core alloc log serde serde_derive serde_json lazy_static bitflags clap cfg_if matches error_chain quick_error failure nom quickcheck criterion thiserror anyhow".split(
    " ",
  ),
);

const isLibrary = (crate: string): boolean => crate === "std" || crate === "core" || crate === "alloc";

/** The form of a macro by its path as written, without `!`; undefined when nothing is known of it. */
export function macroForm(path: readonly string[], isBrought: (name: string) => boolean): MacroForm | undefined {
  const [first = "", second, third] = path;
  if (third !== undefined) return undefined;
  if (second === undefined) return library.get(first) ?? (isBrought(first) ? log.get(first) : undefined);
  return isLibrary(first) ? library.get(second) : first === "log" ? log.get(second) : undefined;
}

export const hasForm = (name: string): boolean => library.has(name) || log.has(name);

/** True when a `use` of this path brings in the macro itself, and not another of its name. */
export const isItself = ([crate = "", name = "", ...rest]: readonly string[]): boolean =>
  rest.length === 0 && (crate === "log" ? log.has(name) : isLibrary(crate) && library.has(name));

/** Names in a text to fill in, with where they begin in it: `{name}`, `{name:?}`, `{:width$}`. */
export function namesInFormat(text: string): { readonly name: string; readonly at: number }[] {
  const places = /^r#*"/.test(text) ? /\{\{|\{([^{}]*)\}/gs : /\\u\{[^}]*\}|\\.|\{\{|\{([^{}]*)\}/gs;
  const found: { name: string; at: number }[] = [];
  for (const match of text.matchAll(places)) {
    const [, inside] = match;
    if (inside === undefined) continue;
    const [argument = "", how = ""] = inside.split(/:(.*)/s);
    const widths = [...how.matchAll(/(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\$/gu)].map(([, name = ""]) => name);
    for (const name of [argument.trim(), ...widths])
      if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) found.push({ name, at: match.index });
  }
  return found;
}
