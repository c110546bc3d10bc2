// The tags with which agent programs wrap context that a machine wrote, and with which we frame messages. A body that
// contains one could make a model believe that its own program, or the owner, is speaking; such a body is never sent.

const tagNames = [
  // ours
  "constel-message",
  "constel-messages",
  "constel-notice",
  "constel-join",
  // agent programs: reminders, notifications, hook output, slash commands, environment, shell echoes
  "system-reminder",
  "system_reminder",
  "system-prompt",
  "system_prompt",
  "task-notification",
  "subagent_notification",
  "hook_prompt",
  "user-prompt-submit-hook",
  "session-start-hook",
  "environment_context",
  "environment_details",
  "user_instructions",
  "user_query",
  "user_shell_command",
  "user_action",
  "turn_aborted",
  "permissions instructions",
  "collaboration_mode",
  "command-name",
  "command-message",
  "command-args",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  "ide_opened_file",
  "ide_selection",
  "new-diagnostics",
  "tool_use_error",
  "persisted-output",
  "function_calls",
  "function_results",
  "session_context",
  "conversation_history_summary",
  "state_snapshot",
] as const;

// Marks of chat templates: closed by a bar instead of being names of tags.
const templateMarks = [
  "<|im_start|>",
  "<|im_end|>",
  "<|endoftext|>",
  "<|start|>",
  "<|end|>",
  "<|channel|>",
  "<|system|>",
  "<|user|>",
  "<|assistant|>",
  "<start_of_turn>",
  "<end_of_turn>",
];

const needles = new Map<string, string>();
for (const name of tagNames) {
  const bare = name.replaceAll(/\s/g, "");
  needles.set(`<${bare}`, `<${name}`);
  needles.set(`</${bare}`, `</${name}`);
}
for (const mark of templateMarks) needles.set(mark, mark);

const anyNeedle = new RegExp(
  [...needles.keys()]
    .sort((a, b) => b.length - a.length)
    .map((needle) => needle.replaceAll(/[|/]/g, String.raw`\$&`))
    .join("|"),
);

/** The first such tag in a text, as we know it, or undefined. */
export function findWrapperToken(text: string): string | undefined {
  // Most bodies have no such bracket, in none of the widths that a compatibility form folds into it.
  if (!/[<\u226E\uFE64\uFF1C]/.test(text)) return undefined;
  const found = anyNeedle.exec(folded(text))?.[0];
  return found === undefined ? undefined : needles.get(found);
}

/** The text with no such tag in it: where there is one, no bracket opens any. */
export function withoutWrapperTokens(text: string): string {
  return findWrapperToken(text) === undefined ? text : text.replaceAll(/[<\u226E\uFE64\uFF1C]/g, "‹");
}

/**
 * Returns the text as a careless reader sees it: compatibility forms folded (full-width letters and brackets), case dropped, and
 * everything that is blank or has no shape taken out, because it could have been put in to break a tag up.
 */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\s\p{Cf}\p{Cc}\p{M}\u115F\u1160\u3164\uFFA0\u2800]/gu, "")
    .toLowerCase();
}
