// The capsule: what one agent leaves to another that goes on with its task. Bounded, and all that others wrote in it is quoted.

import { counted } from "../../../protocol/counted.ts";
import { forModel, forModelInline } from "../../../protocol/safe-text.ts";

export interface CapsuleFacts {
  readonly task: number;
  readonly from: string | null;
  readonly because: string;
  readonly workspaces: readonly {
    readonly path: string;
    readonly branch: string;
    readonly commits: number;
    readonly uncommitted: readonly string[];
    /** The ref under which all of it lies, or why it does not. */
    readonly saved: string;
  }[];
  readonly decisions: readonly { readonly title: string; readonly text: string }[];
  /** Why earlier tries did not land. */
  readonly failed: readonly string[];
  /** What the one before asked and was not answered. */
  readonly questions: readonly string[];
  readonly session: string | null;
  readonly transcript: string | undefined;
}

const most = { files: 40, decisions: 12, failed: 5, questions: 5 };
const longestItem = 600;
const longestCapsule = 12_000;

export function capsuleText(facts: CapsuleFacts): string {
  const { from, because, workspaces, decisions, failed, questions, session, transcript } = facts;
  const parts = [
    `## Handed over${from === null ? "" : ` by ${from}`}`,
    because === "" ? "" : forModel(cut(because)).join("\n"),
    "It was begun before you. Go on from where it stands; do not begin again.",
    ...workspaces.flatMap(({ path, branch, commits, uncommitted, saved }) => [
      `In ${path}, branch ${branch}: ${commits === 0 ? "nothing is committed yet" : counted(commits, "commit")}, ${uncommitted.length === 0 ? "nothing is uncommitted" : `${counted(uncommitted.length, "file is", "files are")} changed and not committed`}. ${saved}`,
      listed(uncommitted, most.files),
    ]),
    section(
      "Decisions that hold",
      decisions.map(({ title, text }) => (text === "" ? title : `${title}: ${text}`)),
      most.decisions,
    ),
    section("What was tried and did not land", failed, most.failed),
    section("Questions that are open", questions, most.questions),
    transcript === undefined
      ? session === null
        ? ""
        : `Its conversation: ${forModelInline(session)}.`
      : `Its conversation lies in ${forModelInline(transcript)}; read there what is not clear from the code.`,
  ];
  const whole = parts.filter((part) => part !== "").join("\n\n");
  return whole.length <= longestCapsule ? whole : `${whole.slice(0, longestCapsule)}\n| … (cut)`;
}

function section(title: string, items: readonly string[], limit: number): string {
  return items.length === 0 ? "" : `${title}:\n${listed(items, limit)}`;
}

function listed(items: readonly string[], limit: number): string {
  const shown = items.slice(0, limit).flatMap((item) => forModel(cut(item)));
  const rest = items.length - limit;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}

const cut = (text: string): string => (text.length <= longestItem ? text : `${text.slice(0, longestItem)} …`);
