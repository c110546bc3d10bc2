// Calls that fit every client, turned into the tool that this client offers. A client that offers none of those known here gets
// an error which names what it does offer.

import { type Conversation, type OfferedTool, toolName } from "./conversation.ts";
import { type JsonObject, objectOf } from "./json.ts";
import { patchAdding, patchReplacing } from "./patches.ts";
import type { Call } from "./rules.ts";

export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly kind: OfferedTool["kind"];
  /** Text for a custom tool. */
  readonly input: JsonObject | string;
}

type Made = readonly [tool: string, input: JsonObject | string];

export function toolCall(call: Call, conversation: Conversation): ToolCall {
  const offered = new Map(conversation.tools.map((tool) => [toolName(tool), tool]));
  const [name, input] = inCodeMode(offered) ? inCode(call, offered) : plain(call, conversation, offered);
  const tool = offered.get(name) ?? unlistedTool(name, conversation.api);
  const { namespace } = tool;
  return {
    name: tool.name,
    ...(namespace === undefined ? {} : { namespace }),
    kind: tool.kind,
    input: tool.kind === "custom" ? textOfInput(input) : objectOfInput(input, conversation.api),
  };
}

function plain(call: Call, { api }: Conversation, offered: ReadonlyMap<string, OfferedTool>): Made {
  if ("call" in call) return [call.call, givenInput(call)];
  if ("mcp" in call) return [mcpName(call.mcp, offered, api), objectOf(givenInput(call))];
  const firstOffered = (makers: Makers): Made | undefined => {
    const names = Object.keys(makers);
    const name = names.find((one) => offered.has(one)) ?? names.find((one) => unlisted[api]?.includes(one));
    const make = name === undefined ? undefined : makers[name];
    return name === undefined || make === undefined ? undefined : [name, make()];
  };
  const made =
    firstOffered(makersOf(call)) ?? ("write" in call ? firstOffered(shellMakers(shellWriting(call))) : undefined);
  if (made === undefined)
    throw new Error(`no tool for ${JSON.stringify(call)} among ${[...offered.keys()].join(", ")}`);
  return made;
}

function makersOf(call: Exclude<Call, { call: string } | { mcp: string }>): Makers {
  if ("shell" in call) return shellMakers(call);
  return "write" in call ? writeMakers(call) : editMakers(call);
}

/** A tool that the client takes calls of without showing it, such as those of MCP servers that must be searched for first. */
function unlistedTool(name: string, api: Conversation["api"]): OfferedTool {
  const [, namespace, inner] = api === "responses" ? (/^(mcp__.+?)__(.+)$/.exec(name) ?? []) : [];
  if (namespace === undefined || inner === undefined) return { name, kind: "function" };
  return { name: inner, kind: "function", namespace };
}

/** Tools that Claude Code takes calls of without listing them. */
const unlisted: Readonly<Partial<Record<Conversation["api"], readonly string[]>>> = {
  anthropic: ["Bash", "Write", "Edit"],
};

type Makers = Readonly<Record<string, () => JsonObject | string>>;

function shellMakers({ shell, input = {} }: Extract<Call, { shell: string }>): Makers {
  const description = "scripted";
  return {
    Bash: () => ({ command: shell, description, ...input }),
    exec_command: () => ({ cmd: shell, ...input }),
    shell_command: () => ({ command: shell, ...input }),
    shell: () => ({ command: ["bash", "-lc", shell], ...input }),
    local_shell: () => ({ command: ["bash", "-lc", shell], ...input }),
    bash: () => ({ command: shell, description, ...input }),
    run_shell_command: () => ({ command: shell, description, ...input }),
  };
}

function writeMakers({ write, content }: Extract<Call, { write: string }>): Makers {
  return {
    Write: () => ({ file_path: write, content }),
    write_file: () => ({ file_path: write, content }),
    write: () => ({ filePath: write, content }),
    apply_patch: () => patchAdding(write, content),
  };
}

function editMakers({ edit, old, new: fresh }: Extract<Call, { edit: string }>): Makers {
  return {
    Edit: () => ({ file_path: edit, old_string: old, new_string: fresh }),
    replace: () => ({ file_path: edit, old_string: old, new_string: fresh, instruction: "scripted" }),
    edit: () => ({ filePath: edit, oldString: old, newString: fresh }),
    apply_patch: () => patchReplacing(edit, old, fresh),
  };
}

/** Each client names the tools of an MCP server in its own way. */
function mcpName(path: string, offered: ReadonlyMap<string, OfferedTool>, api: Conversation["api"]): string {
  const [server = "", tool = ""] = path.split("/");
  const names = [`mcp__${server}__${tool}`, `mcp_${server}_${tool}`, `${server}_${tool}`];
  return (
    names.find((name) => offered.has(name)) ?? names[{ anthropic: 0, responses: 0, gemini: 1, chat: 2 }[api]] ?? ""
  );
}

function inCodeMode(offered: ReadonlyMap<string, OfferedTool>): boolean {
  return offered.get("exec")?.kind === "custom" && !offered.has("exec_command");
}

/** One tool runs JavaScript in which the others are functions; what is shown with `text` comes back. */
function inCode(call: Call, offered: ReadonlyMap<string, OfferedTool>): Made {
  if ("call" in call && offered.has(call.call)) return [call.call, givenInput(call)];
  const [name, input] = codeCall(call);
  const code = [
    `const result = await tools.${name}(${JSON.stringify(input)});`,
    // Commands have an output, MCP tools content; the rest is shown as it is.
    "const shown = result.output ?? result.content?.map((part) => part.text).join('\\n') ?? result;",
    "text(typeof shown === 'string' ? shown : JSON.stringify(shown));",
  ].join("\n");
  return ["exec", code];
}

function codeCall(call: Call): Made {
  if ("shell" in call) return ["exec_command", { cmd: call.shell, ...call.input }];
  if ("write" in call) return ["apply_patch", patchAdding(call.write, call.content)];
  if ("edit" in call) return ["apply_patch", patchReplacing(call.edit, call.old, call.new)];
  if ("mcp" in call) return [`mcp__${call.mcp.replace("/", "__")}`, givenInput(call)];
  return [call.call, givenInput(call)];
}

function givenInput(call: { readonly input?: JsonObject | string; readonly input_json?: string }): JsonObject | string {
  return call.input_json === undefined ? (call.input ?? {}) : objectOf(JSON.parse(call.input_json));
}

/** A custom tool is given text: the one string of an input written as JSON. */
function textOfInput(input: JsonObject | string): string {
  if (typeof input === "string") return input;
  const [first] = Object.values(input);
  return typeof first === "string" ? first : JSON.stringify(input);
}

/** A patch for a tool that takes JSON; opencode has a name of its own for it. */
function objectOfInput(input: JsonObject | string, api: Conversation["api"]): JsonObject {
  if (typeof input !== "string") return input;
  return api === "chat" ? { patchText: input } : { input };
}

/** For a client without a tool that writes. */
function shellWriting({ write, content }: Extract<Call, { write: string }>): Extract<Call, { shell: string }> {
  const encoded = Buffer.from(content).toString("base64");
  return { shell: `mkdir -p "$(dirname '${write}')" && printf %s '${encoded}' | base64 -d > '${write}'` };
}
