import { describe, expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { agentIdentity } from "../../protocol/agent-id.ts";
import { temporaryDirectory, unwritableHome } from "../floor.suite.ts";
import { readLoopResume } from "../markers/loop-resume.ts";
import { readRecords } from "../records.ts";
import { sessionDown } from "./down.ts";
import { scene, up } from "./session.suite.ts";

const entry = { did: "the parser", why: "task 12", pickup: "unions" };

function context(agent: string, home = temporaryDirectory()): Parameters<typeof sessionDown>[0] {
  const root = temporaryDirectory();
  const identity = agentIdentity(agent);
  return { home, root, constellation: "constel0", identity, clock: new FakeClock(), random: seededRandom() };
}

describe("session down", () => {
  test("appends to the notes, and the next session finds them", async () => {
    const here = scene("agent3");
    await up(here);
    const down = sessionDown(here.given, entry);
    expect(down.lines).toEqual(["notes appended to notes/2026/01/02/agent3.md"]);
    const next = await up(here);
    expect(String(next.of("notes")?.data["text"])).toContain("### Pickup\n\nunions");
    const { records } = readRecords(here.given.home, "sessions-2026-01-02.jsonl", 0);
    expect(records.find((record) => record["event"] === "down")).toMatchObject({ agent: "agent3", session: 1 });
  });

  test("of the root under a loop leaves the resume file", () => {
    const here = context("agent0");
    expect(sessionDown(here, { ...entry, loop: "night" }).resumes).toBe("night");
    expect(readLoopResume(here.home)).toEqual({
      loop: "night",
      agent: "agent0",
      writtenAtMs: here.clock.nowMs(),
      pickup: "unions",
    });
  });

  test("without a loop, or of a clone, leaves none", () => {
    const root = context("agent0");
    sessionDown(root, entry);
    expect(readLoopResume(root.home)).toBeUndefined();
    const clone = context("agent3");
    sessionDown(clone, { ...entry, loop: "night" });
    expect(readLoopResume(clone.home)).toBeUndefined();
  });

  test("in a home that cannot be written keeps the notes and says what was not recorded", () => {
    const here = context("agent3", unwritableHome());
    const { notes, lines } = sessionDown(here, entry);
    expect(readFileSync(join(here.root, notes), "utf8")).toContain("the parser");
    expect(lines.at(-1)).toStartWith("the session was not recorded:");
  });

  test("refuses notes behind a symbolic link", () => {
    const here = context("agent3");
    symlinkSync(temporaryDirectory(), join(here.root, "notes"));
    expect(() => sessionDown(here, entry)).toThrow(Refusal);
  });
});
