// up and down for Codex: skills, which it calls with `$up`. Their text takes no arguments; what follows `$up` is the prompt.

import { join } from "node:path";
import type { CommandFile } from "../../../ports/runtime.ts";
import { downText, upText } from "../session-commands.ts";
import { codexHome } from "./rollout.ts";

export function codexCommands(env: Readonly<Record<string, string>>): readonly CommandFile[] {
  const file = (name: "up" | "down", description: string, body: string): CommandFile => ({
    name,
    path: join(codexHome(env), "skills", name, "SKILL.md"),
    content: `---\nname: ${name}\ndescription: ${description}. Only when asked for by name.\n---\n${body}`,
    invokedBy: `$${name}`,
  });
  return [file("up", upText.description, upText.body("")), file("down", downText.description, downText.body(""))];
}
