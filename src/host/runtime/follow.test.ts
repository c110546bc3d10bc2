import { describe, expect, test } from "bun:test";
import type { HookEvent, HookRecord, TranscriptRow } from "../../ports/runtime.ts";
import { follow } from "./follow.ts";

const hook = (at: number, event: HookEvent, extra: Partial<HookRecord> = {}): HookRecord => ({
  event,
  at,
  session: "s",
  ...extra,
});
const row = (at: number, kind: TranscriptRow["kind"], extra: Partial<TranscriptRow> = {}): TranscriptRow => ({
  kind,
  at,
  ...extra,
});

function check(name: string, hooks: HookRecord[], rows: TranscriptRow[], state: string): void {
  test(name, () => expect(follow(hooks, rows).state).toBe(state as never));
}

describe("following hooks and transcript", () => {
  check("nothing heard says nothing", [], [], "none");
  check("a prompt makes busy", [hook(1, "session-started"), hook(2, "prompt-submitted")], [], "busy");
  check("the end of the turn makes idle", [hook(1, "prompt-submitted"), hook(2, "turn-ended")], [], "idle");
  check(
    "a queued prompt whose turn began after the end of the last one is busy",
    [hook(1, "prompt-submitted"), hook(2, "prompt-submitted"), hook(3, "turn-ended")],
    [row(4, "prompt")],
    "busy",
  );
  check(
    "a subagent's end is not the turn's",
    [hook(1, "prompt-submitted"), hook(2, "turn-ended", { inSubagent: true })],
    [],
    "busy",
  );
  check(
    "an answer and the end of its turn in the same millisecond are the end",
    [hook(1, "turn-ended")],
    [row(1, "answer")],
    "idle",
  );
  check(
    "the end of a turn and the next prompt in the same millisecond are busy",
    [hook(1, "turn-ended")],
    [row(1, "prompt")],
    "busy",
  );
  check("a question waits", [hook(1, "tool-began"), hook(2, "permission-asked")], [], "waiting");
  check(
    "a question that constel answered goes on",
    [hook(1, "permission-asked"), hook(2, "permission-answered")],
    [],
    "busy",
  );
  check("a question answered goes on", [hook(1, "permission-asked"), hook(2, "tool-ended")], [], "busy");
  check(
    "the answer that led to the question does not answer it",
    [hook(1, "permission-asked")],
    [row(2, "answer", { goesOn: true })],
    "waiting",
  );
  check(
    "Esc, which has no hook of its own, is seen in the transcript",
    [hook(1, "tool-began")],
    [row(2, "interrupted")],
    "idle",
  );
  check(
    "compaction in a turn is not its end",
    [hook(1, "prompt-submitted"), hook(2, "compacting"), hook(3, "compacted")],
    [],
    "busy",
  );
  check(
    "compaction by hand ends idle",
    [hook(1, "turn-ended"), hook(2, "compacting"), hook(3, "compacted")],
    [],
    "idle",
  );
  check(
    "a session that starts anew after compaction is still busy",
    [hook(1, "prompt-submitted"), hook(2, "session-started", { reason: "compact" })],
    [],
    "busy",
  );
  check(
    "a limit is kept past the row that closes the turn",
    [],
    [row(1, "turn-failed", { failure: "limit" }), row(2, "turn-ended")],
    "limited",
  );
  check("a limit is told by the hook alone", [hook(1, "turn-failed", { reason: "rate_limit" })], [], "limited");
  check("a lost login is told", [hook(1, "turn-failed", { reason: "authentication_failed" })], [], "logged-out");
  check("another failure leaves the agent idle", [hook(1, "turn-failed", { reason: "server_error" })], [], "idle");
  check(
    "work after a limit forgets it",
    [hook(1, "turn-failed", { reason: "rate_limit" }), hook(2, "prompt-submitted")],
    [],
    "busy",
  );
  check(
    "an end is an end",
    [hook(1, "turn-ended"), hook(2, "session-ended", { reason: "prompt_input_exit" })],
    [],
    "ended",
  );
  check("/clear is no end", [hook(1, "turn-ended"), hook(2, "session-ended", { reason: "clear" })], [], "idle");
});
