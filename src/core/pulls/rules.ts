// Pure decisions about a pull request: what follows from what the forge says of it. Nothing here is landed: that is asked of the
// origin.

import type { PullState, RedCheck, Remark } from "../../ports/forge.ts";
import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import { ownMarker } from "./pull.ts";

export interface Feedback {
  readonly red: readonly RedCheck[];
  readonly remarks: readonly Remark[];
  /** The keys of all of it, so that nothing is told twice. */
  readonly keys: readonly string[];
}

export type Decision =
  | { readonly kind: "ended" }
  /** Its branch has another commit than we know of. */
  | { readonly kind: "moved" }
  | { readonly kind: "retarget" }
  | { readonly kind: "send-back"; readonly feedback: Feedback }
  | {
      readonly kind: "to-a-person";
      readonly why: string;
      readonly keys: readonly string[];
      readonly forget?: readonly string[];
    }
  | { readonly kind: "rebase" }
  | ({ readonly kind: "wait"; readonly why: string } & Waiting)
  | { readonly kind: "merge" };

export interface Waiting {
  readonly soon?: boolean;
  /** Nothing goes on until a person does something. */
  readonly asks?: boolean;
  readonly keys?: readonly string[];
}

export interface PullFacts {
  readonly row: Pick<
    PullRequestsTable,
    "head_sha" | "base" | "on_task" | "merge_by" | "rounds" | "most_rounds" | "told" | "rebase"
  >;
  readonly taskState: string;
  readonly state: PullState;
  readonly remarks: readonly Remark[];
  /** For so long the checks have said what they say of this head. */
  readonly sinceMs: number;
}

/** One message is better than two, but a check that hangs does not keep a reviewer's words from the agent for ever. */
const patienceWithChecksMs = 1_800_000;

export function decide({ row, taskState, state, remarks, sinceMs }: PullFacts): Decision {
  if (state.state !== "open") return { kind: "ended" };
  if (state.head !== row.head_sha) return { kind: "moved" };
  if (state.base !== row.base) return { kind: "retarget" };
  if (taskState !== "ready") return wait("its agent works on what came back");
  const told = new Set(JSON.parse(row.told) as string[]);
  const { checks, review } = state;
  const feedback = freshFeedback(state, remarks, told);
  // One message: what is still running would need another.
  const isSettled = checks.state !== "pending" || sinceMs > patienceWithChecksMs;
  if (feedback.keys.length > 0 && isSettled) return sendBack(row, feedback);
  if (checks.state === "red") return ask(`${namesOf(checks.red)} is red, and its agent changed nothing`);
  if (checks.state === "pending") return wait("checks are running");
  if (state.isQueued) return wait("it is in the forge's queue");
  if (told.has(queuedKey(state.head))) return outOfQueue(state.head, told);
  if (row.rebase === 1) return { kind: "rebase" };
  if (state.merge === "conflicts" || state.merge === "behind") return { kind: "rebase" };
  if (state.merge === "computing") return { ...wait("the forge computes whether it can be merged"), soon: true };
  if (state.merge === "draft") return ask("it is a draft");
  if (review === "changes-requested") return ask("whoever asked for changes has not looked again");
  if (review === "required") return ask("the forge requires a review");
  if (checks.state === "none") return ask("nothing has checked it, and without checks it is merged by a person only");
  if (state.merge === "blocked") return wait("the forge's rules do not let it in yet");
  if (row.on_task !== null) return wait(`task ${row.on_task}, on which it stands, has not landed`);
  if (row.merge_by === "person") return ask("it is to be merged by a person");
  return { kind: "merge" };
}

const wait = (why: string) => ({ kind: "wait", why }) as const;
const ask = (why: string) => ({ kind: "wait", why, asks: true }) as const;

/** The forge was asked to queue this head. */
export const queuedKey = (head: string): string => `queued ${head}`;
const leftKey = (head: string): string => `left the queue ${head}`;

/**
 * What was queued is not in the queue any more, and is not merged. Seen twice, because a queue that has just merged it may say so before
 * the pull request does. Its checks in the queue were others' work too, so a person looks, not its agent; called ready again, it is
 * queued again.
 */
function outOfQueue(head: string, told: ReadonlySet<string>): Decision {
  const left = leftKey(head);
  if (!told.has(left)) return { ...wait("it has left the forge's queue"), soon: true, keys: [left] };
  const why = "the forge's queue put it out without merging it; its checks there say why";
  return { kind: "to-a-person", why, keys: [], forget: [queuedKey(head), left] };
}

const namesOf = (red: readonly RedCheck[]): string =>
  red
    .map(({ name }) => name.slice(0, 60))
    .join(", ")
    .slice(0, 300);

function freshFeedback({ checks, head }: PullState, remarks: readonly Remark[], told: ReadonlySet<string>): Feedback {
  const redKey = (check: RedCheck): string => `red ${head} ${check.name}`.slice(0, 300);
  const red = checks.red.filter((check) => !told.has(redKey(check)));
  const fresh = remarks.filter((one) => !told.has(one.id) && isForTheAgent(one));
  return { red, remarks: fresh, keys: [...red.map(redKey), ...fresh.map(({ id }) => id)] };
}

/** An approval without words asks for nothing, and robots report to people. */
function isForTheAgent({ text, author, kind }: Remark): boolean {
  if (text.startsWith(ownMarker) || author.endsWith("[bot]")) return false;
  return kind === "changes-requested" || (kind !== "approved" && text.trim() !== "");
}

function sendBack({ rounds, most_rounds: most }: PullFacts["row"], feedback: Feedback): Decision {
  if (rounds < most) return { kind: "send-back", feedback };
  const { red, remarks, keys } = feedback;
  const asked = [...new Set(remarks.map(({ author }) => author))].join(", ");
  const what = [
    ...(red.length === 0 ? [] : [`${namesOf(red)} is red`]),
    ...(asked === "" ? [] : [`${asked} asks for more`]),
  ];
  return {
    kind: "to-a-person",
    keys,
    why: `after ${rounds} rounds its pull request is not done: ${what.join("; ")}`,
  };
}
