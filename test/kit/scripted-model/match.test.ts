// Tests which rule answers what, and with which of its replies.

import { describe, expect, test } from "bun:test";
import { type Conversation, type Piece, situationOf } from "./conversation.ts";
import { choose, matchText } from "./match.ts";
import { userPieces } from "./machine-text.ts";
import { checkedRules, type Rule, type When } from "./rules.ts";

const said = (text: string): Piece => ({ kind: "user", text });
const answer = (text: string): Piece => ({ kind: "answer", text });
const call = (round: string, tool = "Bash"): Piece => ({ kind: "call", tool, text: "{}", round });
const result = (round: string, text: string, tool = "Bash"): Piece => ({ kind: "result", tool, text, round });

function situation(pieces: readonly Piece[], more: Partial<Conversation> = {}) {
  return situationOf({
    api: "anthropic",
    model: "m-1",
    stream: false,
    session: "s",
    side: false,
    system: "You are it.\nWorking directory: /w/x\n",
    tools: [{ name: "Bash", kind: "function" }],
    pieces,
    ...more,
  });
}

/** Returns what the one rule answers: its text, or nothing. */
function answers(rule: Rule, ...given: Parameters<typeof situation>): string | undefined {
  return choose({ rules: [rule] }, situation(...given), () => 0)?.reply.text;
}

const once = (when: When): Rule => ({ when, reply: { text: "yes" } });

describe("patterns", () => {
  const check = (pattern: string | string[], text: string, expected: boolean | string[]): void =>
    test(`${JSON.stringify(pattern)} on ${JSON.stringify(text)}`, () => {
      const found = matchText(pattern, text);
      expect(found === undefined ? false : (found.groups ?? true)).toEqual(expected);
    });
  check("ell", "hello", true);
  check("ELL", "hello", false);
  check("/E(L+)/i", "hello", ["ell", "ll"]);
  check("/^a.b$/s", "a\nb", ["a\nb"]);
  check("/tmp/x", "see /tmp/x", true);
  check(["no", "/h(.)/"], "hello", ["he", "e"]);
  check([], "hello", false);
  check("/(a)|b/", "b", ["b", ""]);
});

describe("conditions", () => {
  const check = (name: string, when: When, holds: boolean, ...given: Parameters<typeof situation>): void =>
    test(name, () => expect(answers(once(when), ...given)).toBe(holds ? "yes" : undefined));
  const asked = [said("first"), answer("a"), said("second")];
  check("the prompt is the last thing said", { prompt: "second" }, true, asked);
  check("and not what was said before", { prompt: "first" }, false, asked);
  check("the context is everything", { context: ["first"] }, true, asked);
  check("with the system prompt", { context: "You are it" }, true, asked);
  check("all conditions must hold", { prompt: "second", api: "gemini" }, false, asked);
  check("the api and the model", { api: "anthropic", model: "/^m-/" }, true, asked);
  check("an offered tool", { offers: "Bash" }, true, asked);
  check("a tool not offered", { offers: "Agent" }, false, asked);
  const worked = [said("go"), call("1"), result("1", "1 test failed")];
  check("a result that ends the request", { result: "failed" }, true, worked);
  check("its tool", { tool: "Bash" }, true, worked);
  check("what came since the model spoke", { latest: "failed" }, true, worked);
  check("a result that the model has answered is no more", { result: "failed" }, false, [...worked, answer("oh")]);
  const woken = [said("go"), answer("done"), { kind: "machine", text: "WAKE:x" } as const];
  check("a notification is latest", { latest: "WAKE" }, true, woken);
  check("and no prompt", { prompt: "WAKE" }, false, woken);
  check("a prompt that was answered is not answered again", { prompt: "go" }, false, woken);
  check("rules do not see housekeeping", { prompt: "second" }, false, asked, { side: true });
  check("unless they want it", { prompt: "second", side: true }, true, asked, { side: true });
  check("only", { prompt: "second", side: true }, false, asked);
  check("or both", { prompt: "second", side: "any" }, true, asked);
});

describe("replies", () => {
  const steps: Rule = { when: { prompt: "go" }, steps: [{ text: "one" }, { text: "two" }] };
  const check = (name: string, rule: Rule, pieces: readonly Piece[], expected: string | undefined): void =>
    test(name, () => expect(answers(rule, pieces)).toBe(expected));
  check("a reply answers before any tool round", once({ prompt: "go" }), [said("go")], "yes");
  check("and not after one", once({ prompt: "go" }), [said("go"), call("1"), result("1", "")], undefined);
  check("steps begin with the first", steps, [said("go")], "one");
  check("the second follows a tool round", steps, [said("go"), call("1"), result("1", "")], "two");
  const parallel = [said("go"), call("1"), call("1"), result("1", "b"), result("1", "a")];
  check("parallel calls are one round", steps, parallel, "two");
  const mixed = [said("go"), call("1"), result("1", "a"), call("1"), result("1", "b")];
  check("also where each result stands behind its call", steps, mixed, "two");
  check("words beside a call do not end it", steps, [said("go"), answer("Now."), call("1"), result("1", "")], "two");
  const twice = [said("go"), call("1"), result("1", ""), call("2"), result("2", "")];
  check("after the last step nothing is left", steps, twice, undefined);
  check("a new prompt begins anew", steps, [...twice, answer("end"), said("go")], "one");

  test("a rule answers as often as it may, then the next one does", () => {
    const rules = [{ ...once({}), times: 1 }, { reply: { text: "later" } }];
    const now = situation([said("go")]);
    expect(choose({ rules }, now, () => 0)?.reply.text).toBe("yes");
    expect(choose({ rules }, now, () => 1)?.reply.text).toBe("later");
  });

  test("groups are those of the last regex that the rule names", () => {
    const when = { prompt: "/g(.)/", context: "/first (\\w+)/", api: "anthropic" };
    const chosen = choose({ rules: [once(when)] }, situation([said("first word"), answer(""), said("go")]), () => 0);
    expect(chosen?.groups).toEqual(["first word", "word"]);
  });
});

describe("what a person said", () => {
  const check = (parts: string[], expected: string | undefined): void =>
    test(JSON.stringify(parts).slice(0, 60), () => {
      const piece = userPieces(parts).find(({ kind }) => kind === "user");
      expect(piece?.text).toBe(expected as string);
    });
  check(["hello"], "hello");
  check(["<system-reminder>\nbe nice\n</system-reminder>", "hello"], "hello");
  check(["hello <system-reminder>x</system-reminder>"], "hello");
  check(["<environment_context>\n<cwd>/w</cwd>\n</environment_context>"], undefined);
  check(["# AGENTS.md instructions for /w\n\nBe nice."], undefined);
  check(["[Request interrupted by user for tool use]", "go on"], "go on");
  check(["Stop hook feedback: go on"], "Stop hook feedback: go on");
  check(["<hook_prompt>go on</hook_prompt>"], "<hook_prompt>go on</hook_prompt>");

  for (const [client, text] of [
    ["Claude Code", "Primary working directory: /w/x"],
    ["Codex", "<environment_context>\n  <cwd>/w/x</cwd>\n</environment_context>"],
    ["opencode", "<env>\n  Working directory: /w/x\n  Is directory a git repo: yes\n</env>"],
    ["Gemini CLI", "<session_context>\n- **Workspace Directories:**\n  - /w/x\n</session_context>"],
  ] as const) {
    test(`where it works is read from what ${client} tells`, () => {
      expect(situation([{ kind: "machine", text }], { system: "" }).cwd).toBe("/w/x");
    });
  }
  test("and never from what somebody says", () => {
    expect(situation([said("Working directory: /evil")], { system: "" }).cwd).toBe("");
  });
});

describe("rules that are not understood are refused with their place", () => {
  const check = (value: unknown, complaint: string): void =>
    test(complaint, () => expect(() => checkedRules(value)).toThrow(complaint));
  const rule = (more: object): object => ({ rules: [{ name: "r", ...more }] });
  check([], "the rules: not an object");
  check({ rulez: [] }, '"rulez" is not known');
  check(rule({}), 'rule "r": give it either a reply or steps');
  check(rule({ reply: {}, steps: [] }), 'rule "r": give it either a reply or steps');
  check(rule({ when: { prompts: "x" }, reply: {} }), 'rule "r", when: "prompts" is not known');
  check(rule({ reply: { txt: "x" } }), 'rule "r": "txt" is not known');
  check(rule({ steps: [{}, { calls: [{ run: "x" }] }] }), 'rule "r", step 2: a call is one of');
  check(rule({ reply: { calls: [{ shell: "x", content: "y" }] } }), 'rule "r", shell: "content" is not known');
  check(rule({ reply: { text: "{{vars.who}}" } }), 'rule "r": nothing fills {{vars.who}}');
  check(rule({ reply: { usage: { in: 1 } } }), 'rule "r", usage: "in" is not known');
  check({ default: { text: "{{promt}}" } }, "default: nothing fills {{promt}}");
});
