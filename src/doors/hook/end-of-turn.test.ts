// When the end of a turn is one, and how calls of a turn are told apart.

import { expect, test } from "bun:test";
import type { TurnEnd, TurnEvent } from "../../ports/driver.ts";
import { endOfTurn, noteDone } from "./end-of-turn.ts";

const end = (more: Partial<TurnEnd> = {}): TurnEnd => ({ ok: true, text: "", usage: [], ...more });

test("a turn that ended well without a word and without a sign of the model has failed; any of the two makes it one", () => {
  expect(endOfTurn(end(), false)).toMatchObject({ ok: false, error: expect.stringContaining("gave no sign") });
  expect(endOfTurn(end({ text: " \n" }), false).ok).toBe(false);
  expect(endOfTurn(end(), true)).toEqual(end());
  expect(endOfTurn(end({ text: "done" }), false)).toEqual(end({ text: "done" }));
  const failed = end({ ok: false, error: "refused" });
  expect(endOfTurn(failed, false)).toEqual(failed);
});

test("calls of a tool are told apart by what it was given, whether that is told at their beginning or their end", () => {
  const done = (...events: readonly TurnEvent[]): string[] => {
    const did: string[] = [];
    for (const event of events) noteDone(did, event);
    return did;
  };
  const bash = { tool: "Bash" };
  const began = { kind: "tool-began", ...bash } as const;
  const ended = { kind: "tool-ended", ...bash } as const;
  const [left] = done({ ...began, input: { command: "left" } }, ended);
  expect(left).toMatch(/^Bash #[0-9a-f]{6}$/);
  expect(done(began, { ...ended, input: { command: "left" } })).toEqual([String(left)]);
  expect(done({ ...began, input: { command: "right" } })).not.toEqual([String(left)]);
  expect(done(began, ended)).toEqual(["Bash"]);
  const edit = { kind: "tool-began", tool: "Edit", files: ["a.txt"] } as const;
  expect(done({ ...edit, input: { to: 1 } })).not.toEqual(done({ ...edit, input: { to: 2 } }));
  expect(done(edit, began, { ...ended, input: { command: "left" } })).toEqual(["Edit a.txt", String(left)]);
});
