// The story of one task on one screen: what was asked and where it stands first, then what happened, then what was said, then
// what keeps it from landing. On a terminal the older part of a long story is left out, and a line says so.

import type { z } from "zod";
import { criterionLine } from "../../../protocol/acceptance.ts";
import { counted } from "../../../protocol/counted.ts";
import type { showTask } from "../../../protocol/operations/tasks.ts";
import type { Output } from "./output.ts";
import { eventText } from "./task-events.ts";
import { cut, oneLine } from "./table.ts";
import { ago } from "./time.ts";

type Story = z.output<typeof showTask.output>;
type TaskRow = Story["task"];
type HarvestRow = Story["harvests"][number];
type Screen = Pick<Output, "columns" | "paint">;

export interface StoryOptions {
  /** Both sides of every conflict. */
  readonly hunks: boolean;
  /** The number of lines. Undefined for the whole story. */
  readonly rows: number | undefined;
}

/** A story is not worth telling with fewer events than this, whatever the screen. */
const fewestEvents = 5;
const fewestMessages = 2;

export function taskStory(story: Story, screen: Screen, options: StoryOptions): string {
  const { paint } = screen;
  const head = headLines(story, screen);
  const train = story.harvests.at(-1)?.train;
  const last = story.harvests.find((one) => one.train === train && one.outcome !== "landed" && one.outcome !== "empty");
  const trouble = last === undefined || story.task.state === "closed" ? [] : troubleLines(last, screen, options.hunks);
  const events = eventLines(story, screen);
  const messages = messageLines(story, screen);
  const fixed = head.length + trouble.length + 2 + (messages.length === 0 ? 0 : 2);
  const room = options.rows === undefined ? Infinity : options.rows - 1 - fixed;
  const forMessages = Math.max(fewestMessages, Math.min(messages.length, room - events.length));
  const shown = newest(messages, forMessages);
  const forEvents = Math.max(fewestEvents, room - shown.length);
  return [
    ...head,
    "",
    paint.bold("Timeline"),
    ...newest(events, forEvents),
    ...(shown.length === 0 ? [] : ["", paint.bold("Messages"), ...shown]),
    ...trouble,
  ].join("\n");
}

function newest(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  const kept = lines.slice(lines.length - most + 1);
  return [`  … ${lines.length - kept.length} earlier: --all`, ...kept];
}

function headLines(story: Story, { paint, columns }: Screen): string[] {
  const { task } = story;
  const field = (name: string, value: string | null | undefined): string[] =>
    value === null || value === undefined || value === ""
      ? []
      : [`  ${name.padEnd(10)} ${cut(oneLine(value), Math.max(40, columns - 13))}`];
  const isOver = task.state === "closed" || task.state === "cancelled";
  const given = story.dispatches.at(-1);
  const doubt = given?.state === "unknown" ? " (whether it heard of it is not known)" : "";
  const repositories = task.repositories.length > 0 ? task.repositories : [task.repository ?? task.root];
  return [
    paint.bold(cut(oneLine(`Task ${task.number}: ${task.title}`), Math.max(60, columns))),
    ...field("state", `${task.state}, ${task.priority}${task.agent === null ? "" : `, ${task.agent}${doubt}`}`),
    ...reasonLines(task.reason ?? "", Math.max(40, columns - 13)).flatMap((line, at) =>
      field(at === 0 ? "reason" : "", line),
    ),
    ...field("asked", task.directive),
    ...field("brief", task.brief),
    ...(repositories.length === 1 && repositories[0] === task.root ? [] : field("repository", repositories.join(", "))),
    ...field("branch", task.branch === null ? null : `${task.branch} → ${task.target ?? "each one's own target"}`),
    ...story.workspaces
      .filter((one, at, all) => one.state !== "removed" || !all.slice(at + 1).some(({ name }) => name === one.name))
      .flatMap((one) => field("workspace", workspaceText(one))),
    ...story.criteria.flatMap((one, at) => field(at === 0 ? "accept" : "", `${one.place}  ${criterionLine(one)}`)),
    ...field("evidence", task.evidence),
    ...field("review", reviewText(story.review)),
    ...story.artefacts.flatMap(({ name, bytes, sha256 }, at) =>
      field(at === 0 ? "artefacts" : "", `${name}, ${counted(bytes, "byte")}, sha256 ${sha256.slice(0, 12)}`),
    ),
    ...field("scope", task.scope.join(", ")),
    ...field(
      "after",
      task.after.map((one) => `${one}${task.blocked_by.includes(one) ? " (not landed)" : ""}`).join(", "),
    ),
    ...field("time", [timeOf(task), costOf(story)].filter((one) => one !== "").join("; ")),
    ...field("gate", task.state === "closed" ? null : gateText(story)),
    ...landedLines(story).flatMap((line) => field("landed", line)),
    ...field("possible", isOver ? null : verbsFor(story.allowed).join(", ")),
  ];
}

/** Wraps the reason for the task's state over up to a few lines, so that it is never cut off in the middle. */
function reasonLines(reason: string, room: number): string[] {
  const lines = reason.split("\n").flatMap((line) => {
    const words = oneLine(line).split(" ");
    const wrapped: string[] = [];
    for (const word of words) {
      const last = wrapped.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= room) wrapped[wrapped.length - 1] = `${last} ${word}`;
      else wrapped.push(word);
    }
    return wrapped;
  });
  return lines.slice(0, 6);
}

/** Returns the moves that can be typed. Some moves are the harvester's own. */
function verbsFor(allowed: readonly string[]): string[] {
  const typed = allowed.flatMap((move) => (move === "close" ? ["harvest"] : move === "review" ? [] : [move]));
  return [...new Set(typed)];
}

function reviewText({ verdict, reviewer, text }: Story["review"]): string | null {
  const said = text === null ? "" : `: ${text}`;
  const words: Readonly<Record<typeof verdict, string | null>> = {
    approved: `approved by ${reviewer}${said}`,
    changes: `${reviewer} asks for changes${said}`,
    waiting: `${reviewer} has not answered yet`,
    stale: `${reviewer} reviewed earlier commits`,
    none: null,
  };
  return words[verdict];
}

function workspaceText({ name, path, state, rescue, problem }: Story["workspaces"][number]): string {
  const which = name === "repo" ? "" : `${name}: `;
  const saved = rescue === null || state !== "removed" ? "" : `, saved as ${rescue}`;
  return `${which}${path} (${state}${saved}${problem === null ? "" : `, ${problem}`})`;
}

function timeOf(task: TaskRow): string {
  const estimate = task.estimate_ms === null ? "" : `estimated ${ago(task.estimate_ms)}`;
  const actual = task.actual_ms === null ? "" : `took ${ago(task.actual_ms)}`;
  return [estimate, actual].filter((one) => one !== "").join(", ");
}

function costOf({ cost }: Story): string {
  if (cost.answers === 0) return "";
  const tokens = `${cost.input_tokens} tokens in, ${cost.output_tokens} out`;
  const money = cost.unpriced_answers === cost.answers ? "" : `, $${(cost.cost_micros / 1e6).toFixed(2)}`;
  const open = money === "" || cost.unpriced_answers === 0 ? "" : ` and ${cost.unpriced_answers} without a price`;
  return `${counted(cost.answers, "answer")}, ${tokens}${money}${open}`;
}

/** Every run, in order. */
function gateText({ harvests }: Story): string {
  const runs = harvests.flatMap(({ gate_outcome: outcome, gate_ms: took }) =>
    outcome === null ? [] : [outcome === "none" ? "none declared" : `${outcome} in ${ago(took ?? 0)}`],
  );
  return runs.join(", then ");
}

/** One for each repository. */
function landedLines(story: Story): string[] {
  const gate = gateText(story);
  const landed = new Map(
    story.harvests.flatMap((row) => (row.landed_sha === null ? [] : [[row.origin, row] as const])),
  );
  const isOfSeveral = story.task.repositories.length > 1;
  return [...landed.values()].map(({ landed_sha: sha, target, origin }, at) => {
    const where = isOfSeveral ? ` of ${origin}` : "";
    return `${sha} on ${target ?? "?"}${where}${at === 0 && gate !== "" && story.task.state === "closed" ? `; gate ${gate}` : ""}`;
  });
}

/** The date once, then the time of day, until the date changes. */
function eventLines({ events }: Story, { paint, columns }: Screen): string[] {
  let day = "";
  return events.map(({ at_ms: at, type, actor, data }) => {
    const [date = "", time = ""] = new Date(at).toISOString().slice(0, 19).split("T");
    const stamp = date === day ? `${" ".repeat(10)} ${time}` : `${date} ${time}`;
    day = date;
    const who = actor === "daemon" ? "" : `${actor}  `;
    return `  ${paint.dim(stamp)}  ${type.padEnd(16)} ${cut(oneLine(`${who}${eventText(type, data)}`), Math.max(30, columns - 40))}`.trimEnd();
  });
}

function messageLines({ messages }: Story, { columns }: Screen): string[] {
  return messages.map(({ sender, receiver, kind, state, text }) => {
    const what = [kind ?? "", state].filter((one) => one !== "").join(", ");
    const head = `  ${sender} → ${receiver} (${what})  `;
    return `${head}${cut(oneLine(text ?? ""), Math.max(20, columns - head.length))}`;
  });
}

interface ToldHunk {
  readonly line: number;
  readonly text: string;
}
interface ToldConflict {
  readonly path: string;
  readonly kind: string;
  readonly target_hunks: readonly ToldHunk[];
  readonly branch_hunks: readonly ToldHunk[];
}

/** Shows what kept the last harvest from landing. */
function troubleLines(harvest: HarvestRow, { paint }: Screen, hunks: boolean): string[] {
  const conflicts = (harvest.report["conflicts"] as readonly ToldConflict[] | undefined) ?? [];
  const tries = counted(harvest.attempts, "try", "tries");
  const lines = [`  ${harvest.outcome ?? harvest.phase}, ${tries}`];
  for (const { path, kind, target_hunks: ours, branch_hunks: theirs } of conflicts) {
    lines.push(`  ${paint.red(kind)} ${oneLine(path)}${hunks ? "" : "  (--hunks shows both sides)"}`);
    if (!hunks) continue;
    for (const [at, hunk] of ours.entries()) {
      lines.push(paint.dim(`    target, line ${hunk.line}:`), ...indented(hunk.text));
      lines.push(paint.dim(`    branch, line ${theirs[at]?.line}:`), ...indented(theirs[at]?.text ?? ""));
    }
  }
  const red = harvest.outcome === "red" ? (harvest.gate_tail ?? "") : "";
  const most = hunks ? 200 : 8;
  if (red !== "") lines.push(paint.dim("  the gate printed:"), ...indented(red.split("\n").slice(-most).join("\n")));
  return ["", paint.bold("Last harvest"), ...lines];
}

const indented = (text: string): string[] => text.split("\n").map((line) => `      ${oneLine(line)}`);
