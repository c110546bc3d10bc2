// Ways in which the signature of a real function changes: parameters come, go, change places and types, results change, and
// calls begin to fail in ways that the caller has to take care of.

import type { Piece } from "./piece.ts";
import type { RealLanguage } from "./read-pieces.ts";

export interface Signature {
  readonly parameters: Piece["parameters"];
  readonly result: string;
  /** Java: what is thrown besides. */
  readonly throws?: string;
}

export function signatureChanges(language: RealLanguage, piece: Piece): [string, Signature][] {
  const { parameters, result } = piece;
  const [first] = parameters;
  const all: [string, Signature][] = [];
  const add = (name: string, change: Partial<Signature>): void => {
    all.push([name, { parameters, result, ...change }]);
  };
  const whole = { go: "int", java: "int", rust: "u8" }[language];
  const isOpen = parameters.some(({ type }) => type.includes("..."));
  if (!isOpen) add("parameter added", { parameters: [...parameters, { name: "since", type: whole }] });
  if (parameters.length > 0) add("parameter dropped", { parameters: parameters.slice(0, -1) });
  if (parameters.length > 1 && !isOpen && first !== undefined && new Set(parameters.map(({ type }) => type)).size > 1)
    add("parameters swapped", { parameters: [...parameters.slice(1), first] });
  for (const [at, { name, type }] of parameters.entries()) {
    if (type.includes("...") || type.includes("self")) continue;
    for (const other of otherTypes(language, type))
      add("parameter type", { parameters: parameters.with(at, { name, type: other }) });
  }
  const isMany = language === "go" && result.startsWith("(");
  if (result !== "" && result !== "void" && !isMany)
    for (const other of otherTypes(language, result)) add("result type", { result: other });
  if (language === "go" && !isMany) add("fails now", { result: result === "" ? "error" : `(${result}, error)` });
  if (language === "rust" && !result.includes("Result"))
    add("fails now", { result: `Result<${result === "" ? "()" : result}, ()>` });
  if (language === "java") add("throws now", { throws: "java.io.IOException" });
  return all;
}

/** Types that are near enough to be tried and mostly do not fit. */
function otherTypes(language: RealLanguage, type: string): string[] {
  switch (language) {
    case "go":
      if (type === "string") return ["[]byte", "int"];
      if (type === "int" || type === "bool") return ["string", "int64"];
      if (type.startsWith("*")) return [type.slice(1), `[]${type}`];
      return type.startsWith("[]") ? [type.slice(2), "string"] : [`*${type}`, "string"];
    case "java":
      if (type === "String") return ["int", "CharSequence", "char[]"];
      if (type === "int" || type === "boolean") return ["String", "long"];
      return ["String", `${type}[]`];
    case "rust":
      if (type === "&str") return ["String", "usize"];
      if (/^[iu](size|\d+)$/.test(type)) return ["&'static str", "f64", `Option<${type}>`];
      if (type === "bool") return ["u8", "&'static str"];
      return [`Option<${type.replace(/^&(?!')/, "&'static ").replace("'static mut", "'static mut")}>`, "bool"];
  }
}

/** A function of this signature that does nothing yet. */
export function declared(language: RealLanguage, piece: Piece, { parameters, result, throws }: Signature): string {
  const { name, header, text } = piece;
  const before = text.slice(0, piece.nameAt[0] - piece.at[0]);
  if (language === "go") {
    const list = parameters.map((one, at) => `a${at} ${one.type}`).join(", ");
    return `func ${header === "" ? "" : `${header} `}${name}(${list}) ${result} {\n\tpanic("later")\n}\n`;
  }
  if (language === "rust") {
    const self = /^\(\s*((?:&(?:'\w+\s+)?)?(?:mut\s+)?self)\b/.exec(
      text.slice(piece.parametersAt[0] - piece.at[0]),
    )?.[1];
    const list = [...(self === undefined ? [] : [self]), ...parameters.map((one, at) => `_a${at}: ${one.type}`)];
    const reach = /^pub(\([^)]*\))?\s/.exec(before)?.[0] ?? "";
    return `    ${reach}fn ${name}(${list.join(", ")})${result === "" ? "" : ` -> ${result}`} {\n        todo!()\n    }\n`;
  }
  const access = /\b(public|protected|private)\b/.exec(before)?.[0] ?? "";
  const list = parameters.map((one, at) => `${one.type} a${at}`).join(", ");
  const old = /\)\s*throws\s+([^{]+)\{/.exec(text.slice(0, text.indexOf("{") + 1))?.[1]?.trim();
  const thrown = [old, throws].filter((one) => one !== undefined).join(", ");
  const body = "{\n    throw new UnsupportedOperationException();\n  }\n";
  return `  ${access} ${piece.isStatic ? "static " : ""}${result} ${name}(${list})${thrown === "" ? "" : ` throws ${thrown}`} ${body}`;
}
