// Finds what a lambda has to answer, by the interface of Java's own library that the place wants: `Supplier<Box>` wants a `Box`.

import type { Draft } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { erased } from "./java-given.ts";

/** Each with its package, and with which of its type arguments it answers, or with the type that it always answers. */
const interfaces: Readonly<Record<string, readonly [home: string, answers: number | string]>> = {
  Supplier: ["java.util.function", 0],
  Function: ["java.util.function", 1],
  BiFunction: ["java.util.function", 2],
  UnaryOperator: ["java.util.function", 0],
  BinaryOperator: ["java.util.function", 0],
  Predicate: ["java.util.function", "boolean"],
  BiPredicate: ["java.util.function", "boolean"],
  BooleanSupplier: ["java.util.function", "boolean"],
  Callable: ["java.util.concurrent", 0],
};

/** "" where that is not known. */
export function lambdaAnswer(syntax: Syntax, draft: Draft, type: number, generics: ReadonlySet<string>): string {
  const isGeneric = syntax.kind(type) === "generic_type";
  const written = syntax.text(isGeneric ? syntax.first(type) : type);
  const [, home, name = ""] = /^(?:([\w.]+)\.)?(\w+)$/.exec(written) ?? [];
  const known = Object.hasOwn(interfaces, name) ? interfaces[name] : undefined;
  if (known === undefined || (home ?? draft.packageOf(name)) !== known[0]) return "";
  const [, answers] = known;
  if (typeof answers === "string") return answers;
  const list = syntax.children(type).find((child) => syntax.kind(child) === "type_arguments") ?? 0;
  const one = (list === 0 ? [] : syntax.children(list))[answers] ?? 0;
  return one === 0 || syntax.kind(one) === "wildcard" ? "" : erased(syntax, one, generics);
}
