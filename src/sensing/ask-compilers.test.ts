import { expect, test } from "bun:test";
import type { PairFinding, Reviewed } from "../core/findings/pair-finding.ts";
import type { LanguageCompiler, OpenLanguage } from "../languages/language.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import type { ChangedFile, RepositoryObserver } from "../ports/git.ts";
import type { SemanticConflict, SemanticOutcome } from "../ports/semantic.ts";
import { PairTypes } from "./ask-compilers.ts";
import type { MergedPair, ReviewedSide } from "./merged-pair.ts";
import { syntaxOnly } from "./pipeline.suite.ts";
import { QuietQueue } from "./quiet-queue.ts";
import { openMemory } from "./repository-memory.ts";

const finding = (kind: PairFinding["kind"], title: string): PairFinding => ({
  kind,
  title,
  severity: "high",
  subject: title,
  action: "",
  symbols: [],
  evidence: [],
});

const side = (name: string, commit: string): ReviewedSide => ({
  side: { label: name, worktree: `/${name}`, branch: name, commit, tree: commit },
  snapshot: { commit, tree: commit, parents: [], flags: [], context: "" },
});

const place = { path: "src/a.ts", line: 1, text: "text" };
const byTypes: SemanticConflict = {
  language: "typescript",
  rule: "type-mismatch",
  symbol: "by types",
  definitionSide: "ours",
  definitionBefore: place,
  definitionAfter: undefined,
  use: place,
  message: "",
  suggestion: "",
  byCompiler: true,
};

/** A pair whose files are these, and what the compiler would say of it. */
function stage(
  path: string,
  compiler: Partial<SemanticOutcome> & { readonly failures?: number },
  texts: Readonly<Record<string, string>> = {},
) {
  const clock = new FakeClock();
  const recheck: string[] = [];
  let asked = 0;
  const [was, is] = [texts["old"], texts["new"]];
  const file = (commit: string): ChangedFile => ({
    path: was === undefined ? path : `${commit}/${path}`,
    change: "modified",
    from: undefined,
    before: { mode: "100644", blob: was === undefined ? "none" : "old" },
    after: { mode: "100644", blob: was === undefined ? commit : "new" },
  });
  const observer = {
    identity: "repository",
    read: async (blob: string) => Buffer.from((blob === "old" ? was : is) ?? blob),
    changedFiles: async (_: string, { commit }: { commit: string }) => [file(commit)],
    tree: async () => new Map(),
  } as unknown as RepositoryObserver;
  const answering: LanguageCompiler = {
    name: "TypeScript",
    isVisible: (_, before, after) => before.split("{")[0] !== after.split("{")[0],
    check: async () => {
      asked += 1;
      if (asked <= (compiler.failures ?? 0)) throw new Error("it was ended");
      return { conflicts: [], complete: true, notes: [], ...compiler };
    },
    close: () => undefined,
  };
  const plain = syntaxOnly();
  const all = plain.all.map((one): OpenLanguage =>
    one.language.name === "typescript" ? { ...one, compiler: answering } : one,
  );
  const languages = { ...plain, all };
  const types = new PairTypes(
    { observer, memory: openMemory(languages), log: () => undefined },
    {
      asked: {
        when: "later",
        queue: new QuietQueue({ clock, log: () => undefined }),
        recheck: (one, other) => void recheck.push(`${one} ${other}`),
      },
      deadlineMs: 60_000,
    },
  );
  const said: Reviewed = {
    findings: [finding("semantic", "by syntax"), finding("textual", "by git")],
    open: [],
    unread: [],
  };
  const ask = async (ours = "1", conflicts: readonly string[] = []): Promise<string> => {
    const pair = {
      ours: side("a", ours),
      theirs: side("b", "2"),
      merge: {
        kind: conflicts.length === 0 ? "clean" : "conflicted",
        tree: "t",
        bases: ["base"],
        conflicts: conflicts.map((path) => ({ path, otherPaths: [] })),
      },
      patterns: { exclude: [], include: [] },
      signal: new AbortController().signal,
    } as MergedPair;
    const { findings, open } = await types.add(said, pair, undefined);
    const titles = findings.map(({ title, symbols }) => symbols[0] ?? title);
    return [...titles, ...open.map(({ what, isComing }) => `${what}${isComing === true ? "?" : "!"}`)].join(", ");
  };
  const settle = async (ms = 2_000): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(ms);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, settle, asked: () => asked, recheck };
}

test("a pair is answered at once with its types open, and what the compiler says takes the place of what the syntax showed", async () => {
  const { ask, settle, asked, recheck } = stage("src/a.ts", { conflicts: [byTypes] });
  expect(await ask()).toBe("by syntax, by git, types?");
  expect(asked()).toBe(0);
  await settle();
  expect(recheck).toEqual(["/a /b"]);
  expect(await ask()).toBe("by types, by git");
  expect(asked()).toBe(1);
});

test("whoever goes on typing is compiled once, as it is at the end", async () => {
  const { ask, settle, asked } = stage("src/a.ts", {});
  await ask("1");
  await settle(1_500);
  await ask("2");
  await settle(1_500);
  expect(asked()).toBe(0);
  await settle(500);
  expect(asked()).toBe(1);
  expect(await ask("2")).toBe("by git");
  expect(await ask("1")).toBe("by syntax, by git, types?");
});

test("where neither side changed anything that others can see, nothing is asked and nothing is open", async () => {
  for (const [is, times, said] of [
    ["export function f(): number { return 2; }", 0, "by syntax, by git"],
    ["export function f(): string { return ''; }", 1, "by syntax, by git, types?"],
  ] as const) {
    const { ask, settle, asked } = stage("src/a.ts", {}, { old: "export function f(): number { return 1; }", new: is });
    expect(await ask()).toBe(said);
    await settle();
    expect(asked()).toBe(times);
  }
});

test("a compiler that did not get through leaves its part open, and is not asked again about the same", async () => {
  const { ask, settle, asked } = stage("src/a.ts", { conflicts: [byTypes], complete: false });
  await ask();
  await settle();
  expect(await ask()).toBe("by types, by git, types!");
  expect(asked()).toBe(1);
});

test("a compiler that failed is told of once, and asked again by who looks at the pair again", async () => {
  const { ask, settle, asked } = stage("src/a.ts", { conflicts: [byTypes], failures: 1 });
  await ask();
  await settle();
  expect(await ask()).toBe("by syntax, by git, types!");
  expect(await ask()).toBe("by syntax, by git, types?");
  await settle();
  expect([await ask(), asked()]).toEqual(["by types, by git", 2]);
});

test("of more findings than anybody reads, how many are not shown is said", async () => {
  const conflicts = Array.from({ length: 230 }, (_, at) => ({
    ...byTypes,
    symbol: `s${at}`,
    definitionBefore: { ...place, path: `src/${at}.ts` },
    use: { ...place, path: `src/use${at}.ts` },
  }));
  const { ask, settle } = stage("src/a.ts", { conflicts });
  await ask();
  await settle();
  expect((await ask()).split(", ").slice(-2)).toEqual(["by git", "bound!"]);
});

test("packages that the compiler did not find are open", async () => {
  const { ask, settle } = stage("src/a.ts", { missingPackages: ["react"] });
  await ask();
  await settle();
  expect(await ask()).toBe("by git, packages!");
});

test("the compiler is not asked about other languages, nor where git could not merge a source of its own: there the conflict comes first, and types are open", async () => {
  const python = stage("src/a.py", {});
  expect(await python.ask()).toBe("by syntax, by git");
  const conflicted = stage("src/a.ts", {});
  expect(await conflicted.ask("1", ["src/a.ts"])).toBe("by syntax, by git, types!");
  const bodies = { old: "export function f() { return 1; }", new: "export function f() { return 2; }" };
  expect(await stage("src/a.ts", {}, bodies).ask("1", ["src/a.ts"])).toBe("by syntax, by git");
  await conflicted.settle();
  expect([python.asked(), conflicted.asked()]).toEqual([0, 0]);
});

test("a conflict in notes, lock files, settings and other languages does not keep the compiler from being asked", async () => {
  const { ask, settle, asked } = stage("src/a.ts", {});
  const others = ["CHANGELOG.md", "package-lock.json", "package.json", "data/en.json", "tool.py"];
  expect(await ask("1", others)).toBe("by syntax, by git, types?");
  await settle();
  expect([await ask("1", others), asked()]).toEqual(["by git", 1]);
});
