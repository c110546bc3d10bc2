// The whole review on real repositories: fingerprints, noise, and what git cannot merge beside what it can.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chance, Scratch, snapshotOf } from "../host/git/scratch.suite.ts";
import type { FindingDraft, PairVerdict } from "../protocol/findings.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { ReviewedSide } from "./merged-pair.ts";
import type { PairPipeline, PipelineParts } from "./pipeline.ts";
import { pipelineOver, syntaxOnly } from "./pipeline.suite.ts";
import { openMemory, type RepositoryMemory } from "./repository-memory.ts";
import type { Reviewed } from "../core/findings/pair-finding.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

/** A memory whose reviews can be looked at. */
function remembering(reviews = new Map<string, Reviewed>()): RepositoryMemory {
  const kept = {
    get: (key: string) => reviews.get(key),
    set: (key: string, review: Reviewed) => void reviews.set(key, review),
  };
  return { ...openMemory(syntaxOnly()), reviews: kept };
}

async function sideAt(observer: RepositoryObserver, worktree: string): Promise<ReviewedSide> {
  const snapshot = await snapshotOf(observer, worktree);
  const { commit, tree } = snapshot;
  return { side: { label: worktree.split("/").at(-1) ?? "", worktree, branch: null, commit, tree }, snapshot };
}

async function review(
  observer: RepositoryObserver,
  left: string,
  right: string,
  options: Partial<PipelineParts> = {},
  signal?: AbortSignal,
): Promise<PairVerdict> {
  const [ours, theirs] = [await sideAt(observer, left), await sideAt(observer, right)];
  const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }]);
  if (merge === undefined) throw new Error("git gave no answer");
  return await pipelineOver(observer, options).judge(ours, theirs, merge, signal);
}

const alarms = ({ findings }: PairVerdict): FindingDraft[] => findings.filter(({ severity }) => severity !== "context");
const prints = (verdict: PairVerdict): string[] =>
  alarms(verdict)
    .map(({ fingerprint }) => fingerprint)
    .sort();

const lines = (random: ReturnType<typeof chance>, change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => change[at] ?? `const line${at} = ${random.below(9)};`).join("\n");

/** Every kind of alarm at once. */
function collide(name: string): { a: string; b: string } {
  const base = lines(chance(1));
  const top = scratch.repository(name, {
    "text.txt": base,
    "move.txt": lines(chance(2)),
    "src/lib.ts": 'export function formatDate(): string {\n  return "";\n}\n',
    "src/mid.ts": "export const mid = 1;\n",
    "db/migrations/0001_a.sql": "select 1;\n",
    "package.json": '{ "workspaces": ["p", "q"] }\n',
    "p/package.json": '{ "dependencies": { "x": "1.0.0" } }\n',
    "q/package.json": '{ "dependencies": { "x": "1.0.0" } }\n',
  });
  const [a, b] = [scratch.worktree(top, `${name}-a`), scratch.worktree(top, `${name}-b`)];
  scratch.write(a, {
    "text.txt": lines(chance(1), { 5: "ours" }),
    "src/lib.ts": 'export function renderDate(): string {\n  return "";\n}\n',
    "db/migrations/0002_b.sql": "select 2;\n",
    "p/package.json": '{ "dependencies": { "x": "2.0.0" } }\n',
    "src/parse-invoice.ts": "export function parseInvoice(): number {\n  return 1;\n}\n",
  });
  scratch.git(a, "mv", "move.txt", "left.txt");
  scratch.write(b, {
    "text.txt": lines(chance(1), { 5: "theirs" }),
    "src/use.ts": 'import { formatDate } from "./lib.ts";\nexport const date = formatDate();\n',
    "db/migrations/0002_c.sql": "select 3;\n",
    "q/package.json": '{ "dependencies": { "x": "3.0.0" } }\n',
    "src/invoices.ts": 'export function parseInvoice(): string {\n  return "one";\n}\n',
  });
  scratch.git(b, "mv", "move.txt", "right.txt");
  return { a, b };
}

describe("fingerprints", () => {
  test("every kind is found, and the order of the sides does not matter", async () => {
    const { a, b } = collide("order");
    const observer = await scratch.observe(a);
    const [there, back] = [await review(observer, a, b), await review(observer, b, a)];
    expect([...new Set(alarms(there).map(({ kind }) => kind))].sort()).toEqual([
      "dependency-drift",
      "duplicate-work",
      "migration-order",
      "semantic",
      "textual",
    ]);
    expect(prints(there)).toEqual(prints(back));
    expect(new Set(prints(there)).size).toBe(alarms(there).length);
    const swapped = back.findings.find(({ kind }) => kind === "semantic")?.evidence[0];
    const straight = there.findings.find(({ kind }) => kind === "semantic")?.evidence[0];
    expect([swapped?.ours, swapped?.theirs]).toEqual([straight?.theirs, straight?.ours]);
  });

  test("the same problems after any unrelated edits keep them", async () => {
    const { a, b } = collide("stable");
    const observer = await scratch.observe(a);
    const before = prints(await review(observer, a, b));
    for (let seed = 1; seed <= 6; seed++) {
      const random = chance(seed);
      const side = random.pick([a, b]);
      const edits: readonly (() => void)[] = [
        () => scratch.write(side, { [`notes-${seed}.md`]: `${seed}\n` }),
        () => scratch.write(side, { "text.txt": lines(chance(1), { 5: side === a ? "ours, longer" : "theirs" }) }),
        () =>
          scratch.write(side, { "text.txt": `// ${seed}\n${lines(chance(1), { 5: side === a ? "ours" : "theirs" })}` }),
        () =>
          scratch.write(b, {
            "src/use.ts": `// ${seed}\n\nimport { formatDate } from "./lib.ts";\nexport const date = formatDate();\n`,
          }),
        () => scratch.commit(side, { [`more-${seed}.md`]: `${seed}\n` }),
      ];
      random.pick(edits)();
      expect(prints(await review(observer, a, b))).toEqual(before);
    }
  });
});

describe("noise", () => {
  test("fifty agents in one package with files of their own: nothing above context in 1,225 pairs", async () => {
    const top = scratch.repository("fifty", {
      "package.json": '{ "name": "x" }\n',
      "src/shared.ts": "export function sharedThing(): number {\n  return 1;\n}\n",
    });
    const worktrees = Array.from({ length: 50 }, (_, at) => {
      const worktree = scratch.worktree(top, `agent${at}`);
      scratch.write(worktree, {
        [`src/part${at}.ts`]: `import { sharedThing } from "./shared.ts";\n\nexport function doPart${at}(): number {\n  return sharedThing() + ${at};\n}\n`,
        [`app/part${at}.py`]: `def do_part_${at}():\n    return ${at}\n`,
        [`src/part${at}.test.ts`]: `import { doPart${at} } from "./part${at}.ts";\n\ntest("it works", () => expect(doPart${at}()).toBe(${at + 1}));\n`,
      });
      return worktree;
    });
    const observer = await scratch.observe(top);
    const sides = await Promise.all(worktrees.map((worktree) => sideAt(observer, worktree)));
    const pairs = sides.flatMap((ours, at) => sides.slice(at + 1).map((theirs) => ({ ours, theirs })));
    const merges = await observer.merge(
      pairs.map(({ ours, theirs }) => ({ ours: ours.snapshot, theirs: theirs.snapshot })),
    );
    const pipeline: PairPipeline = pipelineOver(observer);
    const found: FindingDraft[] = [];
    for (const [at, { ours, theirs }] of pairs.entries()) {
      const merge = merges[at];
      if (merge === undefined) throw new Error("git gave no answer");
      const verdict = await pipeline.judge(ours, theirs, merge);
      expect(verdict.complete).toBe(true);
      found.push(...verdict.findings);
    }
    expect(pairs).toHaveLength(1_225);
    expect(found).toEqual([]);
  });

  test("a conflict only in a lock file or generated code is low; the owner's word makes it more, or nothing", async () => {
    const top = scratch.repository("lock", { "bun.lock": "one\n", "api.pb.go": "one\n" });
    const [a, b] = [scratch.worktree(top, "lock-a"), scratch.worktree(top, "lock-b")];
    scratch.write(a, { "bun.lock": "x\n", "api.pb.go": "x\n" });
    scratch.write(b, { "bun.lock": "y\n", "api.pb.go": "y\n" });
    const observer = await scratch.observe(top);
    const told = async (exclude: string[], include: string[]): Promise<string[]> => {
      const { findings } = await review(observer, a, b, { patterns: { exclude, include } });
      return findings.map(({ severity, files }) => `${severity} ${files.join()}`).sort();
    };
    expect(await told([], [])).toEqual(["low api.pb.go", "low bun.lock"]);
    expect(await told(["*.go"], ["bun.lock"])).toEqual(["context api.pb.go", "high bun.lock"]);
  });
});

const settings = (target: string): string =>
  `{\n  "compilerOptions": {\n    "target": "${target}",\n    "paths": { "@lib/*": ["./lib/*"] }\n  }\n}\n`;

describe("a merge that git cannot make", () => {
  test("leaves semantic findings elsewhere, and doubts about the conflicted file are not alarms", async () => {
    const top = scratch.repository("half", {
      "lib.ts": "export function one(): number {\n  return 1;\n}\n",
      "both.ts": "export const both = 1;\n",
      "a.py": "def alpha():\n    return 1\n",
    });
    const [a, b] = [scratch.worktree(top, "half-a"), scratch.worktree(top, "half-b")];
    scratch.write(a, {
      "lib.ts": "export function two(): number {\n  return 1;\n}\n",
      "both.ts": "export const left = 1;\n",
      "a.py": "def beta():\n    return 1\n",
    });
    scratch.write(b, {
      "use.ts":
        'import { one } from "./lib.ts";\nimport { both } from "./both.ts";\nexport const sum = one() + both;\n',
      "both.ts": "export const both = 2;\n",
      "a.py": "def alpha():\n    return 2\n",
      "b.py": "from a import alpha\n\nalpha()\n",
    });
    const verdict = await review(await scratch.observe(top), a, b);
    expect(alarms(verdict).map(({ kind, symbols, files }) => [kind, symbols.join(), files[0]])).toEqual([
      ["textual", "", "a.py"],
      ["textual", "", "both.ts"],
      ["semantic", "one", "lib.ts"],
    ]);
  });

  test("in a file that says where modules are makes nothing seem broken that is not", async () => {
    const top = scratch.repository("settings", {
      "tsconfig.json": settings("es2020"),
      "lib/one.ts": "export const one = 1;\nexport const old = 1;\n",
      "src/mid.ts": 'import { one } from "@lib/one";\nexport const mid = one;\n',
    });
    const [a, b] = [scratch.worktree(top, "settings-a"), scratch.worktree(top, "settings-b")];
    scratch.write(a, { "tsconfig.json": settings("es2021"), "lib/one.ts": "export const one = 2;\n" });
    scratch.write(b, {
      "tsconfig.json": settings("es2022"),
      "src/mid.ts": 'import { one } from "@lib/one";\nexport const mid = one + 1;\n',
      "src/new.ts": 'import { old } from "@lib/one";\nexport const more = old;\n',
    });
    const verdict = await review(await scratch.observe(top), a, b);
    expect(alarms(verdict).map(({ kind, symbols }) => [kind, symbols.join()])).toEqual([
      ["textual", ""],
      ["semantic", "old"],
    ]);
  });

  test("in such a file, what only one side's version of it would break is no alarm", async () => {
    const top = scratch.repository("mapping", {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }\n',
      "lib/one.ts": "export const one = 1;\n",
      "src/mid.ts": 'import { one } from "@lib/one";\nexport const mid = one;\n',
    });
    const [a, b] = [scratch.worktree(top, "mapping-a"), scratch.worktree(top, "mapping-b")];
    scratch.write(a, {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./nowhere/*"] } } }\n',
      "src/mid.ts": 'import { one } from "../lib/one.ts";\nexport const mid = one;\n',
    });
    scratch.write(b, {
      "tsconfig.json": '{ "compilerOptions": { "strict": true, "paths": { "@lib/*": ["./lib/*"] } } }\n',
      "src/new.ts": 'import { one } from "@lib/one";\nexport const more = one;\n',
    });
    const observer = await scratch.observe(top);
    for (const [left, right] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(alarms(await review(observer, left, right)).map(({ kind }) => kind)).toEqual(["textual"]);
    }
  });

  test("sides that share nothing are not compared, and that is said", async () => {
    const top = scratch.repository("apart");
    const a = scratch.worktree(top, "apart-a");
    scratch.git(a, "checkout", "-q", "--orphan", "fresh");
    scratch.commit(a, { "z.txt": "z\n" });
    const verdict = await review(await scratch.observe(top), top, a);
    expect([verdict.complete, verdict.findings, verdict.notes.length]).toEqual([true, [], 1]);
  });

  test("a side that has no first commit yet is not compared, and that leaves the verdict open", async () => {
    const top = scratch.repository("unborn", { "z.txt": "z\n" });
    const a = scratch.worktree(top, "unborn-a");
    scratch.git(a, "checkout", "-q", "--orphan", "fresh");
    scratch.write(a, { "z.txt": "a\n" });
    const verdict = await review(await scratch.observe(top), top, a);
    expect([verdict.complete, verdict.open.map(({ why }) => why)]).toEqual([
      false,
      ["not compared: the two have no commit in common"],
    ]);
  });
});

const none = { exclude: [], include: [] };

describe("remembering", () => {
  test("the same trees are reviewed once, whoever has them, and other patterns are another question", async () => {
    const { a, b } = collide("cache");
    const observer = await scratch.observe(a);
    const reviews = new Map<string, Reviewed>();
    const memory = remembering(reviews);
    const first = await review(observer, a, b, { memory, patterns: none });
    let reads = 0;
    const counting = new Proxy(observer, {
      get: (target, key) => {
        if (key === "changedFiles" || key === "read") reads += 1;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const again = await review(counting, a, b, { memory, patterns: none });
    expect(again).toEqual(first);
    expect([reads, reviews.size]).toEqual([0, 1]);
    await review(observer, a, b, { memory, patterns: { exclude: ["*.txt"], include: [] } });
    expect(reviews.size).toBe(2);
    expect(JSON.parse(JSON.stringify([...reviews]))).toEqual([...reviews]);
  });

  test("what was stopped half-way is not remembered", async () => {
    const { a, b } = collide("stopped");
    const reviews = new Map<string, Reviewed>();
    const verdict = await review(await scratch.observe(a), a, b, { memory: remembering(reviews), deadlineMs: 0 });
    expect([verdict.complete, reviews.size]).toEqual([false, 0]);
  });
});
