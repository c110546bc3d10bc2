// The words of reviews: what a reviewer is sent, and what the task's agent is sent back. Pure. Both quote what others wrote, so that it
// cannot pose as anything else.

import { criterionLine } from "../../protocol/acceptance.ts";
import { forModel, forModelInline } from "../../protocol/safe-text.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import type { Comment, Packet } from "./review.ts";

const longest = 16_000;
const longestBrief = 4_000;

export interface Asking {
  readonly review: Pick<ReviewsTable, "task" | "head" | "note">;
  readonly packet: Packet;
  readonly program: string;
  /** Its shell cannot reach the daemon, but it has constel's tools. */
  readonly byTool: boolean;
  readonly carries: (text: string) => boolean;
}

/** The whole diff where it fits; else the files, and how to see the rest. */
export function askingText(asking: Asking): string {
  const { review, packet, carries } = asking;
  const head = `You are asked to review task ${review.task}. Read what it changed and answer; change nothing yourself.`;
  const how = howToAnswer(asking);
  const about = [head, ...aboutTask(packet, review.note)];
  const whole = [...about, diffText(packet), how].join("\n\n");
  if (whole.length <= longest && carries(whole)) return whole;
  const stat = packet.works.flatMap(({ files }) => files.map((file) => `  ${statLine(file)}`)).slice(0, 100);
  const short = [...about, `It changes:\n${stat.join("\n")}`, how].join("\n\n");
  return short.length <= longest && carries(short) ? short : [head, how].join("\n\n");
}

function howToAnswer({ review: { task, head }, program, byTool }: Asking): string {
  const read = head.slice(0, 12);
  if (byTool)
    return [
      `All of it, and what is open about it: the tool \`task\` of the MCP server \`constel\`: {"action": "reading", "task": ${task}}`,
      `If it is good: {"action": "approve", "task": ${task}, "read": "${read}"}`,
      `If not: {"action": "changes", "task": ${task}, "read": "${read}", "text": "...", "comments": [{"path": "src/a.ts", "line": 1, "text": "..."}]}`,
    ].join("\n");
  return [
    `All of it, and what is open about it: constel review show ${task}`,
    `If it is good: constel review approve ${task} --read ${read}`,
    `If not: constel review changes ${task} --read ${read} "what is wrong" --on "src/a.ts:1: what to change there"`,
    `If your shell does not find constel: ${program}`,
  ].join("\n");
}

function aboutTask(packet: Packet, note: string | null): string[] {
  const { title, directive, brief, criteria, evidence, findings } = packet;
  const cut = brief.length > longestBrief ? `${brief.slice(0, longestBrief)}\n…` : brief;
  const list = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [[heading, ...lines.map((line) => `  ${forModelInline(line)}`)].join("\n")];
  return [
    `What was asked:\n${quoted([title, directive, cut].filter((one) => one.trim() !== "").join("\n\n"))}`,
    ...list("It counts as done when:", criteria.map(criterionLine)),
    ...list("Evidence that came with it:", evidence === null ? [] : [evidence]),
    ...list(
      "Open findings about it:",
      findings.map(({ severity, kind, title: what }) => `${severity} ${kind}: ${what}`),
    ),
    ...list("Whoever asks for the review says:", note === null ? [] : [note]),
  ];
}

const quoted = (text: string): string => forModel(text.trimEnd()).join("\n");

type File = Packet["works"][number]["files"][number];

const statLine = ({ path, old_path: old, added, removed, binary, change }: File): string =>
  `${forModelInline(old === null ? path : `${old} → ${path}`)}  ${binary ? "binary" : `+${added} -${removed}`}  ${change}`;

function diffText({ works }: Packet): string {
  const parts = works.flatMap(({ name, commit, target, files }) => [
    `${works.length === 1 ? "The changes" : `The changes in ${name}`}, as they would land on ${target} (${commit.slice(0, 12)}):`,
    ...files.flatMap((file) => [
      statLine(file),
      ...file.hunks.flatMap(({ heading, lines }) => [
        `@@ ${forModelInline(heading)}`.trimEnd(),
        ...lines.flatMap(({ kind, text, before, after }) => {
          const mark = kind === "added" ? "+" : kind === "removed" ? "-" : " ";
          return forModel(`${String(after ?? before)} ${mark} ${text}`);
        }),
      ]),
      ...(file.cut ? ["… the rest is cut"] : []),
    ]),
  ]);
  return parts.join("\n");
}

/** The one message by which all that a review asks for goes back to whoever did the work. */
export function changesFile(
  { task, title }: { readonly task: number; readonly title: string },
  review: Pick<ReviewsTable, "reviewer" | "head" | "text" | "comments">,
): string {
  const comments = JSON.parse(review.comments) as Comment[];
  return `${[
    `# Task ${task}: ${review.reviewer} read ${review.head.slice(0, 12)} and asks for changes: ${forModelInline(title)}`,
    ...(review.text === null ? [] : [quoted(review.text)]),
    ...comments.map(({ path, line, text }) => `## ${forModelInline(path)}:${line}\n${quoted(text)}`),
    `Work it in, commit, and call it ready again: \`constel task ready ${task}\`. The reviewer is then asked once more.`,
  ].join("\n\n")}\n`;
}
