// Tests what the daemon's silence rests on, on the real program: a finding is closed only by a look that read what it rests on, and whoever
// says that nothing collides says what was not looked at.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./kit/home.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";

const library = "def total(items):\n    return sum(items)\n";

test("somebody in the middle of typing closes nothing; the finding is over when the code says so", async () => {
  await using at = new WorktreesHome({ "lib.py": library, "app.py": "x = 1\n" });
  await at.observe();
  at.write(at.a, { "lib.py": library.replace("total", "sum_of") });
  at.write(at.b, { "app.py": "from lib import total\n\nx = total([1])\n" });
  await at.touch(at.a);
  await at.touch(at.b);
  expect(await at.titles()).toEqual(["a renames total (lib.py:1) to sum_of; b uses total in app.py:1"]);
  // Half a line: nothing can be said of the file.
  at.write(at.b, { "app.py": "from lib import total\n\nx = total([1]\ndef (\n" });
  await at.touch(at.b);
  expect((await at.titles()).length).toBe(1);
  const typing = await at.constel(["conflicts"]);
  expect([typing.code, typing.stdout]).toEqual([
    1,
    expect.stringContaining("app.py was not checked: syntax error at line"),
  ]);
  at.write(at.b, { "app.py": "x = 2\n" });
  await at.touch(at.b);
  const calm = await at.constel(["conflicts"]);
  // Without pyright the types were not asked, and then nobody says that nothing collides.
  const said =
    Bun.which("pyright") === null ? /^No collision seen\.\nIncomplete: Python types/ : /^Nothing collides\.\n/;
  expect([calm.code, calm.stdout]).toEqual([0, expect.stringMatching(said)]);
  expect(await at.events("finding.")).toEqual(["finding.opened", "finding.closed"]);
});

test("of two branches the one that does not parse lands last, however ready it looks, and plan says why", async () => {
  await using at = new WorktreesHome({ "lib.py": library, "app.py": "x = 1\n" });
  await at.observe();
  // Both ways round: nothing but the file itself tells the two apart.
  for (const [broken, other] of [
    ["a", "b"],
    ["b", "a"],
  ] as const) {
    for (const [name, rest] of [
      [broken, "def ("],
      [other, "y = 2"],
    ] as const) {
      at.write(at[name], { [`${name}.py`]: `x = 1\n${rest}\n` });
      at.git(at[name], "add", "-A");
      at.git(at[name], "commit", "-qm", rest);
      await at.touch(at[name]);
    }
    const plan = await at.constel(["plan", "--json"]);
    expect(plan.code).toBe(5);
    type Plan = { repositories: { steps: { label: string; why: string[] }[] }[] };
    const { repositories } = JSON.parse(plan.stdout) as Plan;
    const [first, second] = repositories[0]?.steps ?? [];
    expect([first?.label, second?.label]).toEqual([other, broken]);
    expect(second?.why).toContainEqual(expect.stringContaining(`${broken}.py was not checked: syntax error`));
    expect(first?.why.join()).not.toContain("syntax error");
    // The one that does not parse has one commit, and the other has two or more.
    at.write(at[broken], { [`${broken}.py`]: "x = 2\n" });
  }
}, 60_000);

test("a worktree in the middle of a rebase closes nothing, and status, conflicts, plan and repo add say so", async () => {
  await using at = new WorktreesHome({ "x.txt": "one\n", "y.txt": "one\n" });
  at.write(at.repository, { "x.txt": "main\n" });
  at.git(at.repository, "commit", "-qam", "main");
  await at.observe();
  at.write(at.a, { "y.txt": "a\n" });
  at.write(at.b, { "x.txt": "b\n" });
  at.git(at.b, "commit", "-qam", "first");
  at.write(at.b, { "y.txt": "b\n" });
  at.git(at.b, "commit", "-qam", "second");
  await at.touch(at.a);
  await at.touch(at.b);
  const collides = "a and b change the same lines of y.txt";
  expect(await at.titles()).toContain(collides);
  // It stops at the first commit: what the second did is not in the files at the moment.
  expect(() => at.git(at.b, "rebase", "main")).toThrow();
  await at.touch(at.b);
  const why = "b was not compared: it is in the middle of a rebase";
  await until(
    "the rebase is known",
    async () => (await at.constel(["conflicts"])).stdout,
    (said) => said.includes(why),
  );
  for (const words of [["try"], ["conflicts"], ["plan"], ["repo", "add", at.repository]])
    expect((await at.constel(words, { cwd: at.repository })).stdout).toContain(`  ${why}`);
  expect((await at.constel(["status"])).stdout).toContain("Incomplete: b was not compared");
  expect(await at.titles()).toContain(collides);
  at.git(at.b, "rebase", "--abort");
  await at.touch(at.b);
  await until(
    "everything is looked at again",
    async () => (await at.constel(["conflicts"])).stdout,
    (said) => !said.includes("rebase"),
  );
  expect(await at.events("finding.closed")).toEqual([]);
});

test("types that are still to be asked are counted, and nothing is called ready before", async () => {
  await using at = new WorktreesHome({
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "lib": ["es2022"], "types": [] } }\n',
    "price.ts": "export const lookUp = (name: string): number => name.length;\n",
  });
  await at.observe();
  at.write(at.a, { "price.ts": "export const lookUp = (name: string): string => name;\n" });
  at.write(at.b, { "fresh.ts": 'import { lookUp } from "./price";\nexport const shown = lookUp("x").toFixed(2);\n' });
  await at.touch(at.a);
  await at.touch(at.b);
  const asking = await at.constel(["conflicts"]);
  if (asking.stdout.includes("No collision seen.")) {
    expect(asking.code).toBe(5);
    expect(asking.stdout).toMatch(/Incomplete: types still to be checked in \d of \d pairs\./);
    expect((await at.constel(["plan"])).stdout).not.toMatch(/land .*100\/100/);
  }
  const titles = await until(
    "the compiler has spoken",
    () => at.titles(),
    (all) => all.length > 0,
  );
  expect(titles).toEqual(["a changes the type of lookUp (price.ts:1), which b uses in fresh.ts:2"]);
  await until(
    "all was asked",
    () => at.constel(["conflicts"]),
    ({ stdout }) => !stdout.includes("still to be checked"),
  );
}, 120_000);

test("what was done while the daemon was away is not called free of collisions before it has looked", async () => {
  await using at = new WorktreesHome();
  await at.observe();
  await at.constel(["daemon", "stop"]);
  at.write(at.a, { "x.txt": text({ 3: "of a" }) });
  at.write(at.b, { "x.txt": text({ 3: "of b" }) });
  await at.constel(["daemon", "start"]);
  const calm: string[] = [];
  await until(
    "the collision is found",
    async () => await at.constel(["conflicts"]),
    ({ code, stdout }) => {
      if (code === 0 || stdout.includes("Nothing collides")) calm.push(stdout);
      return code === 1;
    },
  );
  expect(calm).toEqual([]);
});

test("a worktree whose directory is gone leaves nothing open, for try as for the daemon; one that cannot be read does", async () => {
  await using at = new WorktreesHome();
  rmSync(at.worktree("c"), { recursive: true });
  await at.observe();
  const asked = async (): Promise<unknown[]> => [
    await at.json(["try"], { cwd: at.repository }),
    await at.json(["conflicts"]),
  ];
  const whole = { complete: true, open: [] };
  expect(await asked()).toMatchObject([{ ...whole, notes: ["Left out: c, the directory no longer exists."] }, whole]);
  writeFileSync(join(at.git(at.b, "rev-parse", "--git-dir").trim(), "HEAD"), "nothing of git's\n");
  await at.touch(at.b);
  const why = "b was not compared: HEAD cannot be read";
  for (const words of [["try"], ["conflicts"]]) {
    const said = await at.constel(words, { cwd: at.repository });
    expect([words, said.code, said.stdout]).toEqual([words, 5, expect.stringContaining(`  ${why}`)]);
  }
});

test("a worktree that git moves takes its collision along: at no time does it seem to be over", async () => {
  await using at = new WorktreesHome();
  at.write(at.a, { "x.txt": text({ 3: "of a" }) });
  at.write(at.b, { "x.txt": text({ 3: "of b" }) });
  await at.observe();
  expect(await at.titles()).toEqual(["a and b change the same lines of x.txt"]);
  const elsewhere = `${at.b}-elsewhere`;
  at.git(at.repository, "worktree", "move", at.b, elsewhere);
  await until(
    "it is seen in its new place",
    async () => {
      expect(await at.titles()).toEqual(["a and b change the same lines of x.txt"]);
      return await at.constel(["query", "select closed_because from findings where state = 'closed'", "--json"]);
    },
    ({ stdout }) => stdout.includes(`moved to ${elsewhere}`),
  );
  expect(await at.events("finding.")).toEqual(["finding.opened", "finding.opened", "finding.closed"]);
});

test("what was dismissed stays so in the directory that a worktree is moved to, and in the next one", async () => {
  await using at = new WorktreesHome({ "x.txt": text(), "y.txt": text() });
  at.write(at.a, { "x.txt": text({ 3: "of a" }), "y.txt": text({ 3: "of a" }) });
  at.write(at.b, { "x.txt": text({ 3: "of b" }) });
  at.write(at.worktree("c"), { "y.txt": text({ 3: "of c" }) });
  expect((await at.constel(["repo", "add"], { cwd: at.repository })).code).toBe(0);
  await at.known(4);
  const open = async (): Promise<string[]> => (await at.titles()).sort();
  const both = ["a and b change the same lines of x.txt", "a and c change the same lines of y.txt"];
  expect(await open()).toEqual(both);
  const { findings } = await at.caller.call("finding.list", {});
  for (const [title, scope] of both.map((one, index) => [one, ["finding", "pair"][index] ?? ""] as const)) {
    const id = findings.find((one) => one.title === title)?.id ?? "";
    const dismissed = await at.constel(["conflicts", "dismiss", id, "--reason", "agreed", "--scope", scope]);
    expect(dismissed.code).toBe(0);
  }
  let place = at.a;
  for (const next of [`${at.a}-elsewhere`, `${at.a}-further`]) {
    at.git(at.repository, "worktree", "move", place, next);
    await until(
      "both are seen in the new place",
      async () => {
        expect(await open()).toEqual([]);
        const sql = `select id from findings where state = 'dismissed' and '${next}' in (ours_worktree, theirs_worktree)`;
        return (await at.constel(["query", sql, "--json"])).stdout.match(/fnd_/g) ?? [];
      },
      ({ length }) => length === 2,
    );
    place = next;
  }
  // Other work in that directory is another matter.
  at.git(place, "checkout", "-q", "-b", "other");
  await until("it is open again", open, (titles) => titles.length === 2);
});

test("a textual finding that was dismissed leaves types open, and so does what nobody can follow: check, try and the daemon say the same", async () => {
  await using at = new WorktreesHome({
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "lib": ["es2022"], "types": [] } }\n',
    "price.ts": "// Prices.\nexport const lookUp = (name: string): number => name.length;\n",
    "lib.py":
      "import sys\n\nif sys.platform == 'win32':\n    def opener(p):\n        return 1\nelse:\n    def opener(p):\n        return 2\n",
  });
  const lib = at.git(at.a, "show", "HEAD:lib.py").replace("else:\n    def opener", "else:\n    def open_it");
  at.write(at.a, {
    "price.ts": "// What it costs.\nexport const lookUp = (name: string): string => name;\n",
    "lib.py": lib,
  });
  at.write(at.b, {
    "price.ts": "// Costs.\nexport const lookUp = (name: string): number => name.length;\n",
    "fresh.ts": 'import { lookUp } from "./price";\nexport const shown = lookUp("x").toFixed(2);\n',
    "app.py": "from lib import opener\n\nopener(1)\n",
  });
  await at.observe();
  const { findings } = await at.caller.call("finding.list", {});
  expect(findings.map(({ kind }) => kind)).toEqual(["textual"]);
  const whys = [
    "TypeScript types were not checked: git cannot merge the text",
    "app.py:1 (b) uses opener, which a changes in lib.py: it is defined only under conditions there",
  ];
  const commands = [["check", at.a, at.b], ["try"], ["conflicts"], ["plan"], ["status"]];
  const saying = async (codes: readonly number[]): Promise<void> => {
    for (const [index, words] of commands.entries()) {
      const said = await at.constel(words, { cwd: at.repository });
      const told = words[0] === "status" ? whys.slice(0, 1) : whys;
      for (const why of told) expect([words, said.stdout]).toEqual([words, expect.stringContaining(why)]);
      expect([words, said.code]).toEqual([words, codes[index] ?? -1]);
    }
  };
  // It collides, whatever types would say.
  await saying([1, 1, 1, 1, 1]);
  const id = findings[0]?.id ?? "";
  expect((await at.constel(["conflicts", "dismiss", id, "--reason", "only words"])).code).toBe(0);
  // `check` and `try` know nothing of dismissals. Elsewhere nothing is left that collides, and types are not known.
  await saying([1, 1, 5, 5, 5]);
}, 120_000);

test("types are checked beside a conflict in notes, settings and lock files, and a use that either version breaks is told", async () => {
  await using at = new WorktreesHome({
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "lib": ["es2022"], "types": [] } }\n',
    "package.json": '{\n  "name": "prices",\n  "version": "1.0.0"\n}\n',
    "package-lock.json": '{\n  "version": "1.0.0"\n}\n',
    "CHANGELOG.md": "# Changes\n",
    "price.ts": "export const lookUp = (name: string): number => name.length;\n",
  });
  const bumped = (version: string): Record<string, string> => ({
    "package.json": `{\n  "name": "prices",\n  "version": "${version}"\n}\n`,
    "package-lock.json": `{\n  "version": "${version}"\n}\n`,
    "CHANGELOG.md": `# Changes\n${version}\n`,
  });
  at.write(at.a, { ...bumped("1.1.0"), "price.ts": "export const lookUp = (name: string): string => name;\n" });
  at.write(at.b, {
    ...bumped("2.0.0"),
    "fresh.ts": 'import { lookUp } from "./price";\nexport const shown = lookUp("x").toFixed(2);\n',
  });
  const broken = "a changes the type of lookUp (price.ts:1), which b uses in fresh.ts:2";
  const said = await at.constel(["check", at.a, at.b], { cwd: at.repository });
  expect([said.code, said.stdout]).toEqual([1, expect.stringContaining(broken)]);
  expect(said.stdout).not.toContain("not checked");
  await at.observe();
  await until(
    "the daemon has asked the compiler",
    () => at.titles(),
    (titles) => titles.includes(broken),
  );
}, 120_000);

/** The PATH as it is, but without a program, wherever it stands. */
function pathWithout(program: string, at: WorktreesHome): string {
  return (at.env["PATH"] ?? "")
    .split(":")
    .map((directory, index) => {
      if (!existsSync(join(directory, program))) return directory;
      const links = join(at.top, `path-${index}`);
      mkdirSync(links);
      for (const name of readdirSync(directory))
        if (name !== program) symlinkSync(join(directory, name), join(links, name));
      return links;
    })
    .join(":");
}

test("what nobody was asked is said by check, try, repo add, status, conflicts and plan alike", async () => {
  await using at = new WorktreesHome({ "lib.py": library, "app.py": "x = 1\n" });
  const env = { PATH: pathWithout("pyright", at) };
  at.write(at.a, { "lib.py": `${library}\n\ndef mean(items):\n    return 1\n` });
  at.write(at.b, { "app.py": "from lib import total\n\nx = total([1])\n" });
  const cwd = at.repository;
  const why = "Python types were not checked: pyright is not on the PATH";
  for (const words of [["check", at.a, at.b], ["try"], ["repo", "add"], ["status"], ["conflicts"], ["plan"]]) {
    const said = await at.constel(words, { cwd, env });
    expect([words[0], said.code, said.stdout]).toEqual([words[0], 0, expect.stringContaining(why)]);
    expect(said.stdout.split(why)).toHaveLength(2);
  }
  const [conflicts, status, plan] = [
    await at.json<object>(["conflicts"], { env }),
    await at.json<object>(["status"], { env }),
    await at.json<{ repositories: object[] }>(["plan"], { env }),
  ];
  for (const told of [conflicts, status, ...plan.repositories])
    expect(told).toMatchObject({ complete: false, open: [], notes: [{ why, pairs: 1 }] });
  // Once there is nothing in the pair that types could tell, nobody says it.
  at.write(at.a, { "lib.py": library });
  await at.touch(at.a);
  for (const words of [["status"], ["conflicts"], ["plan"]])
    expect((await at.constel(words, { env })).stdout).not.toContain("Incomplete:");
});
