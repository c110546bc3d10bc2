// An agent's prompt: base, then its role, then what the root directory adds. The addendum is `prompts/all.md` and
// `prompts/<role>.md` in the root directory, both optional. Only the path of the finished file goes through a terminal.

import { Refusal } from "../../protocol/errors.ts";
import { inHome, under } from "../../settings/paths.ts";
import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { type Identity, type Role, checkAgentId } from "../../protocol/agent-id.ts";
import base from "./base.md" with { type: "text" };
import clone from "./clone.md" with { type: "text" };
import root from "./root.md" with { type: "text" };
import watchdog from "./watchdog.md" with { type: "text" };

const roles: Readonly<Record<Role, string>> = { root, clone, watchdog };

export interface PromptInput {
  readonly home: string;
  readonly root: string;
  readonly constellation: string;
  readonly identity: Identity;
  /** The runtime's name, as people call it. */
  readonly runtime: string;
}

/** Writes `state/prompts/<agent>.md` whole or not at all, and answers its absolute path. */
export function writePrompt(input: PromptInput): string {
  const relative = `${inHome.prompts}/${checkAgentId(input.identity.agent)}.md`;
  writeTrusted(input.home, relative, promptText(input));
  return under(input.home, relative);
}

export function promptText(input: PromptInput): string {
  const { home, root, constellation, identity, runtime } = input;
  const values = { home, root, constellation, runtime, agent: identity.agent, role: identity.role };
  const addenda = ["all", identity.role].map((name) => `prompts/${name}.md`);
  const parts: readonly (readonly [string, string | undefined])[] = [
    ["base", base],
    [identity.role, roles[identity.role]],
    ...addenda.map((path) => [path, readTrusted(root, path)?.toString("utf8")] as const),
  ];
  return parts
    .flatMap(([source, text]) => (text === undefined ? [] : [`${fill(text, values, source).trim()}\n`]))
    .join("\n");
}

/**
 * Puts values in place of `{{name}}`, in one pass, so that braces in a value stay as they are. `\{{` stands for two plain
 * braces. Anything else in double braces is refused: a prompt with a hole in it would start an agent that guesses.
 */
export function fill(text: string, values: Readonly<Record<string, string>>, source: string): string {
  return text.replace(/\\\{\{|\{\{([^{}\n]*)(\}\})?/g, (found, name: string | undefined, end: string | undefined) => {
    if (found === "\\{{") return "{{";
    const key = (name ?? "").trim();
    const value = end !== undefined && Object.hasOwn(values, key) ? values[key] : undefined;
    if (value !== undefined) return value;
    const known = Object.keys(values).join(", ");
    throw new Refusal("prompt.placeholder-left", `${source} holds ${found.slice(0, 60)}; known are ${known}`, {
      source,
      placeholder: key,
    });
  });
}
