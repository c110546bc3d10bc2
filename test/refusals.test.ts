// Refusals as users meet them, by typing: the code, the exit code and a hint, for those that no other story meets.

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { catalogue, type RefusalCode } from "../src/protocol/catalogue.ts";
import { exitCodes } from "../src/protocol/exit-codes.ts";
import { TestHome } from "./kit/home.ts";

const typed: readonly (readonly [RefusalCode, string])[] = [
  ["agent.unknown", "agent show 9"],
  ["repository.unknown", "repo forget nowhere"],
  ["check.no-counterpart", "check"],
  ["check.no-gate", "check HEAD HEAD --gate"],
  ["workspace.unknown", "workspace rm 1"],
  ["workspace.unknown", "workspace restore 1"],
  ["quiet.too-long", "quiet 400d"],
  ["usage.bad-value", "channel send agent1 hello --task soon"],
];

test("each refusal has its code, its exit code and a hint", async () => {
  await using at = new TestHome();
  const top = join(at.top, "lonely");
  mkdirSync(top);
  const env = {
    ...at.env,
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  Bun.spawnSync(["git", "init", "-q", "-b", "lonely"], { cwd: top, env });
  Bun.spawnSync(["git", "commit", "-q", "--allow-empty", "-m", "one"], { cwd: top, env });
  await at.json(["task", "create", "one"], { cwd: top });
  for (const [code, words] of typed) {
    const ran = await at.constel([...words.split(" "), "--json"], { cwd: top });
    const { error } = JSON.parse(ran.stderr.trim().split("\n").at(-1) ?? "{}") as {
      error?: { code: string; hint: string };
    };
    expect({ words, code: error?.code, exit: ran.code }).toEqual({
      words,
      code,
      exit: exitCodes[catalogue[code].exit],
    });
    expect(error?.hint ?? "").not.toBe("");
  }
});

test("a message to an agent that was never started is sent, and it is said that nobody reads it yet", async () => {
  await using at = new TestHome();
  const ran = await at.constel(["channel", "send", "agent7", "hello", "--json"]);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("agent7 was never started here") });
  expect(JSON.parse(ran.stdout)).toMatchObject({ state: "sent" });
});
