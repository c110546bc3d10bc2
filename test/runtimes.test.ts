// The agent programs on the command line, with a stand-in for one of them.

import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtimes } from "../src/host/runtime/all.ts";
import { TestHome } from "./kit/home.ts";

/** A PATH with no agent program on it but a `claude` that tells this version. */
function pathWith(at: TestHome, version: string): Record<string, string> {
  const programs = join(at.top, "programs");
  mkdirSync(programs, { recursive: true });
  for (const name of ["sh", "env", "tmux", "git"]) {
    if (!existsSync(join(programs, name))) symlinkSync(Bun.which(name) ?? "", join(programs, name));
  }
  writeFileSync(join(programs, "claude"), `#!/bin/sh\necho "${version} (Claude Code)"\n`);
  chmodSync(join(programs, "claude"), 0o755);
  return { PATH: programs };
}

test("runtime list and check tell versions apart from the ones that were checked", async () => {
  await using at = new TestHome();
  const env = pathWith(at, "0.0.1");
  const { runtimes: list } = await at.json<{ runtimes: { name: string; verdict: string; version?: string }[] }>(
    ["runtime", "list"],
    { env },
  );
  const others = runtimes.map(({ name }) => [name, "not-installed"]);
  expect(Object.fromEntries(list.map(({ name, verdict }) => [name, verdict]))).toEqual({
    ...Object.fromEntries(others),
    claude: "unchecked-version",
    remote: "checked",
    script: "checked",
  });
  expect((await at.constel(["runtime", "check"], { env })).code).toBe(1);
  expect((await at.constel(["runtime", "check", "codex"], { env })).code).toBe(1);
  expect((await at.constel(["runtime", "check", "script"], { env })).code).toBe(0);
  expect((await at.constel(["runtime", "check", "clod"], { env })).stderr).toContain("[runtime.unknown]");
  expect((await at.constel(["doctor"], { env })).stdout).toContain("claude 0.0.1");
  expect(existsSync(at.home)).toBe(false);
});

test("install shows what it would do, does it with --yes, and takes back only its own", async () => {
  await using at = new TestHome();
  const up = join(at.top, ".claude/commands/up.md");
  const shown = await at.constel(["install", "claude"]);
  expect(shown.stdout).toMatch(/^\d+ files? to write\b.*\.\n/);
  expect(shown.stdout).toContain("+Run `constel session up` now");
  expect(shown.stdout).toContain("Nothing was changed yet");
  expect(existsSync(up)).toBe(false);
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Done.");
  expect(readFileSync(up, "utf8")).toContain("constel session up");
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Nothing to do.");
  writeFileSync(up, "my own\n");
  expect((await at.constel(["install", "claude", "--undo", "--yes"])).code).toBe(1);
  expect(readFileSync(up, "utf8")).toBe("my own\n");
  expect(existsSync(join(at.top, ".claude/commands/down.md"))).toBe(false);
  expect((await at.constel(["install", "script"])).stderr).toContain("[usage.bad-value]");
});
