import { expect, test } from "bun:test";
import type { ReviewMemory } from "../core/findings/scene.ts";
import type { ReviewedSide } from "./review-pair.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import type { FindingDraft, PairVerdict } from "../protocol/findings.ts";
import type { ChangedFile, RepositoryObserver } from "../ports/git.ts";
import { QuietQueue } from "./quiet-queue.ts";
import type { Review } from "./judge-pair.ts";
import { openLanguages } from "../languages/open-languages.ts";
import { withTypes } from "./review-types.ts";

const finding = (kind: FindingDraft["kind"], title: string): FindingDraft =>
  ({ kind, title, severity: "high", fingerprint: title }) as FindingDraft;

const side = (name: string, commit: string): ReviewedSide => ({
  side: { label: name, worktree: `/${name}`, branch: name, commit, tree: commit },
  snapshot: { commit, tree: commit, parents: [], flags: [], context: "" },
});

/** A pair whose files are these, and what the compiler would say of it. */
function stage(path: string, compiler: Partial<PairVerdict>, files: Partial<ChangedFile> = {}) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const recheck: string[] = [];
  let said = [finding("semantic", "by syntax"), finding("textual", "by git")];
  const texts = new Map<string, string>();
  const plain: Review = async (ours, theirs) => ({
    ours: ours.side,
    theirs: theirs.side,
    findings: said,
    complete: true,
    notes: [],
  });
  const review = withTypes(plain, {
    observer: {
      identity: "repository",
      read: async (blob: string) => Buffer.from(texts.get(blob) ?? ""),
    } as unknown as RepositoryObserver,
    memory: {
      changes: async (_: unknown, __: unknown, { commit }: { commit: string }) => {
        const own = files.before === undefined ? path : `${commit}/${path}`;
        return { files: [{ path: own, ...files }], paths: new Set([own]), added: [] };
      },
    } as unknown as ReviewMemory,
    languages: openLanguages(),
    keeper: new QuietQueue({ clock, log: () => undefined }),
    compiled: () => async (ours, theirs, merge) => {
      asked.push(`${ours.snapshot.commit} ${theirs.snapshot.commit}`);
      return { ...(await plain(ours, theirs, merge)), ...compiler };
    },
    recheck: (one, other) => void recheck.push(`${one} ${other}`),
    log: () => undefined,
  });
  const ask = async (ours = "1", kind: "clean" | "conflicted" = "clean"): Promise<string> => {
    const merge = { kind, tree: "t", bases: ["base"], conflicts: [] } as const;
    const { findings, unsettled = [] } = await review(side("a", ours), side("b", "2"), merge);
    return [...findings.map(({ title }) => title), ...unsettled.map((one) => `${one}?`)].join(", ");
  };
  const settle = async (ms = 2_000): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(ms);
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  const say = (...findings: FindingDraft[]): void => void (said = findings);
  return { ask, settle, asked, recheck, say, texts };
}

test("a pair is answered at once, and what the compiler says takes the place of what the syntax showed", async () => {
  const { ask, settle, asked, recheck } = stage("src/a.ts", { findings: [finding("semantic", "by types")] });
  expect(await ask()).toBe("by syntax, by git, semantic?");
  expect(asked).toEqual([]);
  await settle();
  expect(recheck).toEqual(["/a /b"]);
  expect(await ask()).toBe("by types, by git");
  expect(asked).toEqual(["1 2"]);
});

test("whoever goes on typing is compiled once, as it is at the end", async () => {
  const { ask, settle, asked } = stage("src/a.ts", {});
  await ask("1");
  await settle(1_500);
  await ask("2");
  await settle(1_500);
  expect(asked).toEqual([]);
  await settle(500);
  expect(asked).toEqual(["2 2"]);
});

test("a pair of which nothing was and is said waits for nothing, and is looked at recheck only for something", async () => {
  const compiler = { findings: [] as FindingDraft[] };
  const { ask, settle, asked, recheck, say } = stage("src/a.ts", compiler);
  say();
  expect(await ask("1")).toBe("semantic?"); // what an earlier daemon left open is not known here
  await settle();
  expect(await ask("1")).toBe("");
  expect(await ask("3")).toBe("");
  await settle();
  expect([asked, recheck]).toEqual([["1 2", "3 2"], ["/a /b"]]);
  compiler.findings = [finding("semantic", "by types")];
  expect(await ask("4")).toBe("");
  await settle();
  expect(recheck).toEqual(["/a /b", "/a /b"]);
  expect(await ask("4")).toBe("by types");
  expect(await ask("5")).toBe("semantic?");
});

test("the compiler is not asked where neither side changed anything that others can see", async () => {
  const change = { before: { mode: "100644", blob: "old" }, after: { mode: "100644", blob: "new" } };
  for (const [is, times] of [
    ["export function f(): number { return 2; }", 0],
    ["export function f(): string { return ''; }", 1],
  ] as const) {
    const { ask, settle, asked, texts } = stage("src/a.ts", {}, change);
    texts.set("old", "export function f(): number { return 1; }").set("new", is);
    await ask();
    await settle();
    expect(asked.length).toBe(times);
    expect(await ask()).toBe("by syntax, by git");
  }
});

test("where the compiler does not get through, what the syntax showed stands and counts as settled", async () => {
  const { ask, settle } = stage("src/a.ts", { findings: [], complete: false });
  await ask();
  await settle();
  expect(await ask()).toBe("by syntax, by git");
});

test("the compiler is not asked about other languages, nor where git could not merge", async () => {
  const python = stage("src/a.py", {});
  expect(await python.ask()).toBe("by syntax, by git");
  const conflicted = stage("src/a.ts", {});
  expect(await conflicted.ask("1", "conflicted")).toBe("by syntax, by git");
  await conflicted.settle();
  expect([...python.asked, ...conflicted.asked]).toEqual([]);
});
