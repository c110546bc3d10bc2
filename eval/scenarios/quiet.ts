// Work side by side that must not alarm anybody, and the two kinds that need an owner's word: gate and claim.

import { type Grow, numbered, type Template } from "./scenario.ts";

const overlap = (name: string, grow: Grow): Template => ({ kind: "overlap", name, grow });

const functions = (change: Readonly<Record<number, string>> = {}): string =>
  numbered(12, (at) => `export function job${at}(): number {\n  // step\n  return ${change[at] ?? at};\n}\n`);

export const quiet: readonly Template[] = [
  overlap("near miss: two functions of one file", (seed) => ({
    base: { "src/jobs.ts": functions() },
    ours: { "src/jobs.ts": functions({ 2: String(seed.below(900) + 100) }) },
    theirs: { "src/jobs.ts": functions({ 10: String(seed.below(900) + 100) }) },
    expect: [],
  })),
  overlap("near miss: new files of one package", (seed) => ({
    base: { "src/jobs.ts": functions() },
    ours: { [`src/${seed.name()}.ts`]: `export const ${seed.name()} = 1;\n` },
    theirs: { [`src/${seed.name()}.ts`]: `export const ${seed.name()} = 2;\n` },
    expect: [],
  })),
  overlap("near miss: a body changes, a call is added", (seed) => ({
    base: {
      "src/jobs.ts": functions(),
      "src/run.ts": 'import { job1 } from "./jobs.ts";\nexport const run = job1();\n',
    },
    ours: { "src/jobs.ts": functions({ 3: String(seed.below(900) + 100) }) },
    theirs: { "src/run.ts": 'import { job1, job3 } from "./jobs.ts";\nexport const run = job1() + job3();\n' },
    expect: [],
  })),
  {
    kind: "gate",
    name: "a sum that only breaks together",
    grow: () => ({
      base: { "limit.txt": "10\n", "use/a.txt": "4\n", "use/b.txt": "4\n" },
      ours: { "use/a.txt": "6\n" },
      theirs: { "use/b.txt": "6\n" },
      gate: 'test "$(cat use/a.txt use/b.txt | paste -sd+ | bc 2>/dev/null || awk \'{s+=$1} END {print s}\' use/*.txt)" -le "$(cat limit.txt)"',
      expect: ["gate"],
    }),
  },
  {
    kind: "gate",
    name: "near miss: red on one side alone",
    grow: () => ({
      base: { "a.txt": "good\n" },
      ours: { "a.txt": "bad\n" },
      theirs: { "b.txt": "good\n" },
      gate: "! grep -q bad a.txt",
      expect: [],
    }),
  },
  {
    kind: "claim",
    name: "an edit inside a claim",
    grow: (seed) => ({
      base: { "src/store/open.ts": "export const open = 1;\n" },
      ours: { "src/store/open.ts": `export const open = ${seed.below(90) + 10};\n` },
      theirs: { "docs/x.md": `${seed.name()}\n` },
      claims: [{ id: "c1", holder: "agent3", patterns: ["src/store/"], severity: "high", reason: "moving the store" }],
      expect: ["claim"],
    }),
  },
  {
    kind: "claim",
    name: "near miss: an edit beside a claim",
    grow: (seed) => ({
      base: { "src/shop/open.ts": "export const open = 1;\n" },
      ours: { "src/shop/open.ts": `export const open = ${seed.below(90) + 10};\n` },
      theirs: { "docs/x.md": `${seed.name()}\n` },
      claims: [{ id: "c1", holder: "agent3", patterns: ["src/store/"], severity: "high", reason: "moving the store" }],
      expect: [],
    }),
  },
];
