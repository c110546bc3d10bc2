// Rules as they are written: what is read, and what is refused with file and line.

import { describe, expect, test } from "bun:test";
import type { Refusal } from "../../protocol/errors.ts";
import { matchesGlob } from "./paths.ts";
import { parseRules } from "./rules-text.ts";

const from = { path: "constel.toml", trusted: true };

test("rules are read in their order, with where they stand; other tables are somebody else's", () => {
  const text = `[gate]
command = "bun test"

[[permissions.rules]]
decision = "allow"   # the gate's own command
command = "bun  test"

[[permissions.rules]]
decision = "deny"
path = "./secrets/**"
action = "read"

[[permissions.rules]]
decision = "ask"
tool = "mcp__github__*"
`;
  expect(parseRules(text, from)).toEqual([
    { decision: "allow", command: ["bun", "test"], from: "constel.toml:4", trusted: true },
    { decision: "deny", path: "secrets/**", action: "read", from: "constel.toml:8", trusted: true },
    { decision: "ask", tool: "mcp__github__*", from: "constel.toml:13", trusted: true },
  ]);
  expect(parseRules("", from)).toEqual([]);
  expect(parseRules("[gate]\ncommand = 'x'\n", from)).toEqual([]);
});

describe("a rule that is not understood is refused with its line", () => {
  const rule = (...lines: readonly string[]): string => ["# rules", "[[permissions.rules]]", ...lines].join("\n");
  const cases: readonly (readonly [text: string, says: string])[] = [
    [rule('decision = "allow"'), "malformed constel.toml:2: a rule names one of tool, command and path"],
    [rule('decision = "allow"', 'tool = "Read"', 'command = "x"'), "malformed constel.toml:2: a rule names one of"],
    [rule('decision = "permit"', 'command = "x"'), "malformed constel.toml:3: decision must be allow, ask or deny"],
    [rule('command = "x"'), "malformed constel.toml:2: decision must be"],
    [rule("decision = true", 'command = "x"'), "malformed constel.toml:3: decision must be"],
    [rule('decision = "deny"', 'comand = "x"'), "unknown-key constel.toml:4: there is no comand"],
    [rule('decision = "deny"', "command = 3"), "malformed constel.toml:4: command must be text"],
    [rule('decision = "deny"', 'command = ["git", "push"]'), "malformed constel.toml:4: command must be text"],
    [rule('decision = "deny"', 'command = ""'), "malformed constel.toml:4: command must be text"],
    [rule('decision = "allow"', 'command = "bun test && curl x"'), "malformed constel.toml:4: command is the words"],
    [rule('decision = "allow"', 'command = "npm run *"'), "malformed constel.toml:4: command is the words"],
    [rule('decision = "allow"', 'command = "$X"'), "malformed constel.toml:4: command is the words"],
    [rule('decision = "allow"', 'command = "bash"'), "malformed constel.toml:4: bash runs any command"],
    [rule('decision = "allow"', 'command = "sudo"'), "malformed constel.toml:4: sudo runs any command"],
    [rule('decision = "allow"', 'command = "find"'), "malformed constel.toml:4: find runs any command"],
    [rule('decision = "allow"', 'tool = "Bash"'), "malformed constel.toml:4: that would approve any command"],
    [rule('decision = "allow"', 'tool = "*"'), "malformed constel.toml:4: that would approve any command"],
    [rule('decision = "allow"', 'tool = "run_*"'), "malformed constel.toml:4: that would approve any command"],
    [
      rule('decision = "allow"', 'tool = "Write"'),
      "malformed constel.toml:4: that would approve any command or any file",
    ],
    [rule('decision = "ask"', 'tool = "mcp*x"'), "malformed constel.toml:4: in tool, * stands only at the end"],
    [rule('decision = "deny"', 'path = "../x"'), "malformed constel.toml:4: path may not go up"],
    [rule('decision = "deny"', 'path = "~/x"'), "malformed constel.toml:4: path is absolute"],
    [
      rule('decision = "deny"', 'path = "x"', 'action = "write"'),
      "malformed constel.toml:5: action must be read or edit",
    ],
    [rule('decision = "deny"', 'tool = "x"', 'action = "read"'), "malformed constel.toml:5: action goes with path"],
    ["[permissions]\nrules = 3", "malformed constel.toml:2: permissions.rules must be tables"],
    ["[permissions]\nrule = []", "unknown-key constel.toml:2: there is no rule"],
    ["permissions = 3", "malformed constel.toml:1: permissions must be a table"],
    ["[permissions\n", "malformed constel.toml:1: "],
  ];
  for (const [text, says] of cases) {
    test(JSON.stringify(text.slice(8)), () => {
      let refusal: Refusal | undefined;
      try {
        parseRules(text, from);
      } catch (cause) {
        refusal = cause as Refusal;
      }
      expect(`${refusal?.code} ${refusal?.message}`).toStartWith(`config.${says}`);
    });
  }
});

describe("patterns of paths", () => {
  const cases: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
    ["src/**", "/w/src/a/b.ts", true],
    ["src/**", "/w/src", true],
    ["src/**", "/w/srcs/a", false],
    ["src/*", "/w/src/a", true],
    ["src/*", "/w/src/a/b", false],
    ["**/*.env", "/w/a/b/x.env", true],
    ["**/*.env", "/w/x.env", true],
    ["**/.env", "/x/.env", false],
    ["/etc/h?sts", "/etc/hosts", true],
    ["/etc/h?sts", "/etc/h/sts", false],
    ["a.ts", "/w/axts", false],
    ["a*b*c", "/w/aXbXbYc", true],
    ["a*b*c", "/w/aXbXbY", false],
    ["/**", "/anything/at/all", true],
  ];
  for (const [pattern, path, matches] of cases) {
    test(`${pattern} and ${path}`, () => expect(matchesGlob(pattern, path, "/w")).toBe(matches));
  }
});
