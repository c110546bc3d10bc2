// Refactors a declaration of real code, as its author would: the declaration changes, and the compiler leads to every place that has
// to follow. A changed signature is made by keeping the old function under another name for those who call it, and a new one
// under the old name. What still does not compile in the end is no refactoring, and is set aside.

import type { Dice } from "../../../typescript/cases/random-project.ts";
import type { Files } from "../judge-trees.ts";
import type { RealJudge } from "./judge-real.ts";
import type { Piece } from "./piece.ts";
import type { RealLanguage } from "./read-pieces.ts";
import { repairGrown, repairNewArgument, repairNewField, repairRename } from "./repair-real.ts";
import { type Signature, signatureChanges, declared } from "./signatures-real.ts";

export interface Refactored {
  readonly name: string;
  readonly files: Files;
}

export interface Ground {
  readonly language: RealLanguage;
  readonly files: Files;
  readonly pieces: readonly Piece[];
  readonly judge: RealJudge;
}

type Refactoring = (ground: Ground, piece: Piece, dice: Dice) => Promise<Files | undefined>;

export async function refactor(ground: Ground, piece: Piece, dice: Dice): Promise<Refactored | undefined> {
  const [name, change] = dice.pick(refactoringsOf(ground.language, piece)) ?? [];
  if (name === undefined || change === undefined) return undefined;
  const files = await change(ground, piece, dice);
  return files === undefined || (await ground.judge.errors(files)).length > 0 ? undefined : { name, files };
}

function refactoringsOf(language: RealLanguage, piece: Piece): [string, Refactoring][] {
  const all: [string, Refactoring][] = [];
  const { kind } = piece;
  const isPlainFunction = kind === "function" && !piece.isBound && !piece.isGeneric && piece.hasBody;
  if (kind !== "constructor" && kind !== "implementation" && !piece.isBound)
    all.push(["rename", (ground, one) => renamed(ground, one, fresh(one.name))]);
  if (isPlainFunction || kind === "constant") all.push(["remove", removed]);
  if (isPlainFunction) {
    for (const [name, change] of signatureChanges(language, piece))
      all.push([name, async (ground, one) => await resigned(ground, one, change)]);
  }
  if (kind === "interface" && piece.bodyAt > 0) {
    all.push(["grow", grown], ["grow", grown]);
  }
  if (language === "rust" && kind === "type" && piece.bodyAt > 0 && piece.text.includes("struct"))
    all.push(["required field", withField]);
  if (language === "java" && kind === "constructor") all.push(["constructor takes more", withArgument]);
  if (kind === "field" && language !== "rust") all.push(["field type", retypedField]);
  if (language !== "go" && (kind === "function" || kind === "field" || kind === "type") && !piece.isBound)
    all.push(["narrow", narrowed]);
  if (language === "go" && piece.isPublic && !piece.isBound)
    all.push([
      "narrow",
      (ground, one) =>
        renamed(
          ground,
          one,
          one.name.replace(/^./, (letter) => letter.toLowerCase()),
        ),
    ]);
  if (language === "java" && kind === "type" && piece.holder === "") all.push(["move", movedClass]);
  return all;
}

/** A name that nobody has, of the same kind by its first letter. */
const fresh = (name: string): string =>
  /^[A-Z0-9_]+$/.test(name)
    ? `${name}_KEPT`
    : name.includes("_") || /^[a-z0-9]+$/.test(name)
      ? `${name}_kept`
      : `${name}Kept`;

async function renamed(ground: Ground, { path, nameAt, name }: Piece, to: string): Promise<Files | undefined> {
  const text = ground.files[path] ?? "";
  let first: Files = { ...ground.files, [path]: spliced(text, nameAt[0], nameAt[1], to) };
  // A class has its file's name, and its constructors have its own.
  if (ground.language === "java" && path.endsWith(`/${name}.java`)) {
    const { [path]: own = "", ...rest } = first;
    const moved = own.replaceAll(new RegExp(`\\b(public |protected |private |^\\s*)${name}(?=\\()`, "gm"), `$1${to}`);
    first = { ...rest, [path.replace(`/${name}.java`, `/${to}.java`)]: moved };
  }
  return await repairRename(ground.judge, first, name, to);
}

function removed(ground: Ground, { path, at }: Piece): Promise<Files | undefined> {
  const text = ground.files[path] ?? "";
  return Promise.resolve({ ...ground.files, [path]: spliced(text, at[0], at[1], "") });
}

async function resigned(ground: Ground, piece: Piece, change: Signature): Promise<Files | undefined> {
  const to = fresh(piece.name);
  const kept = await renamed(ground, piece, to);
  if (kept === undefined) return undefined;
  const text = kept[piece.path] ?? "";
  // Found again by its text: what stood before it may have changed too.
  const at = text.indexOf(to, Math.max(0, piece.nameAt[0] - 400));
  const end = text.indexOf(piece.text.slice(-40), at);
  if (at === -1 || end === -1) return undefined;
  const after = end + Math.min(40, piece.text.length);
  return { ...kept, [piece.path]: spliced(text, after, after, `\n\n${declared(ground.language, piece, change)}`) };
}

async function grown(ground: Ground, { path, bodyAt, name }: Piece): Promise<Files | undefined> {
  const added = { go: "\n\tGrownSince()", java: "\n  void grownSince();\n", rust: "\n    fn grown_since(&self);\n" };
  const text = ground.files[path] ?? "";
  const first = { ...ground.files, [path]: spliced(text, bodyAt, bodyAt, added[ground.language]) };
  return await repairGrown(ground.language, ground.judge, first, ground.pieces, name);
}

async function withField(ground: Ground, { path, bodyAt }: Piece): Promise<Files | undefined> {
  const text = ground.files[path] ?? "";
  const first = { ...ground.files, [path]: spliced(text, bodyAt, bodyAt, "\n    pub asked_since: u8,") };
  return await repairNewField(ground.judge, first, "asked_since");
}

async function withArgument(
  ground: Ground,
  { path, parametersAt, name, parameters }: Piece,
): Promise<Files | undefined> {
  const text = ground.files[path] ?? "";
  const more = parameters.length === 0 ? "int askedSince" : "int askedSince, ";
  const first = { ...ground.files, [path]: spliced(text, parametersAt[0] + 1, parametersAt[0] + 1, more) };
  return await repairNewArgument(ground.judge, first, name);
}

async function retypedField(ground: Ground, piece: Piece): Promise<Files | undefined> {
  const to = fresh(piece.name);
  const kept = await renamed(ground, piece, to);
  if (kept === undefined) return undefined;
  const text = kept[piece.path] ?? "";
  const written = piece.text.replace(new RegExp(`\\b${piece.name}\\b`), to);
  const at = text.indexOf(written, Math.max(0, piece.at[0] - 400));
  if (at === -1) return undefined;
  const other =
    ground.language === "go"
      ? piece.type === "string"
        ? "[]byte"
        : "string"
      : piece.type === "String"
        ? "char[]"
        : "String";
  const access = /^(?:(?:public|protected|private|static)\s+)*/.exec(piece.text)?.[0] ?? "";
  const more = ground.language === "go" ? `\n\t${piece.name} ${other}` : `\n  ${access}${other} ${piece.name};`;
  const end = at + written.length;
  const line = ground.language === "go" ? text.indexOf("\n", end) : end;
  return { ...kept, [piece.path]: spliced(text, line, line, more) };
}

function narrowed(ground: Ground, { path, at, text: own, kind }: Piece): Promise<Files | undefined> {
  const pattern = ground.language === "rust" ? /^pub /m : /\bpublic /;
  const found = pattern.exec(own);
  const isPackage = ground.language === "java" && found === null && kind !== "type";
  if (found === null && !isPackage) return Promise.resolve(undefined);
  const text = ground.files[path] ?? "";
  const start = at[0] + (found?.index ?? 0);
  const to = isPackage ? "private " : "";
  return Promise.resolve({ ...ground.files, [path]: spliced(text, start, start + (found?.[0].length ?? 0), to) });
}

/** The class goes into a package below its own. */
function movedClass({ files }: Ground, { path, name }: Piece): Promise<Files | undefined> {
  const { [path]: own = "", ...rest } = files;
  const home = /^package ([\w.]+);/m.exec(own)?.[1];
  if (home === undefined || !path.endsWith(`/${name}.java`)) return Promise.resolve(undefined);
  const moved: Record<string, string> = {};
  for (const [at, text] of Object.entries(rest)) {
    const isNear = text.includes(`package ${home};`) && new RegExp(`\\b${name}\\b`).test(text);
    const led = text.replaceAll(
      new RegExp(`\\b${home.replaceAll(".", "\\.")}\\.${name}\\b`, "g"),
      `${home}.moved.${name}`,
    );
    moved[at] = isNear ? led.replace(`package ${home};`, `package ${home};\n\nimport ${home}.moved.${name};`) : led;
  }
  const text = own.replace(`package ${home};`, `package ${home}.moved;\n\nimport ${home}.*;`);
  return Promise.resolve({ ...moved, [path.replace(/\/([^/]+)$/, "/moved/$1")]: text });
}

export function spliced(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}
