// Tests that install leaves some files alone, and says so: files that are invalid, change under its hands, cannot be written, or are
// somebody else's.

import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readInstallRecords } from "../src/floor/install/install-records.ts";
import { applyInstall, planInstall, planUndo, refuseChanged } from "../src/floor/install/plan-install.ts";
import { writeSettingsFile } from "../src/floor/install/settings-file.ts";
import type { InstallTarget } from "../src/ports/runtime.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { projectTop, TestHome } from "./kit/home.ts";
import { hooksTarget, undo } from "./kit/install.ts";

test("what is invalid is refused with its line, and nothing is written", async () => {
  await using at = new TestHome();
  const path = join(at.top, ".claude/settings.json");
  mkdirSync(dirname(path));
  const invalid: [string, string | Uint8Array, number][] = [
    ["half a file", '{\n  "a": 1,\n  "b": [\n', 4],
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}\n', 3],
    ["single quotes", "{\n  'a': 1\n}\n", 2],
    ["a list at the top", "[]\n", 1],
    ["two objects", "{}\n{}\n", 2],
    ["hooks that are no object", '{\n  "x": 1,\n  "hooks": []\n}\n', 3],
    ["an event that is no list", '{\n  "hooks": {\n    "Stop": {}\n  }\n}\n', 3],
    ["hooks that are nothing", '{\n  "x": 1,\n\n  "hooks": null\n}\n', 4],
    ["hooks that are a word", '{\n  "hooks": "off"\n}\n', 2],
    ["an event that is nothing", '{\n  "hooks": {\n    "Stop": null\n  }\n}\n', 3],
    ["a comment without end", '{\n  "a": 1 /* here\n}\n', 2],
    ["a text without end", '{\n  "a": "here\n}\n', 2],
    ["only a comment", "// nothing yet\n", 2],
    ["hooks twice", '{\n  "hooks": {},\n  "hooks": {}\n}\n', 3],
    ["brackets without end", `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, 1],
    ["Latin-1", Buffer.from('{\n  "a": "\xe4"\n}\n', "latin1"), 2],
  ];
  for (const [name, content, atLine] of invalid) {
    writeFileSync(path, content);
    const ran = await at.constel(["install", "claude", "--yes"]);
    expect([name, ran.code !== 0, ran.stderr]).toEqual([name, true, expect.stringContaining("[install.invalid-file]")]);
    expect(ran.stderr).toContain(`settings.json:${atLine}:`);
    expect(readFileSync(path).equals(Buffer.from(content as string))).toBe(true);
  }
  expect(existsSync(join(at.top, ".claude/CLAUDE.md"))).toBe(false);
  expect(existsSync(join(at.top, ".claude/commands"))).toBe(false);
  expect(existsSync(join(at.home, "state/installed"))).toBe(false);
});

test("a file that changes between the question and the answer is left alone", () => {
  using directory = temporaryDirectory("install");
  const path = join(directory.path, "settings.json");
  writeFileSync(path, "{}");
  const plan = planInstall(join(directory.path, "home"), hooksTarget(path));
  refuseChanged(plan);
  writeFileSync(path, '{ "a": 1 }');
  expect(() => refuseChanged(plan)).toThrow(expect.objectContaining({ code: "install.changed" }));
});

test("a file that appears between the last look and the writing is left alone", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const path = join(directory.path, "settings.json");
  const plan = planInstall(home, hooksTarget(path));
  writeFileSync(path, '{ "theirs": 1 }');
  expect(() => applyInstall(home, plan, 1)).toThrow(expect.objectContaining({ code: "install.changed" }));
  expect(() => writeSettingsFile(plan.file, plan.content)).toThrow(
    expect.objectContaining({ code: "install.changed" }),
  );
  expect(readFileSync(path, "utf8")).toBe('{ "theirs": 1 }');
  expect(readInstallRecords(home)).toEqual([]);
  expect(readdirSync(directory.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("read-only files, links and what is no plain file", async () => {
  await using at = new TestHome();
  const path = join(at.top, ".claude/settings.json");
  mkdirSync(dirname(path));
  const refused = async (why: string): Promise<void> => {
    const ran = await at.constel(["install", "claude", "--yes"]);
    expect(ran.stderr).toContain(why);
    expect(ran.stderr).toContain("[install.not-writable]");
  };
  const clear = (): void => void Bun.spawnSync(["rm", "-rf", path]);
  writeFileSync(path, "{}");
  chmodSync(path, 0o444);
  await refused("is read-only");
  clear();
  mkdirSync(path);
  await refused("is not a plain file");
  clear();
  symlinkSync(join(at.top, "nowhere.json"), path);
  await refused("leads nowhere");
  clear();
  symlinkSync("/etc/passwd", path);
  if (process.getuid?.() !== 0) await refused("belongs to another user");
  clear();
  writeFileSync(join(at.top, "other.json"), "{}");
  linkSync(join(at.top, "other.json"), path);
  await refused("has another name elsewhere");
  clear();
  // Dotfiles kept elsewhere: the link stays, the file it leads to is changed and put back.
  const kept = join(at.top, "dotfiles.json");
  writeFileSync(kept, '{ "a": 1 }\n');
  symlinkSync(kept, path);
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain(`a link to ${kept}`);
  expect(readFileSync(kept, "utf8")).toContain("--guest");
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  await at.constel(["install", "claude", "--undo", "--yes"]);
  expect(readFileSync(kept, "utf8")).toBe('{ "a": 1 }\n');
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
});

test("a file where a directory belongs is refused, and what a killed install was about to write is cleared away", async () => {
  await using at = new TestHome();
  writeFileSync(join(at.top, ".claude"), "mine");
  const refused = await at.constel(["install", "claude", "--yes"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("is not a directory") as string]);
  expect(readFileSync(join(at.top, ".claude"), "utf8")).toBe("mine");
  rmSync(join(at.top, ".claude"));
  const commands = join(at.top, ".claude/commands");
  mkdirSync(commands, { recursive: true });
  // Of a process that is gone, of one that is there, and somebody else's.
  const names = [".up.md.4194305.3.tmp", `.up.md.${process.pid}.3.tmp`, ".mine.md.4194305.3.tmp"];
  for (const name of names) writeFileSync(join(commands, name), "half");
  expect((await at.constel(["install", "claude", "--undo", "--yes"])).code).toBe(0);
  expect(readdirSync(commands).sort()).toEqual(names.slice(1).sort());
});

test("where a directory cannot be made it says so, and calls nothing installed", async () => {
  await using at = new TestHome();
  writeFileSync(join(at.top, ".claude"), "no directory\n");
  expect((await at.constel(["install", "claude", "--yes"])).code).not.toBe(0);
  expect(readFileSync(join(at.top, ".claude"), "utf8")).toBe("no directory\n");
  expect((await at.constel(["doctor"])).stdout).toContain("nothing is installed");
});

test("a plugin in the place of ours that somebody else wrote, or changed, is left alone", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const path = join(directory.path, "constel.js");
  const target: InstallTarget = { kind: "file", runtime: "opencode", path, text: "ours\n" };
  for (const text of ["", "theirs\n", "ours", "ours\n// and theirs\n", "\uFEFFours\n"]) {
    writeFileSync(path, text);
    expect([text, planInstall(home, target).change, planUndo(home, target).change]).toEqual([
      text,
      "not-ours",
      "not-ours",
    ]);
  }
  rmSync(path);
  applyInstall(home, planInstall(home, target), 1);
  writeFileSync(path, "ours\n// changed\n");
  undo(home, target);
  expect(readFileSync(path, "utf8")).toBe("ours\n// changed\n");
  writeFileSync(path, "ours\n");
  undo(home, target);
  expect(existsSync(path)).toBe(false);
});

test("where somebody else's plugin stands in the place of ours, nothing at all is installed", async () => {
  await using at = new TestHome();
  const plugin = join(at.top, ".config/opencode/plugins/constel.js");
  mkdirSync(dirname(plugin), { recursive: true });
  writeFileSync(plugin, "export default 1;\n");
  const refused = await at.constel(["install", "opencode", "--yes", "--json"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("install.occupied")]);
  expect(readdirSync(join(at.top, ".config/opencode"))).toEqual(["plugins"]);
  rmSync(plugin);
  expect((await at.constel(["install", "opencode", "--yes"])).stdout).toContain("Done.");
  expect((await at.constel(["doctor"])).stdout).toContain("hooks for opencode are installed, not yet seen");
  rmSync(plugin);
  writeFileSync(plugin, "export default 1;\n");
  expect((await at.constel(["doctor"])).stdout).not.toContain("hooks are installed");
});

test("what was installed from one home is neither replaced nor undone from another, and doctor knows whose it is", async () => {
  await using at = new TestHome();
  const settings = join(at.top, ".claude/settings.json");
  mkdirSync(dirname(settings));
  writeFileSync(settings, '{ "model": "opus" }');
  const elsewhere = { CONSTEL_HOME: join(at.top, "it's another; home") };
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Done.");
  const ours = readFileSync(settings, "utf8");
  for (const words of [["--yes"], ["--undo", "--yes"]]) {
    const { code, stderr } = await at.constel(["install", "claude", ...words, "--json"], { env: elsewhere });
    expect([code, stderr]).toEqual([3, expect.stringContaining("install.other-home")]);
  }
  expect(readFileSync(settings, "utf8")).toBe(ours);
  // The home is gone, and with it what it knew: then the lines lead nowhere, and another home may have the file.
  rmSync(at.home, { recursive: true });
  expect((await at.constel(["install", "claude", "--yes"], { env: elsewhere })).stdout).toContain("Done.");
  const theirs = readFileSync(settings, "utf8");
  expect(theirs.split("--guest").length).toBe(ours.split("--guest").length);
  expect((await at.constel(["install", "claude", "--yes"], { env: elsewhere })).stdout).toContain("Nothing to do.");
  expect((await at.constel(["doctor"], { env: elsewhere })).stdout).toContain(
    "hooks for claude are installed, not yet seen",
  );
  writeFileSync(settings, ours);
  expect((await at.constel(["doctor"], { env: elsewhere })).stdout).toContain(
    `leads to another home of constel: ${at.home}`,
  );
  writeFileSync(settings, theirs);
  expect((await at.constel(["install", "claude", "--undo", "--yes"], { env: elsewhere })).stdout).toContain("Done.");
  expect(readFileSync(settings, "utf8")).toBe('{ "model": "opus" }');
});

/** Root may write anywhere, so it becomes somebody else; no account has this number. */
const isRoot = process.getuid?.() === 0;
const ordinary = isRoot ? ["setpriv", "--reuid=64999", "--regid=64999", "--clear-groups"] : [];
const program = [...ordinary, join(projectTop, "bin/constel")];
const canBecome = Bun.spawnSync([...program, "--version"]).exitCode === 0;

test.skipIf(!canBecome)(
  "where one directory is closed to this account nothing at all is installed, nor undone",
  async () => {
    await using at = new TestHome();
    const own = { cwd: "/", program };
    const claude = join(at.top, ".claude");
    mkdirSync(join(claude, "commands"), { recursive: true });
    writeFileSync(join(claude, "settings.json"), "{}\n");
    if (isRoot)
      for (const path of ["", ".claude", ".claude/commands", ".claude/settings.json"])
        chownSync(join(at.top, path), 64_999, 64_999);
    const files = (): string[] => (readdirSync(claude, { recursive: true }) as string[]).sort();
    const refused = async (words: string[], why: string): Promise<void> => {
      const { code, stderr } = await at.constel(["install", "claude", ...words], own);
      expect([code, stderr]).toEqual([3, expect.stringContaining(why)]);
      expect(stderr).toContain("[install.not-writable]");
    };
    for (const closed of ["commands", "."]) {
      chmodSync(join(claude, closed), 0o555);
      await refused(["--yes"], `cannot be written: ${join(claude, closed)} is closed to this account`);
      // The hint offers this.
      expect((await at.constel(["install", "claude", "--print"], own)).stdout).toContain("--guest");
      chmodSync(join(claude, closed), 0o755);
      expect([files(), readFileSync(join(claude, "settings.json"), "utf8")]).toEqual([
        ["commands", "settings.json"],
        "{}\n",
      ]);
    }
    chmodSync(claude, 0);
    await refused(["--yes"], `cannot be read: ${claude} is closed to this account`);
    chmodSync(claude, 0o755);
    chmodSync(join(claude, "settings.json"), 0);
    await refused(["--yes"], "settings.json cannot be read by this account");
    chmodSync(join(claude, "settings.json"), 0o644);

    expect((await at.constel(["install", "claude", "--yes"], own)).code).toBe(0);
    const installed = files();
    chmodSync(join(claude, "commands"), 0o555);
    await refused(["--undo", "--yes"], `cannot be written: ${claude}/commands is closed to this account`);
    expect(files()).toEqual(installed);
    expect(readFileSync(join(claude, "settings.json"), "utf8")).toContain("--guest");
    // Nothing is to be done, so nothing is in the way.
    expect((await at.constel(["install", "claude", "--yes"], own)).stdout).toContain("Nothing to do.");
    chmodSync(join(claude, "commands"), 0o755);
    expect((await at.constel(["install", "claude", "--undo", "--yes"], own)).code).toBe(0);
    expect(readFileSync(join(claude, "settings.json"), "utf8")).toBe("{}\n");
  },
);
