// Tells whether a rule could forbid a request, or want it to be asked, without reading shell grammar. This is checked before every tool that
// an agent uses, and nearly always the answer is no. It may say yes too often, never too seldom: a word whose value is known to the reader
// of commands stands in the text, but for quotes and backslashes in it; and a text that can hide a word is looked at.

import { mayHide } from "./hidden-command.ts";
import { textsIn } from "./judge-unknown.ts";
import { readRequest } from "./read-request.ts";
import { fitsTool, type PermissionRequest, type Rule } from "./rule.ts";

export function mayForbid(rules: readonly Rule[], { tool, input, cwd }: PermissionRequest): boolean {
  const strict = rules.filter(({ decision }) => decision !== "allow");
  if (strict.length === 0) return false;
  const asked = readRequest(tool, input, cwd);
  const command =
    asked.kind === "shell" ? asked.command : asked.kind === "other" ? textsIn(input).commands.join("\n") : "";
  const text = command.replaceAll(/['"\\\n]/g, "").toLowerCase();
  return strict.some((rule) => {
    if (rule.tool !== undefined) return fitsTool(rule.tool, tool);
    if (rule.path !== undefined) return asked.kind !== "harmless";
    return command !== "" && (text.includes(rule.command[0]?.toLowerCase() ?? "") || mayHide(command));
  });
}
