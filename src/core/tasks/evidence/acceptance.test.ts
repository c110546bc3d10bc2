// Acceptance: which texts are commands, and what happens to work that does not show what it was asked for.

import { expect, test } from "bun:test";
import { criteriaOf } from "./criteria.sql.ts";
import { criterionOf, readCriterion } from "./criteria.ts";
import { createTask } from "../create.ts";
import { showTask } from "../queries.ts";
import { readyTask } from "../landing/ready.ts";
import { giveWish, withTasks } from "../tasks.suite.ts";
import { changeTask } from "../update.ts";

test("a text is a command unless it reads as a sentence; a word in front settles it", () => {
  const check = (typed: string, kind: string, text = typed): void =>
    expect({ typed, ...readCriterion(typed) }).toEqual({ typed, kind: kind as never, text });
  for (const command of [
    "bun test test/login.test.ts",
    "npm test",
    "true",
    "grep -q next list.html",
    "test -e the-file",
    "[ -f a.txt ]",
    "make check",
    "cargo test --all",
    "./check.sh",
    "FOO=1 sh -c 'exit 0'",
    "go test ./...",
    "$HOME/bin/check",
  ])
    check(command, "command");
  for (const sentence of [
    "The list has a next page",
    "the login works",
    "make sure that the tests pass",
    "test that it loads",
    "Users see an error message.",
    "no warnings in the console",
  ])
    check(sentence, "sentence");
  check("run: The odd program", "command", "The odd program");
  check("say: npm test", "sentence", "npm test");
  check("$ make sure", "command", "make sure");
});

const here = withTasks();

async function begun(title: string, accept: readonly string[]): Promise<{ task: number; path: string }> {
  const { stage, context } = here.scene;
  const about = { title, priority: "P2", root: stage.top, repositories: [stage.source], scope: [], after: [], accept };
  const { number } = await createTask(context, about);
  const given = await here.scene.dispatch(giveWish(number, { to_workspace: true }));
  return { task: number, path: given.workspaces[0] ?? "" };
}

async function readyWith(title: string, accept: readonly string[], files: Record<string, string>, evidence?: string) {
  const { task, path } = await begun(title, accept);
  here.scene.stage.commit(path, files, title);
  const ready = await readyTask(here.scene.context, { task, evidence });
  return { task, path, ready };
}

const states = async (task: number): Promise<string[]> =>
  (await criteriaOf(here.scene.context.store.db, "constel0", task)).map(({ state }) => state);

test("a command runs on the merged tree and keeps what fails it from landing; mended, it lands and says so", async () => {
  const { scene } = here;
  const accept = ["test -e wanted.txt", "The page is blue"];
  const { task, path, ready } = await readyWith("blue", accept, { "other.txt": "1" }, "see other.txt");
  expect(ready.criteria.map(({ kind, state }) => [kind, state])).toEqual([
    ["command", "not-shown"],
    ["sentence", "not-shown"],
  ]);
  const [red] = await scene.harvest(task);
  expect(red).toMatchObject({ outcome: "red", reason: "acceptance criterion 1 (`test -e wanted.txt`) is red" });
  expect(await scene.state(task)).toBe("needs_review");
  expect(await states(task)).toEqual(["failed", "not-shown"]);
  scene.stage.commit(path, { "wanted.txt": "1" }, "wanted");
  await readyTask(scene.context, { task });
  expect(await states(task)).toEqual(["not-shown", "not-shown"]);
  await changeTask(scene.context, { task, passed: [2] });
  const [landed] = await scene.harvest(task);
  expect(landed).toMatchObject({ outcome: "landed", gate_outcome: "green" });
  expect(landed?.report["said"]).toEqual(["acceptance passed: `test -e wanted.txt`"]);
  const story = await showTask(scene.context, { task });
  expect(story.criteria).toMatchObject([
    { state: "passed", judged_by: "gate", commit: landed?.landed_sha },
    { state: "passed", judged_by: "owner" },
  ]);
  // What was said of the earlier work is not said of this.
  expect(story.task.evidence).toBeNull();
  expect(await scene.events(task)).toContain("accepted");
});

test("a sentence keeps nothing from landing, and whoever lands it hears that nobody has shown it; evidence stays on the task", async () => {
  const { scene } = here;
  const { task } = await readyWith("blue", ["The page is blue"], { "x.txt": "1" }, "screenshot in x.txt");
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "landed", report: { said: ["acceptance not shown: The page is blue"] } });
  const rows = await scene.context.store.db.selectFrom("tasks").select(["state", "evidence"]).execute();
  expect(rows).toEqual([{ state: "closed", evidence: "screenshot in x.txt" }]);
});

test("in a train the task that breaks another's criterion is the one that goes back", async () => {
  const { scene } = here;
  const first = await readyWith("first", ["test ! -e second.txt"], { "first.txt": "1" });
  const second = await readyWith("second", [], { "second.txt": "1" });
  const rows = await scene.harvest();
  const of = (task: number) => rows.find((row) => row.task === task);
  expect(of(first.task)).toMatchObject({ outcome: "landed" });
  expect(of(second.task)).toMatchObject({
    outcome: "red",
    reason: `with it, task ${first.task} no longer meets its acceptance criterion 1: \`test ! -e second.txt\``,
  });
  expect(await states(first.task)).toEqual(["passed"]);
});

test("criteria asked anew replace the earlier ones, and nobody judges a command by hand", async () => {
  const { scene } = here;
  const { task } = await begun("x", ["true", "The page is blue"]);
  const judged = changeTask(scene.context, { task, passed: [1] }).then(
    () => "done",
    (cause: { code?: string }) => cause.code,
  );
  expect(await judged).toBe("task.no-criterion");
  await changeTask(scene.context, { task, failed: [2] });
  expect(await states(task)).toEqual(["not-shown", "failed"]);
  await changeTask(scene.context, { task, accept: ["false"] });
  const rows = await criteriaOf(scene.context.store.db, "constel0", task);
  expect(rows.map(criterionOf)).toMatchObject([{ place: 1, kind: "command", text: "false", state: "not-shown" }]);
});
