// `check` twice in one home: the second reads what the first kept, and says the same.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { Scratch } from "../host/git/scratch.suite.ts";
import { languages } from "../languages/all.ts";
import { FactsMemory } from "../languages/facts-memory.ts";
import { openLanguages } from "../languages/open-languages.ts";
import { checkPair } from "./check-pair.ts";
import { keepFacts } from "./keep-facts.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

test("a second check parses nothing, and its verdict is the same; without a home nothing is kept", async () => {
  const main = scratch.repository("main", {
    "store.py": "def save(path, mode):\n    return path\n",
    "use.py": "from store import save\n\nsave('a', 'b')\n",
    "other.py": "x = 1\n",
  });
  const [a, b] = [scratch.worktree(main, "a"), scratch.worktree(main, "b")];
  scratch.write(a, { "store.py": "def save(path):\n    return path\n" });
  scratch.write(b, { "other.py": "from store import save\n\nx = save('a', 'b')\n" });
  const home = scratch.path("home-of-facts");
  const check = (): ReturnType<typeof checkPair> =>
    checkPair({
      cwd: a,
      ours: a,
      theirs: b,
      gate: false,
      gateCommand: undefined,
      fetch: false,
      facts: { home, maxBytes: 1_000_000 },
      environment: scratch.environment,
      signal: new AbortController().signal,
    });
  const fresh = await check();
  expect(existsSync(home)).toBe(false);
  scratch.write(home, { "constel.toml": "" });
  await check();
  const kept = readdirSync(home, { recursive: true })
    .map(String)
    .filter((name) => /[0-9a-f]{40}$/.test(name));
  expect(kept.length).toBeGreaterThan(2);
  const again = await check();
  expect(again.verdict.findings.map(({ title }) => title)).toEqual(fresh.verdict.findings.map(({ title }) => title));
  expect(again.verdict.findings.length).toBeGreaterThan(0);
  // Everything that was kept is what a memory gets, so that nothing is parsed again.
  const shelf = keepFacts({ home, maxBytes: 1_000_000 });
  const blob = scratch.git(main, "rev-parse", "HEAD:store.py").trim();
  expect(new FactsMemory(1_000_000, shelf).of("python").get(blob)).toBeDefined();
  shelf?.close();
});

const samples: Readonly<Record<string, readonly [path: string, text: string]>> = {
  python: [
    "a.py",
    "import os\nclass A(Base):\n    x: int = 1\n    def f(self, a, *b, c=2, **d): return os.path.join(a)\n",
  ],
  typescript: [
    "a.ts",
    "import { b } from './b';\nexport class A<T> extends b.C { x?: number; f(a: T, ...r: string[]) { return b(a, ...r); } }\n",
  ],
  go: [
    "a.go",
    'package a\nimport "fmt"\ntype T struct { X int }\nfunc (t *T) F(a int, b ...string) error { fmt.Println(a, b); return nil }\n',
  ],
  java: [
    "A.java",
    "package a;\nimport java.util.*;\npublic class A extends B { int x; public A(int a) { super(a); } void f(String... s) { g(s); } }\n",
  ],
  rust: [
    "a.rs",
    "use crate::b::C;\npub struct A<T> { pub x: T }\nimpl<T> A<T> { pub fn f(&self, a: u8) -> C { C::new(a) } }\n",
  ],
};

test("the facts of every language come back from the disk as they were", async () => {
  const kept = new Map<string, object>();
  const shelf = {
    get: () => undefined,
    set: (name: string, facts: object) => void kept.set(name, facts),
    close: () => undefined,
  };
  const open = openLanguages({ shelf });
  for (const { name } of languages) {
    const [path, text] = samples[name] ?? ["", ""];
    expect(`${name}: ${path}`).not.toBe(`${name}: `);
    await open.named(name)?.unreadable(path, "b".repeat(40), async () => text);
  }
  open.close();
  expect([...kept.keys()].map((name) => name.split(" ")[0]).sort()).toEqual(languages.map(({ name }) => name).sort());
  for (const [name, facts] of kept) expect([name, JSON.parse(JSON.stringify(facts))]).toEqual([name, facts]);
});
