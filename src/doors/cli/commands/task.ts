// Tasks on the command line.

import { resolve } from "node:path";
import { counted } from "../../../protocol/counted.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { sayingCut } from "../present/cut.ts";
import { placeName } from "../../../protocol/place-name.ts";
import { oneLine, table } from "../present/table.ts";
import { type HarvestRow, queueColumns, queueTable, taskColumns, taskTable } from "../present/task.ts";
import { taskStory } from "../present/task-story.ts";
import { repositoryAround } from "../input/repository-around.ts";
import { repositoryHere } from "../input/repository-here.ts";
import { waitForAssignment } from "../wait/wait-for-assignment.ts";
import { waitForHarvest } from "../wait/wait-for-harvest.ts";

export const create: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const { root } = context.places;
  const here = input.has("repo") ? undefined : repositoryHere(context);
  const repositories = here === undefined ? {} : { repositories: [here] };
  const receipt = await caller.call("task.create", input.asked("task.create", { root, ...repositories }));
  const named = input.flags("repo").map((repo) => resolve(context.cwd, repo));
  const about = named.length > 0 ? named.join(", ") : (here ?? repositoryAround(root));
  const next = `name one before it is given out: constel task update ${receipt.number} --repo PATH`;
  const text =
    about === undefined
      ? `Created task ${receipt.number}. It is about no repository yet; ${next}`
      : `Created task ${receipt.number} for ${about}.`;
  return { json: receipt, text };
};

const noTasks = 'No tasks. Give one with: constel task create "what to do"';
const all = "All tasks:  constel task list";

export const list: RunCommand = async (context, input) => {
  const wanted = input.asked("task.list");
  const columns = context.output.json ? undefined : taskColumns;
  const { tasks, total } = await (await context.caller()).list("task.list", wanted, columns);
  const isSome = ["state", "agent", "priority"].some((flag) => input.has(flag));
  const none = isSome ? `None. ${all}` : noTasks;
  const result = { json: { total, tasks }, text: () => (tasks.length === 0 ? none : taskTable(tasks, context.output)) };
  const rest = `constel task list --limit ${total}`;
  return sayingCut(result, { shown: tasks.length, total, rest }, context.output);
};

export const next: RunCommand = async (context, input) => {
  const columns = context.output.json ? undefined : taskColumns;
  const { tasks, total } = await (await context.caller()).list("task.next", input.asked("task.next"), columns);
  const text = (): string =>
    tasks.length === 0 ? `Nothing can be started now. ${all}` : taskTable(tasks, context.output);
  const rest = `constel task next --limit ${Math.min(total, 1_000)}`;
  return sayingCut({ json: { total, tasks }, text }, { shown: tasks.length, total, rest }, context.output);
};

export const queue: RunCommand = async (context) => {
  const columns = context.output.json ? undefined : queueColumns;
  const { tasks } = await (await context.caller()).list("task.queue", {}, columns);
  return {
    json: { tasks },
    text: () => (tasks.length === 0 ? `Nothing is queued. ${all}` : queueTable(tasks, context.output)),
  };
};

export const show: RunCommand = async (context, input) => {
  const story = await (await context.caller()).call("task.show", input.asked("task.show"));
  const hunks = input.has("hunks");
  // Into a file or a pipe goes all of it.
  const rows = context.output.interactive && !input.has("all") && !hunks ? context.output.rows : undefined;
  return { json: story, text: () => taskStory(story, context.output, { hunks, rows }) };
};

export const update: RunCommand = async (context, input) => {
  const asked = input.asked("task.update");
  const { task, ...change } = asked;
  if (Object.keys(change).length === 0) throw new Refusal("usage.missing-argument", "nothing to change was given");
  const answer = await (await context.caller()).call("task.update", asked);
  return { json: answer, text: `Task ${task} is ${answer.state}.` };
};

export const cancel: RunCommand = async (context, input) => {
  const asked = input.asked("task.cancel");
  const { task } = asked;
  const answer = await (await context.caller()).call("task.cancel", asked);
  const told = answer.told.length === 0 ? "" : ` ${answer.told.join(", ")} is told to stop.`;
  return { json: answer, text: `Cancelled task ${task}.${told} Its workspace, if it has one, stays.` };
};

export const dispatch: RunCommand = async (context, input) => {
  const asked = input.asked("task.dispatch");
  const { task } = asked;
  const receipt = await (await context.caller()).call("task.dispatch", asked);
  const { dispatch: assignment, delivery } = receipt;
  if (assignment === null) {
    const headline = delivery === "queued" ? `Task ${task} is queued.` : "Nothing was done.";
    return { json: receipt, text: [headline, ...receipt.notes.map((note) => `  note: ${note}`)].join("\n") };
  }
  if (input.has("no-wait")) {
    const to = receipt.agent ?? "you";
    return { json: receipt, text: `Task ${task} is assigned to ${to}; progress: constel task show ${task}` };
  }
  const made = await waitForAssignment(context, task, assignment);
  const isByHand = made.agent === null;
  const headline = isByHand
    ? `Task ${task} is in progress, by hand.`
    : `Task ${task} goes to ${made.agent}; constel task show ${task} tells when it has arrived.`;
  const lines = [
    headline,
    ...made.workspaces.map((path) => `  workspace  ${path}`),
    ...(made.branch === null ? [] : [`  branch     ${made.branch}`]),
    ...(made.brief === null ? [] : [`  brief      ${made.brief}`]),
    ...made.notes.map((note) => `  note: ${note}`),
    ...(isByHand ? [`When the work is committed: constel task ready ${task}`] : []),
  ];
  // One answer holds both the request and what came of it.
  const json = { ...receipt, ...made, delivery: isByHand ? "by-hand" : "sent", state: receipt.state };
  return { json: { ...json, workspace: made.workspaces[0] ?? null }, text: lines.join("\n") };
};

export const ready: RunCommand = async (context, input) => {
  const asked = input.asked("task.ready");
  const { task } = asked;
  const answer = await (await context.caller()).call("task.ready", asked);
  const commits = answer.commits === null ? "" : `, ${counted(answer.commits, "commit")}`;
  const left =
    answer.uncommitted === 0
      ? ""
      : `\nLeft behind: ${counted(answer.uncommitted, "uncommitted file")}. Only commits land.`;
  const held = answer.held === null ? "" : `\nIt is held: it edits ${answer.held}.`;
  return { json: answer, text: `Task ${task} is ready: ${answer.branch}${commits}.${left}${held}` };
};

export const harvest: RunCommand = async (context, input) => {
  const asked = input.asked("task.harvest");
  if (asked.tasks === undefined && asked.all !== true)
    throw new Refusal("usage.missing-argument", "name tasks, or give --all");
  const receipt = await (await context.caller()).call("task.harvest", asked);
  const before = receipt.landed.map(({ task, sha }) => `Task ${task} had landed as ${sha.slice(0, 12)}.`);
  if (receipt.tasks.length === 0) return { json: { ...receipt, harvests: [] }, text: before.join("\n") };
  if (input.has("no-wait")) {
    return {
      json: receipt,
      text: [...before, `Asked for ${receipt.tasks.join(", ")}; see constel task list.`].join("\n"),
    };
  }
  const rows = await waitForHarvest(context, receipt.train);
  const isAllWell = rows.every((row) => isWell(row, rows));
  const isWaiting = rows.some(({ phase }) => phase === "waiting");
  return {
    json: { ...receipt, harvests: rows },
    text: () => [...before, harvestTable(rows, context)].join("\n"),
    ...(isAllWell ? {} : { exit: isWaiting ? exitCodes.outage : exitCodes.negative }),
  };
};

/** Landed; or nothing was to be done in this one of several repositories. */
function isWell(row: HarvestRow, rows: readonly HarvestRow[]): boolean {
  if (row.outcome === "landed") return true;
  return row.outcome === "empty" && rows.some(({ task, outcome }) => task === row.task && outcome === "landed");
}

function harvestTable(rows: readonly HarvestRow[], { output }: CliContext): string {
  const isOfSeveral = new Set(rows.map(({ task }) => task)).size < rows.length;
  const cells = rows.map((row) => [
    String(row.task),
    ...(isOfSeveral ? [placeName(row.origin)] : []),
    row.outcome ?? row.phase,
    row.landed_sha?.slice(0, 12) ?? "",
  ]);
  const left = rows.filter((row) => !isWell(row, rows));
  // A table cuts what does not fit, and this is what one wants to know.
  const hints = left.flatMap((row) => whyNot(row));
  const head = ["task", ...(isOfSeveral ? ["repository"] : []), "outcome", "landed as"];
  return [table(head, cells, output), ...landedLines(rows), ...hints].join("\n");
}

/** Returns what a reader of "landed" would not expect: that nothing tested it, that something was left out. */
function landedLines(rows: readonly HarvestRow[]): string[] {
  const landed = rows.filter(({ outcome }) => outcome === "landed");
  const places = landed
    .filter(({ gate_outcome: gate }) => gate === "none")
    .map(({ origin, target }) => `${target} of ${placeName(origin)}`);
  const ungated = [...new Set(places)].map(
    (place) => `No gate: ${place} declares none in constel.toml, so nothing was tested before it landed.`,
  );
  const said = landed.flatMap(({ task, report }) =>
    (Array.isArray(report["said"]) ? report["said"] : []).map((one) => `Task ${task}: ${oneLine(String(one))}`),
  );
  return [...said, ...ungated];
}

function whyNot({ task, reason, phase }: HarvestRow): string[] {
  const why = oneLine(reason?.split("\n")[0] ?? "");
  if (phase !== "waiting") return [`Task ${task} did not land: ${why}`, `  more: constel task show ${task} --hunks`];
  return [
    `Task ${task} waits, not because of its work: ${why}`,
    "  The daemon tries again by itself; constel task show says when it landed.",
  ];
}
