// /up and /down for Claude Code: commands in the user's configuration, which call the floor verbs.

import { join } from "node:path";
import type { CommandFile } from "../../../ports/runtime.ts";
import { downText, upText } from "../session-commands.ts";
import { configHome } from "./transcript.ts";

export function claudeCommands(env: Readonly<Record<string, string>>): readonly CommandFile[] {
  const file = (name: "up" | "down", description: string, body: string): CommandFile => ({
    name,
    path: join(configHome(env), "commands", `${name}.md`),
    content: `---\ndescription: ${description}\nallowed-tools: Bash(constel session:*)\n---\n${body}`,
    invokedBy: `/${name}`,
  });
  return [
    file("up", upText.description, upText.body("$ARGUMENTS")),
    file("down", downText.description, downText.body("$ARGUMENTS")),
  ];
}
