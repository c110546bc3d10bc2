// The tests that a change likely affects: those that reach a changed file by imports, however far, and those that were
// changed themselves. Pure; the graphs come from the languages.

export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** `tests` are those that only their language can tell from other files. */
export function affectedTests(
  changed: Iterable<string>,
  graphs: readonly ImportGraph[],
  tests: ReadonlySet<string> = new Set(),
): string[] {
  const importers = new Map<string, string[]>();
  for (const graph of graphs) {
    for (const [from, targets] of graph) {
      for (const to of targets) {
        const known = importers.get(to);
        if (known === undefined) importers.set(to, [from]);
        else known.push(from);
      }
    }
  }
  const reached = new Set(changed);
  for (const path of reached) {
    for (const importer of importers.get(path) ?? []) reached.add(importer);
    // pytest gives a conftest.py to every test beside and below it, without an import.
    const below = /^(.*\/)?conftest\.py$/.exec(path);
    if (below === null) continue;
    for (const graph of graphs) {
      for (const file of graph.keys()) if (file.startsWith(below[1] ?? "") && isTest(file)) reached.add(file);
    }
  }
  return [...reached].filter((path) => isTest(path) || tests.has(path)).sort();
}

export function isTest(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/[._-](test|spec|tests)\.[cm]?[jt]sx?$/.test(name)) return true;
  if (/^test_.*\.py$|_test\.py$/.test(name)) return true;
  return /(^|\/)(__tests__|tests?)\/.*\.[cm]?[jt]sx?$/.test(path) && !name.endsWith(".d.ts");
}
