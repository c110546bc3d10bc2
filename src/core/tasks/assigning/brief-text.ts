// The words an agent is given about a task. Pure. Whole words go into a file beside the workspace; the message has them too
// when they are short and the bus carries them, and else says where the file is.

import { forModel, forModelInline } from "../../../protocol/safe-text.ts";
import type { PullRequestsTable } from "../../../store/tables/pulls.ts";
import type { HarvestsTable, TaskCriteriaTable, TasksTable } from "../../../store/tables/tasks.ts";

const longestInMessage = 16_000;

export interface Place {
  readonly path: string;
  readonly branch: string;
  readonly target: string;
}

/** The brief's file: what was asked, and how to say that it is done. */
export function briefFile(
  task: Pick<TasksTable, "number" | "title" | "directive">,
  written: string,
  criteria: readonly Pick<TaskCriteriaTable, "kind" | "text">[] = [],
): string {
  const parts = [
    `# Task ${task.number}: ${forModelInline(task.title)}`,
    quoted(task.directive),
    quoted(written),
    acceptance(task, criteria),
    `Commit your work on the workspace's branch. When it is done: \`constel task ready ${task.number}\`.`,
  ];
  return `${parts.filter((part) => part.trim() !== "").join("\n\n")}\n`;
}

function acceptance(
  { number }: Pick<TasksTable, "number">,
  criteria: readonly Pick<TaskCriteriaTable, "kind" | "text">[],
): string {
  if (criteria.length === 0) return "";
  const lines = criteria.map(({ kind, text }) =>
    kind === "command"
      ? `This command succeeds on the merged tree (it is run with the gate):\n${quoted(text)}`
      : `This is shown:\n${quoted(text)}`,
  );
  const how = `Say in one line what shows it: \`constel task ready ${number} --evidence "..."\`. A file that shows it: \`constel task artefact add ${number} FILE\`.`;
  return ["## It counts as done when", ...lines, how].join("\n\n");
}

/** Titles and briefs come from issue trackers and files too: what they say is quoted, so that it cannot pose as anything else. */
function quoted(text: string): string {
  return text.trim() === "" ? "" : forModel(text.trimEnd()).join("\n");
}

export interface Words {
  readonly task: Pick<TasksTable, "number" | "title">;
  /** One for each repository. */
  readonly places: readonly Place[];
  /** The content of the file at `file`. */
  readonly text: string;
  readonly file: string;
  /** The task whose open pull request its branch begins on. */
  readonly below?: Pick<PullRequestsTable, "task" | "branch"> | undefined;
  readonly program: string;
  /** Its shell cannot reach the daemon, but it has constel's tools. */
  readonly byTool: boolean;
  readonly carries: (text: string) => boolean;
}

/** `not-landed` and `changes`: it comes back, because of a harvest or of a review. */
export type Reason = "new" | "not-landed" | "changes";

const heads: Readonly<Record<Reason, (task: number) => string>> = {
  new: (task) => `Task ${task} is yours.`,
  "not-landed": (task) => `Task ${task} could not land; it is yours again.`,
  changes: (task) => `Task ${task} was reviewed, and changes are asked for; it is yours again.`,
};

export function messageText(
  { task, places, text, file, below, program, byTool, carries }: Words,
  reason: Reason = "new",
): string {
  const title = forModelInline([...task.title].slice(0, 200).join(""));
  const head = heads[reason](task.number);
  const rest = [
    ...places.flatMap(({ path, branch, target }) => [
      `Workspace: ${path} (a clone of your own; work only there)`,
      `Branch: ${branch}, to land on ${target}`,
    ]),
    ...(below === undefined
      ? []
      : [`It begins on ${below.branch} of task ${below.task}, which has not landed; leave those commits as they are.`]),
    `Commit on that branch${places.length === 1 ? "" : " in each workspace you change"}. When it is done, ${byTool ? byTools(task.number) : `run: constel task ready ${task.number}`}`,
    ...(byTool ? [] : [`To ask or tell something, run: constel channel send agent0 "..." --task ${task.number}`]),
    `If your shell does not find constel: ${program}`,
  ].join("\n");
  const whole = [head, text.trimEnd(), rest].join("\n\n");
  if (whole.length <= longestInMessage && carries(whole)) return whole;
  const pointer = `What is asked stands in ${file}; read it first.`;
  const short = [`${head} ${title}`, pointer, rest].join("\n\n");
  return carries(short) ? short : [head, pointer, rest].join("\n\n");
}

const byTools = (number: number): string =>
  [
    `call the tool \`task\` of the MCP server \`constel\`: {"action": "ready", "task": ${number}}`,
    `To ask or tell something, call its tool \`publish\`: {"type": "note", "to": ["agent0"], "task": ${number}, "text": "..."}`,
    `Your sandbox keeps \`constel\` commands from the daemon; only with escalated permissions they work: constel task ready ${number}`,
  ].join("\n");

interface Hunk {
  readonly line: number;
  readonly text: string;
}
interface Report {
  readonly conflicts?: readonly {
    readonly path: string;
    readonly message?: string;
    readonly target_hunks?: readonly Hunk[];
    readonly branch_hunks?: readonly Hunk[];
  }[];
}

/** The workspace of a harvest's row. */
interface Whose {
  readonly name: string | null;
  readonly path: string | null;
}

/** Writes why the work came back: the reason, the files, both sides' lines, the end of what the gate printed. */
export function reviewFile(
  task: Pick<TasksTable, "number" | "title">,
  rows: readonly (Pick<HarvestsTable, "outcome" | "reason" | "report" | "gate_tail" | "target" | "landed_sha"> &
    Whose)[],
): string {
  const parts = [`# Task ${task.number} did not land: ${forModelInline(task.title)}`];
  for (const row of rows.filter(({ outcome }) => outcome !== "landed")) {
    const target = row.target ?? "main";
    if (rows.length > 1) parts.push(`## In ${row.path ?? row.name ?? "a repository"}`);
    parts.push(quoted(row.reason ?? "no reason was given"));
    for (const { path, message, target_hunks: theirs, branch_hunks: ours } of (JSON.parse(row.report) as Report)
      .conflicts ?? []) {
      parts.push(`## ${forModelInline(path)}${message === undefined ? "" : `\n${forModelInline(message)}`}`);
      parts.push(...sides(`On ${target}`, theirs), ...sides("On your branch", ours));
    }
    if (row.outcome === "red" && row.gate_tail !== null) parts.push(`## The gate said\n${fenced(row.gate_tail)}`);
    parts.push(`Fix it in your workspace: \`git fetch origin\`, then rebase on or merge origin/${target}, and commit.`);
  }
  for (const { outcome, landed_sha: sha, name } of rows)
    if (outcome === "landed") parts.push(`${name ?? "One repository"} landed as ${sha}; leave that as it is.`);
  parts.push(`When it is done: \`constel task ready ${task.number}\`.`);
  return `${parts.join("\n\n")}\n`;
}

const sides = (whose: string, hunks: readonly Hunk[] | undefined): string[] =>
  (hunks ?? []).map(({ line, text }) => `${whose}, from line ${line}:\n${fenced(text)}`);

const fenced = (text: string): string => quoted(text);
