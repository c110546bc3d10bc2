// The Gemini API over HTTP, as its client speaks it: what a request is read as, and the shape of answers, streams and errors.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json.ts";
import { asking, eventsOf, json, rules, schema, words } from "./protocol-kit.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

let model: ScriptedModel;
const ask = asking(() => model);
beforeAll(async () => {
  model = await startScriptedModel({ rules });
});
afterAll(() => model.close());

describe("the Gemini API", () => {
  const tools = [{ functionDeclarations: [{ name: "run_shell_command" }] }];
  const systemInstruction = { parts: [{ text: "You are it." }] };
  const context = {
    role: "user",
    parts: [{ text: "<session_context>\n- **Workspace Directories:**\n  - /w\n</session_context>" }],
  };
  const turn = (...contents: object[]): object => ({ tools, systemInstruction, contents: [context, ...contents] });
  const user = (...parts: object[]): object => ({ role: "user", parts });
  const path = (method: string): string => `/v1beta/models/gemini-x:${method}`;
  const partsOf = (data: JsonObject): readonly JsonObject[] =>
    objectsOf(objectOf(objectsOf(data["candidates"])[0]?.["content"])["parts"]);

  test("an answer with thoughts, words and calls", async () => {
    const answer = await json(
      ask(path("generateContent"), turn(user({ text: "work" })), { "x-goog-api-key": "k-abcd" }),
    );
    expect(partsOf(answer)).toMatchObject([
      { text: "Let me see.", thought: true },
      { text: words },
      { functionCall: { name: "run_shell_command", args: { command: "ls /w" } } },
      { functionCall: { name: "run_shell_command", args: { command: "pwd" } } },
    ]);
    expect(answer).toMatchObject({
      candidates: [{ finishReason: "STOP", content: { role: "model" } }],
      usageMetadata: {
        promptTokenCount: 130,
        cachedContentTokenCount: 30,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 5,
      },
    });
    expect(model.requests.at(-1)).toMatchObject({ model: "gemini-x", prompt: "work", auth: "abcd", side: false });
  });

  test("its stream, whole when put together, its end marked once", async () => {
    const events = await eventsOf(await ask(`${path("streamGenerateContent")}?alt=sse`, turn(user({ text: "work" }))));
    const parts = events.flatMap(({ data }) => partsOf(data));
    const said = parts.filter(({ thought }) => thought !== true).map(({ text }) => textOf(text));
    expect(said.join("")).toBe(words);
    expect(parts.filter((part) => "functionCall" in part)).toHaveLength(2);
    const ends = events.filter(({ data }) => objectsOf(data["candidates"])[0]?.["finishReason"] === "STOP");
    expect(ends).toEqual(events.slice(-1));
    expect(ends[0]?.data["usageMetadata"]).toMatchObject({ totalTokenCount: 155 });
  });

  test("after the results the next step answers", async () => {
    const called = { role: "model", parts: [{ functionCall: { name: "run_shell_command", args: {} } }] };
    const response = { functionResponse: { name: "run_shell_command", response: { output: "a b" } } };
    const answer = await json(ask(path("generateContent"), turn(user({ text: "work" }), called, user(response))));
    expect(partsOf(answer)).toEqual([{ text: "They said: a b" }]);
  });

  test("an error, a demanded shape, a count", async () => {
    const failed = await ask(path("generateContent"), turn(user({ text: "fail" })));
    expect(failed.status).toBe(429);
    expect(await failed.json()).toMatchObject({ error: { code: 429, status: "rate_limit_error", message: "Slow." } });
    const generationConfig = { responseMimeType: "application/json", responseJsonSchema: schema };
    const routing = { systemInstruction, contents: [user({ text: "work" })], generationConfig };
    expect(partsOf(await json(ask(path("generateContent"), routing)))).toEqual([{ text: '{"title":"x"}' }]);
    expect(model.requests.at(-1)).toMatchObject({ side: true, rule: null });
    expect(await json(ask(path("countTokens"), { contents: [user({ text: "work" })] }))).toEqual({
      totalTokens: expect.any(Number),
    });
  });
});
