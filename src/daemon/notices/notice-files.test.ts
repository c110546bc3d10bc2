// The files between the daemon and agents' hooks: what lies ready, the marks, the records and the guests.

import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { markOf } from "../../host/process/liveness.ts";
import { guestsHere } from "./guests-here.ts";
import { HearFiles } from "../../floor/hear/hear-files.ts";
import { HookNewsReader } from "./hook-news.ts";

test("a hear file is written when it differs, private, and gone when there is nothing; the next daemon knows what lies there", () => {
  using at = temporaryDirectory("hear");
  const file = join(at.path, "state/hear/agent1/next.json");
  const hear = { version: 1 as const, items: [{ id: "tel_1", at: ["prompt" as const], files: [], text: "words" }] };
  const desk = new HearFiles(sealedHome(at.path));
  desk.lay("agent1", hear);
  const items = hear.items.map((item) => ({ ...item, part: "notices" }));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...hear, for: "agent1", items });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { ino } = statSync(file);
  desk.lay("agent1", structuredClone(hear));
  const next = new HearFiles(sealedHome(at.path));
  next.lay("agent1", hear);
  expect([statSync(file).ino, next.laid()]).toEqual([ino, ["agent1"]]);
  next.lay("agent1", undefined);
  expect([existsSync(file), next.laid()]).toEqual([false, []]);
});

test("of a hook and the daemon only one has an item, and what lies about is no mark", () => {
  using at = temporaryDirectory("hear");
  const desk = new HearFiles(sealedHome(at.path));
  expect(desk.marks("agent1").size).toBe(0);
  expect([desk.claim("agent1", "tel_1"), desk.claim("agent1", "tel_1")]).toEqual([true, false]);
  const marks = join(at.path, "state/hear/agent1.told");
  writeFileSync(join(marks, "tel_2"), "", { flag: "wx" });
  writeFileSync(join(marks, "no mark.txt"), "");
  expect(desk.claim("agent1", "tel_2")).toBe(false);
  expect([...desk.marks("agent1").keys()].sort()).toEqual(["tel_1", "tel_2"]);
  desk.forget("agent1", "tel_1");
  expect([...desk.marks("agent1").keys()]).toEqual(["tel_2"]);
});

test("a link in the place of what agents hear is refused, and what it points at is left alone", () => {
  using at = temporaryDirectory("hear");
  const elsewhere = join(at.path, "elsewhere");
  mkdirSync(elsewhere);
  mkdirSync(join(at.path, "state"));
  symlinkSync(elsewhere, join(at.path, "state/hear"));
  const desk = new HearFiles(sealedHome(at.path));
  const hear = { version: 1 as const, items: [], join: "words" };
  expect(() => desk.lay("agent1", hear)).toThrow();
  expect(() => desk.claim("agent1", "tel_1")).toThrow();
  expect(existsSync(join(elsewhere, "agent1"))).toBe(false);
});

test("records of hooks are met once, whole lines only, through a file that is set aside, and nonsense is passed over", () => {
  using at = temporaryDirectory("hooks");
  const directory = join(at.path, "state/hooks");
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "agent1.jsonl");
  const record = (told: unknown, more: object = {}): string =>
    `${JSON.stringify({ event: "tool-began", at: 5, session: "s", told, ...more })}\n`;
  writeFileSync(file, record(["tel_0"]));
  let awaits = false;
  const reader = new HookNewsReader(at.path, () => awaits);
  const told = (): string[] => reader.read().flatMap((one) => [...one.told]);
  // Items told before are past, unless a mark waits for its record.
  expect(told()).toEqual([]);
  appendFileSync(
    file,
    `${record(["tel_1"])}{"told": 7}\n${record("tel_2")}${record([{}, "tel_3"])}{"event":"x","told":["tel_4`,
  );
  expect(told()).toEqual(["tel_1", "tel_3"]);
  // The end of what is set aside, and the beginning of what follows.
  appendFileSync(file, `"]}\n${record(["tel_5"])}`);
  renameSync(file, join(directory, "agent1.1.jsonl"));
  writeFileSync(file, record(["tel_6"]));
  writeFileSync(join(directory, "agent2.jsonl"), record(["tel_7"]));
  expect(told()).toEqual(["tel_5", "tel_6", "tel_7"]);
  expect(told()).toEqual([]);
  awaits = true;
  expect(new HookNewsReader(at.path, () => awaits).read().flatMap((one) => [...one.told])).toContain("tel_0");
});

test("an edit tells who works where; reading a file does not", () => {
  using at = temporaryDirectory("hooks");
  mkdirSync(join(at.path, "state/hooks"), { recursive: true });
  const reader = new HookNewsReader(at.path, () => true);
  const lines = [
    { event: "tool-ended", tool: "Read", file: "/w/a/read.ts" },
    { event: "tool-ended", tool: "Edit", file: "/w/a/edit.ts" },
    { event: "tool-ended", tool: "apply_patch", file: "patch.ts", cwd: "/w/b" },
    { event: "tool-began", tool: "Edit", file: "/w/a/later.ts" },
    { event: "tool-ended", tool: "Edit", file: "relative.ts" },
  ];
  const text = lines.map((line) => `${JSON.stringify({ at: 1, session: "s", ...line })}\n`).join("");
  writeFileSync(join(at.path, "state/hooks/agent2.jsonl"), text);
  expect(reader.read().flatMap(({ edited }) => edited ?? [])).toEqual(["/w/a/edit.ts", "/w/b/patch.ts"]);
});

test("the conversation that an agent is in comes with its hooks' records, in their order; a subagent's and a forged one say nothing", () => {
  using at = temporaryDirectory("hooks");
  mkdirSync(join(at.path, "state/hooks"), { recursive: true });
  const reader = new HookNewsReader(at.path, () => true);
  const file = join(at.path, "state/hooks/agent2.jsonl");
  const leave = (...lines: object[]): void =>
    appendFileSync(file, lines.map((line) => `${JSON.stringify({ at: 1, ...line })}\n`).join(""));
  const sessions = (): string[] => reader.read().flatMap(({ session }) => session ?? []);
  leave(
    { event: "session-started", session: "one" },
    { event: "prompt-submitted", session: "unread" },
    { event: "tool-began", session: "one", told: ["tel_1"] },
    { event: "tool-began", session: "sub", inSubagent: true, told: ["tel_2"] },
    { event: "session-started", session: "two" },
    { event: "session-started", session: 7 },
    { event: "session-started", session: "x".repeat(201) },
  );
  expect(sessions()).toEqual(["one", "two"]);
  // From here on its lines are sealed: what anybody may have written names no conversation.
  mkdirSync(join(at.path, "keys"));
  writeFileSync(join(at.path, "keys/agent2.key"), JSON.stringify({ seal: "s".repeat(43) }));
  leave({ event: "session-started", session: "three" }, { event: "tool-ended", session: "two", tool: "Read" });
  expect(sessions()).toEqual([]);
});

test("guests that are there are read from their own files, by their real place, and what is no guest is passed over", () => {
  using at = temporaryDirectory("guests");
  mkdirSync(join(at.path, "state/guests"), { recursive: true });
  const put = (name: string, content: unknown): void =>
    writeFileSync(join(at.path, "state/guests", `${name}.json`), JSON.stringify(content));
  const mine = { runtime: "claude", session: "s", process: markOf(process.pid), startedAt: 1 };
  put("agentg000000000001", { ...mine, cwd: "/w/a" });
  // Through a link, where its worktree is known by its real name; a process has one session, the latest.
  mkdirSync(join(at.path, "tree"));
  symlinkSync(join(at.path, "tree"), join(at.path, "link"));
  put("agentg000000000002", { ...mine, runtime: "codex", cwd: join(at.path, "link"), startedAt: 2 });
  put("agentg000000000003", null);
  put("agentg4", { ...mine, cwd: "/w/a", startedAt: 3 });
  put("agent1", { ...mine, cwd: "/w/a", startedAt: 3 });
  writeFileSync(join(at.path, "state/guests/agentg000000000005.json"), "{ half");
  expect(guestsHere(at.path)).toEqual([
    { agent: "agentg000000000002", runtime: "codex", cwd: realpathSync(join(at.path, "tree")) },
  ]);
});
