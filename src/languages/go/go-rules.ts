// Go: a package is a directory and its package clause, an import path begins with the module's name from go.mod. What depends on
// build constraints, on other modules or on embedded types that cannot be followed is unknown.

import { counted } from "../../protocol/counted.ts";
import type { SourceDeclaration, SourceSummary, SourceUse } from "../compiled/facts.ts";
import { type CompiledRules, type Mark, misfit, right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import { directoryOf, joined, type SourceTree } from "../compiled/source-tree.ts";
import { type Given, givenAt, readGiven } from "../compiled/given.ts";
import { methodsFromOutside } from "./go-library.ts";
import {
  type GoPackage,
  isConditional,
  isTest,
  isUnderCondition,
  lookUp,
  marksIn,
  moduleAbove,
  packageIn,
} from "./go-packages.ts";
import {
  type Answer,
  declaredType,
  fitsGo,
  functionOf,
  type GoType,
  hasNoMethods,
  isAlike,
  readGoType,
  tellGoType,
} from "./go-types.ts";

export const goRules: CompiledRules = {
  language: "go",
  reads: /\.go$|(^|\/)go\.mod$/,
  separator: ".",
  owns: (path) => path.endsWith(".go") && !/(^|\/)(vendor|testdata|[._][^/]*)\//.test(path),
  follow: async (tree, path, use) => {
    if (isConditional(path)) return unknown;
    const summary = await tree.summary(path);
    return summary === undefined ? unknown : await new GoFollow(tree, path, summary).follow(use);
  },
  slot(path, summary, { kind, name, of }) {
    if (summary.doubtful === 1 || isConditional(path) || name === "_") return undefined;
    if (kind === "field" || (of === "" && (name === "init" || name === "main"))) return undefined;
    return `${directoryOf(path)} ${summary.package} ${of} ${name}`;
  },
  importsOnce: true,
  isTest,
  isConditional,
  // Nobody can import a program.
  isOffered: ({ name }, summary) => summary.package !== "main" && /^\p{Lu}/u.test(name),
  /** The files of the packages that a file imports, as Go's own tool goes, and for a test those it stands beside. */
  async leadsTo(tree, path, summary) {
    const directories = await new GoFollow(tree, path, summary).directories();
    if (path.endsWith("_test.go")) directories.push(directoryOf(path));
    const files = directories.flatMap((directory) => tree.files(directory));
    return files.filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  },
};

class GoFollow {
  private readonly tree: SourceTree;
  private readonly path: string;
  private readonly summary: SourceSummary;

  constructor(tree: SourceTree, path: string, summary: SourceSummary) {
    this.tree = tree;
    this.path = path;
    this.summary = summary;
  }

  async follow(use: SourceUse): Promise<Verdict> {
    if (this.summary.doubtful === 1) return unknown;
    if (use.kind === "import") return await this.imported(use.path[0] ?? "");
    if (use.kind === "fits") return await this.fits(use);
    const found = await this.name(use.path, use.members.length === 0 ? use : undefined);
    if (found.state === "unknown" && use.path.length > 1) return (await this.broughtIn(use.path[0] ?? "")) ?? unknown;
    if (found.state !== "right") return found;
    if (use.kind === "implements") return await this.implemented(use, found.marks);
    if (use.kind === "literal") return await this.literal(use, found.marks);
    const reached = use.members.length === 0 ? found : await this.members(use.members, found.marks, use);
    return reached.state === "right" ? await this.typed(use, reached.marks) : reached;
  }

  /** What is in a package from outside is not known, but that it is imported is. */
  private async broughtIn(name: string): Promise<Verdict | undefined> {
    if ((await this.importCalled(name)) !== "elsewhere") return undefined;
    const line = this.summary.imports.find((one) => one.name === name)?.line ?? 1;
    return right({ path: this.path, declaration: { ...packageMark(name), line, words: ["import"] } });
  }

  /** What is given has to be what is taken, and what is answered what the place wants. */
  private async typed(use: SourceUse, marks: readonly Mark[]): Promise<Verdict> {
    const mark = marks.at(-1);
    if (mark === undefined || (use.given === undefined && use.expects === undefined)) return right(...marks);
    const { kind, types, gives, answers } = mark.declaration;
    const trail = [...marks];
    if (use.passes === 1) {
      const passed = await this.given(givenAt(use, 0));
      const from = passed.marks.at(-1)?.declaration;
      trail.unshift(...passed.marks);
      if (from?.kind !== "function" || from.gives === undefined) return right(...trail);
      const against = kind === "function" ? misfit(mark.declaration.takes, from.gives) : undefined;
      if (against !== undefined) return wrong("arity", against, mark);
      if (from.gives !== 1) return right(...trail);
    }
    const isCall = use.args !== undefined || use.passes === 1;
    const wanted =
      kind === "function" && isCall
        ? types
        : answers === undefined || kind === "function" || kind === "type"
          ? undefined
          : [answers];
    for (const [at, one] of (use.given ?? []).entries()) {
      const text = wanted?.[Math.min(at, wanted.length - 1)];
      if (text === undefined || (!isCall && at > 0)) continue;
      const verdict = await this.agree(
        readGiven(one),
        await this.typeIn(mark.path, text.replace(/^\.\.\./, "")),
        trail,
      );
      if (verdict !== undefined)
        return wrong(
          "arity",
          isCall
            ? `argument ${at + 1} is ${verdict[0]} and it takes ${verdict[1]}`
            : `it is ${verdict[1]} and is given ${verdict[0]}`,
          mark,
        );
    }
    return await this.answered(use, mark, isCall && gives !== 1, trail);
  }

  private async answered(use: SourceUse, mark: Mark, isMany: boolean, trail: Mark[]): Promise<Verdict> {
    const { kind, answers } = mark.declaration;
    if (use.expects === undefined || answers === undefined || kind === "type" || isMany) return right(...trail);
    if (kind === "function" && use.args === undefined && use.passes === undefined) return right(...trail);
    const type = await this.answerOf(mark);
    const isCompared = use.expects.startsWith("~");
    const place = isCompared ? literal(use.expects.slice(1)) : await this.typeIn(this.path, use.expects.slice(1));
    const [from, to] = isCompared ? [place, type] : [type, place];
    trail.unshift(...marksOf(from), ...marksOf(to));
    const verdict = await fitsGo(from, to, async (one, wanted) => await this.isImplemented(one, wanted, trail));
    return verdict === "no"
      ? wrong("arity", `it is ${tellGoType(type)} and ${tellGoType(place)} is wanted here`, mark)
      : right(...trail);
  }

  /** A value of a written type, in a place that wants another. */
  private async fits(use: SourceUse): Promise<Verdict> {
    const trail: Mark[] = [];
    if (use.expects === undefined) return await this.alike(givenAt(use, 0), givenAt(use, 1));
    const to = await this.typeIn(this.path, (use.expects ?? "").slice(1));
    const against = await this.agree(givenAt(use, 0), to, trail);
    const [first] = trail;
    if (first === undefined) return unknown;
    return against === undefined
      ? right(...trail)
      : wrong("requires", `${against[1]} asks for more than ${against[0]} has`, marksOf(to)[0]);
  }

  /** Two values on the sides of an operator: one has to fit the other. */
  private async alike(one: Given, other: Given): Promise<Verdict> {
    const [left, right_] = [await this.given(one), await this.given(other)];
    const trail = [...left.marks, ...right_.marks, ...marksOf(left.type), ...marksOf(right_.type)];
    if (trail.length === 0) return unknown;
    const implemented = async (has: Mark, wanted: Mark): Promise<Answer> =>
      await this.isImplemented(has, wanted, trail);
    const isNeither =
      (await fitsGo(left.type, right_.type, implemented)) === "no" &&
      (await fitsGo(right_.type, left.type, implemented)) === "no";
    if (!isNeither) return right(...trail);
    return wrong("arity", `one side is ${tellGoType(left.type)} and the other ${tellGoType(right_.type)}`);
  }

  /** Both types in words when the one cannot be given for the other. */
  private async agree(given: Given, to: GoType, trail: Mark[]): Promise<readonly [string, string] | undefined> {
    const { type, marks } = await this.given(given);
    trail.unshift(...marks, ...marksOf(type), ...marksOf(to));
    const place = type.kind === "func" ? await this.underlying(to) : to;
    const verdict = await fitsGo(type, place, async (one, wanted) => await this.isImplemented(one, wanted, trail));
    return verdict === "no" ? [tellGoType(type), tellGoType(to)] : undefined;
  }

  private async given(given: Given): Promise<{ readonly type: GoType; readonly marks: readonly Mark[] }> {
    if (given.is === "unknown") return { type: { kind: "unknown" }, marks: [] };
    if (given.is === "literal") return { type: literal(given.kind), marks: [] };
    if (given.is === "type") return { type: await this.typeIn(this.path, given.text), marks: [] };
    const { path, members, uncalled } = given;
    const found = await this.name(path, undefined);
    const reached =
      found.state === "right" && members.length > 0 ? await this.members(members, found.marks, undefined) : found;
    const mark = reached.state === "right" ? reached.marks.at(-1) : undefined;
    if (reached.state !== "right" || mark === undefined) return { type: { kind: "unknown" }, marks: [] };
    if (uncalled === undefined || mark.declaration.kind !== "function")
      return { type: await this.answerOf(mark), marks: reached.marks };
    // The method of a type, not of a value, takes the value too.
    const isOfType = path.length === 2 && members.length === 0 && reached.marks[0]?.declaration.kind === "type";
    if (isOfType || uncalled === "value or type") return { type: { kind: "unknown" }, marks: [] };
    return { type: await this.functionType(mark), marks: reached.marks };
  }

  /** Of a function that is not called. Of several results, only the first is kept. */
  private async functionType({ path, declaration }: Mark): Promise<GoType> {
    const { types, gives = 0, answers = "" } = declaration;
    if (types === undefined) return { kind: "unknown" };
    const results = Array.from({ length: gives }, (_, at) => (at === 0 ? answers : ""));
    return await functionOf(types, results, async (text) => await this.typeIn(path, text));
  }

  /** A function may be given to a type that is built on such functions. */
  private async underlying(type: GoType): Promise<GoType> {
    const answers = type.kind === "defined" ? type.mark.declaration.answers : undefined;
    return type.kind === "defined" && answers !== undefined ? await this.typeIn(type.mark.path, answers) : type;
  }

  /** Of a field or variable, of what a function answers, or of what a type makes of a value. */
  private async answerOf({ path, declaration }: Mark): Promise<GoType> {
    if (declaration.kind === "type") return declaredType({ path, declaration });
    const { answers = "" } = declaration;
    return answers.startsWith("#") ? literal(answers.slice(1)) : await this.typeIn(path, answers);
  }

  private async typeIn(path: string, text: string): Promise<GoType> {
    const imports = (await this.tree.summary(path))?.imports ?? [];
    return await readGoType(text, async (name) => await this.inFile(path, name), imports);
  }

  /** Tells whether a type has what an interface asks for, by name. */
  private async isImplemented(type: Mark, wanted: Mark, trail: Mark[]): Promise<Answer> {
    const summary = await this.tree.summary(wanted.path);
    const { name, supers } = wanted.declaration;
    const methods = (summary?.declarations ?? []).filter((one) => one.of === name && one.kind === "function");
    for (const method of methods) {
      if (!isExported(method.name) && directoryOf(wanted.path) !== directoryOf(type.path)) return "unknown";
      const found = await this.member(type, method.name, 0);
      if (found.state === "wrong") return "no";
      if (found.state === "unknown") return "unknown";
      const has = found.marks.at(-1)?.declaration;
      if (has?.kind !== "function" || !isAlike(has, method)) return "no";
      trail.unshift(...found.marks);
    }
    return (supers ?? []).length > 0 ? "unknown" : "yes";
  }

  async directories(): Promise<string[]> {
    const found = this.summary.imports.map(({ path }) => this.directoryOfImport(path[0] ?? ""));
    return (await Promise.all(found)).filter((directory) => directory !== undefined);
  }

  private async imported(importPath: string): Promise<Verdict> {
    const directory = await this.directoryOfImport(importPath);
    if (directory === undefined) return unknown;
    const found = await packageIn(this.tree, directory, false, undefined);
    if (found === undefined) return wrong("missing", `there is no package ${importPath}`);
    return right(...found.files.map(({ path }) => ({ path, declaration: packageMark(found.name) })));
  }

  /** A name of this package, `package.Name`, or a member of a variable of this package. */
  private async name(path: readonly string[], call: SourceUse | undefined): Promise<Verdict> {
    const [first = "", second] = path;
    const own = await packageIn(this.tree, directoryOf(this.path), isTest(this.path), this.summary.package);
    if (own === undefined) return unknown;
    const taken = await this.importCalled(first);
    if (taken === undefined) return await this.inPackage(own, first, second, call);
    if (taken === "elsewhere" || second === undefined) return unknown;
    const found = await packageIn(this.tree, taken.directory, false, undefined);
    // A package that is gone is told once, at its import.
    if (found === undefined) return unknown;
    const verdict = lookUp(found, second);
    const mark = { path: this.path, declaration: taken.mark };
    if (verdict.state !== "right") return verdict;
    return withMarks([mark], fit(verdict, call));
  }

  private async inPackage(
    own: GoPackage,
    first: string,
    second: string | undefined,
    call: SourceUse | undefined,
  ): Promise<Verdict> {
    const found = lookUp(own, first);
    if (found.state === "right")
      return second === undefined ? fit(found, call) : await this.members([second], found.marks, call);
    if (found.state !== "wrong") return found;
    if (second !== undefined && !universe.has(first)) {
      // Perhaps an import whose package has another name than its path says.
      return this.summary.imports.some(({ words }) => words.includes("unnamed")) && !(await this.allImportsKnown())
        ? unknown
        : found;
    }
    return universe.has(first) ? unknown : found;
  }

  private async allImportsKnown(): Promise<boolean> {
    for (const { path } of this.summary.imports) {
      const [importPath = ""] = path;
      // The standard library's packages are called what their path says.
      if (!importPath.split("/", 1)[0]?.includes(".")) continue;
      if ((await this.directoryOfImport(importPath)) === undefined) return false;
    }
    return true;
  }

  private async importCalled(
    name: string,
  ): Promise<{ readonly directory: string; readonly mark: SourceDeclaration } | "elsewhere" | undefined> {
    for (const one of this.summary.imports) {
      const [importPath = ""] = one.path;
      const directory = await this.directoryOfImport(importPath);
      const isUnnamed = one.words.includes("unnamed");
      const real =
        directory === undefined || !isUnnamed ? undefined : await packageIn(this.tree, directory, false, undefined);
      if ((real?.name ?? one.name) !== name) continue;
      return directory === undefined ? "elsewhere" : { directory, mark: { ...packageMark(name), line: one.line } };
    }
    return undefined;
  }

  /** undefined when the path is not of this file's module. */
  private async directoryOfImport(importPath: string): Promise<string | undefined> {
    const module = await moduleAbove(this.tree, directoryOf(this.path));
    if (module === undefined) return undefined;
    if (importPath !== module.name && !importPath.startsWith(`${module.name}/`)) return undefined;
    const directory = joined(module.directory, importPath.slice(module.name.length + 1));
    const above = await moduleAbove(this.tree, directory);
    return above?.directory === module.directory ? directory : undefined;
  }

  private async members(
    names: readonly string[],
    marks: readonly Mark[],
    call: SourceUse | undefined,
  ): Promise<Verdict> {
    const trail = [...marks];
    for (const [at, name] of names.entries()) {
      const from = trail.at(-1);
      const type = await this.typeOf(from, 0);
      if (type === undefined) {
        const answer = from === undefined || from.declaration.kind === "type" ? undefined : await this.answerOf(from);
        const isBare =
          answer !== undefined && (hasNoMethods(answer) || (answer.kind === "pointer" && hasNoMethods(answer.of)));
        if (isBare) return wrong("member", `it is ${tellGoType(answer)}, which has no ${name}`, from);
        // What the library's types have is not looked up: that such a type is there is all that counts.
        const isLibrary = answer?.kind === "library" || (answer?.kind === "pointer" && answer.of.kind === "library");
        return isLibrary ? right(...trail, packageNamed(name)) : unknown;
      }
      trail.push(type);
      const found = await this.member(type, name, 0);
      if (found.state !== "right") return found;
      trail.push(...found.marks);
      if (at === names.length - 1) return withMarks(trail, fit(found, call));
    }
    return unknown;
  }

  /** The type that a value, or what a function answers, is of. */
  private async typeOf(mark: Mark | undefined, depth: number): Promise<Mark | undefined> {
    if (mark === undefined || depth > 5) return undefined;
    const { declaration, path } = mark;
    const isAlias = declaration.words.includes("alias");
    if (declaration.kind === "type" && !isAlias) return mark;
    if (declaration.type === undefined) return undefined;
    const found = await this.inFile(path, declaration.type);
    return await this.typeOf(found, depth + 1);
  }

  private async inFile(path: string, name: readonly string[]): Promise<Mark | undefined> {
    const summary = await this.tree.summary(path);
    if (summary === undefined || summary.doubtful === 1) return undefined;
    const found = await new GoFollow(this.tree, path, summary).name(name, undefined);
    return found.state === "right" ? found.marks.at(-1) : undefined;
  }

  private async member(type: Mark, name: string, depth: number): Promise<Verdict> {
    if (depth > 5) return unknown;
    const { declaration, path } = type;
    const summary = await this.tree.summary(path);
    const home = await packageIn(this.tree, directoryOf(path), isTest(path), summary?.package);
    if (home === undefined) return unknown;
    const isOutside = directoryOf(path) !== directoryOf(this.path);
    if (isOutside && !isExported(name)) return unknown;
    const found = marksIn(home, name, declaration.name);
    if (found.length > 0) return found.length === 1 ? right(...found) : unknown;
    if (!home.isSure || isUnderCondition(home, name, declaration.name)) return unknown;
    for (const path of declaration.supers ?? []) {
      const above = await this.typeOf(await this.inFile(type.path, path), 0);
      // What is embedded from outside brings no more than its own exported names.
      if (above === undefined && isExported(name) && methodsFromOutside(summary, path)?.has(name) !== false)
        return unknown;
      if (above === undefined) continue;
      const inherited = await this.member(above, name, depth + 1);
      if (inherited.state !== "wrong") return inherited.state === "right" ? withMarks([above], inherited) : unknown;
    }
    const isPlain = declaration.words.includes("struct") || declaration.words.includes("interface");
    if (!isPlain && declaration.type !== undefined && !universe.has(declaration.type[0] ?? "")) return unknown;
    return wrong("member", `${declaration.name} has no ${name}`, type);
  }

  /** A type has every method of an interface that it is assigned to. */
  private async implemented(use: SourceUse, marks: readonly Mark[]): Promise<Verdict> {
    const wanted = await this.typeOf(marks.at(-1), 0);
    const own = await this.name(use.supers?.[0] ?? [], undefined);
    const type = own.state === "right" ? await this.typeOf(own.marks.at(-1), 0) : undefined;
    const summary = wanted === undefined ? undefined : await this.tree.summary(wanted.path);
    if (wanted === undefined || type === undefined || summary === undefined) return unknown;
    const { words, supers, name } = wanted.declaration;
    if (!words.includes("interface") || (supers ?? []).length > 0) return unknown;
    const trail: Mark[] = [...marks, wanted, type];
    for (const method of summary.declarations.filter((one) => one.of === name)) {
      const mark = { path: wanted.path, declaration: method };
      const found = await this.member(type, method.name, 0);
      if (found.state === "unknown") return unknown;
      const has = found.state === "right" ? found.marks.at(-1)?.declaration : undefined;
      if (has === undefined) return wrong("requires", `${name} asks for ${method.name}`, mark);
      if (!isAlike(has, method))
        return wrong("arity", `${method.name} has other parameters or results in ${name}`, mark);
      if (found.state === "right") trail.push(...found.marks);
    }
    return right(...trail, wanted);
  }

  private async literal(use: SourceUse, marks: readonly Mark[]): Promise<Verdict> {
    const type = marks.at(-1);
    const { declaration } = type ?? {};
    if (type === undefined || declaration?.kind !== "type" || !declaration.words.includes("struct")) return unknown;
    const summary = await this.tree.summary(type.path);
    const fields = (summary?.declarations ?? []).filter(({ kind, of }) => kind === "field" && of === declaration.name);
    const parts = use.parts ?? [];
    const values = use.whole === 1 ? fields : parts.map((part) => fields.find(({ name }) => name === part));
    if (use.whole === 1) {
      if (parts.length === fields.length) return await this.filled(use, type, values, marks);
      return wrong("arity", `${declaration.name} has ${fields.length} fields and is given ${parts.length}`, type);
    }
    const lost = parts.find((part) => !fields.some(({ name }) => name === part));
    const marked = fields
      .filter(({ name }) => parts.includes(name))
      .map((field) => ({ path: type.path, declaration: field }));
    if (lost === undefined) return await this.filled(use, type, values, [...marks, ...marked]);
    return wrong("member", `${declaration.name} has no field ${lost}`, type);
  }

  /** Each field of a literal is given what it is of. */
  private async filled(
    use: SourceUse,
    { path }: Mark,
    fields: readonly (SourceDeclaration | undefined)[],
    marks: readonly Mark[],
  ): Promise<Verdict> {
    const trail = [...marks];
    for (const [at, one] of (use.given ?? []).entries()) {
      const field = fields[at];
      if (field?.answers === undefined) continue;
      const against = await this.agree(readGiven(one), await this.typeIn(path, field.answers), trail);
      if (against !== undefined)
        return wrong("arity", `${field.name} is ${against[1]} and is given ${against[0]}`, {
          path,
          declaration: field,
        });
    }
    return right(...trail);
  }
}

/** Stands for a member of a type from outside, of which nothing is known. */
function packageNamed(name: string): Mark {
  return { path: "", declaration: packageMark(name) };
}

const literal = (name: string): GoType => ({ kind: "untyped", name });

/** The declarations that a type leads to: who grows one of them changes what fits. */
function marksOf(type: GoType): Mark[] {
  return "of" in type ? marksOf(type.of) : "mark" in type ? [type.mark] : [];
}

function fit(found: Verdict, call: SourceUse | undefined): Verdict {
  if (found.state !== "right" || call === undefined || found.marks.length === 0) return found;
  const mark = found.marks.at(-1);
  if (mark?.declaration.kind !== "function") return found;
  const against = misfit(mark.declaration.takes, call.args);
  if (against !== undefined) return wrong("arity", against, mark);
  const { gives } = mark.declaration;
  if (call.wants !== undefined && gives !== undefined && call.wants !== gives)
    return wrong("arity", `it gives ${counted(gives, "result")} and ${counted(call.wants, "is", "are")} taken`, mark);
  return found;
}

function withMarks(marks: readonly Mark[], verdict: Verdict): Verdict {
  return verdict.state === "right" ? right(...marks, ...verdict.marks) : verdict;
}

function packageMark(name: string): SourceDeclaration {
  return { kind: "module", name, line: 1, of: "", module: "", access: "public", words: [], shape: 0 };
}

const isExported = (name: string): boolean => /^\p{Lu}/u.test(name);

const universe = new Set(
  "any append bool byte cap clear close comparable complex complex64 complex128 copy delete error false float32 float64 imag int int8 int16 int32 int64 iota len make max min new nil panic print println real recover rune string true uint uint8 uint16 uint32 uint64 uintptr".split(
    " ",
  ),
);
