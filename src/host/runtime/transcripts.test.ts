import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claude } from "./claude/claude.ts";
import { readClaudeRow, transcriptPath } from "./claude/transcript.ts";
import { rolloutReader } from "./codex/rollout.ts";
import { findChat, readChatRow } from "./gemini/chat.ts";
import { holdsConversation, proofSearch, tailRows, usageIn } from "./transcripts.ts";

const directory = mkdtempSync(join(tmpdir(), "constel-transcripts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const line = (value: unknown): string => JSON.stringify(value);
const at = "2026-11-15T04:22:41.876Z";
const answerRow = (id: string) =>
  line({
    type: "assistant",
    timestamp: at,
    message: { id, model: "m", usage: { input_tokens: 1, output_tokens: 2 } },
  });
const row = (type: string, payload: unknown): string => line({ timestamp: at, type, payload });
const said = (text: string) =>
  row("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
const prompt = (text: string) => line({ type: "user", timestamp: at, message: { role: "user", content: text } });

describe("proof in a claude transcript", () => {
  test("is the prompt row, not the row that says it was queued, nor an answer that repeats the mark", () => {
    const path = join(directory, "queued.jsonl");
    writeFileSync(
      path,
      `${line({ type: "queue-operation", operation: "enqueue", timestamp: at, content: "x [constel:m1]" })}\n`,
    );
    const answer = {
      type: "assistant",
      timestamp: at,
      message: { id: "a", model: "m", content: [{ type: "text", text: "[constel:m1]" }] },
    };
    appendFileSync(path, `${line(answer)}\n`);
    appendFileSync(path, `${line({ type: "last-prompt", lastPrompt: "x [constel:m1]" })}\n`);
    const search = proofSearch("m1", readClaudeRow);
    expect(search(path)).toBeUndefined();
    appendFileSync(path, prompt("x [constel:m1]"));
    expect(search(path)).toBeUndefined(); // the line is not whole yet
    appendFileSync(path, "\n");
    expect(search(path)).toEqual({ by: "transcript", at: Date.parse(at) });
  });

  test("is also the row by which a running turn took it up", () => {
    const path = join(directory, "absorbed.jsonl");
    const row = { type: "attachment", timestamp: at, attachment: { type: "queued_command", prompt: "x [constel:m2]" } };
    writeFileSync(path, `${line(row)}\n`);
    expect(proofSearch("m2", readClaudeRow)(path)).toBeDefined();
    expect(proofSearch("m", readClaudeRow)(path)).toBeUndefined();
  });

  test("does not exist where there is no transcript", () => {
    expect(proofSearch("m2", readClaudeRow)(join(directory, "absent.jsonl"))).toBeUndefined();
    expect(proofSearch("m2", readClaudeRow)(undefined)).toBeUndefined();
  });
});

describe("rows of claude", () => {
  test("tool results, local commands and reminders of the program are no prompts", () => {
    const result = {
      type: "user",
      timestamp: at,
      message: { content: [{ type: "tool_result", content: "[constel:m1]" }] },
    };
    expect(readClaudeRow(line(result))).toBeUndefined();
    expect(readClaudeRow(prompt("<command-name>/clear</command-name>"))).toBeUndefined();
    expect(
      readClaudeRow(line({ type: "user", timestamp: at, isMeta: true, message: { content: "hi" } })),
    ).toBeUndefined();
  });
  test("an interruption is one", () => {
    expect(readClaudeRow(prompt("[Request interrupted by user for tool use]"))?.kind).toBe("interrupted");
  });
  test("one answer in several rows is counted once, with its final figures", () => {
    const block = (output: number) =>
      line({
        type: "assistant",
        timestamp: at,
        message: {
          id: "msg_a",
          model: "m",
          usage: { input_tokens: 5, output_tokens: output, cache_read_input_tokens: 7 },
        },
      });
    const usage = usageIn([block(1), block(9), block(9), "torn {"], readClaudeRow);
    expect(usage).toEqual([
      { id: "msg_a", model: "m", input: 5, output: 9, cacheRead: 7, cacheWrite: 0, atMs: Date.parse(at) },
    ]);
  });
  test("what the program says in the model's name costs nothing", () => {
    const row = {
      type: "assistant",
      timestamp: at,
      message: { id: "x", model: "<synthetic>", usage: { input_tokens: 0 } },
    };
    expect(usageIn([line(row)], readClaudeRow)).toEqual([]);
  });
  test("the path turns every character but letters and digits into a dash", () => {
    expect(transcriptPath({ HOME: "/h" }, "/w/my_repo.x", "id")).toBe("/h/.claude/projects/-w-my-repo-x/id.jsonl");
    expect(transcriptPath({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c" }, "/w", "id")).toBe("/c/projects/-w/id.jsonl");
  });
  test("tokens of subagents are counted too", async () => {
    const launch = {
      agent: "agent1",
      home: directory,
      cwd: "/w",
      program: "claude",
      promptFile: "/p",
      sessionId: "sub",
      permissions: "ask",
      hookCommand: ["x"],
      trusted: true,
    } as const;
    const env = { CLAUDE_CONFIG_DIR: directory };
    const path = transcriptPath(env, "/w", "sub");
    await Bun.write(path, `${answerRow("main")}\n`);
    await Bun.write(path.replace(".jsonl", "/subagents/agent-1.jsonl"), `${answerRow("side")}\n`);
    const machine = { env } as unknown as Parameters<typeof claude.usage>[1];
    const usage = await claude.usage({ launch, sinceMs: 0 }, machine);
    expect(usage.map((row) => row.id)).toEqual(["main", "side"]);
  });
});

describe("rows of codex", () => {
  test("usage is the answer's own, without the cache, with the model of its turn", () => {
    const lines = [
      row("turn_context", { model: "gpt-x" }),
      row("token_usage_record", {
        response_id: "r1",
        usage: { input_tokens: 144, cached_input_tokens: 33, output_tokens: 22 },
        thread_token_usage: { input_tokens: 9999 },
      }),
      row("event_msg", { type: "token_count", info: { total_token_usage: { input_tokens: 9999 } } }),
    ];
    expect(usageIn(lines, rolloutReader())).toEqual([
      { id: "r1", model: "gpt-x", input: 111, output: 22, cacheRead: 33, cacheWrite: 0, atMs: Date.parse(at) },
    ]);
  });
  test("a limit carries the time at which the full window starts anew", () => {
    const read = rolloutReader();
    const resets = Math.floor(Date.parse(at) / 1000) + 600;
    read(row("event_msg", { type: "token_count", rate_limits: { primary: { used_percent: 100, resets_at: resets } } }));
    const failed = read(
      row("event_msg", {
        type: "task_complete",
        error: { message: "You’ve hit your usage limit.", codex_error_info: "usage_limit_exceeded" },
      }),
    );
    expect(failed).toMatchObject({ kind: "turn-failed", failure: "limit", liftsAtMs: resets * 1000 });
  });
  test("what the program writes in the user's name is no prompt", () => {
    expect(rolloutReader()(said("<environment_context>\n<cwd>/w</cwd>"))).toBeUndefined();
    expect(rolloutReader()(said("<turn_aborted>\nx [constel:m1]"))).toBeUndefined();
    expect(rolloutReader()(said("hi [constel:m1]"))).toMatchObject({ kind: "prompt", messages: ["m1"] });
  });
});

describe("rows of gemini", () => {
  test("after a resume leaves an empty second file, the chat is the one written last", async () => {
    const chats = join(directory, ".gemini", "tmp", "work", "chats");
    const head = `{"sessionId":"1fda0726-d8eb"}\n`;
    await Bun.write(join(chats, "session-2026-11-15T05-11-1fda0726.jsonl"), head);
    await Bun.write(join(chats, "session-2026-11-15T05-12-1fda0726.jsonl"), head);
    utimesSync(join(chats, "session-2026-11-15T05-12-1fda0726.jsonl"), 1000, 1000);
    const found = findChat({ HOME: directory }, "1fda0726-d8eb");
    expect(found).toBe(join(chats, "session-2026-11-15T05-11-1fda0726.jsonl"));
    expect(findChat({ HOME: directory }, "1fda0726-other")).toBeUndefined();
  });

  test("an answer written twice, and one copied without figures, count once", () => {
    const answer = {
      id: "g1",
      timestamp: at,
      type: "gemini",
      model: "m",
      tokens: { input: 144, output: 22, cached: 33, thoughts: 3 },
    };
    const copy = { id: "g2", timestamp: at, type: "gemini", content: [{ text: "same" }], tokens: null };
    expect(usageIn([line(answer), line(answer), line(copy)], readChatRow)).toEqual([
      { id: "g1", model: "m", input: 111, output: 25, cacheRead: 33, cacheWrite: 0, atMs: Date.parse(at) },
    ]);
  });
});

test("only rows since the launch count for the state", () => {
  const path = join(directory, "since.jsonl");
  writeFileSync(path, `${prompt("old")}\n`);
  expect(tailRows(path, () => readClaudeRow, Date.parse(at))).toHaveLength(1);
  expect(tailRows(path, () => readClaudeRow, Date.parse(at) + 1)).toEqual([]);
});

describe("what can be taken up again", () => {
  const head = {
    claude: line({ type: "queue-operation", operation: "enqueue", timestamp: at, content: "x" }),
    codex: row("session_meta", { id: "t", cwd: "/w" }),
    gemini: line({ sessionId: "s", projectHash: "h", startTime: at }),
  };
  const spoken = {
    claude: prompt("hello"),
    codex: said("hello"),
    gemini: line({ id: "1", type: "user", timestamp: at, content: [{ text: "hello" }] }),
  };
  const own = line({ id: "0", type: "user", timestamp: at, content: [{ text: "<session_context>\nToday…" }] });

  test("holds a prompt or an answer: neither an empty file, nor a head alone, nor a line that is not whole", () => {
    const readers = { claude: () => readClaudeRow, codex: rolloutReader, gemini: () => readChatRow };
    for (const name of ["claude", "codex", "gemini"] as const) {
      const path = join(directory, `resume-${name}.jsonl`);
      const holds = (text: string): boolean => {
        writeFileSync(path, text);
        return holdsConversation(path, readers[name]());
      };
      expect(holdsConversation(join(directory, "absent.jsonl"), readers[name]())).toBe(false);
      expect([name, holds(""), holds(`${head[name]}\n`), holds(`${head[name]}\n${spoken[name]}`)]).toEqual([
        name,
        false,
        false,
        false,
      ]);
      expect([name, holds(`${head[name]}\n${spoken[name]}\n`)]).toEqual([name, true]);
    }
    const path = join(directory, "resume-context.jsonl");
    writeFileSync(path, `${head.gemini}\n${own}\n`);
    expect(holdsConversation(path, readChatRow)).toBe(false);
  });
});
