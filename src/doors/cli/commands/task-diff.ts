// What a task changed, and comments on its lines, on the command line.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";
import { linesOf, statOf } from "../present/diff-lines.ts";

export const diff: RunCommand = async (context, input) => {
  const { paint } = context.output;
  const answer = await (await context.caller()).call("task.diff", input.asked("task.diff"));
  const isShort = input.has("stat");
  const text = (): string =>
    answer.workspaces
      .flatMap(({ branch, path, files, uncommitted }) => [
        paint.bold(`${branch}  ${path}`),
        ...files.flatMap((file) => (isShort ? [statOf(file, paint)] : linesOf(file, paint))),
        ...(files.length === 0 ? ["  nothing is changed"] : []),
        ...(uncommitted.length === 0 ? [] : [`  not committed: ${uncommitted.join(", ")}`]),
      ])
      .join("\n");
  return { json: answer, text };
};

export const comment: RunCommand = async (context, input) => {
  const [, path = "", line = ""] = /^(.+):(\d+)$/.exec(input.argument("place")) ?? [];
  if (path === "")
    throw new Refusal("usage.bad-value", "say the file and the line, such as src/cart.ts:12", {
      place: input.argument("place"),
    });
  const one = { path, line: Number(line), side: "after" as const, text: input.rest("text").join(" ") };
  const asked = input.asked("task.comment", { comments: [one] });
  const sent = await (await context.caller()).call("task.comment", asked);
  return { json: sent, text: `${counted(sent.comments, "comment")} on task ${sent.task} sent to ${sent.agent}.` };
};
