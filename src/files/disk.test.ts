// Checks what is made to last, and in which order: the content first, then the name. Without these a forgotten sync would be noticed after a
// power cut only.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { send } from "../floor/bus/send.ts";
import { fakeBus } from "../../test/bus-kit.ts";
import { RecordingDisk } from "./recording-disk.suite.ts";
import { TrustedDirectory } from "./trusted-directory.ts";
import { appendTrusted, createTrusted, writeTrusted } from "./trusted-files.ts";

let root: string;
let disk: RecordingDisk;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "constel-disk-"));
  disk = new RecordingDisk();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("what lasts through a power cut", () => {
  test("a written file: its content is on the disk before it gets its name, and the name before we answer", () => {
    writeTrusted(root, "d/file", "text", { disk });
    expect(disk.done).toEqual(["sync file temporary of file", "rename temporary of file to file", "sync directory d"]);
  });

  test("a file that is made only once", () => {
    expect(createTrusted(root, "d/file", "text", { disk })).toBe(true);
    expect(disk.done).toEqual(["sync file temporary of file", "sync directory d"]);
    disk.done.length = 0;
    expect(createTrusted(root, "d/file", "other", { disk })).toBe(false);
    expect(disk.done).not.toContain("sync directory d");
  });

  test("a line that is appended durably, and one that need not be", () => {
    appendTrusted(root, "d/log", "line\n", { disk, sync: true });
    expect(disk.done).toEqual(["sync file log"]);
    appendTrusted(root, "d/log", "line\n", { disk });
    expect(disk.done).toHaveLength(1);
  });

  test("content that may be lost with the power is not waited for", () => {
    using directory = TrustedDirectory.open(root, "", { disk });
    directory.write("cache", "text", { sync: false });
    expect(disk.done).toEqual(["rename temporary of cache to cache"]);
  });

  test("a message: its content, then its name in the inbox", () => {
    const sent = send({ ...fakeBus(root), disk }, { from: "agent1", to: "agent2", text: "hello" });
    const [first, ...rest] = disk.done;
    expect(first).toBe(`sync file .${sent.name}.tmp`);
    expect(rest).toEqual(["sync directory inbox"]);
  });
});
