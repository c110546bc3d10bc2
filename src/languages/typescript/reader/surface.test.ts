import { expect, test } from "bun:test";
import { surfaceOf } from "./surface.ts";

function same(before: string, after: string, path = "a.ts"): void {
  expect(surfaceOf(path, after)).toBe(surfaceOf(path, before));
}

function other(before: string, after: string, path = "a.ts"): void {
  expect(surfaceOf(path, after)).not.toBe(surfaceOf(path, before));
}

test("comments, spaces and bodies of functions that say what they give are not seen from outside", () => {
  same(
    "export function f(a: number): number {\n  return a;\n}\n",
    "// f\nexport function f(a: number): number { return 2 * a }\n",
  );
  same("export const f = (a: number): number => a;", "export const f = (a: number): number => a + 1;");
  same("export const f: () => number = () => 1;", "export const f: () => number = () => 2;");
  same(
    "export class A {\n  constructor(readonly a: number) {}\n  b(): number {\n    return 1;\n  }\n}",
    "export class A {\n  constructor(readonly a: number) { start(); }\n  b(): number {\n    return this.a;\n  }\n}",
  );
});

test("signatures, types, and bodies from which a type is guessed are", () => {
  other("export function f(a: number): number { return a; }", "export function f(a: string): number { return 1; }");
  other("export function f() { return { a: 1 }; }", "export function f() { return { b: 1 }; }");
  other("export const f = () => ({ a: 1 });", "export const f = () => ({ b: 1 });");
  other("export class A { b() { return 1; } }", "export class A { b() { return ''; } }");
  other("export const config = { a: 1 };", "export const config = { b: 1 };");
  other("function f(): number { return 1; }", "function f(): number { return 2; }", "a.js");
  other("export const broken = (", "export const broken = ((");
});
