// Which file of Go, Java or Rust leads to which, over a whole tree, and which are tests: what a change likely affects follows from
// it. Go goes by packages, as its own tool does; the others by what each file's uses mean. What stands inside Rust's test functions
// is not told by the parser, so there only what the file brings in by `use` counts.

import type { ReadBlob, TreeView } from "../../ports/semantic.ts";
import type { SourceLanguage, SourceSummary } from "./facts.ts";
import { rulesOf } from "./check-compiled.ts";
import { goImports } from "../go/go-rules.ts";
import type { Mark } from "./rules.ts";
import { RustModules } from "../rust/rust-modules.ts";
import { directoryOf, type SourcePorts, SourceTree } from "./source-tree.ts";

export interface CompiledGraph {
  /** Path to the paths it leads to. What was not reached when the signal aborted is left out. */
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tests: ReadonlySet<string>;
}

export async function compiledImportGraph(
  language: SourceLanguage,
  view: TreeView,
  read: ReadBlob,
  ports: SourcePorts,
  signal?: AbortSignal,
): Promise<CompiledGraph> {
  const tree = new SourceTree(view, ports, read, new Set());
  const graph = new Map<string, ReadonlySet<string>>();
  const tests = new Set<string>();
  for (const path of view.blobs.keys()) {
    if (signal?.aborted === true) break;
    if (!rulesOf[language].owns(path)) continue;
    const summary = await tree.summary(path);
    if (summary === undefined || summary.skipped !== undefined) continue;
    if (isTest(language, path, summary)) tests.add(path);
    graph.set(
      path,
      language === "go" ? await goTargets(tree, path, summary) : await targets(language, tree, path, summary),
    );
  }
  return { graph, tests };
}

/** The files of the packages that a file imports, and for a test those it stands beside. */
async function goTargets(tree: SourceTree, path: string, summary: SourceSummary): Promise<Set<string>> {
  const directories = await goImports(tree, path, summary);
  if (path.endsWith("_test.go")) directories.push(directoryOf(path));
  const files = directories.flatMap((directory) => tree.files(directory));
  return new Set(files.filter((file) => file.endsWith(".go") && !file.endsWith("_test.go") && file !== path));
}

async function targets(
  language: SourceLanguage,
  tree: SourceTree,
  path: string,
  summary: SourceSummary,
): Promise<Set<string>> {
  const found = new Set<string>();
  const asked = new Set<string>();
  for (const { kind, module, of, path: name, line, scope } of summary.uses) {
    const key = JSON.stringify([kind, module, of, name]);
    if (asked.has(key) || kind === "overrides") continue;
    asked.add(key);
    // What is done with it, and whether that is right, does not matter here.
    const verdict = await rulesOf[language].follow(tree, path, {
      kind: kind === "import" ? kind : "name",
      module,
      of,
      path: name,
      line,
      scope,
      members: [],
    });
    if (verdict.state !== "right") continue;
    const inside = language === "rust" ? await moduleFile(tree, verdict.marks.at(-1)) : undefined;
    for (const file of [inside, ...verdict.marks.map((mark) => mark.path)]) {
      if (file !== undefined && file !== path) found.add(file);
    }
  }
  return found;
}

/** The file that a `mod` names: who brings in a module wants what is in it. */
async function moduleFile(tree: SourceTree, mark: Mark | undefined): Promise<string | undefined> {
  if (mark?.declaration.kind !== "module") return undefined;
  const modules = new RustModules(tree);
  const holder = await modules.of(mark.path);
  if (holder === undefined) return undefined;
  const inline = mark.declaration.module === "" ? [] : mark.declaration.module.split("::");
  return (await modules.at(holder.root, [...holder.path, ...inline, mark.declaration.name]))?.file;
}

function isTest(language: SourceLanguage, path: string, { declarations }: SourceSummary): boolean {
  if (language === "go") return path.endsWith("_test.go");
  if (language === "java") return /(^|\/)src\/(test|[a-z]+Test)\//.test(path) && !path.endsWith("package-info.java");
  if (/(^|\/)tests\/.*\.rs$/.test(path)) return true;
  return declarations.some(
    ({ kind, name, words }) => kind === "module" && /^tests?$/.test(name) && words.includes("conditional"),
  );
}
