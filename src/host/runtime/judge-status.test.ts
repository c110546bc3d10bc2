import { describe, expect, test } from "bun:test";
import type { Evidence, HookRecord, Screen } from "../../ports/runtime.ts";
import { codex } from "./codex/codex.ts";
import { gemini } from "./gemini/gemini.ts";
import { hookRecordOf, questionIn } from "./hook-record.ts";
import { type Glance, judge } from "./judge-status.ts";

const now = 1_000_000;
const hook = (msAgo: number, event: HookRecord["event"], extra: Partial<HookRecord> = {}): HookRecord => ({
  event,
  at: now - msAgo,
  session: "s",
  ...extra,
});
const blank: Screen = { text: "", title: "", cursorX: 0, cursorY: 0, inMode: false, dead: false };

/** `shown`: what the terminal says; undefined when it says nothing, null when there is no terminal. */
function check(
  name: string,
  evidence: Partial<Evidence>,
  shown: Glance["state"] | undefined | null,
  state: string,
): void {
  test(name, () => {
    const glance = shown === undefined || shown === null ? undefined : { state: shown, says: "seen" };
    const whole: Evidence = {
      nowMs: now,
      sinceMs: now - 500_000,
      process: "alive",
      hooks: [],
      rows: [],
      ...(shown === null ? {} : { screen: blank }),
      ...evidence,
    };
    expect(judge(whole, { title: () => undefined, screen: () => glance }).state).toBe(state as never);
  });
}

describe("judging evidence", () => {
  const busy = [hook(60_000, "tool-began")];
  const justBusy = [hook(100, "prompt-submitted")];
  const asking = [hook(60_000, "permission-asked")];
  const ended = [hook(60_000, "turn-ended")];
  const limited = [hook(60_000, "turn-failed", { reason: "rate_limit", says: "try again later" })];

  check("hooks that say busy are believed when nothing else speaks", { hooks: busy }, undefined, "busy");
  check("hooks that say busy are believed without a terminal", { hooks: busy }, null, "busy");
  check("a terminal that has not caught up does not make a busy agent idle", { hooks: justBusy }, "idle", "busy");
  check("a terminal that has long been idle does, for Esc leaves no hook", { hooks: busy }, "idle", "idle");
  check("a terminal at work is believed over the end of a turn", { hooks: ended }, "busy", "busy");
  check("a question in the hooks waits when nothing else speaks", { hooks: asking }, undefined, "waiting-permission");
  check("a question that was answered is over when the terminal works", { hooks: asking }, "busy", "busy");
  const held = [hook(60_000, "permission-asked", { isHeld: true })];
  check(
    "a question that constel's own hook holds waits while the terminal works",
    { hooks: held },
    "busy",
    "waiting-permission",
  );
  check("and is over with the hook's answer", { hooks: [...held, hook(100, "permission-answered")] }, "busy", "busy");
  check("or when somebody interrupted the turn, and the hook with it", { hooks: held }, "idle", "idle");
  check("a question that was refused is over when the terminal is idle", { hooks: asking }, "idle", "idle");
  const userAsked = [hook(60_000, "tool-began", { tool: "AskUserQuestion", says: "Red or blue?" })];
  const own = { state: "waiting", says: "waits: input needed", at: now } as const;
  check(
    "a question to the user waits for an answer, not for a permission",
    { hooks: userAsked },
    null,
    "waiting-answer",
  );
  check("and so it does with its dialog on the screen", { hooks: userAsked }, "waiting", "waiting-answer");
  check("and so it does by the program's own word alone", { own }, undefined, "waiting-answer");
  check("a question to the user that was put away is over", { hooks: userAsked }, "idle", "idle");
  test("the question itself is what it rests on, as each program asks it", () => {
    const option = (label: string) => ({ label, description: "" });
    const input = { questions: [{ question: "Which colour?", options: [option("Red"), option("Blue")] }] };
    for (const [runtime, tool, event] of [
      ["claude", "AskUserQuestion", "PreToolUse"],
      ["claude", "AskUserQuestion", "PermissionRequest"],
      ["codex", "request_user_input", "PreToolUse"],
      ["opencode", "question", "PreToolUse"],
      ["gemini", "ask_user", "BeforeTool"],
    ] as const) {
      const payload = { hook_event_name: event, session_id: "s", tool_name: tool, tool_input: input };
      const record = hookRecordOf(runtime)(payload, now);
      const evidence = {
        nowMs: now,
        sinceMs: 0,
        process: "alive",
        hooks: record === undefined ? [] : [record],
        rows: [],
      };
      const { state, rests } = judge(evidence as Evidence, { title: () => undefined, screen: () => undefined });
      expect({ runtime, state, says: rests.says }).toEqual({
        runtime,
        state: "waiting-answer",
        says: "asks: Which colour? (Red, Blue)",
      });
    }
    for (const odd of [undefined, null, 7, { questions: "x" }, { questions: [null, { question: 7 }] }])
      expect(questionIn("AskUserQuestion", odd)).toBe("its question could not be read");
    expect(questionIn("Bash", input)).toBeUndefined();
  });
  check("a dialog on the screen waits, whatever the hooks say", { hooks: busy }, "waiting", "waiting-permission");
  check("the end of a turn is idle", { hooks: ended }, undefined, "idle");
  check(
    "a turn that ended just now may be followed by a queued one",
    { hooks: [hook(100, "turn-ended")] },
    undefined,
    "busy",
  );
  check("a limit holds although the terminal is idle", { hooks: limited }, "idle", "limited");
  check("a limit is over when the terminal works", { hooks: limited }, "busy", "busy");
  check("a lost login shown on the screen is told", {}, "logged-out", "logged-out");
  check("an ended session without a terminal is dead", { hooks: [hook(9, "session-ended")] }, null, "dead");
  check("an ended process is dead, whatever it last said", { hooks: busy, process: "dead" }, "busy", "dead");
  check("an ended terminal is dead", { hooks: busy, screen: { ...blank, dead: true } }, "busy", "dead");
  check("a program that shows nothing yet is starting", { sinceMs: now - 5000 }, undefined, "starting");
  check("a program that never showed anything is unknown, not idle", {}, undefined, "unknown");
  check("the program's own word outranks its screen", { own: { state: "busy", says: "", at: now } }, "idle", "busy");
  check(
    "its own word that it waits is believed",
    { hooks: busy, own: { state: "waiting", says: "", at: now } },
    null,
    "waiting-permission",
  );
  check(
    "its own idle is not believed against a hook of this moment",
    { hooks: justBusy, own: { state: "idle", says: "", at: now } },
    null,
    "busy",
  );
});

const withTitle = (title: string): Evidence => ({
  nowMs: now,
  sinceMs: now - 1000,
  process: "alive",
  hooks: [],
  rows: [],
  screen: { ...blank, title },
});

describe("titles", () => {
  test("codex shows work by a spinner and a question in words; a plain name says nothing", () => {
    expect(codex.status(withTitle("⠋ scripted | work")).state).toBe("busy");
    expect(codex.status(withTitle("[ . ] Action Required | work")).state).toBe("waiting-permission");
    expect(codex.status(withTitle("work")).state).toBe("starting");
  });
  test("gemini shows work and questions; Ready alone is not idle", () => {
    expect(gemini.status(withTitle("✦  Working… (work)")).state).toBe("busy");
    expect(gemini.status(withTitle("✋  Action Required (work)")).state).toBe("waiting-permission");
    expect(gemini.status(withTitle("◇  Ready (work)")).state).toBe("starting");
  });
});

describe("the last words of an idle agent", () => {
  const words = (evidence: Partial<Evidence>): unknown =>
    judge(
      { nowMs: now, sinceMs: 0, process: "alive", hooks: [], rows: [], ...evidence },
      { title: () => undefined, screen: () => ({ state: "idle", says: "seen" }) },
    ).words;
  const screen = { ...blank, text: "╭────╮\n│ Interrupted\n╰────╯\n❯ \n  ? for shortcuts" };

  test("are what it said when its turn ended or failed, by hook or transcript", () => {
    const began = hook(9000, "prompt-submitted", { messages: ["msg_1"] });
    for (const [event, says] of [
      ["turn-ended", "All done."],
      ["turn-failed", "529 overloaded"],
    ] as const) {
      const expected = { text: says, said: true, toMessage: true };
      expect(words({ hooks: [began, hook(5000, event, { says })], screen })).toEqual(expected);
    }
    const row = { kind: "answer", at: now - 5000, says: "Shall I?" } as const;
    expect(words({ hooks: [began], rows: [row], screen })).toEqual({ text: "Shall I?", said: true, toMessage: true });
  });

  test("of a turn without words are its screen's, not those of an earlier turn or of a subagent", () => {
    const hooks = [
      hook(20_000, "turn-ended", { says: "an earlier turn" }),
      hook(15_000, "prompt-submitted"),
      hook(9000, "turn-ended", { says: "a subagent", inSubagent: true }),
      hook(5000, "interrupted"),
    ];
    const expected = { text: "Interrupted\n  ? for shortcuts", said: false, toMessage: false };
    expect(words({ hooks, screen })).toEqual(expected);
    expect(words({ hooks })).toBeUndefined();
  });

  test("are the end of a long answer, in whole words", () => {
    const says = hookRecordOf("claude")(
      { hook_event_name: "Stop", session_id: "s", last_assistant_message: `${"word ".repeat(100)}the end\n` },
      now - 5000,
    );
    expect(says?.says).toEndWith("the end");
    const hooks = says === undefined ? [] : [{ ...says, says: `cut${says.says?.slice(3)}` }];
    expect(words({ hooks })).toMatchObject({ text: expect.stringMatching(/^(?:word )+the end$/) });
  });
});
