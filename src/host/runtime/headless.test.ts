// Answers of headless turns, as the real programs gave them (shortened).

import { describe, expect, test } from "bun:test";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";
import { script } from "./script/script.ts";

const now = Date.UTC(2026, 10, 15, 12);
const lines = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");

describe("claude", () => {
  const usage = { input_tokens: 111, cache_creation_input_tokens: 44, cache_read_input_tokens: 33, output_tokens: 22 };
  const result = (extra: object) =>
    lines({
      type: "result",
      session_id: "s",
      uuid: "u",
      is_error: false,
      result: "counted",
      usage,
      total_cost_usd: 0.0011106,
      modelUsage: { m: { inputTokens: 111, outputTokens: 22, costBasis: "list" } },
      permission_denials: [],
      ...extra,
    });
  test("a good turn has text, session, tokens and cost", () => {
    expect(claude.parseHeadless(result({}), "", 0, now)).toEqual({
      ok: true,
      text: "counted",
      sessionId: "s",
      usage: [
        {
          id: "turn:u",
          model: "m",
          input: 111,
          output: 22,
          cacheRead: 33,
          cacheWrite: 44,
          costMicros: 1111,
          atMs: now,
        },
      ],
      denied: [],
    });
  });
  test("a resumed session's total is not taken for the turn's cost", () => {
    const resumed = result({ modelUsage: { m: { inputTokens: 300, outputTokens: 60, costBasis: "list" } } });
    expect(claude.parseHeadless(resumed, "", 0, now).usage[0]).not.toHaveProperty("costMicros");
  });
  test("a price the program guessed is not taken either", () => {
    const guessed = result({ modelUsage: { m: { inputTokens: 111, outputTokens: 22, costBasis: "unknown" } } });
    expect(claude.parseHeadless(guessed, "", 0, now).usage[0]).not.toHaveProperty("costMicros");
  });
  test("a refused tool is told although the turn went well", () => {
    const denied = result({ permission_denials: [{ tool_name: "Bash", tool_input: {} }] });
    expect(claude.parseHeadless(denied, "", 0, now)).toMatchObject({ ok: true, denied: ["Bash"] });
  });
  test("an error that calls itself a success is an error, and a limit a limit", () => {
    const failed = result({
      is_error: true,
      subtype: "success",
      result: "You've hit your session limit · resets 3pm (UTC)",
    });
    expect(claude.parseHeadless(failed, "", 1, now)).toMatchObject({
      ok: false,
      limit: { known: true, untilMs: Date.UTC(2026, 10, 15, 15) },
    });
  });
  test("no result at all is an error with what was said", () => {
    expect(claude.parseHeadless("", "No conversation found with session ID: x\n", 1, now)).toMatchObject({
      ok: false,
      error: "No conversation found with session ID: x",
    });
    expect(claude.parseHeadless("", "", null, now)).toMatchObject({
      ok: false,
      error: expect.stringContaining("signal"),
    });
  });
  test("a lost login is told", () => {
    const failed = result({ is_error: true, result: "Invalid API key · Please run /login" });
    expect(claude.parseHeadless(failed, "", 1, now)).toMatchObject({ ok: false, loggedOut: true });
  });
});

describe("codex", () => {
  const good = [
    { type: "thread.started", thread_id: "t" },
    { type: "turn.started" },
    { type: "item.completed", item: { type: "error", message: "a warning" } },
    { type: "item.completed", item: { type: "agent_message", text: "first" } },
    { type: "item.completed", item: { type: "agent_message", text: "last" } },
    { type: "turn.completed", usage: { input_tokens: 9999 } },
  ];
  test("a good turn has its last words, and no tokens, for they are the thread's", () => {
    expect(codex.parseHeadless(lines(...good), "talk", 0, now)).toEqual({
      ok: true,
      text: "last",
      sessionId: "t",
      usage: [],
      denied: [],
    });
  });
  test("a limit is a limit", () => {
    const failed = lines(good[0], {
      type: "turn.failed",
      error: { message: "You’ve hit your usage limit. Try again in 2 hours." },
    });
    expect(codex.parseHeadless(failed, "", 1, now)).toMatchObject({
      ok: false,
      sessionId: "t",
      limit: { untilMs: now + 7_200_000 },
    });
  });
  test("output cut short is no success", () => {
    expect(codex.parseHeadless(lines(...good.slice(0, 4)), "", 0, now).ok).toBe(false);
  });
});

describe("opencode", () => {
  test("a good turn, its tokens and its cost", () => {
    const step = {
      messageID: "m1",
      tokens: { input: 111, output: 20, reasoning: 2, cache: { read: 33, write: 0 } },
      cost: 0.000155,
    };
    const out = lines(
      { type: "text", sessionID: "ses_1", part: { text: "counted" } },
      { type: "step_finish", sessionID: "ses_1", part: step },
    );
    expect(opencode.parseHeadless(out, "", 0, now)).toMatchObject({
      ok: true,
      text: "counted",
      sessionId: "ses_1",
      usage: [{ id: "m1", input: 111, output: 22, cacheRead: 33, costMicros: 155 }],
    });
  });
  test("one that was ended while it tried again and again says why, from its log", () => {
    const log =
      'level=ERROR message="stream error" error.error="AI_APICallError: This request would exceed your rate limit."';
    expect(opencode.parseHeadless("", `talk\n${log}\n`, null, now)).toMatchObject({
      ok: false,
      error: "AI_APICallError: This request would exceed your rate limit.",
      limit: { known: false },
    });
  });
  test("an error event is an error although the program ends well", () => {
    const out = lines({
      type: "error",
      sessionID: "ses_1",
      error: { name: "APIError", data: { message: "rate limit" } },
    });
    expect(opencode.parseHeadless(out, "", 0, now)).toMatchObject({ ok: false, limit: { known: false } });
  });
});

describe("gemini", () => {
  const stats = {
    models: { m: { tokens: { input: 111, prompt: 144, candidates: 22, total: 166, cached: 33, thoughts: 0 } } },
  };
  test("a good turn after talk on stdout", () => {
    const out = `some notice\n${JSON.stringify({ session_id: "s", response: "counted", stats }, null, 2)}`;
    expect(gemini.parseHeadless(out, "", 0, now)).toMatchObject({
      ok: true,
      text: "counted",
      usage: [{ model: "m", input: 111, output: 22, cacheRead: 33 }],
    });
  });
  test("an error is told, and a quota with its lift", () => {
    const error = {
      session_id: "s",
      error: { message: "You have exhausted your capacity on this model. Your quota will reset after 1h0m0s." },
    };
    expect(gemini.parseHeadless("", `talk\n${JSON.stringify(error, null, 2)}`, 1, now)).toMatchObject({
      ok: false,
      limit: { known: true, untilMs: now + 3_600_000 },
    });
  });
});

describe("script", () => {
  test("its output is the answer, its own lines are not", () => {
    const out = `hello\n{"constel":"usage","id":"u1","model":"fake","input":3,"output":4}\nworld\n`;
    expect(script.parseHeadless(out, "", 0, now)).toMatchObject({
      ok: true,
      text: "hello\nworld",
      usage: [{ id: "u1", model: "fake", input: 3, output: 4, cacheRead: 0, cacheWrite: 0 }],
    });
  });
  test("it may say that it is limited", () => {
    const out = `{"constel":"limit","until":${now + 1000}}`;
    expect(script.parseHeadless(out, "", 0, now)).toMatchObject({
      ok: false,
      limit: { untilMs: now + 1000, known: true },
    });
  });
  test("a failure says what stderr said", () => {
    expect(script.parseHeadless("", "boom\n", 3, now)).toMatchObject({ ok: false, error: "boom" });
  });
});
