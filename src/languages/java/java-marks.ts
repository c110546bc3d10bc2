// Places that an answer rests on, made of types and their members.

import type { SourceDeclaration } from "../compiled/facts.ts";
import type { Mark } from "../compiled/rules.ts";
import type { JavaKind } from "./java-fits.ts";
import { type JavaType, memberOf } from "./java-types.ts";

export interface JavaMark extends Mark {
  readonly package: string;
}

export function typesOf(kind: JavaKind): JavaType[] {
  return kind.kind === "class" ? [kind.type] : kind.kind === "array" ? typesOf(kind.of) : [];
}

export function membersNamed(type: JavaType, name: string): JavaMark[] {
  return type.summary.declarations
    .filter((one) => one.name === name && memberOf(type, one))
    .map((declaration) => markOf(type, declaration));
}

export function markOf(type: JavaType, declaration: SourceDeclaration): JavaMark {
  return { path: type.path, declaration, package: type.summary.package };
}

export function asType(mark: Mark): JavaType | undefined {
  return "qualified" in mark && "summary" in mark ? (mark as JavaType) : undefined;
}

export function isInInterface({ summary, declaration }: JavaType): boolean {
  const [of, name] = [declaration.of.split(".").slice(0, -1).join("."), declaration.of.split(".").at(-1)];
  return summary.declarations.some(
    (one) => one.kind === "type" && one.of === of && one.name === name && one.words.includes("interface"),
  );
}
