// What a rule forbids stands in the input of a tool that nobody knows, or in a shape that is not the usual one.

import { expect, test } from "bun:test";
import { posix } from "node:path";
import { readShell } from "../../languages/shell/read-shell.ts";
import { judge } from "./judge.ts";
import { mayForbid } from "./may-forbid.ts";
import { type Judgement, noRule } from "./rule.ts";
import { parseRules } from "./rules-text.ts";

const cwd = "/w/12/repo";
const rulesOf = (...tables: readonly string[]) =>
  parseRules(tables.map((table) => `[[permissions.rules]]\n${table}\n`).join(""), {
    path: "config.toml",
    trusted: true,
  });
const secrets = rulesOf('decision = "deny"\npath = "secrets/**"');
const push = rulesOf('decision = "deny"\ncommand = "git push"');

function judged(rules: typeof secrets, tool: string, input: unknown): Judgement {
  const request = { tool, input, cwd };
  if (!mayForbid(rules, request)) return { decision: "ask", rule: noRule, part: "", why: "no rule looks at it" };
  const place = { role: "clone", workspace: cwd, branch: "topic", readable: [] } as const;
  const facts = { resolve: (path: string) => posix.resolve(path), names, repositoryOf: () => cwd };
  return judge(request, { rules, place, facts, parse: readShell });
}
const names = (directory: string): string[] =>
  Object.keys(directories).flatMap((one) => (one === directory ? (directories[one] ?? []) : []));
const directories: Readonly<Record<string, string[]>> = {
  "/w/12": ["repo"],
  [cwd]: ["secrets", "src"],
  [`${cwd}/src`]: ["a.ts"],
  [`${cwd}/secrets`]: ["key"],
};
const isStopped = ({ decision, mayBe }: Judgement): boolean => decision === "deny" || mayBe === "deny";

const many = (value: unknown, times: number): unknown => (times === 0 ? value : { a: many(value, times - 1) });

const reading: readonly (readonly [tool: string, input: unknown])[] = [
  ["read_many_files", { paths: ["secrets/key"] }],
  ["read_many_files", { include: ["**/*"] }],
  ["read_many_files", { include: ["src/**"], paths: ["s*/*"] }],
  ["view_image", { path: "secrets/key" }],
  ["WebFetch", { url: "file:///w/12/repo/secrets/key" }],
  ["webfetch", { url: "file://localhost/w/12/repo/secrets/key" }],
  ["mcp__filesystem__read_file", { path: "/w/12/repo/secrets/key" }],
  ["mcp__fs__read_multiple_files", { paths: ["src/a.ts", "secrets/key"] }],
  ["mcp__fs__read_file", { filename: "secrets/my key" }],
  ["mcp__fs__deep", many("secrets/key", 4)],
  ["mcp__x__run", { command: "cat secrets/key" }],
  ["mcp__x__run", { argv: ["git", "show", "HEAD"] }],
  ["lsp_hover", { filePath: "src/../secrets/key" }],
  ["local_shell", { action: { command: ["cat", "secrets/key"] } }],
  ["shell", { command: ["cat", "key"], workdir: "secrets" }],
  ["run_shell_command", { command: "cat key", dir_path: "./secrets" }],
  ["write_stdin", { session_id: 1, chars: "cat secrets/key\n" }],
  ["apply_patch", { input: "nonsense" }],
  ["shell", { words: ["cat"] }],
  ["mcp__fs__search", { root: "." }],
  ["mcp__fs__search_files", { path: "/w/12/repo", pattern: "*" }],
  ["mcp__fs__directory_tree", { path: "/w/12" }],
  ["mcp__fs__find", { glob: "**/*" }],
  ["mcp__fs__find", { glob: "s*/key" }],
  ["mcp__fs__find", { globs: ["/w/12/repo/*/key"] }],
  ["mcp__x__run", { args: "--file=secrets/key" }],
  ["mcp__x__run", { options: ["--file=secrets/key"] }],
  ["Read", { file_path: "/proc/self/cwd/secrets/key" }],
  ["Read", { file_path: "/proc/self/root/w/12/repo/secrets/key" }],
  ["read", { filePath: "../../../proc/1/cwd/secrets/key" }],
];

test("a denied path is denied to every tool that names it, and asked of one whose words cannot be read", () => {
  expect(reading.filter(([tool, input]) => !isStopped(judged(secrets, tool, input)))).toEqual([]);
});

test("a denied command is denied to every tool that is given it as one", () => {
  const running: readonly (readonly [string, unknown])[] = [
    ["mcp__x__run", { command: "git push" }],
    ["mcp__x__run", { cmd: "cd x && git push origin HEAD" }],
    ["mcp__x__run", { commands: ["git", "push"] }],
    ["write_stdin", { session_id: 1, chars: "git push\n" }],
    ["write_stdin", { session_id: 1, chars: "$X push\n" }],
    ["local_shell", { action: { command: ["git", "push"] } }],
    ["shell", { command: ["git", "push"], workdir: "x" }],
    ["shell", { command: "git push", with_escalated_permissions: true }],
  ];
  expect(running.filter(([tool, input]) => !isStopped(judged(push, tool, input)))).toEqual([]);
});

test("what is in no rule is asked as before, and what the owner allows by the tool's name goes on", () => {
  const quiet: readonly (readonly [string, unknown])[] = [
    ["Task", { prompt: "Say that secrets/key is closed, and never git push" }],
    ["mcp__github__create_issue", { title: "secrets/key is old", body: "run git push" }],
    ["Skill", { skill: "x" }],
    ["WebFetch", { url: "https://host/secrets/key" }],
    ["write_stdin", { session_id: 1, chars: "y\n" }],
    ["mcp__x__run", { command: "git status" }],
    ["mcp__fs__read_file", { path: "src/a.ts" }],
    ["mcp__fs__search_files", { path: "src", pattern: "**/*.ts" }],
    ["mcp__fs__find", { glob: "src/**" }],
    ["mcp__web__search", { query: "what?", site: "*" }],
  ];
  for (const rules of [secrets, push])
    for (const [tool, input] of quiet) {
      const { decision, rule } = judged(rules, tool, input);
      const isTyped = tool === "write_stdin" && rules === secrets;
      expect([tool, decision, isTyped || rule === noRule]).toEqual([tool, "ask", true]);
    }
  const chosen = [...secrets, ...rulesOf('decision = "allow"\ntool = "mcp__fs__*"')];
  expect(judged(chosen, "mcp__fs__read_file", { path: "src/a.ts" }).decision).toBe("allow");
  expect(judged(chosen, "mcp__fs__read_file", { path: "secrets/key" }).decision).toBe("deny");
});

test("no input is looked at for longer than it takes to look at a few", () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, `src/${at}`]));
  expect(judged(secrets, "mcp__x__y", wide).decision).toBe("ask");
  expect(judged(secrets, "mcp__x__y", many("secrets/key", 5000)).decision).toBe("ask");
});
