// Tells what a person said from what clients wrap around it or say in a person's place, by the marks that they put there.

import type { Piece } from "./conversation.ts";

/** Elements that clients write by themselves, wherever they stand in a text. */
const elements = [
  "system-reminder",
  "local-command-caveat",
  "local-command-stdout",
  "task-notification",
  "environment_context",
  "user_instructions",
  "permissions instructions",
  "skills_instructions",
  "turn_aborted",
  "skill",
  "session_context",
  "hook_context",
];

const wrapped = new RegExp(elements.map((name) => `<${name}>[\\s\\S]*?</${name}>`).join("|"), "g");

/** Beginnings of messages that are context as a whole. */
const beginnings = [
  /^# AGENTS\.md instructions/,
  /^This is the Gemini CLI\. We are setting up the context/,
  /^\[Request interrupted by user[^\]]*\]$/,
];

/** One user message of several parts: its machine-written parts first, then what the person said, as one piece. */
export function userPieces(parts: readonly string[]): Piece[] {
  const machine: string[] = [];
  const said: string[] = [];
  for (const part of parts) {
    if (beginnings.some((pattern) => pattern.test(part.trim()))) {
      machine.push(part);
      continue;
    }
    const rest = part.replace(wrapped, (found) => {
      machine.push(found);
      return "";
    });
    if (rest.trim() !== "") said.push(rest.trim());
  }
  return [
    ...machine.map((text): Piece => ({ kind: "machine", text })),
    ...(said.length === 0 ? [] : [{ kind: "user", text: said.join("\n") } satisfies Piece]),
  ];
}
