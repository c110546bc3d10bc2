// The part of the demo in which nothing lands unread: what is ready is held, somebody reads the very commits, and then it lands.

import type { Narrator } from "./narrator.ts";
import { projectFiles, tasks } from "./project.ts";
import { rows } from "./rows.ts";
import type { Show, Stage } from "./stage.ts";

export const reviewFiles: Readonly<Record<string, string>> = {
  ...projectFiles,
  "constel.toml": `${projectFiles["constel.toml"]}\n[harvest]\nrequire_review = true\n`,
};

export async function review(stage: Stage, narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell("In this repository nothing lands that nobody has read.");
  await show(["cat", "constel.toml"]);
  const [{ title, file }] = tasks;
  await show(["constel", "task", "create", title, "--brief", file]);
  await show(["constel", "task", "dispatch", "1", "--agent", "1"], 1);
  const ready = await stage.until(
    () => rows<{ state: string }>(stage, "select state from tasks where number = 1"),
    ([task]) => task?.state === "ready",
  );
  narrator.seen("agent1 says that it is ready", ready !== undefined);
  const held = await show(["constel", "task", "harvest", "1"], undefined, [0, 1]);
  narrator.seen("it is held: nobody has read it", held.code === 1 && held.stdout.includes("nobody has reviewed"));

  await narrator.tell(
    "An agent could be asked (constel task review 1 --by 2). Here you read it:\nthe commits as they would land.",
  );
  const shown = await show(["constel", "review", "show", "1"], 30);
  narrator.seen(
    "the line that goes and the one that comes",
    shown.stdout.split("\n").some((line) => line.trimStart().startsWith("-") && line.includes("1.19")) &&
      shown.stdout.includes("Math.round("),
  );
  const { stdout } = await stage.run(["git", "-C", "workspaces/1/repo", "rev-parse", "HEAD"]);
  await show(["constel", "review", "approve", "1", "--read", stdout.trim().slice(0, 12)]);
  const landed = await show(["constel", "task", "harvest", "1"], undefined, [0, 1]);
  narrator.seen("what was read has landed", landed.code === 0);
}
