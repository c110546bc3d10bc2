// What a task changed, and comments on its lines, on the command line.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { RunCommand } from "../input/command.ts";
import type { Paint } from "../present/output.ts";

type Diff = OutputOf<(typeof operations)["task.diff"]>;
type File = Diff["workspaces"][number]["files"][number];

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

function statOf({ path, old_path, added, removed, binary, change }: File, paint: Paint): string {
  const name = old_path === null ? path : `${old_path} → ${path}`;
  const count = binary ? "binary" : `${paint.green(`+${added}`)} ${paint.red(`-${removed}`)}`;
  return `  ${name}  ${count}${change === "changed" ? "" : `  ${change}`}`;
}

function linesOf(file: File, paint: Paint): string[] {
  const hunks = file.hunks.flatMap(({ heading, lines }) => [
    paint.cyan(`  @@ ${heading}`.trimEnd()),
    ...lines.map(({ kind, text, before, after }) => {
      const line = `${String(after ?? before).padStart(6)} ${kind === "added" ? "+" : kind === "removed" ? "-" : " "} ${text}`;
      return kind === "added" ? paint.green(line) : kind === "removed" ? paint.red(line) : line;
    }),
  ]);
  return [statOf(file, paint), ...hunks, ...(file.cut ? ["  … the rest is cut"] : [])];
}

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
