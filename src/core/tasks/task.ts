// A task, its states, and the moves between them. Everything that changes a state goes through `moveOf`.
//
//   open ──────► queued ──────► in_progress ──────► ready ──────► closed
//     │            │                 ▲  ▲             │
//     └────────────┴── by hand ──────┘  └─ rework ─ needs_review ◄┘  (conflict, red gate)
//
// A task is `open` until somebody has it, `queued` while it waits for a free agent, `ready` when its work waits to land, and
// `closed` when it has landed. It is `taken_back` while the target no longer has what landed, because somebody rewrote it, and
// closed again when the target has it again; called ready anew, it can land again. Anything not closed can be cancelled, and a
// cancelled one can be opened again.

import { Refusal } from "../../protocol/errors.ts";

export const taskStates = [
  "open",
  "queued",
  "in_progress",
  "ready",
  "needs_review",
  "closed",
  "taken_back",
  "cancelled",
] as const;
export type TaskState = (typeof taskStates)[number];

/** The moves that may be asked for, the states they may start from, and the state they lead to. */
export const moves = {
  queue: { from: ["open"], to: "queued" },
  dispatch: { from: ["open", "queued", "needs_review", "taken_back"], to: "in_progress" },
  ready: { from: ["open", "in_progress", "needs_review", "ready", "taken_back"], to: "ready" },
  rework: { from: ["ready", "needs_review"], to: "in_progress" },
  review: { from: ["ready", "needs_review"], to: "needs_review" },
  close: { from: ["ready", "needs_review"], to: "closed" },
  take_back: { from: ["closed"], to: "taken_back" },
  land_again: { from: ["taken_back"], to: "closed" },
  cancel: { from: ["open", "queued", "in_progress", "ready", "needs_review", "taken_back"], to: "cancelled" },
  release: { from: ["queued", "in_progress", "needs_review"], to: "open" },
  reopen: { from: ["cancelled", "queued"], to: "open" },
} as const satisfies Record<string, { from: readonly TaskState[]; to: TaskState }>;

export type Move = keyof typeof moves;

/** Returns the state that the move leads to, or refuses and says what is possible instead. */
export function moveOf(task: { number: number; state: string }, move: Move): TaskState {
  const { from, to } = moves[move];
  if ((from as readonly string[]).includes(task.state)) return to;
  const allowed = allowedMoves(task.state);
  const instead = allowed.length === 0 ? "nothing any more" : allowed.join(", ");
  throw new Refusal(
    "task.not-allowed",
    `task ${task.number} is ${task.state}, so \`${move}\` is not possible; possible: ${instead}`,
    { task: task.number, state: task.state, move, allowed },
  );
}

/** The moves that the target makes: nobody can ask for them. */
const ofTheTarget: readonly Move[] = ["take_back", "land_again"];

export function allowedMoves(state: string): Move[] {
  return (Object.keys(moves) as Move[]).filter(
    (move) => !ofTheTarget.includes(move) && (moves[move].from as readonly string[]).includes(state),
  );
}
