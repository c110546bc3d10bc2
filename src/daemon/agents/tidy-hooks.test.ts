import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { hookFile, readHooks } from "../../host/runtime/hook-records.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { tidyHooks } from "./tidy-hooks.ts";

const mebibyte = 1024 * 1024;
let directory: ReturnType<typeof temporaryDirectory>;
let home: string;
let hooks: TrustedDirectory;

beforeEach(() => {
  directory = temporaryDirectory("tidy-hooks");
  home = directory.path;
  mkdirSync(join(home, "state/hooks"), { recursive: true });
  hooks = TrustedDirectory.open(home, "state/hooks");
});
afterEach(() => {
  hooks.close();
  directory[Symbol.dispose]();
});

const line = (at: number, says = ""): string => `${JSON.stringify({ event: "notified", at, session: "s", says })}\n`;
const fill = (agent: string, from: number, bytes: number): number => {
  let at = from;
  let text = "";
  while (text.length < bytes) text += line(at++, "x".repeat(1000));
  appendFileSync(hookFile(home, agent), text);
  return at;
};
const tidy = (offsets: Map<string, number>, nowMs = Date.now()): void =>
  tidyHooks(hooks, offsets, { home, nowMs, maxBytes: 65_536, keepDays: 30 });
const allRead = (): Map<string, number> =>
  new Map(hooks.list().map((name) => [name, statSync(join(home, "state/hooks", name)).size]));

test("the last records are there across the moment a file is set aside, and so is a line that came at that moment", () => {
  const next = fill("agent1", 1, mebibyte + 1);
  const before = readHooks(home, "agent1", 0);
  const late = openSync(hookFile(home, "agent1"), "a");
  const offsets = allRead();
  tidy(offsets);
  expect(hooks.list()).toEqual(["agent1.1.jsonl"]);
  expect(readHooks(home, "agent1", 0)).toEqual([...before]);
  writeSync(late, line(next));
  closeSync(late);
  appendFileSync(hookFile(home, "agent1"), line(next + 1));
  expect(
    readHooks(home, "agent1", 0)
      .map(({ at }) => at)
      .slice(-3),
  ).toEqual([next - 1, next, next + 1]);
  expect(offsets.get("agent1.1.jsonl")).toBeLessThan(statSync(join(home, "state/hooks/agent1.1.jsonl")).size);
});

test("the one before is replaced only when its last line was read", () => {
  let at = fill("agent1", 1, mebibyte + 1);
  tidy(allRead());
  appendFileSync(join(home, "state/hooks/agent1.1.jsonl"), line(at++));
  fill("agent1", at, mebibyte + 1);
  const offsets = allRead();
  offsets.set("agent1.1.jsonl", (offsets.get("agent1.1.jsonl") ?? 0) - line(at).length);
  tidy(offsets);
  expect(hooks.list().sort()).toEqual(["agent1.1.jsonl", "agent1.jsonl"]);
  tidy(allRead());
  expect(hooks.list()).toEqual(["agent1.1.jsonl"]);
});

test("the file of a confined agent stays the one that its sandbox has", () => {
  mkdirSync(join(home, "state/agents"), { recursive: true });
  const launch = { agent: "agent1", role: "clone", wanted: "up", runtime: "script", tmuxSocket: "x", sinceMs: 1 };
  const text = JSON.stringify({ ...launch, launch: { home }, confined: true });
  writeFileSync(join(home, "state/agents/agent1.json"), text);
  for (const agent of ["agent1", "agent2"]) fill(agent, 1, mebibyte + 1);
  tidy(allRead());
  expect(hooks.list().sort()).toEqual(["agent1.jsonl", "agent2.1.jsonl"]);
});

test("files of agents that are gone for long are removed; those of one that is wanted, and young ones, are not", () => {
  mkdirSync(join(home, "state/agents"));
  const launch = { agent: "agent1", role: "clone", wanted: "up", runtime: "script", tmuxSocket: "s", sinceMs: 1 };
  appendFileSync(join(home, "state/agents/agent1.json"), JSON.stringify({ ...launch, launch: { home } }));
  for (const agent of ["agent1", "agent2", "agent3"]) fill(agent, 1, 10);
  const longAgo = Date.now() / 1000 - 40 * 86_400;
  for (const agent of ["agent1", "agent2"]) utimesSync(hookFile(home, agent), longAgo, longAgo);
  tidy(new Map());
  expect(readdirSync(join(home, "state/hooks")).sort()).toEqual(["agent1.jsonl", "agent3.jsonl"]);
});
