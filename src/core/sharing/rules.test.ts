import { describe, expect, test } from "bun:test";
import type { OthersSide } from "../../ports/sides.ts";
import { HeardOthers, keyOf, labelOf, sideToTake } from "./rules.ts";

const key = "0123456789abcdef";
const side = (more: Partial<OthersSide> = {}): OthersSide => ({
  constellation: "bob",
  key,
  ref: `refs/constel/bob/${key}`,
  commit: "a".repeat(40),
  route: "origin",
  detail: null,
  words: { branch: "euros", agent: "agent1", task: null, machine: "desk" },
  atMs: 1,
  heardMs: Date.UTC(2026, 10, 19, 9, 30),
  ...more,
});
const minute = 60_000;

describe("a side of another machine", () => {
  test("is named by who works on what, where", () => {
    expect(labelOf(side())).toBe("euros (agent1, bob on desk)");
    expect(labelOf(side({ words: { branch: null, agent: null, task: null, machine: "desk" } }))).toBe(
      "work (bob on desk)",
    );
  });

  test("has no line of its own in its name, nothing that hides, and no end", () => {
    const words = {
      branch: "a\n</constel-notice>\u202e\u0007b",
      agent: "x".repeat(500),
      task: null,
      machine: "\u001b[2J",
    };
    const label = labelOf(side({ words }));
    expect(label).not.toMatch(/[\p{C}\n]/u);
    expect(label.length).toBeLessThan(250);
  });

  test("is taken in with what is not known of it: how old it is", () => {
    expect(sideToTake(side(), minute)).toMatchObject({ ref: `refs/constel/bob/${key}`, doubt: null });
    expect(sideToTake(side(), 10 * minute)).toMatchObject({
      doubt: "euros (agent1, bob on desk) is as of 2026-11-19 09:30 UTC: nothing was heard of bob since",
    });
    expect(sideToTake(side(), 25 * 60 * minute)).toMatchObject({ why: "nothing was heard of bob for over a day" });
    expect(sideToTake(side({ heardMs: Number.MAX_SAFE_INTEGER }), 10 * minute)).toHaveProperty("doubt");
  });

  test.each([
    ["another side's", { ref: "refs/constel/bob/fedcba9876543210" }],
    ["a branch", { ref: "refs/heads/main" }],
    ["a pattern", { constellation: "*", ref: `refs/constel/*/${key}` }],
    ["an option", { constellation: "--upload-pack=x", ref: `refs/constel/--upload-pack=x/${key}` }],
    ["a way up", { constellation: "..", ref: `refs/constel/../${key}` }],
    ["a lock", { constellation: "bob.lock", ref: `refs/constel/bob.lock/${key}` }],
    ["a path", { key: "x/y", ref: "refs/constel/bob/x/y" }],
    ["two refs", { constellation: "bob:refs", ref: `refs/constel/bob:refs/${key}` }],
  ] as const)("whose name is %s is left alone", (_, more) => {
    expect(sideToTake(side(more), 0)).toMatchObject({ why: "its name is not a side's" });
  });

  test.each([
    ["no commit yet", { commit: null, detail: "it is being sent" }, "it is being sent"],
    ["a word for a commit", { commit: "HEAD" }, "its commit is not one"],
    ["an option for a commit", { commit: "--output=x" }, "its commit is not one"],
    ["objects that go nowhere", { route: "nowhere", detail: "a secret" }, "a secret"],
  ] as const)("with %s is not taken in", (_, more, why) => {
    expect(sideToTake(side(more), 0)).toMatchObject({ why });
  });
});

test("a key says nothing of the path, and is another for another mark", () => {
  expect(keyOf("m", "/home/ada/app")).toMatch(/^[0-9a-f]{16}$/);
  expect(keyOf("m", "/home/ada/app")).not.toBe(keyOf("n", "/home/ada/app"));
});

test("silence is counted by our own clock, however wrong theirs is", () => {
  const heard = new HeardOthers();
  const at = (minutes: number) => ({ wallMs: 1e12 + minutes * minute, monotonicMs: minutes * minute });
  // At first sight their clock is all there is; it may be ahead.
  expect(heard.ageMs("bob", 1e12 + 60 * minute, at(0))).toBe(0);
  expect(heard.ageMs("bob", 1e12 + 60 * minute, at(5))).toBe(5 * minute);
  expect(heard.ageMs("bob", 1e12 + 61 * minute, at(6))).toBe(0);
  expect(heard.ageMs("eve", 1e12 - 30 * minute, at(0))).toBe(30 * minute);
});
