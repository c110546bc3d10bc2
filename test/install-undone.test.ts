// Tests what is left after undo on the real program: nothing, also when a process was killed on the way, and nothing of what others made is
// gone.

import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { addBlock, tomlMarks } from "../src/floor/install/marked-block.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { projectTop, TestHome } from "./kit/home.ts";

test("killed at any step of install or undo, all can still be undone to the byte", async () => {
  const steps = ["install.recorded:1", "install.laid:1", "install.written:1", "install.laid:2", "install.written:2"];
  // With an empty list of its own, which nobody could tell from one that was made for ours.
  const settings = '{\n  "hooks": { "Stop": [] }\n}\n';
  await using at = new TestHome();
  const path = join(at.top, ".claude/settings.json");
  const look = (): unknown => readTree(join(at.top, ".claude"));
  const run = (words: readonly string[], step?: string) =>
    at.constel(["install", "claude", ...words, "--yes"], step === undefined ? {} : { env: { CONSTEL_KILL_AT: step } });
  mkdirSync(dirname(path));
  writeFileSync(path, settings, { mode: 0o640 });
  chmodSync(path, 0o640);
  const before = look();
  for (const step of steps) {
    expect([step, (await run([], step)).code]).toEqual([step, 137]);
    await run(["--undo"]);
    expect([step, look()]).toEqual([step, before]);
  }
  for (const step of ["install.laid:1", "undo.written:1", "undo.written:2"]) {
    await run([]);
    expect([step, (await run(["--undo"], step)).code]).toEqual([step, 137]);
    await run(["--undo"]);
    expect([step, look()]).toEqual([step, before]);
  }
  rmSync(join(at.top, ".claude"), { recursive: true });
  await run([]);
  await run(["--undo"], "undo.written:2");
  await run(["--undo"]);
  expect(existsSync(join(at.top, ".claude"))).toBe(false);
});

/** Names, modes and content of all files below. */
function readTree(directory: string): unknown {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((one) => {
      const path = join(one.parentPath, one.name);
      return [path, (lstatSync(path).mode & 0o777).toString(8), one.isFile() ? readFileSync(path, "utf8") : ""];
    })
    .sort();
}

test("what install had to make is gone after undo, and in a repository it touches only that", async () => {
  await using at = new TestHome();
  const repository = join(at.top, "repo");
  mkdirSync(join(repository, ".git"), { recursive: true });
  mkdirSync(join(repository, "src"));
  // No program but what is on this PATH: Codex cannot be asked, and that is said.
  const env = { PATH: "/usr/bin:/bin" };
  const made: Record<string, readonly string[]> = {
    claude: [".claude/settings.local.json", "CLAUDE.md"],
    codex: [".codex/hooks.json", "AGENTS.md"],
    gemini: [".gemini/settings.json", "GEMINI.md"],
    opencode: [".opencode/plugins/constel.js", "AGENTS.md"],
  };
  for (const [runtime, files] of Object.entries(made)) {
    const words = ["install", runtime, "--project", "--yes"];
    expect((await at.constel(words, { cwd: join(repository, "src"), env })).stdout).toContain("Done.");
    for (const file of files) expect([file, existsSync(join(repository, file))]).toEqual([file, true]);
    expect(existsSync(join(at.top, ".claude"))).toBe(false);
    await at.constel([...words, "--undo"], { cwd: repository, env });
    for (const file of files)
      expect([file, existsSync(join(repository, file.split("/")[0] ?? ""))]).toEqual([file, false]);
  }
});

test("everywhere, too: the programs' directories are gone when constel made them, and stay when somebody else did", async () => {
  await using at = new TestHome();
  const env = { PATH: "/usr/bin:/bin" };
  mkdirSync(join(at.top, ".gemini"));
  const directories = { claude: ".claude", codex: ".codex", opencode: ".config", gemini: ".gemini" };
  for (const [runtime, directory] of Object.entries(directories)) {
    await at.constel(["install", runtime, "--yes"], { env });
    await at.constel(["install", runtime, "--undo", "--yes"], { env });
    expect([runtime, existsSync(join(at.top, directory))]).toEqual([runtime, runtime === "gemini"]);
  }
});

test("instructions that two programs read stay until the second one is undone", () => {
  using directory = temporaryDirectory("install");
  const run = (...words: string[]) =>
    Bun.spawnSync([join(projectTop, "bin/constel"), "install", ...words, "--project", "--yes"], {
      cwd: directory.path,
      env: { PATH: "/usr/bin:/bin", HOME: join(directory.path, "home") },
    });
  const notes = join(directory.path, "AGENTS.md");
  writeFileSync(notes, "mine");
  for (const program of ["codex", "opencode"]) expect(run(program).exitCode).toBe(0);
  expect(run("codex", "--undo").exitCode).toBe(0);
  expect(readFileSync(notes, "utf8")).toContain("constel: begin");
  expect(run("opencode", "--undo").exitCode).toBe(0);
  expect(readFileSync(notes, "utf8")).toBe("mine");
  expect(readdirSync(directory.path).sort()).toEqual(["AGENTS.md", "home"]);
});

test("what was trusted is taken away again, also where the program itself is gone", async () => {
  await using at = new TestHome();
  const path = join(at.top, ".codex/config.toml");
  mkdirSync(dirname(path));
  const mine = 'model = "x"\n';
  const block = addBlock(mine, '[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:1"\n', tomlMarks);
  writeFileSync(path, block);
  const env = { PATH: "/usr/bin:/bin" };
  expect((await at.constel(["install", "codex", "--undo", "--yes"], { env })).stdout).toContain("Done.");
  expect(readFileSync(path, "utf8")).toBe(mine);
  expect((await at.constel(["install", "codex"], { env })).stdout).toContain("trust constel's hooks with /hooks");
  expect(readFileSync(path, "utf8")).toBe(mine);
});
