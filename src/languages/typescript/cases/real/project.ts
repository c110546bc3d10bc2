// A real project in the hands of the TypeScript language service: what it exports, who uses it, and edits made as an editor
// makes them. The files stay as they are; edits are answered, not written.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript6";

/** Path to text; null takes the file away. */
export type Edits = ReadonlyMap<string, string | null>;

/** A declaration that other files can name. */
export interface Target {
  readonly path: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly node: ts.Declaration;
}

export class Project {
  readonly directory: string;
  readonly service: ts.LanguageService;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The project's own files that are tracked, relative to its directory. */
  readonly paths: readonly string[];
  readonly targets: readonly Target[];

  constructor(directory: string, config: string, tracked: ReadonlySet<string>) {
    this.directory = directory;
    const read = ts.readConfigFile(join(directory, config), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(read.config, ts.sys, directory);
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => options,
      getScriptFileNames: () => fileNames,
      getScriptVersion: () => "1",
      getScriptSnapshot: (name) => {
        const text = ts.sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => directory,
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    };
    this.service = ts.createLanguageService(host);
    const program = this.service.getProgram();
    if (program === undefined) throw new Error(`${directory} is no project`);
    this.program = program;
    this.checker = program.getTypeChecker();
    this.paths = fileNames
      .map((name) => relative(directory, name))
      .filter((path) => tracked.has(path) && !path.endsWith(".d.ts") && this.text(path).length < 200_000);
    this.targets = this.paths.flatMap((path) => this.exportedOf(path));
  }

  text(path: string): string {
    return this.file(path)?.text ?? readFileSync(join(this.directory, path), "utf8");
  }

  file(path: string): ts.SourceFile | undefined {
    return this.program.getSourceFile(join(this.directory, path));
  }

  pathOf(name: string): string {
    return relative(this.directory, name);
  }

  /** How a file names another: as its own kind of project does. */
  specifier(from: string, to: string): string {
    const ending = /\bfrom ["']\.[^"']*\.(ts|tsx|js|mjs)["']/.exec(this.text(to) + this.neighbour(to))?.[1];
    const bare = relative(dirname(from), to).replace(/\.[cm]?[jt]sx?$/, "");
    const path = bare.startsWith(".") ? bare : `./${bare}`;
    if (ending === undefined) return path;
    return `${path}.${ending === "ts" ? (to.split(".").at(-1) ?? "ts") : ending}`;
  }

  /** Other files that use a declaration. */
  usersOf(target: Target): readonly string[] {
    return [...new Set(this.referencesOf(target.node).map(({ fileName }) => this.pathOf(fileName)))].filter(
      (path) => path !== target.path && this.paths.includes(path),
    );
  }

  referencesOf(node: ts.Declaration): readonly ts.ReferenceEntry[] {
    const name = ts.getNameOfDeclaration(node) ?? node;
    const found = this.service.findReferences(node.getSourceFile().fileName, name.getStart()) ?? [];
    return found.flatMap(({ references }) => references);
  }

  /** The edits of a rename, in every file; undefined where the editor would refuse. */
  rename(node: ts.Declaration, to: string): Edits | undefined {
    const name = ts.getNameOfDeclaration(node);
    if (name === undefined) return undefined;
    const { fileName } = node.getSourceFile();
    const places = this.service.findRenameLocations(fileName, name.getStart(), false, false, {});
    if (places === undefined || places.some((one) => !this.isOwn(one.fileName))) return undefined;
    return this.edited(
      places.map((one) => ({
        path: this.pathOf(one.fileName),
        start: one.textSpan.start,
        length: one.textSpan.length,
        text: `${one.prefixText ?? ""}${to}${one.suffixText ?? ""}`,
      })),
    );
  }

  /** One of the editor's own refactorings. */
  refactor(path: string, range: ts.TextRange, refactoring: string, action: string): Edits | undefined {
    try {
      const found = this.service.getEditsForRefactor(
        join(this.directory, path),
        ts.getDefaultFormatCodeSettings(),
        range,
        refactoring,
        action,
        {},
      );
      return found === undefined ? undefined : this.applied(found.edits);
    } catch {
      return undefined;
    }
  }

  renameFile(from: string, to: string): Edits {
    const changes = this.service.getEditsForFileRename(
      join(this.directory, from),
      join(this.directory, to),
      ts.getDefaultFormatCodeSettings(),
      {},
    );
    const edits = new Map(this.applied(changes) ?? []);
    edits.set(to, edits.get(from) ?? this.text(from));
    edits.set(from, null);
    return edits;
  }

  edited(changes: readonly { path: string; start: number; length: number; text: string }[]): Edits {
    const edits = new Map<string, string>();
    for (const path of new Set(changes.map((one) => one.path))) {
      const here = changes.filter((one) => one.path === path).sort((a, b) => b.start - a.start);
      let text = this.text(path);
      for (const one of here) text = text.slice(0, one.start) + one.text + text.slice(one.start + one.length);
      edits.set(path, text);
    }
    return edits;
  }

  isOwn(name: string): boolean {
    return this.paths.includes(this.pathOf(name));
  }

  private applied(changes: readonly ts.FileTextChanges[]): Edits | undefined {
    if (changes.some((one) => one.isNewFile !== true && !this.isOwn(one.fileName))) return undefined;
    const edits = new Map<string, string>();
    for (const { fileName, textChanges, isNewFile } of changes) {
      const path = this.pathOf(fileName);
      let text = isNewFile === true ? "" : (edits.get(path) ?? this.text(path));
      for (const { span, newText } of [...textChanges].sort((a, b) => b.span.start - a.span.start))
        text = text.slice(0, span.start) + newText + text.slice(span.start + span.length);
      edits.set(path, text);
    }
    return edits;
  }

  private neighbour(path: string): string {
    return this.paths.find((one) => one !== path && dirname(one) === dirname(path)) === undefined
      ? ""
      : this.paths
          .filter((one) => dirname(one) === dirname(path))
          .slice(0, 5)
          .map((one) => this.text(one))
          .join("\n");
  }

  private exportedOf(path: string): Target[] {
    const file = this.file(path);
    // Asked of the checker, only a file with `import` or `export` is a module.
    const symbol = (file as { symbol?: ts.Symbol } | undefined)?.symbol;
    if (file === undefined || symbol === undefined) return [];
    return this.checker.getExportsOfModule(symbol).flatMap((one): Target[] => {
      const node = one.declarations?.[0];
      if (node === undefined || node.getSourceFile() !== file || ts.isExportSpecifier(node)) return [];
      const name = ts.getNameOfDeclaration(node);
      if (name === undefined || !ts.isIdentifier(name) || one.escapedName === "export=") return [];
      return [{ path, name: name.text, isDefault: one.escapedName === "default", node }];
    });
  }
}
