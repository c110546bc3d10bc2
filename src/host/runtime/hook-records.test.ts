import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { hookFile, readHooks } from "./hook-records.ts";
import { promptHash } from "./hook-record.ts";
import { script } from "./script/script.ts";

const home = mkdtempSync(join(tmpdir(), "constel-hooks-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("a hook's payload becomes a record", () => {
  test("a prompt leaves the ids of its messages and a hash, not its words", () => {
    const payload = {
      session_id: "s1",
      transcript_path: "/t.jsonl",
      cwd: "/w",
      hook_event_name: "UserPromptSubmit",
      prompt: "secret words [constel:msg_7]",
    };
    const record = claude.hookRecord(payload, 5);
    expect(record).toEqual({
      event: "prompt-submitted",
      at: 5,
      session: "s1",
      cwd: "/w",
      transcript: "/t.jsonl",
      messages: ["msg_7"],
      promptHash: promptHash("secret words [constel:msg_7]"),
    });
    expect(JSON.stringify(record)).not.toContain("secret");
  });

  test("a record is short, whatever the program gave", () => {
    const long = "x/".repeat(1_000_000);
    const given = { hook_event_name: "PreToolUse", session_id: long, cwd: `/${long}`, transcript_path: `/${long}` };
    const patch = `*** Update File: /w/a\n*** Update File: /${long}\n`;
    const inputs = [{ file_path: `/${long}` }, { command: patch }, { notebook_path: long, path: "/w/b" }];
    for (const runtime of [claude, codex])
      for (const tool_input of inputs) {
        const record = runtime.hookRecord({ ...given, tool_name: long, tool_input }, 5);
        expect(JSON.stringify(record).length).toBeLessThan(1_000);
        expect(record).toMatchObject({ event: "tool-began", session: long.slice(0, 200) });
      }
    expect(script.hookRecord({ event: "turn-ended", session: long }, 5)?.session).toHaveLength(200);
    expect(codex.hookRecord({ ...given, session_id: "s", tool_input: { command: patch } }, 5)?.file).toBe("/w/a");
  });

  test("an edit names the file it touches", () => {
    const edit = {
      session_id: "s",
      hook_event_name: "PreToolUse",
      tool_name: "Edit",
      tool_input: { file_path: "/w/a.ts" },
    };
    expect(claude.hookRecord(edit, 1)).toMatchObject({ event: "tool-began", tool: "Edit", file: "/w/a.ts" });
    const patch = { command: "*** Begin Patch\n*** Update File: src/b.ts\n@@\n-a\n+b\n*** End Patch" };
    const codexEdit = { session_id: "s", hook_event_name: "PostToolUse", tool_name: "apply_patch", tool_input: patch };
    expect(codex.hookRecord(codexEdit, 1)).toMatchObject({ event: "tool-ended", file: "src/b.ts" });
  });

  test("a failure keeps its reason and what it said", () => {
    const failure = {
      session_id: "s",
      hook_event_name: "StopFailure",
      error: "rate_limit",
      last_assistant_message: "resets 3pm",
    };
    expect(claude.hookRecord(failure, 1)).toMatchObject({
      event: "turn-failed",
      reason: "rate_limit",
      says: "resets 3pm",
    });
  });

  test("a subagent's end is marked as such", () => {
    const end = { session_id: "s", hook_event_name: "SubagentStop", agent_id: "a1" };
    expect(claude.hookRecord(end, 1)).toMatchObject({ event: "turn-ended", inSubagent: true });
  });

  test("an event we do not know is kept as other, and nonsense leaves nothing", () => {
    expect(claude.hookRecord({ session_id: "s", hook_event_name: "Brandnew" }, 1)?.event).toBe("other");
    for (const junk of [
      null,
      3,
      "x",
      [],
      {},
      { hook_event_name: "Stop" },
      { session_id: 4, hook_event_name: "Stop" },
    ]) {
      expect(claude.hookRecord(junk, 1)).toBeUndefined();
      expect(script.hookRecord(junk, 1)).toBeUndefined();
    }
  });
});

describe("records are read back", () => {
  test("since the launch only, past broken and half-written lines", () => {
    const file = hookFile(home, "agent1");
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, '{"event":"turn-ended","at":10,"session":"old"}\n');
    appendFileSync(file, 'not json\n[1]\n{"at":"x"}\n{"event":"prompt-submitted","at":30,"session":"new"}\n');
    appendFileSync(file, '{"event":"turn-ended","at":40,"ses');
    expect(readHooks(home, "agent1", 20)).toEqual([{ event: "prompt-submitted", at: 30, session: "new" }]);
  });

  test("each once: a line that is copied and appended again says nothing, nor does one from long before", () => {
    const file = hookFile(home, "agent2");
    const line = (event: string, at: number): string => `{"event":"${event}","at":${at},"session":"s"}\n`;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, line("turn-ended", 50) + line("prompt-submitted", 60));
    const events = (): string[] => readHooks(home, "agent2", 20).map(({ event }) => event);
    expect(events()).toEqual(["turn-ended", "prompt-submitted"]);
    appendFileSync(file, line("turn-ended", 50));
    expect(events()).toEqual(["turn-ended", "prompt-submitted"]);
    appendFileSync(file, line("session-started", 30));
    expect(events()).toEqual(["turn-ended", "prompt-submitted"]);
    appendFileSync(file, line("turn-ended", 59)); // hooks that ran side by side
    expect(events()).toEqual(["turn-ended", "prompt-submitted", "turn-ended"]);
  });

  test("of an agent without any there are none", () => {
    expect(readHooks(home, "agent9", 0)).toEqual([]);
  });
});
