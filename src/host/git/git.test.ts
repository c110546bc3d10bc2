import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { RunOutcome } from "../../ports/machine.ts";
import { answerOf } from "./git.ts";
import { Scratch } from "./scratch.suite.ts";

const outcome = (said: Partial<RunOutcome>): RunOutcome => ({
  code: 0,
  signal: null,
  stdout: new Uint8Array(),
  stderr: "",
  timedOut: false,
  truncated: false,
  ...said,
});
const call = { args: ["merge-base", "one", "other"] };

test("yes and no are answers; whoever was ended, ran out of time or could not read what it needs said neither", () => {
  expect(answerOf(call, outcome({ stdout: Buffer.from("abc\n") }))).toBe("abc");
  expect(answerOf(call, outcome({ code: 1 }))).toBeUndefined();
  for (const said of [
    { code: null, signal: "SIGKILL" },
    { code: 1, timedOut: true },
    { code: 128, stderr: "fatal: not a git repository" },
    { code: 1, stderr: "error: Could not read 15b458c640d4924787b8d3afcbeb3539e023b788\n" },
    { code: 0, stderr: "error: inflate: data stream error (incorrect header check)\n" },
    { code: 0, truncated: true },
  ])
    expect(() => answerOf(call, outcome(said))).toThrow("git merge-base one");
});

test("a repository that borrows from one that is gone still answers what it can", async () => {
  const scratch = new Scratch();
  try {
    const source = scratch.repository("source");
    scratch.git(scratch.root, "clone", "-q", "--no-local", source, "clone");
    const clone = scratch.path("clone");
    scratch.write(clone, { ".git/objects/info/alternates": `${source}/.git/objects\n` });
    rmSync(source, { recursive: true });
    const ask = (...args: string[]) => scratch.hardenedGit().ask({ args, variables: { GIT_DIR: `${clone}/.git` } });
    const head = scratch.git(clone, "rev-parse", "HEAD").trim();
    expect([await ask("merge-base", "--all", head, head), await ask("rev-parse", "-q", "--verify", "none")]).toEqual([
      head,
      undefined,
    ]);
  } finally {
    await scratch.close();
  }
});
