// The Anthropic Messages API over HTTP, as its client speaks it: what a request is read as, and the shape of answers, streams and errors.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type JsonObject, objectOf, objectsOf } from "./json.ts";
import { asking, eventsOf, joined, json, rules, schema, words } from "./protocol-kit.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

let model: ScriptedModel;
const ask = asking(() => model);
beforeAll(async () => {
  model = await startScriptedModel({ rules });
});
afterAll(() => model.close());

describe("the Anthropic Messages API", () => {
  const tools = [{ name: "Bash", input_schema: schema }];
  const system = [{ type: "text", text: "You are it.\nPrimary working directory: /w" }];
  const turn = { model: "claude-x", max_tokens: 100, system, tools };
  const user = (content: unknown): object => ({ role: "user", content });
  const path = "/v1/messages?beta=true";

  test("an answer with thinking, words and calls", async () => {
    const answer = await json(ask(path, { ...turn, messages: [user("work")] }));
    expect(answer).toMatchObject({
      type: "message",
      role: "assistant",
      model: "claude-x",
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "Let me see.", signature: expect.any(String) },
        { type: "text", text: words },
        { type: "tool_use", name: "Bash", input: { command: "ls /w" } },
        { type: "tool_use", name: "Bash", input: { command: "pwd" } },
      ],
      usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 30, cache_creation_input_tokens: 40 },
    });
    const ids = objectsOf(answer["content"]).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(2);
  });

  test("its stream, in order, whole when put together", async () => {
    const events = await eventsOf(await ask(path, { ...turn, stream: true, messages: [user("work")] }));
    for (const { event, data } of events) expect(data["type"]).toBe(event as string);
    expect(events.map(({ event }) => event).filter((event) => event !== "content_block_delta")).toEqual([
      "message_start",
      "ping",
      ...Array.from({ length: 4 }, () => ["content_block_start", "content_block_stop"]).flat(),
      "message_delta",
      "message_stop",
    ]);
    const delta = (name: string) => (data: JsonObject) => objectOf(data["delta"])[name];
    expect(joined(events, "content_block_delta", delta("text"))).toBe(words);
    expect(joined(events, "content_block_delta", delta("thinking"))).toBe("Let me see.");
    const calls = events.filter(({ data }) => data["index"] === 2);
    expect(JSON.parse(joined(calls, "content_block_delta", delta("partial_json")))).toMatchObject({ command: "ls /w" });
    expect(events.at(-2)?.data).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } });
  });

  test("after the results the next step answers; reminders are no prompt", async () => {
    const messages = [
      user([
        { type: "text", text: "<system-reminder>fail</system-reminder>" },
        { type: "text", text: "work" },
      ]),
      {
        role: "assistant",
        content: [
          { type: "text", text: words },
          { type: "tool_use", id: "t1", name: "Bash", input: {} },
          { type: "tool_use", id: "t2", name: "Bash", input: {} },
        ],
      },
      user([
        { type: "tool_result", tool_use_id: "t2", content: "second" },
        { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "first" }] },
        { type: "text", text: "<system-reminder>x</system-reminder>" },
      ]),
      { role: "system", content: "hook says so" },
    ];
    const headers = { "x-claude-code-session-id": "s-1", authorization: "Bearer secret-1234" };
    const answer = await json(ask(path, { ...turn, messages }, headers));
    expect(answer).toMatchObject({
      stop_reason: "end_turn",
      content: [{ type: "text", text: "They said: second\nfirst" }],
    });
    const logged = model.requests.at(-1);
    expect(logged).toMatchObject({ session: "s-1", prompt: "work", step: 2, rule: "work", auth: "1234", side: false });
    expect(logged?.results?.map(({ tool }) => tool)).toEqual(["Bash", "Bash"]);
    expect(JSON.stringify(logged)).not.toContain("secret");
  });

  test("the session is also read from the user's id", async () => {
    const ids = [JSON.stringify({ session_id: "s-2" }), "user_1_account__session_s-3"];
    for (const user_id of ids) await ask(path, { ...turn, metadata: { user_id }, messages: [user("x")] });
    expect(model.requests.slice(-2).map(({ session }) => session)).toEqual(["s-2", "s-3"]);
  });

  test("an error, a title, a demanded shape, a demanded tool, a count, a greeting", async () => {
    const failed = await ask(path, { ...turn, messages: [user("fail")] });
    expect(failed.status).toBe(429);
    expect(await failed.json()).toEqual({ type: "error", error: { type: "rate_limit_error", message: "Slow." } });
    const bare = { model: "claude-x", system: "Write a title.", messages: [user("work")] };
    expect(await json(ask(path, bare))).toMatchObject({ content: [{ text: "A title" }] });
    const output_config = { format: { type: "json_schema", schema } };
    expect(await json(ask(path, { ...bare, output_config }))).toMatchObject({ content: [{ text: '{"title":"x"}' }] });
    const forced = { ...turn, tool_choice: { type: "tool", name: "Bash" }, messages: [user("anything")] };
    expect(await json(ask(path, forced))).toMatchObject({ content: [{ type: "tool_use", input: { title: "x" } }] });
    expect(await json(ask("/v1/messages/count_tokens", bare))).toEqual({ input_tokens: expect.any(Number) });
    expect((await fetch(`${model.url}/api/hello`, { method: "HEAD" })).status).toBe(200);
  });
});
