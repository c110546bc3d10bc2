// Words an answer as each program wants it: as context, as a denied tool, as a stop that is held back. All in one small file, because a hook
// loads it before an agent's edit.

import type { HearMoment } from "../../protocol/hear.ts";

type Answer = Readonly<Record<string, unknown>>;

/** Claude Code and Codex share one form; Gemini has its own words; opencode's plugin (ours) takes the bare text. */
export function answerFor(runtime: string, moment: HearMoment, text: string): Answer {
  if (runtime === "gemini") return geminiAnswer(moment, text);
  if (runtime === "opencode") return { [moment === "edit" ? "deny" : "context"]: text };
  switch (moment) {
    case "start":
      return context("SessionStart", text);
    case "prompt":
      return context("UserPromptSubmit", text);
    case "edit":
      return {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: text,
        },
      };
    case "stop":
      // Blocked, Claude Code shows its model the reason twice; context keeps it going just as well.
      return runtime === "claude" ? context("Stop", text) : { decision: "block", reason: text };
  }
}

function geminiAnswer(moment: HearMoment, text: string): Answer {
  switch (moment) {
    case "start":
      return context("SessionStart", text);
    case "prompt":
      return context("BeforeAgent", text);
    case "edit":
    case "stop":
      return { decision: "deny", reason: text };
  }
}

const context = (hookEventName: string, additionalContext: string): Answer => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
