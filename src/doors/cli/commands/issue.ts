// Issues of a forge on the command line: making tasks of them, and what is followed.

import { resolve } from "node:path";
import type { z } from "zod";
import { systemProcesses } from "../../../host/process/run.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { followShape } from "../../../protocol/operations/issues.ts";
import type { CliContext } from "../context.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";

type Follow = z.output<typeof followShape>;

export async function importIssues(context: CliContext, input: CommandInput): Promise<CommandResult> {
  const github = input.flag("github");
  const from = github === undefined ? await originAt(context, input.flag("from")) : `https://github.com/${github}`;
  const { root } = context.places;
  const label = input.flag("filter");
  const { repository } = input.asked("task.import", { root, tasks: [] });
  const wish = {
    origin: from,
    root,
    follow: input.has("follow"),
    dry_run: input.has("dry-run"),
    ...(label === undefined ? {} : { label }),
    ...(repository === undefined ? {} : { repository }),
  };
  const answer = await (await context.caller()).call("issue.import", wish);
  const { created, known, waiting, follow, issues } = answer;
  if (wish.dry_run) {
    const lines = issues.map((one) => `${one.is_known ? "known" : "new  "}  #${one.number}  ${oneLine(one.title)}`);
    const none = `${answer.from} has no open issue${label === undefined ? "" : ` with the label ${label}`}.`;
    return { json: answer, text: lines.join("\n") || none };
  }
  const parts = [
    `Created ${counted(created.length, "task")} from issues of ${answer.from}`,
    ...(known === 0 ? [] : [`${known} known already`]),
    ...(waiting === 0 ? [] : [`${waiting} more follow shortly, as far as there is room: constel issue list`]),
  ];
  const next =
    follow === null
      ? ""
      : `\nNew ones with the label ${label} become tasks within a minute, and each issue gets one comment that says where its task stands.\nTo stop: constel issue stop ${follow.slice(-6)}`;
  return { json: answer, text: `${parts.join("; ")}.${next}` };
}

/** The address that is given, or the origin of the repository at a directory. */
async function originAt({ cwd, env, signal }: CliContext, from: string | undefined): Promise<string> {
  if (from !== undefined && (from.includes("://") || isShortAddress(from))) return from;
  const path = resolve(cwd, from ?? ".");
  const run = await systemProcesses.run(["git", "-C", path, "config", "--get", "remote.origin.url"], {
    env: childEnvironment(env),
    deadlineMs: 10_000,
    signal,
  });
  const origin = new TextDecoder().decode(run.stdout).trim();
  if (run.code === 0 && origin !== "") return origin;
  throw new Refusal("check.no-origin", `${path} is in no clone that has an origin`, { path });
}

/** `git@github.com:octo/cat`. */
function isShortAddress(text: string): boolean {
  const [before = "", after] = text.split(":", 2);
  return after !== undefined && before.includes("@") && !before.includes("/");
}

export const list: RunCommand = async (context, input) => {
  const { follows, total } = await (await context.caller()).list("issue.list", input.asked("issue.list"), undefined);
  const none = "No label is followed. To begin: constel task import --filter LABEL --follow";
  const text = (): string => (follows.length === 0 ? none : table(heads, follows.map(rowOf), context.output));
  const rest = `constel issue list --limit ${total}`;
  return sayingCut({ json: { total, follows }, text }, { shown: follows.length, total, rest }, context.output);
};

const heads = ["id", "label", "from", "tasks", "open", "waiting", "looked", ""];

const rowOf = (one: Follow): string[] => [
  one.id.slice(-6),
  oneLine(one.label),
  oneLine(one.origin),
  String(one.tasks),
  String(one.open),
  String(one.waiting),
  one.looked_ms === null ? "not yet" : utc(one.looked_ms),
  one.ended_ms === null ? oneLine(one.waits_for ?? "") : "stopped",
];

export const stop: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("issue.stop", input.asked("issue.stop"));
  const said = `Issues of ${answer.origin} with the label ${answer.label} no longer become tasks. The tasks stay.`;
  return { json: answer, text: said };
};
