// Portable calls, for each set of tools that a client is known to offer.

import { describe, expect, test } from "bun:test";
import { toolCall } from "./calls.ts";
import type { Conversation, OfferedTool } from "./conversation.ts";
import type { Call } from "./rules.ts";

function client(api: Conversation["api"], ...tools: readonly (string | OfferedTool)[]): Conversation {
  const offered = tools.map((tool) => (typeof tool === "string" ? { name: tool, kind: "function" as const } : tool));
  return { api, model: "m", stream: false, session: "", side: false, system: "", pieces: [], tools: offered };
}

const patch: OfferedTool = { name: "apply_patch", kind: "custom" };
const clients = {
  claude: client("anthropic", "Bash", "Edit", "Write"),
  codex: client("responses", "exec_command", patch),
  codexUnknown: client("responses", "exec_command"),
  codexCode: client("responses", { name: "exec", kind: "custom", namespace: "functions" }),
  codexLocal: client("responses", { name: "local_shell", kind: "local_shell" }),
  opencode: client("chat", "bash", "edit", "write", "tracker_next"),
  gemini: client("gemini", "run_shell_command", "replace", "write_file"),
};

function check(who: keyof typeof clients, call: Call, name: string, input: unknown): void {
  test(`${who}: ${JSON.stringify(call)}`, () => {
    expect(toolCall(call, clients[who])).toMatchObject({ name, input });
  });
}

describe("a command", () => {
  const call = { shell: "ls", input: { more: 1 } };
  check("claude", call, "Bash", { command: "ls", description: "scripted", more: 1 });
  check("codex", call, "exec_command", { cmd: "ls", more: 1 });
  check("codexLocal", call, "local_shell", { command: ["bash", "-lc", "ls"], more: 1 });
  check("codexCode", call, "exec", expect.stringContaining('await tools.exec_command({"cmd":"ls","more":1})'));
  check("opencode", call, "bash", { command: "ls", description: "scripted", more: 1 });
  check("gemini", call, "run_shell_command", { command: "ls", description: "scripted", more: 1 });
});

describe("a new file", () => {
  const call = { write: "/w/a", content: "one\ntwo\n" };
  const added = "*** Begin Patch\n*** Add File: /w/a\n+one\n+two\n*** End Patch";
  check("claude", call, "Write", { file_path: "/w/a", content: "one\ntwo\n" });
  check("codex", call, "apply_patch", added);
  check("codexUnknown", call, "exec_command", { cmd: expect.stringContaining("| base64 -d > '/w/a'") });
  check("codexCode", call, "exec", expect.stringContaining(`await tools.apply_patch(${JSON.stringify(added)})`));
  check("opencode", call, "write", { filePath: "/w/a", content: "one\ntwo\n" });
  check("gemini", call, "write_file", { file_path: "/w/a", content: "one\ntwo\n" });
});

describe("a change", () => {
  const call = { edit: "/w/a", old: "x", new: "y" };
  check("claude", call, "Edit", { file_path: "/w/a", old_string: "x", new_string: "y" });
  check("codex", call, "apply_patch", "*** Begin Patch\n*** Update File: /w/a\n@@\n-x\n+y\n*** End Patch");
  check("opencode", call, "edit", { filePath: "/w/a", oldString: "x", newString: "y" });
  check("gemini", call, "replace", { file_path: "/w/a", old_string: "x", new_string: "y", instruction: "scripted" });
  test("is refused where nothing offered can do it", () => {
    expect(() => toolCall(call, clients.codexUnknown)).toThrow("among exec_command");
  });
});

describe("a tool of an MCP server, listed or not", () => {
  const call = { mcp: "tracker/next", input: { n: 1 } };
  check("claude", call, "mcp__tracker__next", { n: 1 });
  check("gemini", call, "mcp_tracker_next", { n: 1 });
  check("opencode", call, "tracker_next", { n: 1 });
  check("codexCode", call, "exec", expect.stringContaining('await tools.mcp__tracker__next({"n":1})'));
  test("codex: in the server's namespace", () => {
    const expected = { name: "next", namespace: "mcp__tracker", kind: "function", input: { n: 1 } };
    expect(toolCall(call, clients.codex)).toEqual(expected as never);
  });
});

describe("any tool by its name", () => {
  check("claude", { call: "Agent", input: { prompt: "p" } }, "Agent", { prompt: "p" });
  check("claude", { call: "Agent", input_json: '{"a":[1]}' }, "Agent", { a: [1] });
  check("codex", { call: "apply_patch", input: "text" }, "apply_patch", "text");
  check("codex", { call: "apply_patch", input: { patch: "text" } }, "apply_patch", "text");
});
