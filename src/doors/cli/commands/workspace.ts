// Workspaces on the command line.

import { relative } from "node:path";
import type { RunCommand } from "../input/command.ts";
import { withProgress } from "../present/progress.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

export const clone: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await withProgress(context.output, "making the workspace", () =>
    caller.call("workspace.clone", input.asked("workspace.clone")),
  );
  const { workspace, set_up: setUp } = answer;
  const lines = [
    workspace.path,
    `  branch  ${workspace.branch}, from ${workspace.target} at ${workspace.base_sha.slice(0, 12)}`,
    `  ports   ${workspace.port_first}-${workspace.port_first + workspace.port_count - 1}`,
    ...(setUp.copied.length === 0 ? [] : [`  copied  ${setUp.copied.join(", ")}`]),
    ...(workspace.problem === null ? [] : [`  problem ${workspace.problem}`]),
    ...answer.notes.map((note) => `  note: ${note}`),
  ];
  return { json: answer, text: lines.join("\n") };
};

const workspaceColumns = ["task", "name", "state", "path", "branch", "rescue"] as const;

export const list: RunCommand = async (context, input) => {
  if (input.has("rescued")) return rescued(context, input);
  const wanted = input.asked("workspace.list");
  const columns = context.output.json ? undefined : workspaceColumns;
  const { workspaces } = await (await context.caller()).list("workspace.list", wanted, columns);
  const cells = workspaces.map((row) => [
    String(row.task),
    row.name,
    row.state,
    row.path.startsWith(`${context.cwd}/`) ? relative(context.cwd, row.path) : row.path,
    row.branch,
    row.rescue ?? "",
  ]);
  const text = (): string =>
    cells.length === 0
      ? "No workspaces. A task gets one with: constel task dispatch <task> --to-workspace"
      : table(["task", "name", "state", "path", "branch", "saved as"], cells, {
          ...context.output,
          whole: new Set([0, 1, 2]),
          middle: new Set([3, 4, 5]),
        });
  return { json: { workspaces }, text };
};

const rescued: RunCommand = async (context, input) => {
  const { rescues } = await (await context.caller()).call("workspace.rescues", input.asked("workspace.rescues"));
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const standing = (row: (typeof rescues)[number]): string =>
    row.pruned_ms !== null
      ? `deleted ${day(row.pruned_ms)}`
      : row.restored_ms !== null
        ? `restored ${day(row.restored_ms)}`
        : row.goes_ms !== null
          ? `will be deleted ${day(row.goes_ms)}`
          : "kept";
  const cells = rescues.map((row) => [String(row.task), row.name, utc(row.saved_ms), standing(row), row.kept_as]);
  const text = (): string =>
    cells.length === 0
      ? "Nothing was saved."
      : `${table(["task", "name", "saved", "", "as"], cells, context.output)}\nTo restore one: constel workspace restore TASK`;
  return { json: { rescues }, text };
};

export const branch: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("workspace.branch", input.asked("workspace.branch"));
  return { json: answer, text: `Now on ${answer.branch}.` };
};

export const remove: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await withProgress(context.output, "saving and removing the workspace", () =>
    caller.call("workspace.remove", input.asked("workspace.remove")),
  );
  const name = input.flag("name");
  const saved =
    answer.rescue === null ? "Nothing was there to save." : `Saved as ${answer.rescue.replace(/^[a-z]+:/, "")}.`;
  const lines = [
    `Removed ${answer.path}. ${saved}`,
    ...notThere("not saved", answer),
    ...(answer.written_again
      ? [`  something wrote files at ${answer.path} again meanwhile; they were left there`]
      : []),
    ...(answer.rescue === null
      ? []
      : [
          `  to restore it: constel workspace restore ${input.argument("task")}${name === undefined ? "" : ` --name ${name}`}`,
        ]),
  ];
  return { json: answer, text: lines.join("\n") };
};

export const restore: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await withProgress(context.output, "bringing the workspace back", () =>
    caller.call("workspace.restore", input.asked("workspace.restore")),
  );
  const missing = notThere("not back", answer);
  const how = missing.length === 0 ? "is back as it was." : "is back, compared with what was saved, but for:";
  return { json: answer, text: [`${answer.path} ${how}`, ...missing].join("\n") };
};

interface NotThere {
  readonly skipped: readonly string[];
  readonly left_out: readonly { readonly path: string; readonly why: string; readonly bytes: number }[];
}

function notThere(how: string, { skipped, left_out: leftOut }: NotThere): string[] {
  const why = { cache: "a cache", large: "ignored and too large" } as Record<string, string>;
  return [
    ...skipped.map((path) => `  ${how} (a socket, pipe or device): ${path}`),
    ...leftOut.map((one) => `  ${how} (${why[one.why]}, ${size(one.bytes)}): ${one.path}`),
  ];
}

const size = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / (1024 * 1024))} MiB`;
