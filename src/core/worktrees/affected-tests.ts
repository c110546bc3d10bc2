// The tests that a change likely affects: those that reach a changed file by imports, however far, and those that were
// changed themselves. Pure; the graphs come from the languages, which also know what a test is.

export interface ImportGraph {
  /** A file and the files it imports. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tests: ReadonlySet<string>;
}

export function affectedTests(changed: Iterable<string>, graphs: readonly ImportGraph[]): string[] {
  const importers = new Map<string, string[]>();
  for (const { imports } of graphs) {
    for (const [from, targets] of imports) {
      for (const to of targets) {
        const known = importers.get(to);
        if (known === undefined) importers.set(to, [from]);
        else known.push(from);
      }
    }
  }
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return [...reached].filter((path) => graphs.some(({ tests }) => tests.has(path))).sort();
}
