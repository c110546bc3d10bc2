// Several worktrees over one thing are one problem: `constel try` tells and counts it as `conflicts`, `repo add` and `plan` do.

import { expect, test } from "bun:test";
import type { FirstLook } from "../src/protocol/try-report.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";

const screen = { COLUMNS: "80", LINES: "24" };

async function lookAt(at: WorktreesHome): Promise<FirstLook> {
  return JSON.parse((await at.constel(["try", "--json"], { cwd: at.repository })).stdout) as FirstLook;
}

async function screenOf(at: WorktreesHome, words: readonly string[], env = {}): Promise<string[]> {
  const ran = await at.constel(words, { cwd: at.repository, env });
  expect(ran.code).toBe(1);
  return ran.stdout.trimEnd().split("\n");
}

/** Holds what `try --json` says against the daemon's list of the same repository. */
async function expectAgreement(at: WorktreesHome, look: FirstLook): Promise<void> {
  const problems = look.knots.length;
  const told = look.knots.flatMap(({ findings }) => findings);
  expect(told.toSorted()).toEqual(look.pairs.flatMap(({ findings }) => findings.map((one) => one.fingerprint)).sort());
  const added = await at.constel(["repo", "add"], { cwd: at.repository });
  const count = problems === 1 ? "1 finding is" : `${problems} findings are`;
  expect(added.stdout).toContain(`${count} open (${look.pairs.length} pairs): `);
  const listed = await at.constel(["conflicts"]);
  expect(listed.stdout).toContain(`${problems} open: ${problems} high (${look.pairs.length} pairs).`);
  const { knots, pairs } = await at.caller.call("finding.list", {});
  const essence = (all: readonly Pick<FirstLook["knots"][number], "kind" | "severity" | "title" | "sides">[]) =>
    all.map(({ kind, severity, title, sides }) => `${severity} ${kind} ${sides.join()}: ${title}`).sort();
  expect(essence(look.knots)).toEqual(essence(knots));
  expect(pairs).toBe(look.pairs.length);
  const { stdout: status } = await at.constel(["status"]);
  expect(status).toContain(
    `${problems === 1 ? "1 finding" : `${problems} findings`} open (${look.pairs.length} pairs)`,
  );
}

test("ten worktrees on one line are one entry with ten names, and one line for whoever waits", async () => {
  await using at = new WorktreesHome({ "x.txt": text() });
  for (const [place, name] of [
    [at.a, "a"],
    [at.b, "b"],
  ] as const)
    at.git(place, "branch", "-m", `feature/rounding-${name}`);
  const others = [..."cdefghij"].map((name) => {
    const place = at.worktree(name);
    at.git(place, "branch", "-m", `feature/rounding-${name}`);
    return place;
  });
  for (const [index, place] of [at.a, at.b, ...others].entries()) {
    at.write(place, { "x.txt": text({ 3: `${index}` }) });
    at.git(place, "commit", "-qam", "line 3");
  }
  const names = [..."abcdefghij"].map((name) => `feature/rounding-${name}`);
  const whole = `HIGH textual  ${names.slice(0, 9).join(", ")} and feature/rounding-j collide over x.txt`;

  const piped = await screenOf(at, ["try"]);
  expect(piped[0]).toMatch(/^app → main: 11 worktrees, 45 of 55 pairs will collide: 1 finding \(/);
  expect(piped[2]).toBe(whole);
  expect(piped.filter((line) => line.includes("textual  "))).toHaveLength(1);
  // The lines of one pair, and the command that shows the rest of it.
  expect(piped.slice(3, 7).map((line) => line.trim())).toEqual([
    "feature/rounding-a  x.txt:4",
    "4  0",
    "feature/rounding-b  x.txt:4",
    "4  1",
  ]);
  expect(piped.at(-2)).toContain("check ../a ../b --explain");

  const narrow = await screenOf(at, ["try"], screen);
  for (const line of narrow.slice(0, -3)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expect(narrow[2]).toBe("HIGH textual  feature/rounding-a and 9 others collide over x.txt");
  expect(narrow.join("\n")).not.toContain("more pair");

  const all = await screenOf(at, ["try", "--all"], screen);
  for (const line of all.slice(0, -3)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expect(all.join(" ").replaceAll(/\s+/g, " ")).toContain(whole.replaceAll(/\s+/g, " "));

  const look = await lookAt(at);
  expect(look.pairs).toHaveLength(45);
  expect(look.knots).toMatchObject([{ kind: "textual", severity: "high", sides: names }]);
  await expectAgreement(at, look);

  // The last of them waits for nine, in one line.
  const plan = (await at.constel(["plan"])).stdout;
  expect(plan).toContain(
    `${names.slice(0, 8).join(", ")} and feature/rounding-i land before it and collide with it (textual)`,
  );
  expect(plan.match(/before it/g)).toHaveLength(9);
  const narrowPlan = (await at.constel(["plan"], { env: screen })).stdout;
  expect(narrowPlan).toContain("  feature/rounding-a and 8 others land before it and collide with it (textual)\n");
  expect((await at.constel(["plan", "--explain"], { env: screen })).stdout).toContain(
    "feature/rounding-i land before it",
  );
});

test("two knots, a pair outside, and a pair in two knots are each counted once", async () => {
  await using at = new WorktreesHome({ "x.txt": text(), "y.txt": text(), "z.txt": text() });
  const both = [at.a, at.b, at.worktree("c")];
  for (const [index, place] of both.entries())
    at.write(place, { "x.txt": text({ 3: `${index}` }), "y.txt": text({ 3: `${index}` }) });
  at.write(at.worktree("d"), { "y.txt": text({ 3: "d" }) });
  // Two findings of one pair that are no part of a knot stay in one line.
  for (const name of ["e", "f"])
    at.write(at.worktree(name), { "z.txt": text({ 3: name }), "new.txt": `${name} writes this\n` });

  const shown = await screenOf(at, ["try"]);
  expect(shown[0]).toContain("7 of 21 pairs will collide: 4 findings (");
  expect(shown.filter((line) => line.startsWith("HIGH"))).toEqual([
    "HIGH textual  a, b and c collide over x.txt",
    "HIGH textual  a, b, c and d collide over y.txt",
    expect.stringMatching(/^HIGH textual {2}e and f .* \(\+1\)$/),
  ]);
  const look = await lookAt(at);
  expect(look.pairs.map(({ ours, theirs }) => ours.label + theirs.label)).toEqual([
    "ab",
    "ac",
    "ad",
    "bc",
    "bd",
    "cd",
    "ef",
  ]);
  expect(look.knots.map(({ sides, findings }) => `${sides.join("")} ${findings.length}`).sort()).toEqual([
    "abc 3",
    "abcd 6",
    "ef 1",
    "ef 1",
  ]);
  await expectAgreement(at, look);
});
