// Describes what is known of a value from its syntax alone. Files are kept with it as a short text, which only this file writes and reads.

export type Given =
  | { readonly is: "unknown" }
  /** Its type is written. */
  | { readonly is: "type"; readonly text: string }
  /** A literal of a kind: `int`, `closure/2`. */
  | { readonly is: "literal"; readonly kind: string }
  | GivenName;

/** A value that a name leads to, and members from there. */
export interface GivenName {
  readonly is: "name";
  readonly path: readonly string[];
  readonly members: readonly string[];
  /** Rust: what makes a reference of it, `&` or `&mut `, once for each; "" for the value itself. */
  readonly references: string;
  /** Go: it is not called, so a function is a value itself; a selector in a selector may be of a type. */
  readonly uncalled?: "value" | "value or type";
}

/** As it is kept: `=type`, `#literal`, `@path|members` (with references before it, with `^` or `^!` where it is not called), "" for nothing. */
export type GivenText = string;

export const unknownGiven: Given = { is: "unknown" };

/** Of a written type; nothing is known of "". */
export function ofType(text: string): Given {
  return text === "" ? unknownGiven : { is: "type", text };
}

export function ofLiteral(kind: string): Given {
  return { is: "literal", kind };
}

export function ofName(
  { path, members }: Pick<GivenName, "path" | "members">,
  more: Partial<Pick<GivenName, "references" | "uncalled">> = {},
): GivenName {
  return { is: "name", path, members, references: "", ...more };
}

export const typeOfGiven = (given: Given): string => (given.is === "type" ? given.text : "");

export function printGiven(given: Given): GivenText {
  if (given.is === "unknown") return "";
  if (given.is === "type") return `=${given.text}`;
  if (given.is === "literal") return `#${given.kind}`;
  const sign = given.uncalled === undefined ? "@" : given.uncalled === "value" ? "^" : "^!";
  return `${given.references}${sign}${given.path.join(".")}|${given.members.join(".")}`;
}

export function readGiven(text: GivenText): Given {
  if (text === "") return unknownGiven;
  if (text.startsWith("=")) return ofType(text.slice(1));
  if (text.startsWith("#")) return ofLiteral(text.slice(1));
  const [, references = "", sign = "", path = "", members = ""] =
    /^((?:&mut |&)*)(@|\^!?)([^|]*)\|(.*)$/s.exec(text) ?? [];
  const names = (list: string): string[] => (list === "" ? [] : list.split("."));
  const uncalled = sign === "@" ? {} : { uncalled: sign === "^" ? ("value" as const) : ("value or type" as const) };
  return { is: "name", path: names(path), members: names(members), references, ...uncalled };
}

/** As a use keeps them; nothing where nothing is known of any. */
export function keptGiven(list: readonly Given[]): { readonly given?: readonly GivenText[] } {
  return list.some(({ is }) => is !== "unknown") ? { given: list.map(printGiven) } : {};
}

/** The one at a place of a use. */
export function givenAt({ given }: { readonly given?: readonly GivenText[] | undefined }, at: number): Given {
  return readGiven(given?.[at] ?? "");
}
