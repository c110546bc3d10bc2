// Combines what the hooks and the transcript of a session say: the last thing that was going on, and when. The state machine: a prompt or a
// tool makes the agent busy; asking for permission, or its user something, makes it wait until a tool ends or the turn does; the end of a
// turn, an interruption or a failure makes it idle, and a failure is remembered until something goes on again.

import type { HookRecord, TranscriptRow } from "../../ports/runtime.ts";
import { isQuestion } from "./hook-record.ts";

export interface Followed {
  readonly state: "none" | "started" | "busy" | "waiting" | "asking" | "idle" | "limited" | "logged-out" | "ended";
  readonly at: number;
  readonly by: "hooks" | "transcript";
  readonly says: string;
  readonly liftsAtMs?: number;
  /** It waits for constel's own hook, of whose end a record tells. */
  readonly isHeld?: boolean;
}

const nothing: Followed = { state: "none", at: 0, by: "hooks", says: "nothing was heard" };

export function follow(hooks: readonly HookRecord[], rows: readonly TranscriptRow[]): Followed {
  const answers = rows.filter((row) => row.kind === "answer");
  const others = rows.filter((row) => row.kind !== "answer");
  // Sorting is stable. Of events in the same millisecond, an answer comes before the hook that closes its turn, and that hook
  // before the prompt of the next one.
  const events: { at: number; step: (now: Followed) => Followed }[] = [
    ...answers.map((row) => ({ at: row.at, step: (now: Followed) => afterRow(now, row) })),
    ...hooks.map((hook) => ({ at: hook.at, step: (now: Followed) => afterHook(now, hook) })),
    ...others.map((row) => ({ at: row.at, step: (now: Followed) => afterRow(now, row) })),
  ];
  return events.sort((a, b) => a.at - b.at).reduce((now, event) => event.step(now), nothing);
}

function afterHook(now: Followed, hook: HookRecord): Followed {
  const to = (state: Followed["state"], says: string): Followed => ({ state, at: hook.at, by: "hooks", says });
  switch (hook.event) {
    case "session-started":
      // Compaction starts the session anew in the middle of a turn.
      return hook.reason === "compact" ? now : to("started", `session started (${hook.reason ?? "startup"})`);
    case "prompt-submitted":
      return to("busy", "a prompt was submitted");
    case "tool-began":
      if (isQuestion(hook)) return asks(hook, to);
      return to("busy", `${hook.tool ?? "a tool"} began`);
    case "tool-ended":
      return to("busy", `${hook.tool ?? "a tool"} ended, the turn goes on`);
    case "permission-asked":
      if (isQuestion(hook)) return asks(hook, to);
      return {
        ...to("waiting", `asks for permission to use ${hook.tool ?? "a tool"}`),
        ...(hook.isHeld === true ? { isHeld: true } : {}),
      };
    case "permission-answered":
      return to("busy", `was ${hook.reason ?? "answered"} to use ${hook.tool ?? "a tool"}`);
    case "compacting":
      return now.state === "busy" ? { ...now, at: hook.at } : to("busy", "the context is being compacted");
    case "compacted":
      return now.state === "busy" && now.says === "the context is being compacted"
        ? to("idle", "the context was compacted")
        : now;
    case "turn-ended":
      // A subagent's end is not the turn's.
      return hook.inSubagent === true ? { ...now, at: hook.at } : to("idle", "the turn ended");
    case "interrupted":
      return to("idle", "the turn was interrupted");
    case "turn-failed":
      return to(failureState(hook.reason), hook.says ?? hook.reason ?? "the turn failed");
    case "session-ended":
      return hook.reason === "clear" || hook.reason === "resume"
        ? now
        : to("ended", `session ended (${hook.reason ?? "?"})`);
    case "notified":
    case "other":
      return now;
  }
}

const asks = ({ says }: HookRecord, to: (state: "asking", says: string) => Followed): Followed =>
  to("asking", `asks: ${says ?? "its question is not known"}`);

function afterRow(now: Followed, row: TranscriptRow): Followed {
  const to = (state: Followed["state"], says: string): Followed => ({ state, at: row.at, by: "transcript", says });
  switch (row.kind) {
    case "turn-began":
    case "prompt":
      return to("busy", "a turn began");
    case "answer":
      // The question about a tool is asked after the answer that calls it, but may be written before.
      if ((now.state === "waiting" || now.state === "asking") && row.goesOn === true) return now;
      return to(
        "busy",
        row.goesOn === true ? "the model called a tool" : "the model answered, the turn is being closed",
      );
    case "queued":
      return now;
    case "turn-ended":
      // A failed turn ends too; the failure is what matters.
      return now.state === "limited" || now.state === "logged-out" ? now : to("idle", "the turn ended");
    case "interrupted":
      return to("idle", "the turn was interrupted");
    case "turn-failed": {
      const state = row.failure === "limit" ? "limited" : row.failure === "login" ? "logged-out" : "idle";
      const failed = to(state, row.says ?? "the turn failed");
      return row.liftsAtMs === undefined ? failed : { ...failed, liftsAtMs: row.liftsAtMs };
    }
  }
}

function failureState(reason: string | undefined): Followed["state"] {
  if (reason === undefined) return "idle";
  if (/rate_limit|usage_limit|billing|quota/i.test(reason)) return "limited";
  return /auth|login/i.test(reason) ? "logged-out" : "idle";
}
