import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../protocol/errors.ts";
import { temporaryDirectory } from "./floor.suite.ts";
import { anyNotes, appendNotes, latestNotes } from "./notes.ts";

const entry = { did: "wrote the parser", why: "task 12", pickup: "tests of unions" };
const lastSecond = Date.UTC(2025, 11, 31, 23, 59, 59);

describe("notes", () => {
  test("are appended under the UTC day with what was done, why, and where to go on", () => {
    const root = temporaryDirectory();
    const path = appendNotes(root, "agent3", lastSecond, entry);
    appendNotes(root, "agent3", lastSecond, { did: "more", why: "", pickup: " " });
    expect(path).toBe("notes/2025/12/31/agent3.md");
    const text = readFileSync(join(root, path), "utf8");
    expect(text).toStartWith(
      "\n## 2025-12-31T23:59:59Z agent3\n\n### Did\n\nwrote the parser\n\n### Why\n\ntask 12\n\n### Pickup\n\ntests of unions\n",
    );
    expect(text).toContain("### Did\n\nmore\n\n### Why\n\n(nothing said)\n");
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o600);
  });

  test("of yesterday are found across midnight, and today's come first", () => {
    const root = temporaryDirectory();
    appendNotes(root, "agent3", lastSecond, entry);
    expect(latestNotes(root, "agent3", lastSecond)?.from).toBe("today");
    expect(latestNotes(root, "agent3", lastSecond + 1000)).toMatchObject({
      from: "yesterday",
      path: "notes/2025/12/31/agent3.md",
    });
    appendNotes(root, "agent3", lastSecond + 1000, entry);
    expect(latestNotes(root, "agent3", lastSecond + 1000)).toMatchObject({
      from: "today",
      path: "notes/2026/01/01/agent3.md",
    });
  });

  test("of the day before yesterday give way to the root's newest", () => {
    const root = temporaryDirectory();
    const day = 86_400_000;
    appendNotes(root, "agent3", lastSecond - 2 * day, entry);
    expect(latestNotes(root, "agent3", lastSecond)).toBeUndefined();
    appendNotes(root, "agent0", lastSecond - 400 * day, { ...entry, did: "older" });
    appendNotes(root, "agent0", lastSecond - 40 * day, { ...entry, did: "newer" });
    const notes = latestNotes(root, "agent3", lastSecond);
    expect(notes?.from).toBe("root");
    expect(notes?.text).toContain("newer");
  });

  test("from the future, after the clock was set back, are still the root's newest", () => {
    const root = temporaryDirectory();
    appendNotes(root, "agent0", lastSecond, entry);
    expect(latestNotes(root, "agent0", lastSecond - 10 * 86_400_000)?.path).toBe("notes/2025/12/31/agent0.md");
  });

  test("are known to exist or not, whatever else lies there", () => {
    const root = temporaryDirectory();
    expect(anyNotes(root)).toBe(false);
    mkdirSync(join(root, "notes/2025/12/31"), { recursive: true });
    writeFileSync(join(root, "notes/README.md"), "");
    expect(anyNotes(root)).toBe(false);
    appendNotes(root, "agent7", lastSecond, entry);
    expect(anyNotes(root)).toBe(true);
  });

  test("are refused when their directory, a day or a file is a symbolic link", () => {
    const elsewhere = temporaryDirectory();
    const linked = temporaryDirectory();
    symlinkSync(elsewhere, join(linked, "notes"));
    expect(() => appendNotes(linked, "agent3", lastSecond, entry)).toThrow(Refusal);
    expect(() => latestNotes(linked, "agent3", lastSecond)).toThrow(Refusal);
    const file = temporaryDirectory();
    mkdirSync(join(file, "notes/2025/12/31"), { recursive: true });
    writeFileSync(join(elsewhere, "victim"), "");
    symlinkSync(join(elsewhere, "victim"), join(file, "notes/2025/12/31/agent3.md"));
    expect(() => appendNotes(file, "agent3", lastSecond, entry)).toThrow(Refusal);
    expect(readFileSync(join(elsewhere, "victim"), "utf8")).toBe("");
  });
});
