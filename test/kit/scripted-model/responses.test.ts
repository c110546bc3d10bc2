// The OpenAI Responses API over HTTP, as its client speaks it: what a request is read as, and the shape of answers, streams and errors.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type JsonObject, objectOf } from "./json.ts";
import { asking, eventsOf, joined, json, rules, schema, type Sent, words } from "./protocol-kit.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

let model: ScriptedModel;
const ask = asking(() => model);
beforeAll(async () => {
  model = await startScriptedModel({ rules });
});
afterAll(() => model.close());

describe("the OpenAI Responses API", () => {
  const tools = [
    { type: "function", name: "exec_command", parameters: {} },
    { type: "custom", name: "apply_patch" },
    { type: "namespace", name: "mcp__tracker", tools: [{ type: "function", name: "next" }] },
    { type: "web_search" },
  ];
  const message = (role: string, text: string): object => ({
    type: "message",
    role,
    content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
  });
  const before = [
    message("developer", "You are it."),
    message("user", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"),
  ];
  const turn = (...input: object[]): object => ({ model: "gpt-x", tools, input: [...before, ...input], stream: true });
  const path = "/v1/responses";
  const itemsOf = (events: readonly Sent[]): JsonObject[] =>
    events.filter(({ event }) => event === "response.output_item.done").map(({ data }) => objectOf(data["item"]));

  test("a stream with reasoning, words and calls, whole when put together", async () => {
    const events = await eventsOf(await ask(path, turn(message("user", "work")), { "session-id": "s-1" }));
    expect(events[0]).toMatchObject({ event: "response.created", data: { response: { status: "in_progress" } } });
    events.forEach(({ event, data }, at) => expect(data).toMatchObject({ type: event, sequence_number: at }));
    expect(joined(events, "response.output_text.delta", ({ delta }) => delta)).toBe(words);
    expect(joined(events, "response.reasoning_summary_text.delta", ({ delta }) => delta)).toBe("Let me see.");
    const items = itemsOf(events);
    expect(items).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Let me see." }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: words }] },
      { type: "function_call", name: "exec_command", arguments: '{"cmd":"ls /w"}' },
      { type: "function_call", name: "exec_command", arguments: '{"cmd":"pwd"}' },
    ]);
    expect(events.at(-1)).toMatchObject({
      event: "response.completed",
      data: {
        response: {
          id: expect.stringMatching(/^resp_/),
          status: "completed",
          output: items,
          usage: {
            input_tokens: 130,
            input_tokens_details: { cached_tokens: 30 },
            output_tokens: 20,
            output_tokens_details: { reasoning_tokens: 5 },
            total_tokens: 150,
          },
        },
      },
    });
    const { tools: offered, ...logged } = model.requests.at(-1) ?? {};
    expect(logged).toMatchObject({ session: "s-1", prompt: "work", side: false });
    expect(offered).toEqual(["exec_command", "apply_patch", "mcp__tracker__next", "web_search"]);
  });

  test("parallel calls come back as one round, however their items stand", async () => {
    const [first, second] = itemsOf(await eventsOf(await ask(path, turn(message("user", "work"))))).slice(-2);
    const output = (item: JsonObject | undefined, text: string): object => ({
      type: "function_call_output",
      call_id: item?.["call_id"],
      output: text,
    });
    const orders = [
      [first, second, output(first, "1"), output(second, "2")],
      [first, output(first, "1"), second, output(second, "2")],
    ];
    for (const items of orders) {
      await ask(path, turn(message("user", "work"), ...items.map(objectOf)));
      expect(model.requests.at(-1)).toMatchObject({ step: 2, rule: "work" });
    }
    expect(model.requests.at(-2)?.results).toEqual([
      { tool: "exec_command", text: "1" },
      { tool: "exec_command", text: "2" },
    ]);
  });

  test("calls of freeform tools, of tools in a namespace and in code mode", async () => {
    const scripted = (call: object) => ({ rules: [{ when: { prompt: "go" }, reply: { calls: [call] } }] });
    const callsOf = async (call: object, body: object): Promise<JsonObject | undefined> => {
      const other = await startScriptedModel({ rules: scripted(call) });
      const sent = await fetch(`${other.url}/v1/responses`, { method: "POST", body: JSON.stringify(body) });
      const items = itemsOf(await eventsOf(sent));
      await other.close();
      return items.at(-1);
    };
    const go = message("user", "go");
    expect(await callsOf({ write: "/w/a", content: "x" }, turn(go))).toMatchObject({
      type: "custom_tool_call",
      name: "apply_patch",
      input: "*** Begin Patch\n*** Add File: /w/a\n+x\n*** End Patch",
    });
    const expected = { type: "function_call", namespace: "mcp__tracker", name: "next", arguments: "{}" };
    expect(await callsOf({ mcp: "tracker/next" }, turn(go))).toMatchObject(expected);
    const functions = { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] };
    const input = [{ type: "additional_tools", role: "developer", tools: [functions] }, ...before, go];
    expect(await callsOf({ shell: "ls" }, { model: "gpt-x", input, stream: true })).toMatchObject({
      type: "custom_tool_call",
      name: "exec",
      namespace: "functions",
      input: expect.stringContaining('tools.exec_command({"cmd":"ls"})'),
    });
  });

  test("an error, a title of a demanded shape, and an answer that is no stream", async () => {
    const failed = await ask(path, turn(message("user", "fail")));
    expect(failed.status).toBe(429);
    expect(await failed.json()).toMatchObject({ error: { type: "rate_limit_error", message: "Slow." } });
    const text = { format: { type: "json_schema", schema } };
    const title = { ...turn(message("user", "Write a title: work")), tools: [tools[1]], text, stream: false };
    expect(await json(ask(path, title))).toMatchObject({ output: [{ content: [{ text: '{"title":"x"}' }] }] });
    expect(model.requests.at(-1)).toMatchObject({ side: true, rule: null });
    expect(await json(ask(path, { model: "gpt-x", input: "hello" }))).toMatchObject({
      object: "response",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "default" }] }],
    });
  });
});
