// What somebody asks permission for, as the owner reads it: the exact command, or the tool with what it is given. Nothing in it can
// move a terminal's cursor, and what is left out is counted: nobody approves what they cannot see.

import { readRequest } from "../permissions/read-request.ts";

const longest = 4_000;

export function askedText(tool: string, input: unknown, cwd: string): string {
  const asked = readRequest(tool, input, cwd);
  if (asked.kind === "shell") return shown(asked.command);
  if (asked.kind === "read" || asked.kind === "edit") return shown(`${tool} ${asked.paths.join(" ")}`);
  return shown(`${tool} ${JSON.stringify(input) ?? ""}`.trim());
}

function shown(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{C}\u2028\u2029]/gu, (one) => (one === "\n" ? "⏎" : "�"));
  if (plain.length <= longest) return plain;
  return `${plain.slice(0, longest)}… (${plain.length - longest} characters more)`;
}
