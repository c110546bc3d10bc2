import { expect, test } from "bun:test";
import type { JudgedPermission } from "../../protocol/permission.ts";
import { answerPermission, type Asking } from "./permission.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const judged = (more: Partial<JudgedPermission>): JudgedPermission => ({
  decision: "ask",
  rule: "config.toml:1",
  part: "$X push",
  why: "config.toml:1 speaks of git push, and which command it runs is not written out",
  task: null,
  ...more,
});

/** Nobody is to be asked, and nothing is forbidden. */
const quiet: Asking = {
  home: "/nowhere",
  agent: "agent1",
  runtime: "claude",
  event: "tool-began",
  asksFirst: false,
  waits: () => Promise.reject(new Error("nobody is to be asked")),
  payload: { tool_name: "Bash", tool_input: { command: "$X push" }, cwd: "/w" },
  print: () => undefined,
  judge: () => Promise.resolve(judged({ decision: "allow" })),
};

async function before(
  runtime: string,
  more: Partial<JudgedPermission>,
  asksFirst = false,
): Promise<readonly [unknown, string]> {
  let printed = "";
  const answered = await answerPermission({
    ...quiet,
    runtime,
    asksFirst,
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

test("before a tool is used, nothing is said where no rule speaks of it, whichever program it is", async () => {
  for (const runtime of ["claude", "codex", "gemini", "opencode"])
    for (const more of [
      { rule: "no rule allows it" },
      { rule: "no rule allows it", mayBe: "ask" },
      { decision: "allow" },
    ] as const)
      expect([runtime, more, ...(await before(runtime, more))]).toEqual([runtime, more, undefined, ""]);
});

test("the rules are asked for all they say only when the answer is waited for", async () => {
  const onlyForbidding = async (event: Asking["event"], asksFirst: boolean): Promise<boolean> => {
    let asked: boolean | undefined;
    await answerPermission({
      ...quiet,
      event,
      asksFirst,
      judge: (about) => {
        asked = about.onlyForbidding;
        return Promise.resolve(judged({ decision: "allow" }));
      },
    });
    if (asked === undefined) throw new Error("the rules were not asked");
    return asked;
  };
  expect(await onlyForbidding("tool-began", false)).toBe(true);
  expect(await onlyForbidding("tool-began", true)).toBe(false);
  expect(await onlyForbidding("permission-asked", false)).toBe(false);
  expect(await onlyForbidding("permission-asked", true)).toBe(false);
});

test("rules that cannot be read stop nothing before a tool that the program asks for by itself", async () => {
  let printed = "";
  const answered = await answerPermission({
    ...quiet,
    print: (text) => (printed += text),
    judge: () => Promise.reject(new Error("config.toml cannot be read")),
  });
  expect([answered, printed]).toEqual([undefined, ""]);
});

test("where a program asks for nothing, a rule answers before the tool is used: by silence, or by a denial", async () => {
  expect(await before("codex", { decision: "allow" }, true)).toEqual(["allowed", ""]);
  const [answered, printed] = await before("codex", { decision: "deny" }, true);
  expect([answered, printed]).toEqual(["denied", expect.stringMatching(/"permissionDecision":"deny"/)]);
});

test("where a program asks for nothing, what no rule answers before the tool is for the owner", async () => {
  expect(await throwing(before("codex", { rule: "no rule allows it" }, true))).toThrow("nobody is to be asked");
});
