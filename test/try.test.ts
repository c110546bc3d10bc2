// `constel try` on a real repository that has never seen constel.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, Scratch } from "../src/host/git/scratch.suite.ts";
import type { FirstLook } from "../src/protocol/try-report.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

let home: TestHome;
let scratch: Scratch;
let top: string;

const source = (name: string, sum: number): string =>
  `export const limit = 1;\n\n\nexport function ${name}(x: number): number {\n  return x + ${sum};\n}\n`;

/** 12 worktrees: two pairs that collide, one that meets in a file without colliding, the rest apart. */
beforeAll(() => {
  home = new TestHome();
  scratch = new Scratch();
  const files: Record<string, string> = {};
  for (let index = 0; index < 60; index++) files[`src/f${index}.ts`] = source(`f${index}`, index);
  top = scratch.repository("shop", files);
  const tree = Array.from({ length: 11 }, (_, index) => scratch.worktree(top, `w${index + 1}`));
  const at = (number: number): string => tree[number - 1] ?? "";
  scratch.commit(at(1), { "src/f1.ts": source("f1", 100) });
  scratch.write(at(2), { "src/f1.ts": source("f1", 200) });
  scratch.commit(at(3), { "src/f2.ts": source("renamed", 2) });
  scratch.write(at(4), { "src/new.ts": 'import { f2 } from "./f2.ts";\n\nexport const three = f2(1);\n' });
  scratch.write(at(5), { "src/f5.ts": source("f5", 5).replace("limit = 1", "limit = 2") });
  scratch.write(at(6), { "src/f5.ts": source("f5", 6) });
  for (let number = 7; number <= 11; number++)
    scratch.commit(at(number), { [`src/f${number}.ts`]: source(`f${number}`, 0) });
  scratch.git(top, "branch", "loose", "w1~1");
  scratch.git(top, "worktree", "add", "-q", "--detach", scratch.path("aside"), "loose");
  scratch.commit(scratch.path("aside"), { "src/f8.ts": source("f8", 800) });
  scratch.git(scratch.path("aside"), "branch", "-f", "loose", "HEAD");
  scratch.git(top, "worktree", "remove", "--force", scratch.path("aside"));
});
afterAll(async () => {
  await scratch.close();
  await home[Symbol.asyncDispose]();
});

const pairsOf = ({ pairs }: FirstLook): string[] =>
  pairs.map(({ ours, theirs, findings }) => `${ours.label} ${theirs.label} ${findings.map(({ kind }) => kind).join()}`);

async function look(words: readonly string[] = []): Promise<FirstLook & { code: number }> {
  const ran = await home.constel(["try", ...words, "--json"], { cwd: top });
  if (ran.stdout === "") throw new Error(`nothing was said: ${ran.code} ${ran.stderr}`);
  return { ...(JSON.parse(ran.stdout) as FirstLook), code: ran.code };
}

test("the pairs that collide are named with both sides' lines, and no others", async () => {
  const seen = await look();
  expect(seen.code).toBe(1);
  expect(pairsOf(seen)).toEqual(["w1 w2 textual", "w3 w4 semantic"]);
  // What types say of the first two is not known before they can be merged.
  expect([seen.complete, seen.open]).toMatchObject([
    false,
    [{ why: expect.stringContaining("git cannot merge the text") }],
  ]);
  const [evidence] = seen.pairs[0]?.findings[0]?.evidence ?? [];
  expect(evidence?.ours[0]?.text).toContain("x + 100");
  expect(evidence?.theirs[0]?.text).toContain("x + 200");
  const verdicts = Object.fromEntries(seen.lines.map(({ label, verdict }) => [label, verdict]));
  expect(verdicts).toMatchObject({ main: "nothing", w5: "land", w6: "land", w7: "land", w11: "land" });
  expect([verdicts["w1"], verdicts["w2"]].sort()).toEqual(["hold", "land"]);
  expect(seen.lines.find(({ label }) => label === "w7")).toMatchObject({ score: 100, ahead: 1, uncommitted: false });
});

test("nothing is written to the repository, and nothing is left behind", async () => {
  const places = readdirSync(scratch.root).filter((name) => name !== "home" && name !== "observe");
  const before = places.map((name) => fingerprint(scratch, scratch.path(name)));
  await home.constel(["try"], { cwd: top, env: { TMPDIR: home.top } });
  expect(places.map((name) => fingerprint(scratch, scratch.path(name)))).toEqual(before);
  expect(existsSync(home.home)).toBe(false);
  expect(readdirSync(home.top)).toEqual([]);
});

test("the look fits one screen of 80 columns and 24 lines, and says what to type next", async () => {
  // Where the shell does not find constel, what is to be typed is as long as the way to it.
  const env = { COLUMNS: "80", LINES: "24", PATH: `${join(projectTop, "bin")}:${home.env["PATH"]}` };
  const { stdout } = await home.constel(["try"], { cwd: top, env });
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThan(24);
  const next = lines.findIndex((line) => line.includes("constel check ../w1 ../w2 --explain"));
  expect(next).toBeGreaterThan(0);
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  const checked = await home.constel(["check", "../w1", "../w2", "--explain"], { cwd: top });
  expect(checked.code).toBe(1);
});

test("with --branches, a branch that is checked out nowhere takes part", async () => {
  const seen = await look(["--branches"]);
  expect(pairsOf(seen)).toContain("w8 loose textual");
  expect(seen.lines.find(({ label }) => label === "loose")).toMatchObject({
    worktree: null,
    branch: "loose",
    ahead: 1,
  });
  expect(JSON.stringify(seen)).not.toContain("branch loose");
});

test("with one worktree, its branches take part unasked", async () => {
  const single = scratch.repository("single", { "a.txt": "one\ntwo\nthree\n" });
  // Whichever was committed to last comes first, so each has its time.
  for (const [branch, line, at] of [
    ["yours", "zwei", "2026-01-02T00:00:00Z"],
    ["mine", "2", "2026-01-03T00:00:00Z"],
  ] as const) {
    scratch.git(single, "checkout", "-q", "-b", branch, "main");
    scratch.commit(single, { "a.txt": `one\n${line}\nthree\n` });
    const env = { ...scratch.environment, GIT_COMMITTER_DATE: at };
    Bun.spawnSync(["git", "commit", "-q", "--amend", "--no-edit"], { cwd: single, env });
  }
  scratch.git(single, "checkout", "-q", "main");
  const ran = await home.constel(["try", "--json"], { cwd: single });
  expect(pairsOf(JSON.parse(ran.stdout) as FirstLook)).toEqual(["mine yours textual"]);
});

test("constel alone is that look where constel was never used, and help everywhere else", async () => {
  const met = await home.constel([], { cwd: scratch.path("w1") });
  expect(met.stdout).toContain("2 of 66 pairs will collide");
  expect(met.code).toBe(1);
  const elsewhere = await home.constel([], { cwd: home.top });
  expect(elsewhere.stdout).toContain("Usage  constel <command>");
  mkdirSync(scratch.path("used"));
  const used = await home.constel([], { cwd: top, env: { CONSTEL_HOME: scratch.path("used") } });
  expect(used.stdout).toContain("Usage  constel <command>");
});

test("outside any repository it refuses", async () => {
  const ran = await home.constel(["try"], { cwd: home.top });
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("[git.not-a-repository]");
});

test("an interruption ends the look and leaves nothing behind", async () => {
  const child = Bun.spawn([join(import.meta.dir, "../bin/constel"), "try"], {
    cwd: top,
    env: { ...home.env, TMPDIR: home.top },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  await until(
    "it has begun",
    () => readdirSync(home.top),
    (names) => names.length > 0,
  );
  child.kill("SIGINT");
  const said = await new Response(child.stderr).text();
  await child.exited;
  expect(said).toContain("[command.interrupted]");
  expect(readdirSync(home.top)).toEqual([]);
});
