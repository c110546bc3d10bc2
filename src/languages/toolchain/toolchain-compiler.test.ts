// Tests which errors count, and what is said when a compiler cannot say. The compiler here answers what the test wants.

import { expect, test } from "bun:test";
import { inputOf, type Scene } from "../python/rules/scenario.suite.ts";
import type { SemanticConflict, SemanticOutcome, UnsureUse } from "../../ports/semantic.ts";
import type { ToolPlace, Toolchains } from "../../ports/toolchains.ts";
import type { LanguageCompiler } from "../language.ts";
import { toolchainCompiler } from "./toolchain-compiler.ts";
import type { CompilerError, Diagnosis, Toolchain } from "./toolchain.ts";

/** A line that calls `f(1)` is wrong where f takes text, and so is a line with `bad`. */
function errorsOf(texts: ReadonlyMap<string, string>): CompilerError[] {
  const takesText = [...texts.values()].some((text) => text.includes("f(x text)"));
  return [...texts].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, at) => {
      if (line.includes("bad")) return [{ path, line: at + 1, message: "bad is bad" }];
      return takesText && line.includes("f(1)") ? [{ path, line: at + 1, message: "cannot use 1 in f" }] : [];
    }),
  );
}

const base = { "a.x": "f(x int)\n", "b.x": "\n" };
const scene = { base, ours: { "a.x": "f(x text)\n" }, theirs: { "b.x": "use f(1)\n" } };

interface Stage {
  readonly lasting?: Map<string, Diagnosis>;
  /** Null where nobody can say what an answer rests on. */
  readonly restsOn?: string | null;
  readonly version?: string;
  readonly unsure?: readonly UnsureUse[];
  /** The time that each run takes, the number of runs for a tree, and the time left before each. */
  readonly cpuMs?: number;
  readonly runs?: number;
  readonly rests?: number[];
  /** Files that the clone lacks. */
  readonly missing?: readonly string[];
}

function stage(answer: Partial<Diagnosis> = {}, syntax: readonly SemanticConflict[] = [], more: Stage = {}) {
  const asked: string[] = [];
  const texts = new Map<string, Promise<string | undefined>>();
  const toolchain: Toolchain = {
    language: "x",
    program: "xc",
    title: "X",
    isExpected: true,
    restsOn: () => (more.restsOn === null ? undefined : (more.restsOn ?? "")),
    wants: (path) => path.endsWith(".x"),
    lacking: "not here",
    version: { arguments: [], pattern: /(\d)/ },
    variables: () => ({}),
    scope: () => [],
    ask: async ({ tree, place, restMs }) => {
      asked.push(tree.id);
      for (let run = 0; run < (more.runs ?? 0); run += 1) {
        more.rests?.push(restMs());
        await place.run([], { cpuMs: restMs() });
      }
      const files = new Map<string, string>();
      for (const [path, blob] of tree.blobs) files.set(path, (await texts.get(blob)) ?? "");
      return { errors: errorsOf(files), unchecked: [], missing: [], ...answer };
    },
    read: () => ({ names: ["f"], rule: "type-mismatch" }),
    isVisible: () => true,
  };
  const toolchains: Toolchains = {
    rules: { off: [], mayRunBuildCode: false, memoryBytes: 1 },
    find: () => "/bin/xc",
    variable: () => undefined,
    on: (_wish, use) =>
      use({
        missing: more.missing ?? [],
        run: async () => ({ kind: "ended", code: 0, stdout: more.version ?? "7", stderr: "", cpuMs: more.cpuMs ?? 0 }),
      } as unknown as ToolPlace),
  };
  const unsure = more.unsure === undefined ? {} : { unsure: more.unsure };
  const bySyntax = async (): Promise<SemanticOutcome> => ({ conflicts: syntax, complete: true, notes: [], ...unsure });
  const compiler = toolchainCompiler(toolchain, bySyntax, more.lasting);
  const ask = async (what: Scene = scene): Promise<SemanticOutcome> => {
    const input = inputOf(what);
    for (const tree of [input.base, input.ours, input.theirs, input.merged])
      for (const blob of tree.blobs.values()) texts.set(blob, input.read(blob));
    return await compiler.check(input, { checkouts: [], deadlineMs: 1_000, toolchains });
  };
  return { ask, asked, compiler, toolchains };
}

const said = ({ conflicts }: SemanticOutcome): string[] =>
  conflicts.map(
    (one) =>
      `${one.rule} ${one.symbol} ${one.definitionSide} ${one.definitionBefore.path} → ${one.use.path}:${one.use.line}`,
  );

test("an error that neither side has counts, with the side that changed what it is about", async () => {
  const { ask, asked } = stage();
  const outcome = await ask();
  expect(said(outcome)).toEqual(["type-mismatch f ours a.x → b.x:1"]);
  expect(outcome.conflicts[0]?.message).toBe("xc 7 on the merged tree: b.x:1: cannot use 1 in f");
  expect([outcome.complete, asked.length]).toEqual([true, 3]);
});

test("a compiler is not asked about a tree of which the clone lacks code, and the answer says so", async () => {
  for (const missing of [["b.x"], ["old/c.go", "d.go"]]) {
    const { ask, asked } = stage({}, [], { missing });
    const outcome = await ask();
    expect([said(outcome), outcome.complete, asked]).toEqual([[], false, []]);
    const lacks = missing.length === 1 ? "b.x" : "old/c.go and 1 more";
    expect(outcome.notes).toEqual([`xc gave no answer about the merged tree: this clone does not have ${lacks}`]);
  }
  expect((await stage({}, [], { missing: ["picture.png"] }).ask()).complete).toBe(true);
});

test("the sides are not asked where the merge has no errors, and no tree is asked about twice", async () => {
  const { ask, asked } = stage();
  const quiet = { ...scene, theirs: { "b.x": "use g(1)\n" } };
  expect([said(await ask(quiet)), asked.length]).toEqual([[], 1]);
  await ask(quiet);
  expect(asked.length).toBe(1);
  await ask();
  await ask();
  expect(asked.length).toBe(4);
});

test("a whole answer outlives the process, for the same compiler; one that may be another tomorrow does not", async () => {
  const lasting = new Map<string, Diagnosis>();
  const first = stage({}, [], { lasting });
  const before = await first.ask();
  const second = stage({}, [], { lasting });
  expect(await second.ask()).toEqual(before);
  expect([first.asked.length, second.asked.length]).toEqual([3, 0]);
  const newer = stage({}, [], { lasting, version: "8" });
  await newer.ask();
  expect(newer.asked.length).toBe(3);
  for (const answer of [{ missing: ["y"] }, { unchecked: ["z was not checked"] }, { failed: "no" }]) {
    const none = new Map<string, Diagnosis>();
    await stage(answer, [], { lasting: none }).ask();
    expect(none.size).toBe(0);
  }
  const open = new Map<string, Diagnosis>();
  await stage({}, [], { lasting: open, restsOn: null }).ask();
  expect(open.size).toBe(0);
});

test("an answer that rests on installed packages is kept for as long as they stay", async () => {
  const lasting = new Map<string, Diagnosis>();
  const askedWith = async (restsOn: string): Promise<number> => {
    const { ask, asked } = stage({}, [], { lasting, restsOn });
    await ask();
    return asked.length;
  };
  expect(await askedWith("requests 2")).toBe(3);
  expect(await askedWith("requests 2")).toBe(0);
  expect(await askedWith("requests 3")).toBe(3);
});

test("each tree has the whole processor time, however long those before it took, and its runs count together", async () => {
  const rests: number[] = [];
  const { ask } = stage({}, [], { cpuMs: 600, runs: 2, rests });
  await ask();
  expect(rests).toEqual([1_000, 400, 1_000, 400, 1_000, 400]);
});

test("a failure that may pass is told, not kept, and asked again", async () => {
  const lasting = new Map<string, Diagnosis>();
  const { ask, asked } = stage({ failed: "it did not answer in time", mayPass: true }, [], { lasting });
  const outcome = await ask();
  expect([outcome.complete, outcome.mayPass, asked.length]).toEqual([false, true, 1]);
  await ask();
  expect([asked.length, lasting.size]).toEqual([2, 0]);
  const hopeless = stage({ failed: "it used up its processor time" });
  expect((await hopeless.ask()).mayPass).toBeUndefined();
  await hopeless.ask();
  expect(hopeless.asked.length).toBe(1);
});

test("what a side has by itself is its own, also where the other moved the file; and that it may hide more is said", async () => {
  const { ask } = stage();
  const own = await ask({ ...scene, theirs: { "b.x": "use g(1) bad\n" } });
  expect([said(own), own.complete]).toEqual([[], false]);
  expect(own.notes).toEqual(["b.x:1 has an error without the merge too (bad is bad), which may hide others"]);
  const moved = await ask({
    base,
    ours: { "b.x": null, "c.x": "\n" },
    theirs: { "b.x": "\nbad\n" },
    merged: { "a.x": base["a.x"], "c.x": "\n\nbad\n" },
  });
  expect(said(moved)).toEqual([]);
});

test("errors of the same words in both sides are each its side's own", async () => {
  const { ask } = stage();
  const twice = await ask({
    base: { ...base, "b.x": "one\n\n\n\ntwo\n" },
    ours: { "b.x": "bad\none\n\n\n\ntwo\n" },
    theirs: { "b.x": "one\n\n\n\ntwo\nbad\n" },
  });
  expect(said(twice)).toEqual([]);
});

test("a compiler that gave no answer leaves what the syntax shows, and says why", async () => {
  const { ask } = stage({ failed: "the time ran out" });
  const outcome = await ask();
  expect([said(outcome), outcome.complete, outcome.notes]).toEqual([
    [],
    false,
    ["xc gave no answer about the merged tree: the time ran out"],
  ]);
  const apart = await stage({ leftOut: ["b.x", "z.x"] }).ask();
  expect([apart.complete, apart.notes]).toEqual([false, ["xc leaves out b.x on this machine"]]);
  const part = await stage({ unchecked: ["c was not checked"], missing: ["lib"] }).ask();
  expect([part.complete, part.notes, part.missingPackages]).toEqual([false, ["c was not checked"], ["lib"]]);
});

test("what the syntax shows too is told once, with the compiler's word added", async () => {
  const place = { path: "b.x", line: 1, text: "use f(1)" };
  const known: SemanticConflict = {
    language: "x",
    rule: "signature",
    symbol: "f",
    definitionSide: "ours",
    definitionBefore: { ...place, path: "a.x" },
    definitionAfter: undefined,
    use: place,
    message: "f changed",
    suggestion: "",
  };
  const { conflicts } = await stage({}, [known]).ask();
  expect(conflicts.map(({ rule, message }) => [rule, message])).toEqual([
    ["signature", "f changed (xc 7 on the merged tree: b.x:1: cannot use 1 in f)"],
  ]);
});

test("what only a compiler can read is open until it has answered for all; what no single build shows stays open", async () => {
  const use = { side: "theirs", path: "b.x", line: 1, symbol: "f", definition: "a.x", because: "…" } as const;
  const unsure = [use, { ...use, isForCompiler: true }] as const;
  const quiet = { ...scene, theirs: { "b.x": "use g(1)\n" } };
  const left = async (answer: Partial<Diagnosis>, what: Scene): Promise<unknown> =>
    (await stage(answer, [], { unsure }).ask(what)).unsure;
  expect(await left({}, quiet)).toEqual([use]);
  expect(await left({}, scene)).toEqual([use]);
  expect(await left({ failed: "no" }, quiet)).toEqual(unsure);
  expect(await left({ unchecked: ["z was not checked"] }, quiet)).toEqual(unsure);
});

test("errors in files that the tree does not have are of no use to anybody", async () => {
  const { ask } = stage({
    errors: [
      { path: "none.x", line: 1, message: "?" },
      { path: "b.x", line: 99, message: "?" },
    ],
  });
  expect(said(await ask())).toEqual([]);
});

test("whether it can be asked: not there, turned off, or nobody to ask", () => {
  const { compiler, toolchains } = stage();
  const state = (
    some: Partial<Toolchains> | undefined,
  ): ReturnType<NonNullable<LanguageCompiler["readiness"]>> | undefined =>
    compiler.readiness?.(some === undefined ? undefined : { ...toolchains, ...some });
  expect(state(undefined)).toEqual({ state: "unasked" });
  expect(state({})).toEqual({ state: "ready" });
  expect(state({ find: () => undefined })).toEqual({
    state: "absent",
    why: "X types were not checked: xc is not on the PATH",
  });
  expect(state({ rules: { ...toolchains.rules, off: ["x"] } })).toEqual({
    state: "unasked",
    note: "X types were not checked: compilers.off names x",
  });
});
