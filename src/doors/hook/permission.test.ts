import { expect, test } from "bun:test";
import type { JudgedPermission } from "../../protocol/permission.ts";
import { answerPermission } from "./permission.ts";

const judged = (more: Partial<JudgedPermission>): JudgedPermission => ({
  decision: "ask",
  rule: "config.toml:1",
  part: "$X push",
  why: "config.toml:1 speaks of git push, and which command it runs is not written out",
  task: null,
  ...more,
});

async function before(
  runtime: string,
  more: Partial<JudgedPermission>,
  asksFirst = false,
): Promise<readonly [unknown, string]> {
  let printed = "";
  const answered = await answerPermission({
    home: "/nowhere",
    agent: "agent1",
    runtime,
    event: "tool-began",
    asksFirst,
    waits: () => Promise.reject(new Error("nobody is to be asked")),
    payload: { tool_name: "Bash", tool_input: { command: "$X push" }, cwd: "/w" },
    print: (text) => (printed += text),
    judge: () => Promise.resolve(judged(more)),
  });
  return [answered, printed];
}

test("before a tool is used, what may be a forbidden command is asked where the program can ask, and denied where it cannot", async () => {
  for (const mayBe of ["deny", "ask"] as const) {
    const [answered, printed] = await before("claude", { mayBe });
    expect([answered, JSON.parse(printed)]).toMatchObject([
      undefined,
      {
        hookSpecificOutput: {
          permissionDecision: "ask",
          permissionDecisionReason: expect.stringContaining("git push"),
        },
      },
    ]);
  }
  const forms = {
    codex: /"permissionDecision":"deny"/,
    gemini: /^\{"decision":"deny"/,
    opencode: /^\{"deny":/,
  };
  for (const [runtime, form] of Object.entries(forms)) {
    const [answered, printed] = await before(runtime, { mayBe: "deny" });
    expect([runtime, answered, printed]).toEqual([runtime, "denied", expect.stringMatching(form)]);
    expect(printed).toContain("Write the command out plainly.");
    // If the owner only wants to be asked, or no rule applies, it is left to the program's own way.
    for (const more of [{ mayBe: "ask" }, {}, { rule: "no rule allows it" }] as const)
      expect([runtime, ...(await before(runtime, more))]).toEqual([runtime, undefined, ""]);
  }
});

test("where a program asks for nothing, a rule answers before the tool is used: by silence, or by a denial", async () => {
  expect(await before("codex", { decision: "allow" }, true)).toEqual(["allowed", ""]);
  const [answered, printed] = await before("codex", { decision: "deny" }, true);
  expect([answered, printed]).toEqual(["denied", expect.stringMatching(/"permissionDecision":"deny"/)]);
});
