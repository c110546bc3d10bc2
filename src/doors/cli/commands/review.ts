// Reviews on the command line.

import { criterionLine } from "../../../protocol/acceptance.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { sayingCut } from "../present/cut.ts";
import { linesOf, statOf } from "../present/diff-lines.ts";
import type { Output, Paint } from "../present/output.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";

type Packet = OutputOf<(typeof operations)["review.show"]>;
type Review = Packet["reviews"][number];

export const ask: RunCommand = async (context, input) => {
  const asked = await (await context.caller()).call("review.ask", input.asked("review.ask"));
  const { task, reviewer, head } = asked;
  const next = reviewer === "owner" ? ` Read it: constel review show ${task}` : "";
  return { json: asked, text: `${reviewer} is asked to review task ${task} at ${head.slice(0, 12)}.${next}` };
};

export const list: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("review.list", input.asked("review.list"));
  const { total, reviews } = answer;
  const text = (): string =>
    reviews.length === 0 ? "No review is open." : table(heads, reviews.map(rowOf), context.output);
  const rest = `constel review ls${input.has("all") ? " --all" : ""} --limit ${total}`;
  return sayingCut({ json: answer, text }, { shown: reviews.length, total, rest }, context.output);
};

const heads = ["task", "reviewer", "state", "head", "asked", "answered", "says"];
const rowOf = (one: Review): string[] => [
  `${one.task}`,
  one.reviewer,
  standing(one),
  one.head.slice(0, 12),
  utc(one.asked_ms),
  one.answered_ms === null ? "" : utc(one.answered_ms),
  oneLine(one.text ?? one.note ?? ""),
];
const standing = ({ state, stale }: Review): string => (stale ? `${state}, stale` : state);

export const show: RunCommand = async (context, input) => {
  const packet = await (await context.caller()).call("review.show", input.asked("review.show"));
  return { json: packet, text: () => screenOf(packet, context.output, input.has("stat")) };
};

function screenOf(packet: Packet, { paint }: Output, isShort: boolean): string {
  const { task, verdict, works, criteria, findings, reviews } = packet;
  const head = verdict.head?.slice(0, 12) ?? "";
  const part = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", paint.bold(name), ...lines.map((line) => `  ${oneLine(line)}`)];
  const asked = [packet.directive, ...packet.brief.split("\n")].filter((line) => line.trim() !== "");
  return [
    paint.bold(oneLine(`Task ${task}: ${packet.title}`)),
    `  ${packet.state}, ${verdictLine(verdict)}`,
    ...part("Asked", asked),
    ...part("It counts as done when", criteria.map(criterionLine)),
    ...part("Evidence", packet.evidence === null ? [] : [packet.evidence]),
    ...part(
      "Open findings",
      findings.map(({ severity, kind, title }) => `${severity} ${kind}: ${title}`),
    ),
    ...part("Reviews", reviews.flatMap(reviewLines)),
    ...works.flatMap((work) => ["", ...workLines(work, paint, isShort)]),
    "",
    `Good:     constel review approve ${task} --read ${head}`,
    `Not yet:  constel review changes ${task} --read ${head} "..." --on "FILE:LINE: ..."`,
  ].join("\n");
}

function verdictLine({ verdict, reviewer }: Packet["verdict"]): string {
  const said: Readonly<Record<Packet["verdict"]["verdict"], string>> = {
    approved: `approved by ${reviewer}`,
    changes: `${reviewer} asks for changes`,
    waiting: `${reviewer} has not answered yet`,
    stale: `${reviewer} reviewed earlier commits`,
    none: "not reviewed",
  };
  return said[verdict];
}

const reviewLines = (one: Review): string[] => [
  `${one.reviewer}: ${standing(one)} (${one.head.slice(0, 12)})${one.text === null ? "" : `: ${one.text}`}`,
  ...one.comments.map(({ path, line, text }) => `  ${path}:${line}: ${text}`),
];

function workLines({ name, commit, target, files }: Packet["works"][number], paint: Paint, isShort: boolean): string[] {
  const where = name === "" || name === "repo" ? "" : `${name}, `;
  return [
    paint.bold(`Changes (${where}${commit.slice(0, 12)}, to land on ${target})`),
    ...files.flatMap((file) => (isShort ? [statOf(file, paint)] : linesOf(file, paint))),
    ...(files.length === 0 ? ["  nothing is changed"] : []),
  ];
}

export const approve: RunCommand = (context, input) => send(context, input, []);

export const changes: RunCommand = (context, input) => send(context, input, input.flags("on").map(commentIn));

/** `FILE:LINE: TEXT` */
function commentIn(typed: string): { path: string; line: number; text: string } {
  const [, path, line, text] = /^(.+?):(\d+):?\s+(\S.*)$/su.exec(typed) ?? [];
  if (path === undefined || line === undefined || text === undefined)
    throw new Refusal(
      "usage.bad-value",
      'say the file, the line and what to change, such as --on "src/cart.ts:12: round half up"',
      {
        on: typed,
      },
    );
  return { path, line: Number(line), text };
}

async function send(
  context: CliContext,
  input: CommandInput,
  comments: ReturnType<typeof commentIn>[],
): Promise<CommandResult> {
  const words = input.rest("text").join(" ");
  const asked = input.asked("review.answer", { comments, ...(words === "" ? {} : { text: words }) });
  const done = await (await context.caller()).call("review.answer", asked);
  const head = done.head.slice(0, 12);
  const many = comments.length === 0 ? "" : `, with ${counted(comments.length, "comment")}`;
  const text =
    done.verdict === "approved"
      ? `Task ${done.task} is approved at ${head}.`
      : `Task ${done.task} goes back for changes at ${head}${many}.`;
  return { json: done, text };
}
