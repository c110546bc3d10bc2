import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { runtimes } from "./all.ts";
import { usualRuntime } from "./usual-runtime.ts";

test("without a setting agents run on what is installed, whichever that is, and on nothing where there is none", () => {
  using directory = temporaryDirectory("programs");
  const check = (installed: readonly string[], configured: string, expected: string): void => {
    const path = join(directory.path, installed.join("-") || "none");
    mkdirSync(path, { recursive: true });
    for (const name of installed) {
      writeFileSync(join(path, name), "#!/bin/sh\n");
      chmodSync(join(path, name), 0o700);
    }
    expect([installed, usualRuntime(configured, runtimes, path)]).toEqual([installed, expected]);
  };
  for (const name of ["claude", "codex", "opencode", "gemini"]) check([name], "", name);
  check([], "", "");
  // Some other program may have the name of what is any command, or a part of constel.
  check(["script"], "", "");
  check(["remote"], "", "");
  check(["opencode", "codex"], "", "codex");
  // One that was only written after its documentation comes after those that were tried.
  check(["copilot", "opencode"], "", "opencode");
  check(["copilot"], "", "copilot");
  check(["codex"], "claude", "claude");
});
