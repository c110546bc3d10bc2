// Go's packages and modules: the files of a directory that share a package clause, what they declare, and which of them count only on some
// systems. What a use means is for go-rules.ts to say.

import type { SourceSummary } from "../compiled/facts.ts";
import { type Mark, right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import { baseName, directoryOf, joined, type SourceTree } from "../compiled/source-tree.ts";

export interface GoPackage {
  readonly directory: string;
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly summary: SourceSummary }[];
  /** Some file cannot be read: a name that is not found may be there all the same. */
  readonly isSure: boolean;
}

export function lookUp(home: GoPackage, name: string): Verdict {
  const found = marksIn(home, name, "");
  if (found.length === 1) return right(...found);
  const isGone = found.length === 0 && home.isSure && !isUnderCondition(home, name, "");
  return isGone ? wrong("missing", `package ${home.name} has no ${name}`) : unknown;
}

/** A file for some systems, or under a constraint, declares it: whether it counts is not known. */
export function isUnderCondition(home: GoPackage, name: string, of: string): boolean {
  return home.files.some(
    ({ path, summary }) =>
      (summary.doubtful === 1 || isConditional(path)) &&
      summary.declarations.some((one) => one.name === name && one.of === of),
  );
}

export function marksIn(home: GoPackage, name: string, of: string): Mark[] {
  return home.files.flatMap(({ path, summary }) =>
    summary.doubtful === 1 || isConditional(path)
      ? []
      : summary.declarations
          .filter((one) => one.name === name && one.of === of)
          .map((declaration) => ({ path, declaration })),
  );
}

/** The package in a directory as a file of it sees it (`name` given), or as an importer does. */
export function packageIn(
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
      // Programs to be run by `go run` stand beside a package under a constraint of their own.
      if (summary.doubtful !== 1) called ??= summary.package;
      if (summary.package === called) files.push({ path, summary });
    }
    return called === undefined || files.length === 0 ? undefined : { directory, name: called, files, isSure };
  });
}

export function moduleAbove(
  tree: SourceTree,
  directory: string,
): Promise<{ readonly name: string; readonly directory: string } | undefined> {
  return tree.remember(`go module ${directory}`, async () => {
    for (let at = directory; ; at = directoryOf(at)) {
      if (tree.files(at).some((path) => baseName(path) === "go.mod")) {
        const name = /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(await tree.text(joined(at, "go.mod")))?.[1];
        return name === undefined ? undefined : { name, directory: at };
      }
      if (at === "") return undefined;
    }
  });
}

const systems =
  "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm unix";
const conditional = new RegExp(`_(${systems.replaceAll(" ", "|")})(_test)?\\.go$`);

/** The file's name says for which system it is. */
export function isConditional(path: string): boolean {
  return conditional.test(path);
}

export const isTest = (path: string): boolean => path.endsWith("_test.go");
