// Shell commands taken apart, compared with what a real bash runs: whatever bash starts must be among the commands that were read,
// or the text must have been called unclear or unreadable.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFrom } from "../../core/schedules/random.suite.ts";
import type { ShellScript } from "../../protocol/shell-script.ts";
import { readShell } from "./read-shell.ts";
import { placeFacts } from "../../host/shell/place-facts.ts";

const parse = readShell;
let top: string;
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), "constel-shell-"));
  for (const name of ["bin", "cwd"]) mkdirSync(join(top, name));
  for (const name of names) {
    writeFileSync(join(top, "bin", name), `#!/bin/sh\necho ${name} >> "$RAN"\n`);
    chmodSync(join(top, "bin", name), 0o700);
  }
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("a command taken apart", () => {
  test("is unclear where shells disagree, or could be taken for something else", () => {
    for (const source of ["alpha\n\\beta x", "alpha b\\ c", "(alpha) - 2>&1", "alpha <<E <<F\nx\nE\ny\nF\n"]) {
      const script = parse(source);
      expect([source, "unreadable" in script || script.unclear.length > 0]).toEqual([source, true]);
    }
  });

  test("has the words of each simple command, their values, and what is not known of them", () => {
    const script = parse(`git commit -m "a $(date) b" 'c d' *.ts "g"h $x`);
    if ("unreadable" in script) throw new Error(script.unreadable);
    expect(script.commands.map(({ words }) => words.map(({ text }) => text))).toEqual([
      ["date"],
      ["git", "commit", "-m", undefined, "c d", undefined, "gh", undefined],
    ]);
    const [, commit] = script.commands;
    expect(commit?.words[3]).toMatchObject({ start: "a ", splits: false });
    expect(commit?.words[5]).toMatchObject({ glob: true, splits: true });
    expect(script.unclear).toEqual([{ source: "$x", why: "it uses a variable, whose value is not known" }]);
  });

  test("has a word - that stands before or between redirections", () => {
    for (const [source, expected] of [
      ["alpha - 2>&1", [["alpha", "-"]]],
      ["alpha && beta -F - <<'E'\nx\nE", [["alpha"], ["beta", "-F", "-"]]],
      ["alpha | beta - > f", [["alpha"], ["beta", "-"]]],
      ["alpha > f - 2>&1", [["alpha", "-"]]],
    ] as const) {
      const script = parse(source);
      if ("unreadable" in script) throw new Error(script.unreadable);
      expect([source, script.unclear]).toEqual([source, []]);
      expect(script.commands.map(({ words }) => words.map(({ text }) => text))).toEqual(
        expected.map((words) => [...words]),
      );
    }
  });

  test("knows the text of a quoted here-document that a word is made of", () => {
    const texts = (source: string): unknown => {
      const script = parse(source);
      return "unreadable" in script || script.unclear.length > 0 ? script : script.commands.at(-1)?.words.at(-1)?.text;
    };
    expect(texts(`alpha "$(cat <<'E'\none $(x)\n\n << two\n\nE\n)"`)).toBe("one $(x)\n\n << two");
    for (const other of [
      `alpha "a$(cat <<'E'\nx\nE\n)"`,
      `alpha "$(cat <<E\nx\nE\n)"`,
      `alpha "$(cat -n <<'E'\nx\nE\n)"`,
      `alpha "$(cat <<-'E'\n\tx\n\tE\n)"`,
      `alpha "$(cat <<'E' f\nx\nE\n)"`,
      `alpha "$(cat <<'E'\nx\nE\nbeta)"`,
      `alpha $(cat <<'E'\nx\nE\n)`,
    ])
      expect([other, typeof texts(other)]).not.toEqual([other, "string"]);
  });

  test("reads several quoted here-documents, whatever stands in them, and no others", () => {
    const isClear = (source: string): boolean => {
      const script = parse(source);
      return !("unreadable" in script) && script.unclear.length === 0;
    };
    for (const source of [
      "alpha <<'E'\na << b\nE",
      "alpha > f <<'E'\nx\nE\nbeta > g <<'E'\n<<<<<<< y\nE\ngamma",
      "alpha <<'E' > f && beta\n1 << 2\nE",
    ])
      expect([source, isClear(source)]).toEqual([source, true]);
    for (const source of [
      "alpha <<'E'\nx\nE\nbeta <<F\ny << z\nF",
      "alpha <<'E' # <<'F'\nx\nE\nbeta",
      "alpha <<'E' \"\nE\nbeta\"",
      "alpha '\n<<E' <<'E'\nx << y\nE\nbeta",
    ])
      expect([source, isClear(source)]).toEqual([source, false]);
  });

  test("has its redirections with operator and target", () => {
    const script = parse("a > x 2>&1 < y >> z &> w");
    if ("unreadable" in script) throw new Error(script.unreadable);
    expect(script.redirects.map(({ operator, target }) => [operator, target.text])).toEqual([
      [">", "x"],
      [">&", "1"],
      ["<", "y"],
      [">>", "z"],
      ["&>", "w"],
    ]);
  });
});

/** Programs that only say that they ran. PATH holds nothing else, so nothing else can. */
const bash = Bun.which("bash") ?? "/bin/bash";
const names = ["alpha", "beta", "gamma", "delta"];

let runs = 0;

function ran(source: string): Set<string> {
  // A file for each: what one left running in the background must not speak for the next.
  const log = join(top, `ran-${runs++}.txt`);
  writeFileSync(log, "");
  Bun.spawnSync([bash, "--norc", "--noprofile", "-c", source], {
    cwd: join(top, "cwd"),
    env: { PATH: join(top, "bin"), HOME: join(top, "cwd"), RAN: log },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    timeout: 5000,
  });
  return new Set(readFileSync(log, "utf8").split("\n").filter(Boolean));
}

/** Whole commands, which are then spoiled in a few places: most of what comes out is nearly right, as an attack would be. */
const wholes = [
  "alpha x",
  `alpha 'a b' "c d"`,
  `alpha "a $(beta x) b" c`,
  "alpha && beta || gamma; delta x",
  "alpha <<'E'\nbeta $(gamma)\nE\ndelta",
  `alpha "$(beta <<'E'\ngamma\nE\n)" && delta`,
  "(alpha; beta) | gamma x",
  "if alpha; then beta; else gamma; fi",
  "alpha > f 2>&1; beta",
  "alpha # beta\ngamma",
  "{ alpha; beta x; }",
  "for a in b c; do alpha; done; beta",
  "alpha <<E | beta\nx\nE\ngamma",
  "case x in y) alpha;; *) beta;; esac",
  "alpha `beta` 'gamma'",
  "[ -f x ] && alpha || beta",
  "alpha <(beta)",
  String.raw`alpha 'it'\''s' beta`,
  "[[ 'a[$(alpha)]' -eq 0 ]] || beta",
  "[[ -v 'a[$(alpha)]' ]]; beta",
  "alpha <<E\n`beta`\nE\ngamma",
  "alpha <<-E\n\t$(beta)\n\tE\ngamma",
  'alpha "$(beta) `gamma`"',
  "alpha > f <<'E'\nx << 'F'\nE\nbeta > g <<'E'\ngamma\nE\ndelta",
  "alpha <<'E' > f && beta - <<'F'\nx << y\nE\ngamma\nF\ndelta",
  `alpha "$(cat <<'E'\nbeta << $(gamma)\nE\n)" - 2>&1 && delta`,
];
const spoilers = [
  ..."\\'\"`$#;&|()<>{}[]*?!~=\n\t -:,@^%+",
  "$(",
  "))",
  "<<",
  "\\\n",
  " #",
  "$'",
  '$"',
  "\n\\",
  "&&",
  ";;",
  "beta",
  " delta ",
  "E",
  "\nE\n",
  "\\ ",
];

/**
 * Returns the commands that bash ran and nobody read. Undefined if the text was not clear, or if it names a wrapper, which the judge
 * opens.
 */
function unreadIn(source: string): string[] | undefined {
  const script = parse(source);
  if ("unreadable" in script || script.unclear.length > 0) return undefined;
  const firsts = new Set(script.commands.map(({ words }) => words[0]?.text));
  if (firsts.has(undefined) || ["time", "eval", "exec", "command", "coproc"].some((name) => firsts.has(name)))
    return undefined;
  return [...ran(source)].filter((name) => !firsts.has(name));
}

test("what is said to run only after its first command never runs when that one fails", () => {
  const random = randomFrom("the first command fails");
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const joins = [" && ", " && ", " && ", " || ", "; ", " | ", " & ", "\n"];
  const parts = [
    ...names,
    "alpha > f",
    "! beta",
    "{ alpha || beta; }",
    "(gamma; delta)",
    "if alpha; then beta; fi",
    "alpha <<'E'\nx; y || z\nE\n",
    'gamma "$(delta)"',
  ];
  let led = 0;
  for (let round = 0; round < 150; round++) {
    const count = 2 + Math.floor(random() * 4);
    const rest = Array.from({ length: count - 1 }, () => pick(joins) + pick(parts)).join("");
    const source = `cd ./nowhere${rest}`;
    const script = parse(source);
    if ("unreadable" in script || !isLed(script)) continue;
    led++;
    expect([source, [...ran(source)]]).toEqual([source, []]);
  }
  expect(led).toBeGreaterThan(20);
  for (const source of ["cd x && alpha", "cd x && alpha && beta > f && gamma", "cd x && alpha | beta"]) {
    const script = parse(source);
    expect([source, "unreadable" in script || isLed(script)]).toEqual([source, true]);
  }
});

/** Everything in it runs only after its first command has succeeded. */
const isLed = ({ steps = [] }: ShellScript): boolean =>
  steps[0]?.isPlain === true && steps.every(({ by }, at) => (by === "&&") === at < steps.length - 1);

test("ways to hide a command that were found are not taken for clear", () => {
  const hidden = [
    "alpha \\ #; beta",
    "alpha x \\\t# y; beta",
    "alpha\n\\beta x",
    'alpha "a $\\\n(beta x) b"',
    "alpha <<E\n$\\\n(beta)\nE",
    'alpha "$(gamma \\ #; beta\n)"',
    "alpha <<E\n`beta`\nE",
    "alpha <<-E\n\t$(beta)\n\tE\n",
    "[[ 'x[$(beta)]' -eq 0 ]]; alpha",
    "[[ -v 'x[$(beta)]' ]]; alpha",
  ];
  for (const source of hidden) {
    expect([source, [...ran(source)].includes("beta")]).toEqual([source, true]);
    expect([source, unreadIn(source) ?? []]).toEqual([source, []]);
  }
});

test("bash never runs anything that was not read or called unclear", () => {
  const random = randomFrom("bash");
  const upTo = (count: number): number => Math.floor(random() * count);
  let compared = 0;
  for (let round = 0; round < 1000; round++) {
    let source = wholes[upTo(wholes.length)] ?? "";
    for (let times = upTo(4); times > 0; times--) {
      const at = upTo(source.length + 1);
      source =
        source.slice(0, at) +
        (spoilers[upTo(spoilers.length)] ?? "") +
        source.slice(at + (random() < 0.4 ? upTo(4) : 0));
    }
    const unread = unreadIn(source);
    if (unread === undefined) continue;
    compared++;
    expect([source, unread]).toEqual([source, []]);
  }
  expect(compared).toBeGreaterThan(150);
}, 120_000);

describe("facts about places", () => {
  test("links are followed, also to what is not there yet", () => {
    const at = join(top, "links");
    mkdirSync(join(at, "inside"), { recursive: true });
    symlinkSync("/nowhere/at/all", join(at, "inside", "out"));
    symlinkSync("inside", join(at, "in"));
    symlinkSync("loop", join(at, "loop"));
    const real = placeFacts.resolve(at) ?? "";
    expect(placeFacts.resolve(join(at, "inside", "new.ts"))).toBe(`${real}/inside/new.ts`);
    expect(placeFacts.resolve(join(at, "inside", "out", "x"))).toBe("/nowhere/at/all/x");
    expect(placeFacts.resolve(join(at, "in", "x"))).toBe(`${real}/inside/x`);
    expect(placeFacts.resolve(join(at, "loop", "x"))).toBeUndefined();
  });

  test("the repository is the first one upwards, and a bare one counts", () => {
    const at = join(top, "work");
    mkdirSync(join(at, ".git"), { recursive: true });
    mkdirSync(join(at, "src", "deep"), { recursive: true });
    for (const name of ["objects", "refs"]) mkdirSync(join(at, "evil", name), { recursive: true });
    writeFileSync(join(at, "evil", "HEAD"), "ref: refs/heads/x\n");
    expect(placeFacts.repositoryOf(join(at, "src", "deep"))).toBe(at);
    expect(placeFacts.repositoryOf(join(at, "evil"))).toBe(join(at, "evil"));
    expect(placeFacts.repositoryOf(join(at, "not", "there"))).toBe(at);
    // git stands where a link leads, also in the middle of another repository.
    const other = join(top, "other");
    mkdirSync(join(other, ".git"), { recursive: true });
    mkdirSync(join(other, "deep"));
    symlinkSync(join(other, "deep"), join(at, "linked"));
    expect(placeFacts.repositoryOf(join(at, "linked"))).toBe(other);
    expect(placeFacts.repositoryOf(join(at, "linked", "new"))).toBe(other);
  });
});
