// OpenAI chat completions over HTTP, as its client speaks it: what a request is read as, and the shape of answers, streams and errors.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { objectOf, objectsOf, textOf } from "./json.ts";
import { asking, eventsOf, json, rules, schema, words } from "./protocol-kit.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

let model: ScriptedModel;
const ask = asking(() => model);
beforeAll(async () => {
  model = await startScriptedModel({ rules });
});
afterAll(() => model.close());

describe("OpenAI chat completions", () => {
  const tools = [{ type: "function", function: { name: "bash", parameters: schema } }];
  const system = { role: "system", content: "You are it.\n<env>\n  Working directory: /w\n</env>" };
  const turn = (...messages: object[]): object => ({ model: "one", tools, messages: [system, ...messages] });
  const work = { role: "user", content: [{ type: "text", text: "work" }] };
  const path = "/v1/chat/completions";

  test("an answer with calls", async () => {
    expect(await json(ask(path, turn(work), { "x-session-id": "s-1" }))).toMatchObject({
      object: "chat.completion",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: words,
            reasoning_content: "Let me see.",
            tool_calls: [
              { type: "function", function: { name: "bash", arguments: expect.stringContaining('"ls /w"') } },
              { type: "function", function: { name: "bash", arguments: expect.stringContaining('"pwd"') } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 130, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 30 } },
    });
    expect(model.requests.at(-1)).toMatchObject({ session: "s-1", prompt: "work", step: 1, side: false });
  });

  test("its stream, whole when put together, with the usage where it is asked for", async () => {
    const body = { ...turn(work), stream: true, stream_options: { include_usage: true } };
    const events = await eventsOf(await ask(path, body));
    expect(events.at(-1)?.raw).toBe("[DONE]");
    expect(events.at(-2)?.data).toMatchObject({ choices: [], usage: { total_tokens: 150 } });
    const choices = events.flatMap(({ data }) => objectsOf(data["choices"]));
    const deltas = choices.map(({ delta }) => objectOf(delta));
    expect(deltas.map(({ content }) => textOf(content)).join("")).toBe(words);
    expect(deltas.flatMap(({ tool_calls }) => objectsOf(tool_calls)).map(({ index }) => index)).toEqual([0, 1]);
    expect(choices.at(-1)?.["finish_reason"]).toBe("tool_calls");
    const plain = await eventsOf(await ask(path, { ...turn(work), stream: true }));
    expect(plain.every(({ data }) => !("usage" in data))).toBe(true);
  });

  test("after the results the next step answers", async () => {
    const call = { id: "c1", type: "function", function: { name: "bash", arguments: "{}" } };
    const assistant = { role: "assistant", content: null, tool_calls: [call] };
    const answer = await json(ask(path, turn(work, assistant, { role: "tool", tool_call_id: "c1", content: "a b" })));
    expect(answer).toMatchObject({ choices: [{ finish_reason: "stop", message: { content: "They said: a b" } }] });
    expect(model.requests.at(-1)?.results).toEqual([{ tool: "bash", text: "a b" }]);
  });

  test("an error, a title, a demanded shape, a demanded tool", async () => {
    const failed = await ask(path, turn({ role: "user", content: "fail" }));
    expect(failed.status).toBe(429);
    expect(await failed.json()).toMatchObject({ error: { type: "rate_limit_error", message: "Slow." } });
    const bare = { model: "one", messages: [{ role: "system", content: "Write a title." }, work] };
    expect(await json(ask(path, bare))).toMatchObject({ choices: [{ message: { content: "A title" } }] });
    const response_format = { type: "json_schema", json_schema: { name: "t", schema } };
    const shaped = await json(ask(path, { ...bare, response_format }));
    expect(shaped).toMatchObject({ choices: [{ message: { content: '{"title":"x"}' } }] });
    const tool_choice = { type: "function", function: { name: "bash" } };
    const forced = await json(ask(path, { ...turn({ role: "user", content: "anything" }), tool_choice }));
    expect(forced).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: '{"title":"x"}' } }] } }],
    });
  });
});
