// Tasks on the command line.

import { resolve } from "node:path";
import type { Criterion } from "../../../protocol/acceptance.ts";
import { counted } from "../../../protocol/counted.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
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
  const place = await placeOfNew(context, input);
  const [here] = place.repositories ?? [];
  const receipt = await caller.call("task.create", input.asked("task.create", place));
  const named = input.flags("repo").map((repo) => resolve(context.cwd, repo));
  const about =
    named.length > 0
      ? named.join(", ")
      : (here ?? (context.server === undefined ? repositoryAround(place.root) : undefined));
  const next = `name one before it is given out: constel task update ${receipt.number} --repo PATH`;
  const headline =
    about === undefined
      ? `Created task ${receipt.number}. It is about no repository yet; ${next}`
      : `Created task ${receipt.number} for ${about}.`;
  return { json: receipt, text: [headline, ...acceptedWhen(receipt.criteria)].join("\n") };
};

/** Says of each criterion what it was taken for. */
function acceptedWhen(criteria: readonly Criterion[]): string[] {
  return criteria.map(({ kind, text }) =>
    kind === "command"
      ? `  accepted when this succeeds with the gate: ${oneLine(text)}`
      : `  accepted when this is shown: ${oneLine(text)}`,
  );
}

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
  const which = taskOrProse(input.rest("task"));
  const asked = { ...input.asked("task.dispatch"), ...which };
  const isNew = asked.title !== undefined;
  const given = isNew ? await placeOfNew(context, input) : refuseDetails(input);
  const receipt = await (await context.caller()).call("task.dispatch", { ...given, ...asked });
  const { dispatch: assignment, delivery, task } = receipt;
  const created = isNew && task !== null ? [`Created task ${task}.`, ...acceptedWhen(receipt.criteria)] : [];
  if (assignment === null || task === null) {
    const headline = delivery === "queued" ? `Task ${task} is queued.` : "Nothing was done.";
    const lines = [...created, headline, ...receipt.notes.map((note) => `  note: ${note}`)];
    return { json: receipt, text: lines.join("\n") };
  }
  if (input.has("no-wait")) {
    const to = receipt.agent ?? "you";
    const headline = `Task ${task} is assigned to ${to}; progress: constel task show ${task}`;
    return { json: receipt, text: [...created, headline].join("\n") };
  }
  const made = await waitForAssignment(context, task, assignment);
  const isByHand = made.agent === null;
  const headline = isByHand
    ? `Task ${task} is in progress, by hand.`
    : `Task ${task} goes to ${made.agent}; constel task show ${task} tells when it has arrived.`;
  const lines = [
    ...created,
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

/** A number names a task; several words are one to be created. */
function taskOrProse(words: readonly string[]): { task: number } | { title: string } {
  const [first = "", ...more] = words;
  const number = /^(?:#|task:)?(\d{1,9})$/.exec(first)?.[1];
  if (number !== undefined && more.length === 0 && Number(number) > 0) return { task: Number(number) };
  const title = words.join(" ").trim();
  if (words.every((word) => /^(?:#|task:)?\d+$/.test(word)))
    throw new Refusal("usage.extra-argument", "one task is given out at a time", { arguments: words });
  if (/\s/.test(title)) return { title };
  throw new Refusal("usage.bad-value", `${title} is no task's number; a new task is said in several words`, {
    argument: "task",
    value: title,
  });
}

const detailFlags = [
  "text",
  "brief",
  "priority",
  "estimate",
  "repo",
  "target",
  "scope",
  "after",
  "accept",
  "by",
] as const;

function refuseDetails(input: CommandInput): object {
  const given = detailFlags.find((flag) => input.has(flag));
  if (given === undefined) return {};
  const message = `--${given} describes a new task; this one is there already: constel task update NUMBER --${given} …`;
  throw new Refusal("usage.bad-value", message, { flag: given });
}

/** The new task's root directory, and the repository that this is run in. At a server it is the server's, and about what was named. */
async function placeOfNew(
  context: CliContext,
  input: CommandInput,
): Promise<{ readonly root: string; readonly repositories?: string[] }> {
  if (context.server !== undefined) {
    const { reachServer } = await import("../reach/servers.ts");
    return { root: (await reachServer(context, context.server).whoAmI()).root };
  }
  const { root } = context.places;
  const here = input.has("repo") ? undefined : repositoryHere(context);
  return { root, ...(here === undefined ? {} : { repositories: [here] }) };
}

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
  return {
    json: answer,
    text: `Task ${task} is ready: ${answer.branch}${commits}.${left}${held}${toShow(answer.criteria)}`,
  };
};

/** Commands are run with the gate; a sentence waits for somebody to see it. */
const toShow = (criteria: readonly Criterion[]): string =>
  criteria.length === 0 ? "" : ["", "To be shown when it lands:", ...acceptedWhen(criteria)].join("\n");

export const revert: RunCommand = async (context, input) => {
  const asked = input.asked("task.revert");
  const answer = await (await context.caller()).call("task.revert", asked);
  const { number, is_new: isNew } = answer;
  const headline = isNew
    ? `Created task ${number}, which undoes task ${asked.task}.`
    : `Task ${number} undoes it already.`;
  return { json: answer, text: `${headline} Give it out: constel task dispatch ${number}` };
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
  if (row.outcome === "landed" || row.outcome === "proposed") return true;
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
  return [table(head, cells, output), ...landedLines(rows), ...proposedLines(rows), ...hints].join("\n");
}

/** Returns what a reader of "landed" would not expect: that nothing tested it, that something was left out. */
function landedLines(rows: readonly HarvestRow[]): string[] {
  const landed = rows.filter(({ outcome }) => outcome === "landed");
  const places = landed
    .filter(({ gate_outcome: gate, report }) => gate === "none" && !wasAccepted(report))
    .map(({ origin, target }) => `${target} of ${placeName(origin)}`);
  const ungated = [...new Set(places)].map(
    (place) => `No gate: ${place} declares none in constel.toml, so nothing was tested before it landed.`,
  );
  const said = landed.flatMap(({ task, report }) =>
    (Array.isArray(report["said"]) ? report["said"] : []).map((one) => `Task ${task}: ${oneLine(String(one))}`),
  );
  return [...said, ...ungated];
}

/** A pull request is not a landing: that is said every time. */
function proposedLines(rows: readonly HarvestRow[]): string[] {
  const tasks = [...new Set(rows.filter(({ outcome }) => outcome === "proposed").map(({ task }) => task))];
  return tasks.map((task) => `Task ${task} lands by pull request; it is not landed yet: constel pull list`);
}

/** Its acceptance commands were run on what landed, so "nothing was tested" is not true of it. */
function wasAccepted({ notes }: HarvestRow["report"]): boolean {
  return Array.isArray(notes) && notes.some((note: unknown) => (note as { kind?: unknown }).kind === "accepted");
}

function whyNot({ task, reason, phase }: HarvestRow): string[] {
  const why = oneLine(reason?.split("\n")[0] ?? "");
  if (phase !== "waiting") return [`Task ${task} did not land: ${why}`, `  more: constel task show ${task} --hunks`];
  return [
    `Task ${task} waits, not because of its work: ${why}`,
    "  The daemon tries again by itself; constel task show says when it landed.",
  ];
}
