// The plugin that install lays for opencode, called as opencode calls it.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/kit/directory.ts";
import { pluginText } from "./install.ts";

test("opencode's plugin passes on what hooks say: context into a prompt, a denied edit, a stop held back once", async () => {
  using directory = temporaryDirectory("install");
  const said = join(directory.path, "said.json");
  const script = `cat >> ${directory.path}/given; echo >> ${directory.path}/given; cat ${said}`;
  const plugin = join(directory.path, "constel.mjs");
  writeFileSync(plugin, pluginText(script));
  type Hooks = Record<string, (input: unknown, output?: unknown) => Promise<void>>;
  const { Constel } = (await import(plugin)) as { Constel: (host: unknown) => Promise<Hooks> };
  const prompts: unknown[] = [];
  const client = { session: { promptAsync: (prompt: unknown) => Promise.resolve(prompts.push(prompt)) } };
  const hooks = await Constel({ client, directory: "/work/tree" });
  const call = async (name: string, answer: unknown, input: unknown, output?: unknown): Promise<void> => {
    writeFileSync(said, typeof answer === "string" ? answer : JSON.stringify(answer));
    await hooks[name]?.(input, output);
  };
  const parts: { type: string; text: string }[] = [{ type: "text", text: "hello" }];
  await call("chat.message", { context: "told" }, { sessionID: "s1" }, { message: { id: "m1" }, parts });
  expect(parts.slice(1)).toMatchObject([
    { type: "text", text: "told", sessionID: "s1", messageID: "m1", synthetic: true },
    { text: "told" },
  ]);
  const edit = (answer: unknown) =>
    call("tool.execute.before", answer, { tool: "edit", sessionID: "s1" }, { args: { filePath: "/a" } });
  expect(edit({ deny: "not now" })).rejects.toThrow("not now");
  await edit("no JSON at all");
  const idle = { event: { type: "session.idle", properties: { sessionID: "s1" } } };
  await call("event", { context: "before you go" }, idle);
  expect(prompts).toMatchObject([{ path: { id: "s1" }, body: { parts: [{ text: "before you go" }] } }]);
  await call("event", {}, idle);
  const given = readFileSync(join(directory.path, "given"), "utf8").trim().split("\n");
  const calls = given.map((one) => JSON.parse(one) as Record<string, unknown>);
  expect(calls.map((one) => [one["hook_event_name"], one["stop_hook_active"] ?? null])).toEqual([
    ["SessionStart", null],
    ["UserPromptSubmit", null],
    ["PreToolUse", null],
    ["PreToolUse", null],
    ["Stop", false],
    ["Stop", true],
  ]);
  expect(calls[2]).toMatchObject({ session_id: "s1", cwd: "/work/tree", tool_name: "edit" });
});
