// Conversations taken along to another account: whole, at the same place, and nothing of it elsewhere.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import type { AccountWays, Launch, LiveSession } from "../../ports/runtime.ts";
import { systemProcesses } from "../process/run.ts";
import { carryClaude } from "./claude/carry.ts";
import { carryCodex } from "./codex/carry.ts";

let directory: ReturnType<typeof temporaryDirectory>;
let top: string;
beforeEach(() => {
  directory = temporaryDirectory("carry");
  top = directory.path;
});
afterEach(() => directory[Symbol.dispose]());

const thread = "0b2f9c1e-1111-4222-8333-444455556666";

function write(path: string, text: string): string {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
  return path;
}

async function carry(ways: AccountWays["carry"], to: string | undefined): Promise<void> {
  const launch = { agent: "agent1", home: join(top, "constel"), cwd: "/w/shop" } as Launch;
  const session: LiveSession = { launch, sinceMs: 0, sessionId: thread };
  const account = to === undefined ? {} : { account: { name: "second", directory: join(top, to) } };
  await ways(session, account, { processes: systemProcesses, clock: new FakeClock(), env: { HOME: top } });
}

const read = (path: string): string => readFileSync(join(top, path), "utf8");

test("Claude Code's transcript goes with its subagents; a newer one takes the place of an older one; others are left alone", async () => {
  mkdirSync(join(top, "second"));
  const project = "projects/-w-shop";
  write(`.claude/${project}/${thread}.jsonl`, "one\n");
  write(`.claude/${project}/${thread}/subagents/agent-1.jsonl`, "sub\n");
  write(`.claude/${project}/another.jsonl`, "another\n");
  write(`.claude/.credentials.json`, "secret");
  await carry(carryClaude, "second");
  expect(read(`second/${project}/${thread}.jsonl`)).toBe("one\n");
  expect(read(`second/${project}/${thread}/subagents/agent-1.jsonl`)).toBe("sub\n");
  write(`.claude/${project}/${thread}.jsonl`, "one\ntwo\n");
  await carry(carryClaude, "second");
  expect(read(`second/${project}/${thread}.jsonl`)).toBe("one\ntwo\n");
  expect(readdirSync(join(top, "second", project)).sort()).toEqual([thread, `${thread}.jsonl`]);
  expect(readdirSync(join(top, "second"))).toEqual(["projects"]);
});

test("Codex's rollout goes to the same day; without one nothing is made", async () => {
  mkdirSync(join(top, "second"));
  await carry(carryCodex, "second");
  expect(readdirSync(join(top, "second"))).toEqual([]);
  const rollout = `sessions/2026/11/19/rollout-2026-11-19T10-00-00-${thread}.jsonl`;
  write(`.codex/${rollout}`, "rows\n");
  await carry(carryCodex, "second");
  expect(read(`second/${rollout}`)).toBe("rows\n");
});

test("accounts that share the place by a link have it already; a link inside of it is not followed", async () => {
  mkdirSync(join(top, "second"));
  mkdirSync(join(top, "elsewhere"));
  write(`.claude/projects/-w-shop/${thread}.jsonl`, "one\n");
  symlinkSync(join(top, ".claude/projects"), join(top, "second/projects"));
  await carry(carryClaude, "second");
  expect(read(`.claude/projects/-w-shop/${thread}.jsonl`)).toBe("one\n");
  mkdirSync(join(top, "third/projects"), { recursive: true });
  symlinkSync(join(top, "elsewhere"), join(top, "third/projects/-w-shop"));
  expect(await rejection(carry(carryClaude, "third"))).toMatchObject({ code: "path.symlink" });
  expect(existsSync(join(top, "elsewhere", `${thread}.jsonl`))).toBe(false);
});
