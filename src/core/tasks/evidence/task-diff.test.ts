import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rejection } from "../../../../test/kit/rejection.ts";
import { commentsFor, diffOfTask } from "./task-diff.ts";
import { withTasks } from "../tasks.suite.ts";

const here = withTasks();

test("a task's diff has what is committed and what is not; nothing that its workspace names is run", async () => {
  const { scene } = here;
  const { stage } = scene;
  const { task, path } = await scene.readyWith({ "b.txt": "one\n" });
  const ran = stage.path("ran");
  stage.git(path, "config", "diff.evil.textconv", `touch ${ran}; cat`);
  stage.git(path, "config", "diff.external", `touch ${ran}`);
  stage.git(path, "config", "filter.evil.clean", `touch ${ran}; cat`);
  writeFileSync(join(path, ".git/info/attributes"), "* diff=evil filter=evil\n");
  writeFileSync(join(path, ".gitattributes"), "* diff=evil filter=evil\n");
  writeFileSync(join(path, "b.txt"), "one\ntwo\n");
  const { workspaces } = await diffOfTask(scene.context, { task });
  const [workspace] = workspaces;
  expect(workspace?.files.map(({ path: file, change, added }) => [file, change, added])).toEqual([
    ["b.txt", "added", 2],
  ]);
  expect([...(workspace?.uncommitted ?? [])].sort()).toEqual([".gitattributes", "b.txt"]);
  expect(existsSync(ran)).toBe(false);
});

test("comments on lines are one message for the task's agent; a task that nobody has, or without a workspace, has nobody to read them", async () => {
  const { scene } = here;
  await scene.atWork("agent1");
  const task = 1;
  const comments = [
    { path: "src/a.ts", line: 3, side: "after" as const, text: "two\nlines" },
    { path: "src/a.ts", line: 9, side: "before" as const, text: "why is this gone?" },
  ];
  const { agent, text } = await commentsFor(scene.context, { task, comments });
  expect(agent).toBe("agent1");
  expect(text.split("\n")).toEqual([
    `Comments on your changes for task ${task}, to be worked in:`,
    "",
    "src/a.ts:3",
    "  two",
    "  lines",
    "",
    "src/a.ts:9 (as it was before)",
    "  why is this gone?",
  ]);
  const about = { title: "later", priority: "P2", root: scene.stage.top, scope: [], after: [], repositories: [] };
  const { createTask } = await import("../create.ts");
  const { number } = await createTask(scene.context, about);
  expect(await rejection(commentsFor(scene.context, { task: number, comments }))).toMatchObject({
    code: "task.not-given-out",
  });
  expect(await rejection(diffOfTask(scene.context, { task: number }))).toMatchObject({ code: "task.no-workspace" });
});
