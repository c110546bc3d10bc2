// The plugin that install lays for opencode, called as opencode calls it.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/kit/directory.ts";
import { pluginText } from "./install.ts";
import { throwing } from "../../../../test/kit/rejection.ts";

test("opencode's plugin asks constel what the program asks its user, replies on its own door, and lets go of what was answered there", async () => {
  using directory = temporaryDirectory("install");
  const replies: unknown[] = [];
  await using server = {
    bun: Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const said = (await request.json()) as object;
        replies.push({ at: new URL(request.url).pathname, by: request.headers.get("authorization"), ...said });
        return Response.json(true);
      },
    }),
    [Symbol.asyncDispose]: () => server.bun.stop(true),
  };
  const plugin = join(directory.path, "constel.mjs");
  const decision = (text: string) => JSON.stringify({ hookSpecificOutput: { decision: JSON.parse(text) as unknown } });
  // Allows what it is given as harmless, denies the rest, and says nothing when there is nothing it could say.
  const script = [
    `given=$(cat); echo "$given" >> ${directory.path}/given`,
    `case $given in *silent*) exit 0 ;; *forever*) exec sleep 600 ;; esac`,
    `case $given in *harmless*) echo '${decision('{"behavior":"allow"}')}' ;; *PermissionRequest*) echo '${decision('{"behavior":"deny","message":"no"}')}' ;; esac`,
  ].join("\n");
  const text = pluginText(script)
    .replace("env.CONSTEL_OPENCODE_URL", JSON.stringify(`http://127.0.0.1:${server.bun.port}`))
    .replace("env.OPENCODE_SERVER_PASSWORD", '"secret"');
  writeFileSync(plugin, text);
  type Hooks = Record<string, (input: unknown, output?: unknown) => Promise<void>>;
  const { Constel } = (await import(plugin)) as { Constel: (host: unknown) => Promise<Hooks> };
  const hooks = await Constel({ client: {}, directory: "/work/tree" });
  const event = (type: string, properties: object) => hooks["event"]?.({ event: { type, properties } });
  const asks = async (id: string, command: string): Promise<void> => {
    await hooks["tool.execute.before"]?.({ tool: "bash", sessionID: "s", callID: id }, { args: { command } });
    await event("permission.asked", { id, sessionID: "s", permission: "bash", patterns: [], tool: { callID: id } });
  };
  const given = () => readFileSync(join(directory.path, "given"), "utf8");
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const by = `Basic ${btoa("opencode:secret")}`;
  await asks("p1", "harmless");
  await until(() => replies.length === 1);
  await asks("p2", "rm -rf /");
  await until(() => replies.length === 2);
  expect(replies).toEqual([
    { at: "/permission/p1/reply", by, reply: "once" },
    { at: "/permission/p2/reply", by, reply: "reject", message: "no" },
  ]);
  expect(JSON.parse(given().split("\n").at(-2) ?? "")).toMatchObject({
    hook_event_name: "PermissionRequest",
    tool_name: "bash",
    tool_input: { command: "rm -rf /" },
    cwd: "/work/tree",
  });
  // The hook is silent before the tool too, so only a question can have been put twice.
  await asks("p3", "silent");
  void event("permission.asked", { id: "p4", sessionID: "s", permission: "forever", patterns: [] });
  await until(() => given().includes("forever"));
  await event("permission.replied", { requestID: "p4", sessionID: "s", reply: "once" });
  await asks("p5", "harmless again");
  await until(() => replies.length === 3);
  expect(replies.at(-1)).toMatchObject({ at: "/permission/p5/reply" });
  // It asks about a directory outside, then about the command: the answer was about the whole call, and an allowance ends with it.
  const questions = () => given().split("PermissionRequest").length;
  const again = async (id: string, callID: string): Promise<void> => {
    const count = replies.length;
    await event("permission.asked", {
      id,
      sessionID: "s",
      permission: "external_directory",
      patterns: [],
      tool: { callID },
    });
    await until(() => replies.length > count);
  };
  const before = questions();
  await again("p6", "p5");
  expect([replies.at(-1), questions()]).toMatchObject([{ at: "/permission/p6/reply", reply: "once" }, before]);
  await again("p7", "p2");
  expect([replies.at(-1), questions()]).toMatchObject([{ at: "/permission/p7/reply", reply: "reject" }, before + 1]);
  await hooks["tool.execute.after"]?.({
    tool: "bash",
    sessionID: "s",
    callID: "p5",
    args: { command: "harmless again" },
  });
  await again("p8", "p5");
  expect(questions()).toBe(before + 2);
});

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
  expect(await throwing(edit({ deny: "not now" }))).toThrow("not now");
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
