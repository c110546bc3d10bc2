// `constel install` as somebody meets it: it shows what it would do, asks, does it, and doctor says whether it still holds. What it does to
// files of every kind is proved in install-hooks, install-blocks, install-refused and install-undone.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { markHookSeen } from "../src/floor/install/hook-seen.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

test("install shows a diff first, prints on request, writes with --yes, and doctor says whether it still holds", async () => {
  await using at = new TestHome();
  const settings = join(at.top, ".claude/settings.json");
  const notes = join(at.top, ".claude/CLAUDE.md");
  mkdirSync(dirname(settings));
  writeFileSync(settings, '{\n  "model": "opus"\n}\n');
  writeFileSync(notes, "# Mine\n\nBe brief.\n");
  const shown = await at.constel(["install", "claude"]);
  expect(shown.stdout).toContain('-  "model": "opus"\n');
  expect(shown.stdout).toContain('+  "hooks": {');
  expect(shown.stdout).toContain("Nothing was changed yet: add --yes to do it.");
  const { stdout: printed } = await at.constel(["install", "claude", "--print"]);
  expect(printed).toContain(`==> ${settings}`);
  expect(readFileSync(settings, "utf8")).toBe('{\n  "model": "opus"\n}\n');
  expect(existsSync(at.home)).toBe(false);

  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Done.");
  expect(printed).toContain(readFileSync(settings, "utf8"));
  expect(readFileSync(notes, "utf8")).toStartWith("# Mine\n\nBe brief.\n\n<!-- constel: begin.");
  const { hooks } = JSON.parse(readFileSync(settings, "utf8")) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const command = hooks["Stop"]?.[0]?.hooks[0]?.command ?? "";
  const program = join(projectTop, "bin/constel");
  expect(command).toBe(
    `cd /; [ -x ${program} ] || exit 0; export CONSTEL_HOME=${at.home}; exec ${program} hook claude --guest`,
  );
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Nothing to do.");
  const doctor = async (): Promise<string> => (await at.constel(["doctor"])).stdout;
  // That it lies in the file is not that the program runs it: that is known by a hook of a session that somebody started.
  expect(await doctor()).toContain("hooks for claude are installed, not yet seen");
  markHookSeen(at.home, "claude", Date.now());
  expect(await doctor()).toContain("hooks of claude were seen to run");
  // As it was installed by one who kept comments: the program would skip it all.
  const asRead = readFileSync(settings, "utf8");
  writeFileSync(settings, asRead.replace("{", "{ // mine"));
  expect(await doctor()).toContain("it skips the whole file");
  const again = await at.constel(["install", "claude", "--yes"]);
  expect(again.stdout).toContain("1 comment is taken out");
  expect(again.stdout).toContain("Installed, not yet seen");
  JSON.parse(readFileSync(settings, "utf8"));
  expect(await doctor()).toContain("hooks for claude are installed, not yet seen");
  writeFileSync(settings, "{}");
  expect(await doctor()).toContain("no longer holds what constel added");
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Done.");
  expect(await doctor()).toContain("hooks for claude are installed, not yet seen");

  expect((await at.constel(["install", "claude", "--undo", "--yes"])).stdout).toContain("Done.");
  expect(readFileSync(settings, "utf8")).toBe("{}");
  expect(readFileSync(notes, "utf8")).toBe("# Mine\n\nBe brief.\n");
  expect(existsSync(join(at.top, ".claude/commands"))).toBe(false);
  expect((await at.constel(["install", "claude", "--undo", "--yes"])).stdout).toContain("Nothing to do.");
});

test("all is every program with settings that hooks can be put into, and no other: a part of constel is none, nor is one that is driven", async () => {
  await using at = new TestHome();
  const bin = join(at.top, "bin");
  mkdirSync(bin);
  for (const name of ["remote", "script", "qwen"])
    writeFileSync(join(bin, name), "#!/bin/sh\necho 1.0.0\n", { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { stdout } = await at.constel(["install", "all", "--json", "--yes"], { env });
  const { files, notes } = JSON.parse(stdout) as { files: unknown[]; notes: string[] };
  const takes = ["claude", "codex", "opencode", "gemini"];
  expect(files).toEqual([]);
  expect(notes).toEqual(takes.map((name) => `${name} is not installed: left out`));
  const refused = await at.constel(["install", "remote"]);
  expect(refused.stderr).toContain(`must be one of ${[...takes, "all"].join(", ")}, not remote`);
});

test("--print shows files as they would be: what is not constel's stays, what goes is not there, and --undo is shown too", async () => {
  await using at = new TestHome();
  const claude = join(at.env["HOME"] ?? "", ".claude");
  const [settings, up, down] = ["settings.json", "commands/up.md", "commands/down.md"].map((name) =>
    join(claude, name),
  );
  mkdirSync(join(claude, "commands"), { recursive: true });
  writeFileSync(settings ?? "", '{ "model": "opus" } // mine\n');
  writeFileSync(up ?? "", "mine\n");
  const printed = async (...words: string[]): Promise<Record<string, string | null>> => {
    const { files } = await at.json<{ files: { path: string; content: string | null }[] }>([
      "install",
      "claude",
      "--print",
      ...words,
    ]);
    return Object.fromEntries(files.map(({ path, content }) => [path, content]));
  };
  const [before, undone] = [await printed(), await printed("--undo")];
  expect(before[settings ?? ""]).toContain("hook claude --guest");
  expect(before[up ?? ""]).toBe("mine\n");
  const asItWas = { [settings ?? ""]: '{ "model": "opus" } // mine\n', [up ?? ""]: "mine\n", [down ?? ""]: null };
  expect(undone).toMatchObject(asItWas);
  await at.constel(["install", "claude", "--yes"]);
  expect(await printed()).toEqual(before);
  expect(await printed("--undo")).toEqual(undone);
  const { stdout } = await at.constel(["install", "claude", "--print", "--undo"]);
  expect(stdout).toContain(`==> ${down}  (no such file)\n`);
});

test("at a terminal it shows the diff, asks, and does nothing without a yes", async () => {
  await using at = new TestHome();
  const settings = join(at.top, ".claude/settings.json");
  for (const [answer, isDone] of [
    ["\r", false],
    ["no\r", false],
    ["y\r", true],
  ] as const) {
    let shown = "";
    const child = Bun.spawn([join(projectTop, "bin/constel"), "install", "claude"], {
      env: { ...at.env, TERM: "xterm-256color" },
      cwd: at.top,
      terminal: { cols: 100, rows: 30, data: (_terminal, data) => void (shown += new TextDecoder().decode(data)) },
    });
    await until(
      "it asks",
      () => shown,
      (text) => text.includes("Do it? [y/N]"),
    );
    expect(shown).toContain("hook claude --guest");
    expect(existsSync(settings)).toBe(false);
    child.terminal?.write(answer);
    expect(await child.exited).toBe(0);
    expect(existsSync(settings)).toBe(isDone);
  }
});
