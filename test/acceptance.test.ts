// Done is shown, not said: criteria, evidence, artefacts and a task in one line of prose, on the real program.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TaskHome } from "./kit/task-home.ts";

let at: TaskHome;
beforeAll(() => {
  at = new TaskHome();
});
afterAll(() => at[Symbol.asyncDispose]());

const errorOf = ({ stderr }: { stderr: string }): string =>
  (JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}") as { error?: { code?: string } }).error?.code ?? "";

test("a task in one line carries its criteria from dispatch to landed_today, and each is said passed, failed or not shown", async () => {
  const line = ["task", "dispatch", "paginate the list", "--to-workspace", "--no-fetch"];
  const given = await at.run(...line, "--accept", "test -e page2.txt", "--accept", "The second page has ten rows");
  expect(given.stdout).toContain("Created task 1.");
  expect(given.stdout).toContain("accepted when this succeeds with the gate: test -e page2.txt");
  expect(given.stdout).toContain("accepted when this is shown: The second page has ten rows");
  const { workspaces } = await at.ask<{ workspaces: { path: string }[] }>("task", "show", "1");
  const workspace = workspaces[0]?.path ?? "";
  at.commit(workspace, { "page1.txt": "1" }, "first page");
  await at.ask("task", "ready", "1");
  const red = await at.run("task", "harvest", "1");
  expect(red.code).toBe(1);
  expect(red.stdout).toContain("acceptance criterion 1 (`test -e page2.txt`) is red");
  expect((await at.run("task", "show", "1")).stdout).toContain("1  failed: `test -e page2.txt`");
  at.commit(workspace, { "page2.txt": "2" }, "second page");
  const ready = await at.run("task", "ready", "1", "--evidence", "page2.txt has ten rows");
  expect(ready.stdout).toContain("To be shown when it lands:");
  const landed = await at.run("task", "harvest", "1");
  expect(landed.stdout).toContain("acceptance passed: `test -e page2.txt`");
  expect(landed.stdout).toContain("acceptance not shown: The second page has ten rows");
  const shown = (await at.run("task", "show", "1")).stdout;
  expect(shown).toContain("1  passed: `test -e page2.txt`");
  expect(shown).toContain("2  not shown: The second page has ten rows");
  expect(shown).toContain("evidence   page2.txt has ten rows");
  const today = await at.ask<{ rows: unknown[][] }>("query", "select task, evidence from landed_today");
  expect(JSON.stringify(today)).toContain("page2.txt has ten rows");
  const rows = await at.ask<unknown>("query", "select criterion, state from task_acceptance order by criterion");
  expect(JSON.stringify(rows)).toContain("not-shown");
});

test("what is neither a number nor a line of prose is refused, and so are details for a task that is there", async () => {
  for (const words of [["soon"], ["1", "2"], ["1", "--accept", "true"], ["0"]]) {
    const ran = await at.run("task", "dispatch", ...words, "--json");
    expect({ words, code: ran.code, error: errorOf(ran).startsWith("usage.") }).toEqual({
      words,
      code: 2,
      error: true,
    });
  }
  expect(await at.ask<unknown[]>("task", "list", "--all")).toHaveLength(1);
});

test("a file is handed over by its content, searched for secrets, bounded, and saved again", async () => {
  const report = join(at.top, "report.txt");
  writeFileSync(report, "all is well\n");
  const added = await at.run("task", "artefact", "add", "1", report);
  expect(added.stdout).toMatch(/^Task 1 hands over report\.txt: 12 B, sha256 [0-9a-f]{64}$/m);
  const key = `AKIA${"Z7QX".repeat(4)}`;
  writeFileSync(join(at.top, "leak.txt"), `aws_access_key_id = ${key}\n`);
  expect(errorOf(await at.run("task", "artefact", "add", "1", join(at.top, "leak.txt"), "--json"))).toBe(
    "secret.found",
  );
  writeFileSync(join(at.top, "large.bin"), Buffer.alloc(4 * 1024 * 1024 + 1));
  const large = await at.run("task", "artefact", "add", "1", join(at.top, "large.bin"), "--json");
  expect(errorOf(large)).toBe("task.artefact-too-large");
  const named = await at.run("task", "artefact", "add", "1", report, "--name", "../report.txt", "--json");
  expect(errorOf(named)).toBe("input.invalid");
  expect(errorOf(await at.run("task", "artefact", "add", "1", at.top, "--json"))).toBe("path.not-a-file");
  const { artefacts } = await at.ask<{ artefacts: { name: string }[] }>("task", "artefact", "ls", "1");
  expect(artefacts.map(({ name }) => name)).toEqual(["report.txt"]);
  const copy = join(at.top, "copy.txt");
  await at.ask("task", "artefact", "get", "1", "report.txt", "--out", copy);
  expect(readFileSync(copy, "utf8")).toBe("all is well\n");
  expect(errorOf(await at.run("task", "artefact", "get", "1", "report.txt", "--out", copy, "--json"))).toBe(
    "path.exists",
  );
  const bytes = Buffer.from([0, 255, 128, 7]);
  writeFileSync(join(at.top, "report.txt"), bytes);
  await at.ask("task", "artefact", "add", "1", report);
  const again = join(at.top, "again.txt");
  await at.ask("task", "artefact", "get", "1", "report.txt", "--out", again);
  expect(readFileSync(again)).toEqual(bytes);
  expect(existsSync(join(at.root, "report.txt"))).toBe(false);
  expect((await at.run("query", "select name, bytes from task_artefacts", "--csv")).stdout).toContain("report.txt,4");
});
