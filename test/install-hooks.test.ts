// Hooks in settings as people have them: ours are added, what is there stays, byte for byte, and undo puts everything back.

import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { addHooks, removeHooks } from "../src/floor/install/json-hooks.ts";
import { applyInstall, planInstall } from "../src/floor/install/plan-install.ts";
import { plainJson } from "../src/floor/install/plain-json.ts";
import { claude } from "../src/host/runtime/claude/claude.ts";
import { codex } from "../src/host/runtime/codex/codex.ts";
import { gemini } from "../src/host/runtime/gemini/gemini.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { hooksTarget, undo } from "./kit/install.ts";

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

describe("install adds, and undo leaves not a byte behind", () => {
  const cases = [claude, codex, gemini].flatMap((runtime) =>
    Object.entries(awkward).map(([name, text]) => [runtime, name, text] as const),
  );
  for (const [runtime, name, text] of cases) {
    test(`${runtime.name}, ${name}`, () => {
      using directory = temporaryDirectory("install");
      const home = join(directory.path, "home");
      const path = join(directory.path, "settings.json");
      writeFileSync(path, text);
      chmodSync(path, 0o640);
      const target = hooksTarget(path, runtime);
      const plan = planInstall(home, target);
      const kept = plainJson(text, target.comments, target.mark);
      const isKept = kept.text === text;
      expect(plan.note === undefined).toBe(isKept || text.trim() === "");
      if (isKept) expect(plan.diff.filter((one) => one.startsWith("-")).length).toBeLessThanOrEqual(4);
      applyInstall(home, plan, 1);
      const after = readFileSync(path, "utf8");
      const { hooks } = parseJson(after.replace("\uFEFF", ""), [], { allowTrailingComma: true }) as {
        hooks: Record<string, unknown[]>;
      };
      for (const event of Object.keys(target.entries)) expect(hooks[event]?.filter(target.isOurs)).toHaveLength(1);
      // Its program reads it. Gemini leaves out comments by itself.
      const read = runtime === gemini ? plainJson(after, false).text : after;
      // Codex does not read a file that begins with a byte order mark.
      JSON.parse(runtime === codex ? read : read.replace("\uFEFF", ""));
      // Every character of before that it reads is there, in its order.
      expect(isWithin(kept.text, after)).toBe(true);
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

const without = (value: unknown): unknown => {
  const { hooks: _, ...rest } = value as Record<string, unknown>;
  return rest;
};

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
