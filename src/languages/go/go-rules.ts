// Go: a package is a directory and its package clause, an import path begins with the module's name from go.mod. What depends on
// build constraints, on other modules or on embedded types that cannot be followed is unknown.

import type { SourceDeclaration, SourceSummary, SourceUse } from "../compiled/facts.ts";
import { type LanguageRules, type Mark, misfit, right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import { baseName, directoryOf, joined, type SourceTree } from "../compiled/source-tree.ts";

export const goRules: LanguageRules = {
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
  isTest: (path) => path.endsWith("_test.go"),
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

const systems =
  "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm unix";
const conditional = new RegExp(`_(${systems.replaceAll(" ", "|")})(_test)?\\.go$`);

/** The file's name says for which system it is. */
function isConditional(path: string): boolean {
  return conditional.test(path);
}

interface GoPackage {
  readonly directory: string;
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly summary: SourceSummary }[];
  /** Some file cannot be read or may not count: a name that is not found may be there all the same. */
  readonly isSure: boolean;
}

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
    const found = await this.name(use.path, use.members.length === 0 ? use : undefined);
    if (found.state !== "right") return found;
    if (use.kind === "implements") return await this.implemented(use, found.marks);
    if (use.kind === "literal") return await this.literal(use, found.marks);
    return use.members.length === 0 ? found : await this.members(use.members, found.marks, use);
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
      const type = await this.typeOf(trail.at(-1), 0);
      if (type === undefined) return unknown;
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
    if (declaration.kind === "type" && !isAlias) return declaration.words.includes("generic") ? undefined : mark;
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
    if (!home.isSure) return unknown;
    for (const path of declaration.supers ?? []) {
      const above = await this.typeOf(await this.inFile(type.path, path), 0);
      if (above === undefined) return unknown;
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
      const isAlike = JSON.stringify([has.takes, has.gives]) === JSON.stringify([method.takes, method.gives]);
      if (!isAlike) return wrong("arity", `${method.name} has other parameters or results in ${name}`, mark);
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
    if (use.whole === 1) {
      if (parts.length === fields.length) return right(...marks);
      return wrong("arity", `${declaration.name} has ${fields.length} fields and is given ${parts.length}`, type);
    }
    const lost = parts.find((part) => !fields.some(({ name }) => name === part));
    const marked = fields
      .filter(({ name }) => parts.includes(name))
      .map((field) => ({ path: type.path, declaration: field }));
    if (lost === undefined) return right(...marks, ...marked);
    return wrong("member", `${declaration.name} has no field ${lost}`, type);
  }
}

function fit(found: Verdict, call: SourceUse | undefined): Verdict {
  if (found.state !== "right" || call === undefined || found.marks.length === 0) return found;
  const mark = found.marks.at(-1);
  if (mark?.declaration.kind !== "function") return found;
  const against = misfit(mark.declaration.takes, call.args);
  if (against !== undefined) return wrong("arity", against, mark);
  const { gives } = mark.declaration;
  if (call.wants !== undefined && gives !== undefined && call.wants !== gives)
    return wrong("arity", `it gives ${gives} ${gives === 1 ? "result" : "results"} and ${call.wants} are taken`, mark);
  return found;
}

function withMarks(marks: readonly Mark[], verdict: Verdict): Verdict {
  return verdict.state === "right" ? right(...marks, ...verdict.marks) : verdict;
}

function lookUp(home: GoPackage, name: string): Verdict {
  const found = marksIn(home, name, "");
  if (found.length === 1) return right(...found);
  return found.length === 0 && home.isSure ? wrong("missing", `package ${home.name} has no ${name}`) : unknown;
}

function marksIn(home: GoPackage, name: string, of: string): Mark[] {
  return home.files.flatMap(({ path, summary }) =>
    summary.doubtful === 1 || isConditional(path)
      ? []
      : summary.declarations
          .filter((one) => one.name === name && one.of === of)
          .map((declaration) => ({ path, declaration })),
  );
}

/** The package in a directory as a file of it sees it (`name` given), or as an importer does. */
function packageIn(
  tree: SourceTree,
  directory: string,
  withTests: boolean,
  name: string | undefined,
): Promise<GoPackage | undefined> {
  return tree.remember(`go package ${directory} ${withTests} ${name ?? ""}`, async () => {
    const files: { path: string; summary: SourceSummary }[] = [];
    let isSure = true;
    let called = name;
    for (const path of tree.files(directory)) {
      if (!path.endsWith(".go") || (isTest(path) && !withTests)) continue;
      const summary = await tree.summary(path);
      if (summary === undefined || summary.skipped !== undefined) {
        isSure = false;
        continue;
      }
      if (summary.doubtful === 1 || isConditional(path)) isSure = false;
      // Programs to be run by `go run` stand beside a package under a constraint of their own.
      if (summary.doubtful !== 1) called ??= summary.package;
      if (summary.package === called) files.push({ path, summary });
    }
    return called === undefined || files.length === 0 ? undefined : { directory, name: called, files, isSure };
  });
}

function moduleAbove(
  tree: SourceTree,
  directory: string,
): Promise<{ readonly name: string; readonly directory: string } | undefined> {
  return tree.remember(`go module ${directory}`, async () => {
    for (let at = directory; ; at = directoryOf(at)) {
      if (tree.files(at).some((path) => baseName(path) === "go.mod")) {
        const name = /^\s*module\s+"?([^\s"]+)/m.exec(await tree.text(joined(at, "go.mod")))?.[1];
        return name === undefined ? undefined : { name, directory: at };
      }
      if (at === "") return undefined;
    }
  });
}

function packageMark(name: string): SourceDeclaration {
  return { kind: "module", name, line: 1, of: "", module: "", access: "public", words: [], shape: 0 };
}

const isTest = (path: string): boolean => path.endsWith("_test.go");
const isExported = (name: string): boolean => /^\p{Lu}/u.test(name);

const universe = new Set(
  "any append bool byte cap clear close comparable complex complex64 complex128 copy delete error false float32 float64 imag int int8 int16 int32 int64 iota len make max min new nil panic print println real recover rune string true uint uint8 uint16 uint32 uint64 uintptr".split(
    " ",
  ),
);
