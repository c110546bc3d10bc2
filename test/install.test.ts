// `constel install` on settings as people have them: what is there stays, byte for byte, and undo puts everything back.

import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseJson } from "jsonc-parser";
import { addHooks, removeHooks } from "../src/floor/install/json-hooks.ts";
import { addBlock, markdownMarks, tomlMarks } from "../src/floor/install/marked-block.ts";
import {
  applyInstall,
  applyUndo,
  forgetUndone,
  planInstall,
  planUndo,
  refuseChanged,
} from "../src/floor/install/plan-install.ts";
import { readInstallRecords } from "../src/floor/install/install-records.ts";
import { writeSettingsFile } from "../src/floor/install/settings-file.ts";
import { claude } from "../src/host/runtime/claude/claude.ts";
import { codex } from "../src/host/runtime/codex/codex.ts";
import { gemini } from "../src/host/runtime/gemini/gemini.ts";
import { pluginText } from "../src/host/runtime/opencode/install.ts";
import type { InstallTarget, Runtime } from "../src/ports/runtime.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

const lineFor = (runtime: string): string => `cd /; exec /opt/constel hook ${runtime} --guest`;
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const own = '{"type":"command","command":"echo mine"}';

/** Settings as they are met: each is a valid file of a person's. */
const awkward: Readonly<Record<string, string>> = {
  "an empty object": "{}",
  "an empty object over lines": "{\n}\n",
  "an empty file": "",
  "white space only": "\n  \n",
  minified: `{"model":"opus","hooks":{"Stop":[{"hooks":[${own}]}]},"permissions":{"deny":["Bash(rm *)"]}}`,
  "own hooks for the same events": `{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [${own}] }\n    ],\n    "Stop": []\n  }\n}\n`,
  "line comments": `// mine\n{\n  // a deny rule\n  "permissions": { "deny": ["Read(.env)"] } // keep\n  // the end\n}\n// after\n`,
  "block comments in lists": `{\n  "hooks": {\n    "Stop": [ /* none yet */ ],\n    "PreToolUse": [\n      // nothing here\n    ]\n  }\n}\n`,
  "trailing commas": `{\n  "a": 1,\n  "hooks": {\n    "Stop": [\n      {"hooks": [${own},],},\n    ],\n  },\n}\n`,
  "a trailing comma and a comment behind it": `{\n  "a": [1, 2,], // two\n  "b": {}, // empty\n}`,
  tabs: `{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [${own}] }\n\t\t]\n\t},\n\t"x": null\n}\n`,
  "four spaces": `{\n    "env": {\n        "A": "1"\n    }\n}\n`,
  "CRLF line ends": `{\r\n  "hooks": {\r\n    "Stop": [\r\n      {"hooks": [${own}]}\r\n    ]\r\n  }\r\n}\r\n`,
  "a byte order mark": `\uFEFF{\n  "a": "ä"\n}\n`,
  "a byte order mark and CRLF": `\uFEFF{\r\n  "a": 1\r\n}`,
  "no newline at the end": `{\n  "a": 1\n}`,
  "deep nesting": `{\n  "deep": ${deep(200)}\n}\n`,
  "own MCP servers and a schema": `{\n  "$schema": "https://example.org/s.json",\n  "mcpServers": { "db": { "command": "db", "args": ["--x"] } },\n  "hooks": {}\n}\n`,
  "names in several scripts": `{\n  "ключ": "значение",\n  "🗝️": ["漢字", "\\u0000", "\\"}{\\""]\n}\n`,
  "braces and marks in strings": `{\n  "a": "// no comment { [ , ",\n  "hooks": {"Notification": [{"matcher": "\\"]}", "hooks": [${own}]}]}\n}\n`,
  "all on odd lines": `{"a"\n:\n1\n,"hooks"\n:{"Stop"\n:[\n]}}\n`,
  "no hooks, last value a list": `{"z":1,\n "list": [\n 1,\n 2\n ]\n}\n`,
  "order that means something": `{\n  "z": 1,\n  "a": 2,\n  "m": 3\n}\n\n\n`,
  "hooks written with an escape": `{\n  "\\u0068ooks": { "Stop": [{"hooks": [${own}]}] }\n}\n`,
  "a line of 300,000 characters": `{"long": "${"x".repeat(300_000)}",\n"a": 1}\n`,
  "keys that come twice": `{\n  "a": 1,\n  "a": 2,\n  "b": {"c": 1, "c": 2}\n}\n`,
  "block comments everywhere": `/* a */{/* b */"a"/* c */:/* d */1/* e */,/* f */"hooks"/* g */:/* h */{/* i */}/* j */}/* k */`,
  "a comment that is never a mark": `{\n  // constel: begin\n  "a": 1 /* constel: end */\n}\n`,
  "a byte order mark and nothing": "\uFEFF",
  "blanks at the ends of lines": `{  \n  "a": 1,   \n  "hooks": {\t\n  }  \n}  \n`,
  "a key that is the name of a method": `{\n  "__proto__": {"x": 1},\n  "constructor": 1,\n  "hooks": {"toString": []}\n}\n`,
  "numbers as nobody prints them": `{"a": 1e400, "b": -0, "c": 1.0000000000000000001, "d": 12345678901234567890}`,
  "own hooks by another tool's home": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"exec /opt/other/constel-like hook claude"}]}]}}`,
};

function hooksTarget(path: string, runtime: Runtime = claude): Extract<InstallTarget, { kind: "hooks" }> {
  const env = { HOME: dirname(dirname(path)) };
  const wish = { env, project: undefined, line: lineFor(runtime.name), instructions: "words", undo: false };
  const target = runtime.installs(wish).find(({ kind }) => kind === "hooks");
  if (target?.kind !== "hooks") throw new Error(`no hooks for ${runtime.name}`);
  return { ...target, path };
}

function undo(home: string, target: InstallTarget): void {
  const plan = planUndo(home, target);
  applyUndo(home, plan);
  forgetUndone(home, plan);
}

const without = (value: unknown): unknown => {
  const { hooks: _, ...rest } = value as Record<string, unknown>;
  return rest;
};

describe("install adds, and undo leaves not a byte behind", () => {
  const cases = [claude, codex, gemini].flatMap((runtime) =>
    Object.entries(awkward).map(([name, text]) => [runtime, name, text] as const),
  );
  for (const [runtime, name, text] of cases) {
    test(`${runtime.name}, ${name}`, () => {
      using directory = temporaryDirectory("install");
      const home = join(directory.path, "home");
      const path = join(directory.path, "settings.json");
      writeFileSync(path, text, { mode: 0o640 });
      const target = hooksTarget(path, runtime);
      const plan = planInstall(home, target);
      expect(plan.diff.filter((one) => one.startsWith("-")).length).toBeLessThanOrEqual(4);
      applyInstall(home, plan, 1);
      const after = readFileSync(path, "utf8");
      const { hooks } = parseJson(after.replace("\uFEFF", ""), [], { allowTrailingComma: true }) as {
        hooks: Record<string, unknown[]>;
      };
      for (const event of Object.keys(target.entries)) expect(hooks[event]?.filter(target.isOurs)).toHaveLength(1);
      // Every character of before is there, in its order.
      expect(isWithin(text, after)).toBe(true);
      if (text.trim() !== "") {
        const errors: never[] = [];
        const [was, is] = [text, after].map(
          (one) => parseJson(one.replace("\uFEFF", ""), errors, { allowTrailingComma: true }) as unknown,
        );
        expect(errors).toEqual([]);
        expect(without(is)).toEqual(without(was));
        const mine = JSON.stringify((was as { hooks?: unknown }).hooks ?? {}).split("echo mine").length;
        expect(JSON.stringify((is as { hooks?: unknown }).hooks).split("echo mine").length).toBe(mine);
      }
      expect(after.includes("\r\n") && after.replaceAll("\r\n", "").includes("\n")).toBe(false);
      expect(planInstall(home, target).change).toBe("same");
      undo(home, target);
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o640);

      // The same when somebody changed another part of the file meanwhile: only ours goes.
      applyInstall(home, planInstall(home, target), 1);
      const changed = readFileSync(path, "utf8").replace(/\}\s*(\/\/ after\s*)?$/, (end) => ` ${end}`);
      writeFileSync(path, changed);
      undo(home, target);
      const left = readFileSync(path, "utf8");
      expect(left).not.toContain("--guest");
      if (text.trim() !== "") {
        const [was, is] = [text, left].map(
          (one) => parseJson(one.replace("\uFEFF", ""), [], { allowTrailingComma: true }) as unknown,
        );
        expect([was, withoutEmpty(was)]).toContainEqual(is);
      }
    });
  }
});

function isWithin(text: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length; index++) if (whole[index] === text[at]) at += 1;
  return at >= text.length;
}

/** Where somebody changed the file, lists that were empty before cannot be told from ours. */
function withoutEmpty(value: unknown): unknown {
  const { hooks, ...rest } = value as { hooks?: Record<string, unknown[]> };
  const left = Object.entries(hooks ?? {}).filter(([, list]) => list.length > 0);
  if (hooks === undefined || (left.length === 0 && Object.keys(hooks).length > 0)) return rest;
  return left.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(left) };
}

test("any JSON with comments: ours are added, everything else means what it meant, and ours can be cut out again", () => {
  let seed = 11;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  const space = (): string => pick(["", " ", "\n", "\t", "\r\n  ", " /* , ] } */ ", ' // " { [\n', ""]);
  const text = (): string => JSON.stringify(pick(["a", 'ä"', "//", "/* */", "hooks", "]}", "\\", ""]));
  const list = (open: string, close: string, parts: string[]): string =>
    open +
    space() +
    parts.join(`${space()},${space()}`) +
    (parts.length > 0 && next(3) === 0 ? `${space()},` : "") +
    space() +
    close;
  const value = (depth: number): string => {
    if (depth > 3 || next(2) === 0) return pick([text(), "1", "null", "true", "-2.5e3"]);
    const parts = Array.from({ length: next(4) }, (_, index) => `${depth}${index}`);
    return next(2) === 0
      ? list(
          "[",
          "]",
          parts.map(() => value(depth + 1)),
        )
      : list(
          "{",
          "}",
          parts.map((part) => `${JSON.stringify(part)}${space()}:${space()}${value(depth + 1)}`),
        );
  };
  const entry = (): string => `{"hooks":${list("[", "]", [own])}}`;
  const target = hooksTarget("/x/settings.json");
  const parsed = (json: string): unknown => {
    const errors: never[] = [];
    const read = parseJson(json, errors, { allowTrailingComma: true }) as unknown;
    if (errors.length > 0) throw new Error(json);
    return read;
  };
  for (let round = 0; round < Number(process.env["CONSTEL_INSTALL_ROUNDS"] ?? 300); round++) {
    const events = ["Stop", "PreToolUse", "Mine"].filter(() => next(2) === 0);
    const hooks = list(
      "{",
      "}",
      events.map((event) => `"${event}":${list("[", "]", Array.from({ length: 1 + next(2) }, entry))}`),
    );
    const members = [`"z"${space()}:${value(0)}`, ...(next(2) === 0 ? [`"hooks":${hooks}`] : []), `"a":${value(0)}`];
    const before = space() + list("{", "}", members.slice(0, 1 + next(members.length))) + space();
    const after = addHooks(before, target.entries);
    if (typeof after !== "string") throw new Error(`${after.why}: ${before}`);
    expect(isWithin(before, after)).toBe(true);
    expect(without(parsed(after))).toEqual(without(parsed(before)));
    const cut = removeHooks(after, target.isOurs);
    if (typeof cut !== "string") throw new Error(`${cut.why}: ${after}`);
    expect(withoutEmpty(parsed(cut))).toEqual(withoutEmpty(parsed(before)));
  }
});

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
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("is no directory") as string]);
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
  expect(await doctor()).toContain("hooks are installed for claude");
  writeFileSync(settings, "{}");
  expect(await doctor()).toContain("no longer holds what constel added");
  expect((await at.constel(["install", "claude", "--yes"])).stdout).toContain("Done.");
  expect(await doctor()).toContain("hooks are installed for claude");

  expect((await at.constel(["install", "claude", "--undo", "--yes"])).stdout).toContain("Done.");
  expect(readFileSync(settings, "utf8")).toBe("{}");
  expect(readFileSync(notes, "utf8")).toBe("# Mine\n\nBe brief.\n");
  expect(existsSync(join(at.top, ".claude/commands"))).toBe(false);
  expect((await at.constel(["install", "claude", "--undo", "--yes"])).stdout).toContain("Nothing to do.");
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
    const files = await at.json<{ path: string; content: string | null }[]>(["install", "claude", "--print", ...words]);
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

test("where a directory cannot be made it says so, and calls nothing installed", async () => {
  await using at = new TestHome();
  writeFileSync(join(at.top, ".claude"), "no directory\n");
  expect((await at.constel(["install", "claude", "--yes"])).code).not.toBe(0);
  expect(readFileSync(join(at.top, ".claude"), "utf8")).toBe("no directory\n");
  expect((await at.constel(["doctor"])).stdout).toContain("nothing is installed");
});

test("trust is added to TOML without touching a byte of it, and never twice", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const path = join(directory.path, "config.toml");
  const tables = [{ keys: ["hooks", "state", "/a/hooks.json:stop:0:0"], body: 'trusted_hash = "sha256:1"\n' }];
  const target: InstallTarget = { kind: "toml", runtime: "codex", path, tables };
  const texts = [
    "",
    " \n\t\n",
    "\uFEFF",
    "# only a comment, no newline",
    'model = "x"',
    '# mine\r\nmodel = "x"\r\n[projects."/a b"]\r\ntrust_level = "trusted"\r\n',
    '\uFEFF[hooks.state."/other:stop:0:0"]\ntrusted_hash = "sha256:2"\n\n\n',
    "[a]\nb = '\u0027\u0027\n# constel: begin\n'\u0027\u0027\n",
    'a.b.c = 1\na.b.d = "dotted"\n"quoted key".x = 2\n',
    "point = { x = 1, y = { z = [1, 2,] } } # inline\n",
    '[[servers]]\nname = "one"\n\n[[servers]]\nname = "two"\n  [[servers.ports]]\n  n = 1\n',
    '[mcp_servers.db]\ncommand = "db"\nargs = [\n  "--x", # own\n  \'--y\',\n]\n',
    "[hooks]\n# own hooks live elsewhere\n",
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "echo mine"\n',
    '[hooks.state]\n[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:3"\n[z]\n',
    'text = """\nlines \\\n   joined\n[not.a.table]\n"""\n',
    'escaped = "\\u00e4\\U0001F5DD\\t\\"\\\\"\n',
    `long = "${"x".repeat(300_000)}"\n`,
    "when = 1979-05-27T07:32:00Z\nhex = 0xDEAD_BEEF\nnan = nan\ninf = -inf\n",
    "\t[indented]\n\t\tkey\t=\ttrue\t# tabs\n",
    "ключ_нет = 1\n".replace("ключ_нет", '"ключ"'),
    "'literal \"key\"' = 1\n[\"a.b\".'c d']\n",
    '[projects."/w"]\ntrust_level = "trusted"\n\n\n\n# the end\n\n',
    "a = 1\nb = 2\r\nc = 3\n",
  ];
  for (const text of texts) {
    writeFileSync(path, text);
    applyInstall(home, planInstall(home, target), 1);
    const after = readFileSync(path, "utf8");
    expect(after).toStartWith(text);
    expect(parseToml(after.replace("\uFEFF", ""))).toMatchObject({
      hooks: { state: { "/a/hooks.json:stop:0:0": { trusted_hash: "sha256:1" } } },
    });
    undo(home, target);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  writeFileSync(path, '[hooks.state."/a/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n');
  expect(planInstall(home, target).change).toBe("same");
  writeFileSync(path, 'a = 1\nb = "half\n');
  expect(() => planInstall(home, target)).toThrow(/config\.toml:2: it is not TOML/);
  writeFileSync(path, "a = 1\n[hooks]\nstate = {}\n");
  expect(() => planInstall(home, target)).toThrow(
    /config\.toml:2: hooks is written so that no table can be added to it/,
  );
});

test("instructions are added to any text without touching a byte of it, and undo leaves not a byte behind", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const path = join(directory.path, "AGENTS.md");
  const target: InstallTarget = { kind: "instructions", runtime: "codex", path, text: "words\nof ours" };
  const texts = [
    "",
    "\n",
    "  \n\t\n",
    "\uFEFF",
    "\uFEFF# Mine\r\n\r\nBe brief.\r\n",
    "# Mine",
    "# Mine\n",
    "# Mine\n\n\n\n",
    "# Mine\r\nlast line without an end",
    "one\r\ntwo\nthree\r\n",
    "old\rmac\rlines",
    "---\nfront: matter\n---\n",
    "```sh\nnever closed\n",
    "<!-- constel: begin, but somebody else's words -->\n",
    "<!-- constel: end -->\nbefore any begin\n",
    "<!-- never closed\n",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "漢字 🗝️ \u202Ereversed\u202C\n",
    `${"x".repeat(300_000)}\n`,
    `${"line\n".repeat(20_000)}`,
    "\ttabs\t\n\f\v\n",
    "@import other.md\n{{template}}\n$HOME `id`\n",
    "words\nof ours\n",
  ];
  for (const [index, text] of texts.entries()) {
    writeFileSync(path, text);
    applyInstall(home, planInstall(home, target), 1);
    const after = readFileSync(path, "utf8");
    expect([index, after.startsWith(text), after.includes("constel: begin. `")]).toEqual([index, true, true]);
    expect([index, planInstall(home, target).change]).toEqual([index, "same"]);
    undo(home, target);
    expect([index, readFileSync(path, "utf8") === text]).toEqual([index, true]);
    // Where somebody wrote on below it, only ours goes.
    applyInstall(home, planInstall(home, target), 1);
    writeFileSync(path, `${readFileSync(path, "utf8")}more of theirs\n`);
    undo(home, target);
    const left = readFileSync(path, "utf8");
    expect([
      index,
      left.startsWith(text.trimEnd()),
      left.endsWith("more of theirs\n"),
      left.includes("begin. `"),
    ]).toEqual([index, true, true, false]);
  }
});

test("what was written around ours since, and what only looks like ours, stays to the byte", () => {
  using directory = temporaryDirectory("install");
  const kinds = {
    json: hooksTarget(join(directory.path, "f.json")),
    md: { kind: "instructions", runtime: "claude", path: join(directory.path, "f.md"), text: "words\nof ours" },
    toml: {
      kind: "toml",
      runtime: "codex",
      path: join(directory.path, "f.toml"),
      tables: [{ keys: ["hooks", "state", "/a/h.json:stop:0:0"], body: 'trusted_hash = "s"\n' }],
    },
  } satisfies Record<string, InstallTarget>;
  const [begin, end] = [markdownMarks.begin, markdownMarks.end];
  const [trust, trusted] = [tomlMarks.begin, tomlMarks.end];
  const texts: Readonly<Record<keyof typeof kinds, readonly string[]>> = {
    json: [
      '{\n "hooks" /* a */ : /* b */ { "Stop" /*x*/:/*y*/[ /*z*/ ] /*w*/ } // end\n}\n',
      '{"\\u0068ooks":{"St\\u006fp":[]}}',
      '{ "hooks" : {   } }',
      '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t]\r\n\t}\r\n}',
      '{\n    "a": 1\n  , "hooks": {}\n}',
      "\uFEFF{\r\n}\r\n",
      '{"hooks":{"Stop":[\n // none yet\n ]}}',
      "{ /* nothing */ }",
      '{"a":1,"a":2,"__proto__":{"hooks":{}}}\n',
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]} /* mine */ ,],},}',
    ],
    md: [
      `# How\n\`\`\`md\n${begin}\nmine\n${end}\n\`\`\`\ntail\n`,
      `~~~\n${begin}\nmine\n${end}\n~~~\n`,
      `see ${begin} and ${end} here\n`,
      `> ${begin}\n> mine\n> ${end}\n`,
      `# Mine\n${begin}\nwhere the end was deleted\n`,
      `${begin}\none\n${begin}\ntwo\n`,
      `${end}\nmine\n`,
      "```sh\nnever closed\n",
      "\f",
      "no end",
      "a\r\nb",
      "\r\n",
      "a\0b\n",
    ],
    toml: [
      `a = """\n${trust}\nmine\n${trusted}\n"""\nb=1\n`,
      `a = '''\n${trust}\n[hooks.state."x"]\ntrusted_hash = "y"\n${trusted}\n'''\n`,
      `${trust}\n[mine]\nx = 1\n${trusted}\n`,
      `${trust}\nmodel = "x"\n`,
      `${trust}\nmodel = "x"\n${trust}\n[p]\ny=1\n`,
      "[[hooks]]\nx=1\n",
      "[a]\nb=1",
      "a=1\n# end",
    ],
  };
  const above = { json: "// above\n", md: "above\n", toml: "# above\n" };
  const below = { json: "\n// below\n", md: "below\n", toml: "# below\n" };
  for (const kind of ["json", "md", "toml"] as const)
    for (const [index, text] of texts[kind].entries()) {
      const home = join(directory.path, `home-${kind}-${index}`);
      const target = kinds[kind];
      const around = (inner: string, lineEnd = ""): string => {
        const mark = inner.startsWith("\uFEFF") ? "\uFEFF" : "";
        return mark + above[kind] + inner.slice(mark.length) + lineEnd + below[kind];
      };
      writeFileSync(target.path, text);
      applyInstall(home, planInstall(home, target), 1);
      const installed = readFileSync(target.path, "utf8");
      undo(home, target);
      expect([kind, index, readFileSync(target.path, "utf8")]).toEqual([kind, index, text]);
      applyInstall(home, planInstall(home, target), 1);
      writeFileSync(target.path, around(installed));
      undo(home, target);
      // What follows is not drawn up to a last line without an end.
      const isBare = kind !== "json" && !text.endsWith("\n");
      const lineEnd = !isBare ? "" : text.includes("\r\n") ? "\r\n" : "\n";
      expect([kind, index, readFileSync(target.path, "utf8")]).toEqual([kind, index, around(text, lineEnd)]);
      expect([kind, index, planUndo(home, target).change]).toEqual([kind, index, "absent"]);
      // Without the record, too, nothing of theirs that says something is lost.
      writeFileSync(target.path, around(installed));
      undo(join(home, "another"), target);
      const words = (some: string): string =>
        some.replaceAll(/\s|"(?:hooks|\\u0068ooks|Stop|St\\u006fp)"|[{}[\],:]/g, "");
      expect([kind, index, words(readFileSync(target.path, "utf8"))]).toEqual([kind, index, words(around(text))]);
    }
});

test("a hook of ours to which somebody added theirs goes, and theirs stays where it is; installed again it is there once", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const [target] = claude.installs({
    env: { HOME: directory.path },
    project: undefined,
    line: "exec constel hook claude --guest",
    instructions: "words",
    undo: false,
  });
  if (target === undefined) throw new Error("claude has settings");
  mkdirSync(dirname(target.path));
  writeFileSync(target.path, '{\n  "hooks": {}\n}\n');
  applyInstall(home, planInstall(home, target), 1);
  const settings = () => readFileSync(target.path, "utf8");
  const stops = () => (JSON.parse(settings()) as { hooks: { Stop: { hooks: { command: string }[] }[] } }).hooks.Stop;
  const installed = JSON.parse(settings()) as { hooks: { Stop: { hooks: unknown[] }[] } };
  installed.hooks.Stop[0]?.hooks.push({ type: "command", command: "theirs" });
  writeFileSync(target.path, JSON.stringify(installed, null, 1));
  applyInstall(home, planInstall(home, target), 2);
  expect(stops().map(({ hooks }) => hooks.map(({ command }) => command))).toEqual([
    ["theirs"],
    ["exec constel hook claude --guest"],
  ]);
  undo(home, target);
  expect(settings()).not.toContain("--guest");
  expect(stops()).toMatchObject([{ hooks: [{ command: "theirs" }] }]);
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
  expect((await at.constel(["doctor"])).stdout).toContain("hooks are installed for opencode");
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
  expect((await at.constel(["doctor"], { env: elsewhere })).stdout).toContain("hooks are installed for claude");
  writeFileSync(settings, ours);
  expect((await at.constel(["doctor"], { env: elsewhere })).stdout).toContain(
    `leads to another home of constel: ${at.home}`,
  );
  writeFileSync(settings, theirs);
  expect((await at.constel(["install", "claude", "--undo", "--yes"], { env: elsewhere })).stdout).toContain("Done.");
  expect(readFileSync(settings, "utf8")).toBe('{ "model": "opus" }');
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

test("opencode's plugin passes on what hooks say: context into a prompt, a denied edit, a stop held back once", async () => {
  using directory = temporaryDirectory("install");
  const said = join(directory.path, "said.json");
  const script = `cat >> ${directory.path}/given; echo >> ${directory.path}/given; cat ${said}`;
  const plugin = join(directory.path, "constel.mjs");
  writeFileSync(plugin, pluginText(script));
  type Hooks = Record<string, (input: unknown, output?: unknown) => Promise<void>>;
  const { Constel } = (await import(plugin)) as { Constel: (host: unknown) => Promise<Hooks> };
  const prompts: unknown[] = [];
  const client = { session: { promptAsync: (prompt: unknown) => Promise.resolve(prompts.push(prompt)) } };
  const hooks = await Constel({ client, directory: "/work/tree" });
  const call = async (name: string, answer: unknown, input: unknown, output?: unknown): Promise<void> => {
    writeFileSync(said, typeof answer === "string" ? answer : JSON.stringify(answer));
    await hooks[name]?.(input, output);
  };
  const parts: { type: string; text: string }[] = [{ type: "text", text: "hello" }];
  await call("chat.message", { context: "told" }, { sessionID: "s1" }, { message: { id: "m1" }, parts });
  expect(parts.slice(1)).toMatchObject([
    { type: "text", text: "told", sessionID: "s1", messageID: "m1", synthetic: true },
    { text: "told" },
  ]);
  const edit = (answer: unknown) =>
    call("tool.execute.before", answer, { tool: "edit", sessionID: "s1" }, { args: { filePath: "/a" } });
  expect(edit({ deny: "not now" })).rejects.toThrow("not now");
  await edit("no JSON at all");
  const idle = { event: { type: "session.idle", properties: { sessionID: "s1" } } };
  await call("event", { context: "before you go" }, idle);
  expect(prompts).toMatchObject([{ path: { id: "s1" }, body: { parts: [{ text: "before you go" }] } }]);
  await call("event", {}, idle);
  const given = readFileSync(join(directory.path, "given"), "utf8").trim().split("\n");
  const calls = given.map((one) => JSON.parse(one) as Record<string, unknown>);
  expect(calls.map((one) => [one["hook_event_name"], one["stop_hook_active"] ?? null])).toEqual([
    ["SessionStart", null],
    ["UserPromptSubmit", null],
    ["PreToolUse", null],
    ["PreToolUse", null],
    ["Stop", false],
    ["Stop", true],
  ]);
  expect(calls[2]).toMatchObject({ session_id: "s1", cwd: "/work/tree", tool_name: "edit" });
});
