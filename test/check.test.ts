// `constel check` on real repositories, as its users meet it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  ftruncateSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fingerprint, Scratch } from "../src/host/git/scratch.suite.ts";
import type { CheckReport } from "../src/protocol/check.ts";
import type { FindingDraft } from "../src/protocol/findings.ts";
import { TestHome } from "./kit/home.ts";

let home: TestHome;
let scratch: Scratch;
beforeAll(() => {
  home = new TestHome();
  scratch = new Scratch();
});
afterAll(async () => {
  await scratch.close();
  await home[Symbol.asyncDispose]();
});

type Files = Readonly<Record<string, string>>;
let count = 0;

/** A repository with two worktrees, `a` and `b`. */
function twoWorktrees(base: Files): { top: string; a: string; b: string } {
  count += 1;
  const top = scratch.repository(`r${count}`, base);
  return { top, a: scratch.worktree(top, `a${count}`), b: scratch.worktree(top, `b${count}`) };
}

const opened = ({ verdict }: Pick<CheckReport, "verdict">): string[] =>
  verdict.open.map(({ what, why }) => `${what}: ${unnumbered(why)}`);

/** Every test has sides of its own, numbered. */
const unnumbered = (text: string): string => text.replaceAll(/\b([ab])\d+\b/g, "$1");

async function check(words: readonly string[], cwd: string): Promise<CheckReport & { code: number }> {
  const ran = await home.constel(["check", ...words, "--json"], { cwd });
  if (ran.stdout === "") throw new Error(`nothing was said: ${ran.code} ${ran.stderr}`);
  return { ...(JSON.parse(ran.stdout) as CheckReport), code: ran.code };
}

const brief = ({ kind, severity }: FindingDraft): string => `${severity} ${kind}`;

const languages = {
  TypeScript: {
    library: "src/date.ts",
    fresh: "src/fresh.ts",
    definition: (name: string) => `export function ${name}(date: Date): string {\n  return date.toISOString();\n}\n`,
    alias: "export { renderDate as formatDate };\n",
    use: (name: string) => `import { ${name} } from "./date.ts";\n\nexport const shown = ${name}(new Date(0));\n`,
    onlyMentioned: '// formatDate is gone\nexport const text = "formatDate(now)";\n',
    namesake: {
      "src/mine.ts": "export function formatDate(): number {\n  return 1;\n}\n",
      "src/fresh.ts": 'import { formatDate } from "./mine.ts";\nexport const one = formatDate();\n',
    },
    local: "export function run(): number {\n  const formatDate = 1;\n  return formatDate;\n}\n",
    shadowed: "export function run(formatDate: () => string): string {\n  return formatDate();\n}\n",
  },
  Python: {
    library: "app/date.py",
    fresh: "app/fresh.py",
    definition: (name: string) => `def ${name}(date):\n    return date.isoformat()\n`,
    alias: "\nformatDate = renderDate\n",
    use: (name: string) => `from app.date import ${name}\n\nshown = ${name}(None)\n`,
    onlyMentioned: '# formatDate is gone\ntext = "formatDate(now)"\n',
    namesake: {
      "app/mine.py": "def formatDate():\n    return 1\n",
      "app/fresh.py": "from app.mine import formatDate\n\none = formatDate()\n",
    },
    local: "def run():\n    formatDate = 1\n    return formatDate\n",
    shadowed: "def run(formatDate):\n    return formatDate()\n",
  },
} as const;

for (const [language, l] of Object.entries(languages)) {
  const used = l.library.replace("date", "used");
  /** A renames the function with all its uses, uncommitted; B adds these files, untracked. */
  const stage = (theirs: Files, keepAlias = false): { a: string; b: string } => {
    const init: Files = language === "Python" ? { "app/__init__.py": "" } : {};
    const at = twoWorktrees({ ...init, [l.library]: l.definition("formatDate"), [used]: l.use("formatDate") });
    const renamed = l.definition("renderDate") + (keepAlias ? l.alias : "");
    scratch.write(at.a, { [l.library]: renamed, [used]: l.use("renderDate") });
    scratch.write(at.b, theirs);
    return at;
  };

  const quiet = (when: string, theirs: Files, keepAlias = false): void =>
    test(`and nothing is said when ${when}`, async () => {
      const { a, b } = stage(theirs, keepAlias);
      const { code, verdict } = await check([a, b], a);
      expect(verdict.findings).toEqual([]);
      // Without pyright nobody was asked about the types.
      expect(verdict.complete).toBe(language !== "Python" || Bun.which("pyright") !== null);
      expect(code).toBe(0);
    });

  describe(`${language}: A renames an exported function with all its uses, uncommitted`, () => {
    test("and B's new, untracked use of it is one high finding that names symbol, definition and use", async () => {
      const { a, b } = stage({ [l.fresh]: l.use("formatDate") });
      const { code, verdict } = await check([a, b], a);
      expect(code).toBe(1);
      expect(verdict.findings.map(brief)).toEqual(["high semantic"]);
      const [finding] = verdict.findings;
      expect(finding?.symbols).toEqual(["formatDate"]);
      expect(finding?.files).toEqual([l.library, l.fresh].sort());
      expect(finding?.title).toContain(`renames formatDate (${l.library}:1)`);
      expect(finding?.title).toContain(l.fresh);
      expect(finding?.evidence[0]?.ours[0]?.text).toContain("renderDate");
      expect(finding?.evidence[0]?.theirs[0]?.text).toContain("formatDate");
      expect(finding?.action).not.toBe("");
    });

    quiet("B only mentions the name in a string and a comment", { [l.fresh]: l.onlyMentioned });
    quiet("A keeps an alias", { [l.fresh]: l.use("formatDate") }, true);
    quiet("B uses another module's function of that name", l.namesake);
    quiet("B has a local of that name", { [l.fresh]: l.local });
    quiet("B shadows it", { [l.fresh]: l.shadowed });
  });
}

const thirtyLines = (change: Readonly<Record<number, string>>): string =>
  Array.from({ length: 30 }, (_, at) => change[at] ?? `line ${at}`).join("\n");

/** Five thousand with bin/check --all. */
const veryMany = (text: string): Files =>
  Object.fromEntries(
    Array.from({ length: process.env["CONSTEL_CHECK_ALL"] === "yes" ? 5_000 : 1_500 }, (_, at) => [
      `src/d${at % 50}/f${at}.ts`,
      `export const v${at} = ${text};\n`,
    ]),
  );

describe("what is compared", () => {
  test("no word: the current worktree with its upstream, else the default branch", async () => {
    const { top, a } = twoWorktrees({ "a.txt": "one\n" });
    scratch.commit(top, { "a.txt": "two\n" });
    scratch.write(a, { "a.txt": "three\n" });
    const { code, verdict } = await check([], a);
    expect([verdict.ours.worktree, verdict.theirs.label]).toEqual([a, "main"]);
    expect(verdict.findings.map(brief)).toEqual(["high textual"]);
    expect(code).toBe(1);
    scratch.git(top, "branch", "quiet", "HEAD~1");
    scratch.git(a, "branch", "-q", "--set-upstream-to=quiet");
    const again = await check([], a);
    expect([again.verdict.theirs.label, again.code]).toEqual(["quiet", 0]);
  });

  test("one word: the current worktree with it, from any directory inside; a branch counts as committed", async () => {
    const { a, b } = twoWorktrees({ "d/a.txt": "one\n" });
    scratch.commit(b, { "d/a.txt": "two\n" });
    scratch.write(b, { "d/more.txt": "not committed\n" });
    scratch.write(a, { "d/a.txt": "three\n" });
    const { verdict, hints } = await check([scratch.git(b, "branch", "--show-current").trim()], join(a, "d"));
    expect(verdict.findings.map(brief)).toEqual(["high textual"]);
    expect(verdict.findings[0]?.evidence[0]).toMatchObject({ rule: "content", ours: [{ line: 1, text: "three" }] });
    expect(hints.join()).toContain("uncommitted work");
  });

  test("from outside any repository, two paths are enough", async () => {
    const { a, b } = twoWorktrees({ "a.txt": "one\n" });
    scratch.write(a, { "a.txt": "x\n" });
    scratch.write(b, { "a.txt": "y\n" });
    expect((await check([a, b], home.top)).code).toBe(1);
  });

  test("two clones of one repository", async () => {
    const { top } = twoWorktrees({ "a.txt": "one\n" });
    const other = scratch.path(`clone${count}`);
    scratch.git(scratch.root, "clone", "-q", top, other);
    scratch.write(other, { "a.txt": "x\n" });
    scratch.write(top, { "a.txt": "y\n" });
    expect((await check([top, other], home.top)).verdict.findings.map(brief)).toEqual(["high textual"]);
  });

  test("a wrong revision is exit 2, a place without a repository exit 3, and both say why", async () => {
    const { a } = twoWorktrees({ "a.txt": "one\n" });
    const wrong = await home.constel(["check", "nowhere"], { cwd: a });
    expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
    expect(wrong.stderr).toContain("check.unknown-side");
    const none = await home.constel(["check"], { cwd: home.top });
    expect(none.code).toBe(3);
    expect(none.stderr).toContain("git.not-a-repository");
    const unrelated = scratch.repository(`alone${count}`, { "z.txt": "z\n" });
    const apart = await home.constel(["check", a, unrelated], { cwd: a });
    expect([apart.code, apart.stderr.includes("check.not-comparable")]).toEqual([3, true]);
  });

  test("it leaves no trace in the repository, the home or the temporary directory", async () => {
    const { a, b } = twoWorktrees({ "a.ts": "export const one = 1;\n" });
    scratch.write(a, { "a.ts": "export const two = 1;\n", "new.txt": "new\n" });
    scratch.write(b, { "b.ts": 'import { one } from "./a.ts";\nexport const sum = one;\n' });
    const temporary = scratch.path("temporary");
    mkdirSync(temporary);
    const before = [fingerprint(scratch, a), fingerprint(scratch, b)];
    const ran = await home.constel(["check", a, b, "--gate-command", "false"], { cwd: a, env: { TMPDIR: temporary } });
    expect(ran.code).toBe(1);
    expect([fingerprint(scratch, a), fingerprint(scratch, b)]).toEqual(before);
    expect(existsSync(join(home.home, "meta.db"))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("what only types tell", () => {
  test("is asked of the TypeScript compiler, with the packages of the checkout and of the workspace", async () => {
    const { a, b } = twoWorktrees({
      "tsconfig.json": '{ "compilerOptions": { "strict": true } }',
      ".gitignore": "node_modules\n",
      "core/package.json": '{ "name": "@shop/core", "types": "index.ts" }',
      "core/index.ts": "export interface Item {\n  label: string;\n}\nexport const all = new Map<string, Item>();\n",
    });
    const box = "export interface Box<T> {\n  get(): T;\n}\n";
    scratch.write(b, {
      "node_modules/box/index.d.ts": box,
      "node_modules/box/package.json": '{ "name": "box" }',
      "web/labels.ts":
        'import type { Box } from "box";\nimport { all, type Item } from "@shop/core";\n\nconst first = (box: Box<Item>) => box.get().label;\nexport const labels = [...all.values()].map((one) => one.label);\nexport { first };\n',
    });
    const renamed = "export interface Item {\n  title: string;\n}\nexport const all = new Map<string, Item>();\n";
    scratch.write(a, { "core/index.ts": renamed });
    const { verdict, code } = await check([a, b], a);
    expect([code, verdict.complete]).toEqual([1, true]);
    expect(verdict.findings.map(({ symbols }) => symbols)).toEqual([["Item.label"]]);
    expect(verdict.findings[0]?.evidence.map(({ path }) => path)).toEqual(["web/labels.ts"]);
  });
});

describe("what is said", () => {
  test("same-file edits that merge are context: silent, and shown with --all", async () => {
    const { a, b } = twoWorktrees({ "a.txt": thirtyLines({}) });
    scratch.write(a, { "a.txt": thirtyLines({ 2: "x" }) });
    scratch.write(b, { "a.txt": thirtyLines({ 25: "y" }) });
    expect(await check([a, b], a)).toMatchObject({ code: 0, verdict: { findings: [] } });
    const all = await check([a, b, "--all"], a);
    expect(all.verdict.findings.map(brief)).toEqual(["context overlap"]);
    expect(all.code).toBe(0);
  });

  test("a block has severity, title, files, both sides' lines and what to do; --explain stands side by side when wide", async () => {
    const { a, b } = twoWorktrees({ "a.txt": "one\n" });
    scratch.write(a, { "a.txt": "left\u001b[31m\n" });
    scratch.write(b, { "a.txt": "right\n" });
    const narrow = await home.constel(["check", a, b], { cwd: a });
    const names = [`a${count}`, `b${count}`];
    expect(narrow.stdout.split("\n")).toEqual([
      `${names[0]} and ${names[1]}: 1 finding.`,
      "",
      `HIGH textual  ${names[0]} and ${names[1]} change the same lines of a.txt`,
      "  files: a.txt",
      `  ${names[0]}  a.txt:1`,
      "  1  left\\x1b[31m",
      `  ${names[1]}  a.txt:1`,
      "  1  right",
      "  → One of the two should merge in the other's work before continuing with these lines.",
      "",
    ]);
    const wide = await home.constel(["check", a, b, "--explain"], { cwd: a, env: { COLUMNS: "120" } });
    expect(wide.stdout).toMatch(/1 {2}- one +│ 1 {2}- one/);
    expect(wide.stdout).toMatch(/1 {2}\+ left\\x1b\[31m +│ 1 {2}\+ right/);
    expect(wide.stdout).toContain("CONFLICT (content)");
  });

  test("the gate: red only together is a finding; red on one side alone says nothing of the pair", async () => {
    const { a, b } = twoWorktrees({
      "x.txt": "1\n",
      "y.txt": "1\n",
      "constel.toml": '[gate]\ncommand = "sh gate.sh"\n',
    });
    const gate = "[ $(($(cat x.txt) + $(cat y.txt))) -le 3 ] || { echo too much; exit 1; }\n";
    for (const side of [a, b]) scratch.commit(side, { "gate.sh": gate });
    scratch.write(a, { "x.txt": "2\n" });
    scratch.write(b, { "y.txt": "2\n" });
    expect((await check([a, b], a)).code).toBe(0);
    const red = await check([a, b, "--gate"], a);
    expect(red.verdict.findings.map(brief)).toEqual(["high gate"]);
    expect(red.verdict.findings[0]?.evidence[0]?.message).toBe("too much");
    scratch.write(a, { "x.txt": "9\n" });
    const alone = await check([a, b, "--gate"], a);
    expect([alone.code, alone.verdict.complete]).toEqual([5, false]);
    expect(opened(alone)).toEqual(["gate: the gate fails on a alone, so it says nothing about the pair"]);
  });

  test("a constel.toml that cannot be understood stops the check with file and line, with the gate and without", async () => {
    const { a, b } = twoWorktrees({ "x.txt": "1\n", "constel.toml": '[gate]\ncomand = "false"\n' });
    scratch.write(a, { "x.txt": "2\n" });
    for (const flags of [[], ["--gate"]]) {
      const ran = await home.constel(["check", a, b, ...flags], { cwd: a });
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringContaining("constel.toml:2: [gate] comand is not known"),
      ]);
    }
  });
});

describe("hard repositories are named and bounded, and nothing crashes", () => {
  test("thousands of changed files on each side, a few of them in conflict", async () => {
    const { a, b } = twoWorktrees({ "same.txt": "one\n" });
    scratch.write(a, { "same.txt": "x\n", ...veryMany("1") });
    scratch.write(b, { "same.txt": "y\n", "new.ts": "export const fresh = 1;\n" });
    const one = await check([a, b], a);
    expect(one.verdict.findings.map(brief)).toEqual(["high textual"]);
    scratch.write(b, veryMany("2"));
    const all = await check([a, b], a);
    expect(all.verdict.findings.length).toBeLessThanOrEqual(200);
    expect(all.verdict.findings.length).toBeGreaterThan(100);
    expect(all.verdict.complete).toBe(false);
    expect(opened(all).join()).toContain("more findings");
    // Fifteen seconds of work on a quiet machine; a busy one takes as long as it takes.
  }, 300_000);

  test("a binary of 200 MB on one side, and a small one that both change", async () => {
    const { a, b } = twoWorktrees({ "a.bin": "\0one", "a.txt": "one\n" });
    const file = openSync(join(a, "large.bin"), "w");
    ftruncateSync(file, 200 * 1024 * 1024);
    writeSync(file, "\u0001\u0002", 1000);
    closeSync(file);
    scratch.write(a, { "a.bin": "\0two", "a.txt": "x\n" });
    scratch.write(b, { "a.bin": "\0three", "b.txt": "y\n" });
    const { verdict } = await check([a, b], a);
    expect(verdict.findings.map((one) => one.evidence[0]?.rule)).toEqual(["binary"]);
    expect(opened({ verdict })).toEqual(["file: large.bin (a) is too large to be compared by its content"]);
    expect(verdict.complete).toBe(false);
    rmSync(join(a, "large.bin"));
  });

  test("names that are not UTF-8", async () => {
    const { a, b } = twoWorktrees({ "a.txt": "one\n" });
    for (const [side, text] of [
      [a, "x\n"],
      [b, "y\n"],
    ] as const) {
      writeFileSync(Buffer.concat([Buffer.from(`${side}/caf`), Buffer.of(0xe9), Buffer.from(".txt")]), text);
    }
    const ran = await home.constel(["check", a, b], { cwd: a });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("both add caf\\xe9.txt");
    expect((await check([a, b], a)).verdict.findings[0]?.files).toEqual(["caf\udce9.txt"]);
  });

  test("a file with a syntax error is named, and the rest is still looked at", async () => {
    const { a, b } = twoWorktrees({ "lib.ts": "export const one = 1;\n", "use.ts": "export const use = 1;\n" });
    scratch.write(a, { "lib.ts": "export const two = 1;\n", "bad.ts": "export const = (;\n" });
    scratch.write(b, {
      "fresh.ts": 'import { one } from "./lib.ts";\nexport const sum = one;\n',
      "worse.py": "def (:\n",
    });
    const { verdict } = await check([a, b], a);
    expect(verdict.findings.map(brief)).toEqual(["high semantic"]);
    expect(opened({ verdict })).toContain("syntax: bad.ts was not checked: syntax error at line 1");
  });

  test("a rebase that stopped at a conflict", async () => {
    const { top, a, b } = twoWorktrees({ "a.txt": "one\n", "b.txt": "one\n" });
    scratch.commit(top, { "a.txt": "main\n" });
    scratch.commit(a, { "a.txt": "mine\n" });
    expect(scratch.tryGit(a, "rebase", "main").code).not.toBe(0);
    scratch.write(a, { "b.txt": "x\n" });
    scratch.write(b, { "b.txt": "y\n" });
    const { verdict } = await check([a, b], b);
    expect(verdict.findings.map((one) => one.files)).toContainEqual(["b.txt"]);
    expect(opened({ verdict }).join()).toContain("is in the middle of a rebase: its files are not final");
  });
});

describe("a silence says what it rests on", () => {
  /** Returns what is open between two worktrees that make these changes, and the exit code. */
  async function silence(
    base: Readonly<Record<string, string>>,
    ours: Readonly<Record<string, string>>,
    theirs: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number; readonly open: string[]; readonly found: string[] }> {
    const { a, b } = twoWorktrees(base);
    scratch.write(a, ours);
    scratch.write(b, theirs);
    const report = await check([a, b], a);
    expect(report.verdict.complete).toBe(report.verdict.open.length === 0);
    return { code: report.code, open: opened(report), found: report.verdict.findings.map(brief) };
  }

  test("a language that is not read, and uses inside files that are not", async () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ["app.rb", "lib.rb", "Ruby"],
      ["App.kt", "Lib.java", "Kotlin"],
      ["App.cs", "Lib.cs", "C#"],
      ["app.cpp", "lib.h", "C and C++"],
      ["app.php", "lib.php", "PHP"],
      ["App.swift", "Lib.swift", "Swift"],
      ["App.scala", "Lib.scala", "Scala"],
      ["app.vue", "lib.ts", "Vue"],
      ["app.svelte", "lib.ts", "Svelte"],
      ["app.astro", "lib.js", "Astro"],
      ["app.ipynb", "lib.py", "Jupyter"],
    ];
    const text = (path: string): string =>
      path.endsWith(".java") ? "class Lib {}\n" : path.endsWith(".py") ? "one = 1\n" : "const one = 1;\n";
    for (const [one, other, title] of cases) {
      const { code, open, found } = await silence({ "r.md": "" }, { [one]: text(one) }, { [other]: text(other) });
      expect([title, code, found]).toEqual([title, 5, []]);
      expect(open[0]).toStartWith(`language: ${title} is not read: only the text of `);
    }
    // What the other side's work has nothing to do with is no gap.
    expect(await silence({ "r.md": "" }, { "app.rb": "one\n" }, { "lib.ts": "export {};\n" })).toMatchObject({
      code: 0,
      open: [],
    });
  });

  test("a changed file with a syntax error, with its line, in every language", async () => {
    for (const [name, right, wrong, line] of [
      ["t.py", "one = 1\n", "one = 1\n\ndef f(:\n", 3],
      ["t.go", "package t\n", "package t\n\nfunc {\n", 3],
      ["T.java", "class T {}\n", "class T {\n  int 5;\n}\n", 2],
      ["t.rs", "fn f() {}\n", "fn f() {}\n\nfn (;\n", 3],
      ["t.ts", "export const a = 1;\n", "export const a = 1;\nexport const = 2;\n", 2],
    ] as const) {
      const { code, open } = await silence({ "r.md": "" }, { [name]: wrong }, { [`other/${name}`]: right });
      expect([name, code, open.filter((one) => one.startsWith("syntax"))]).toEqual([
        name,
        5,
        [`syntax: ${name} was not checked: syntax error at line ${line}`],
      ]);
    }
  });

  test("packages that are not installed; installed below a sub-directory they are found", async () => {
    const base = {
      ".gitignore": "node_modules\n",
      "web/package.json": '{ "name": "web", "dependencies": { "shapes": "1.0.0" } }\n',
      "web/tsconfig.json":
        '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
      "web/lib.ts": 'import { round } from "shapes";\nexport const area = (): number => round(2);\n',
    };
    const { a, b } = twoWorktrees(base);
    scratch.write(a, { "web/lib.ts": base["web/lib.ts"].replace("number => round(2)", "string => String(round(2))") });
    scratch.write(b, { "web/use.ts": 'import { area } from "./lib";\nexport const used = String(area());\n' });
    const missing = await check([a, b], a);
    expect([missing.code, opened(missing)]).toEqual([
      5,
      ["packages: types from shapes are unknown: not installed in any checkout that was looked at"],
    ]);
    scratch.write(a, {
      "web/node_modules/shapes/package.json": '{ "name": "shapes", "version": "1.0.0", "types": "index.d.ts" }\n',
      "web/node_modules/shapes/index.d.ts": "export declare function round(value: number): number;\n",
    });
    expect(await check([a, b], a)).toMatchObject({ code: 0, verdict: { complete: true, open: [] } });
  }, 120_000);

  test("in words: that nothing collides is said only when everything was looked at", async () => {
    const { a, b } = twoWorktrees({ "r.md": "" });
    scratch.write(a, { "t.py": "one = 1\ndef (:\n" });
    scratch.write(b, { "u.py": "two = 2\n" });
    const ran = await home.constel(["check", a, b], { cwd: a });
    // Where there is no pyright, that is said below.
    const lines = unnumbered(ran.stdout).split("\n");
    expect([ran.code, lines.filter((line) => !line.startsWith("Incomplete: "))]).toEqual([
      5,
      [
        "a and b: no collision seen.",
        "Not everything was checked, so there may be collisions that are not listed:",
        "  t.py was not checked: syntax error at line 2",
        "",
      ],
    ]);
  });
});

test("a package.json in UTF-16, as some editors write it, says what its package is called", async () => {
  count += 1;
  const top = scratch.repository(`r${count}`, {
    "package.json": JSON.stringify({ private: true, workspaces: ["packages/*"] }),
    "packages/lib/src/index.ts": "export function price(): number {\n  return 1;\n}\n",
    "packages/shop/package.json": JSON.stringify({ name: "@acme/shop", dependencies: { "@acme/lib": "workspace:*" } }),
  });
  const manifest = JSON.stringify({ name: "@acme/lib", main: "./src/index.ts", types: "./src/index.ts" });
  writeFileSync(join(top, "packages/lib/package.json"), Buffer.from(`\uFEFF${manifest}`, "utf16le"));
  scratch.git(top, "add", "-A");
  scratch.git(top, "commit", "-qm", "a manifest");
  const [a, b] = [scratch.worktree(top, `a${count}`), scratch.worktree(top, `b${count}`)];
  writeFileSync(join(a, "packages/lib/src/index.ts"), "export function cost(): number {\n  return 1;\n}\n");
  mkdirSync(join(b, "packages/shop/src"));
  writeFileSync(join(b, "packages/shop/src/bill.ts"), 'import { price } from "@acme/lib";\n\nprice();\n');
  const { verdict, code } = await check([a, b], top);
  expect([code, verdict.findings.map(brief)]).toEqual([1, ["high semantic"]]);
});
