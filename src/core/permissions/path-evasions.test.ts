// Every way to a file that a rule denies is denied, or asked in the rule's name with the word that it may be denied; and what the rule does
// not concern goes on as without it.

import { expect, test } from "bun:test";
import { posix } from "node:path";
import { readShell } from "../../languages/shell/read-shell.ts";
import { judge } from "./judge.ts";
import { notConcerned, pathChanges, pathEvasions } from "./path-evasion-cases.suite.ts";
import type { Judgement } from "./rule.ts";
import { parseRules } from "./rules-text.ts";

const parse = readShell;

const workspace = "/w/12/repo";
const files: Readonly<Record<string, readonly string[]>> = {
  [workspace]: [".git", "package.json", "README.md", "secrets", "src"],
  [`${workspace}/src`]: ["a.ts", "b.ts"],
  [`${workspace}/secrets`]: ["key"],
};
const rulesOf = (...tables: readonly string[]) =>
  parseRules(tables.map((table) => `[[permissions.rules]]\n${table}\n`).join(""), {
    path: "config.toml",
    trusted: true,
  });
const denied = 'decision = "deny"\npath = "secrets/**"';
const judged = (command: string, rules = rulesOf(denied), own: string | null = workspace): Judgement =>
  judge(
    { tool: "Bash", input: { command }, cwd: workspace },
    {
      rules,
      place: { role: "clone", workspace: own ?? undefined, branch: "topic", readable: [] },
      facts: {
        resolve: (path) => posix.resolve(path),
        names: (directory) => files[directory] ?? [],
        repositoryOf: (directory) => (directory.startsWith(workspace) ? workspace : undefined),
      },
      parse,
    },
  );

/** As an agent's program that cannot be made to ask is answered (doors/hook/permission.ts). */
const isStopped = ({ decision, rule, mayBe }: Judgement): boolean =>
  decision === "deny" || (decision === "ask" && rule.startsWith("config.toml:") && mayBe === "deny");

for (const [kind, commands] of Object.entries(pathEvasions))
  for (const [named, rules] of [
    ["a path", rulesOf(denied)],
    ["reading a path", rulesOf(`${denied}\naction = "read"`)],
    ["an absolute path", rulesOf('decision = "deny"\npath = "/w/12/repo/secrets/**"')],
    ["every file of a name", rulesOf('decision = "deny"\npath = "**/key"')],
  ] as const)
    test(`no way around a rule that denies ${named}: ${kind}`, () => {
      const passed = commands.flatMap((command) => {
        const judgement = judged(command, rules);
        return isStopped(judgement) ? [] : [{ command, ...judgement }];
      });
      expect(passed).toEqual([]);
    });

for (const rule of [denied, `${denied}\naction = "edit"`, 'decision = "deny"\npath = "**/key"'])
  test(`nothing that ${rule.split("\n").slice(1).join(", ")} denies is changed by the name of what holds it`, () => {
    expect(pathChanges.filter((command) => !isStopped(judged(command, rulesOf(rule))))).toEqual([]);
  });

test("what the rule does not concern is not stopped by it", () => {
  const stopped = notConcerned.flatMap((command) => {
    const judgement = judged(command);
    return judgement.rule.startsWith("config.toml:") ? [{ command, ...judgement }] : [];
  });
  expect(stopped).toEqual([]);
});

test("a path that is written out is denied at once, whatever the program; the rest is asked in the rule's name", () => {
  for (const command of [
    "base64 secrets/key",
    "tar c secrets",
    "frobnicate --in=secrets/key",
    "git show HEAD:secrets/key",
  ])
    expect([command, judged(command).decision]).toEqual([command, "deny"]);
  expect(judged("git show HEAD")).toMatchObject({ decision: "ask", rule: "config.toml:1", mayBe: "deny" });
  expect(judged("frobnicate").why).toContain(
    "config.toml:1 speaks of secrets/**, and what frobnicate could read is not",
  );
});

test("an owner's word for a command is no word for a path that is denied", () => {
  const rules = rulesOf(
    denied,
    'decision = "allow"\ncommand = "cat"',
    'decision = "allow"\ncommand = "git log"',
    'decision = "allow"\ncommand = "frobnicate"',
  );
  for (const command of ["cat secrets/key", "frobnicate secrets/key", "git log -p", 'cat "$X"'])
    expect([command, isStopped(judged(command, rules))]).toEqual([command, true]);
  for (const command of ["cat src/a.ts", "frobnicate", "git log --oneline"])
    expect([command, judged(command, rules).decision]).toEqual([command, "allow"]);
});

test("without a workspace a relative path counts from every directory, for what forbids and not for what allows", () => {
  const alone = (command: string, rules = rulesOf(denied)): Judgement => judged(command, rules, null);
  for (const command of [
    "cat secrets/key",
    "base64 src/secrets/key",
    "git show HEAD",
    "git show HEAD:secrets/key",
    "tar c .",
  ])
    expect([command, isStopped(alone(command))]).toEqual([command, true]);
  for (const command of ["cat src/a.ts", "npm test", "git status", "git log --oneline"])
    expect([command, alone(command).rule.startsWith("config.toml:")]).toEqual([command, false]);
  expect(alone("cat src/a.ts", rulesOf('decision = "allow"\npath = "src/**"')).decision).toBe("ask");
});

test("a rule that asks is asked in its name, and says that it only asks", () => {
  const rules = rulesOf('decision = "ask"\npath = "secrets/**"');
  expect(judged("git show HEAD", rules)).toMatchObject({ decision: "ask", rule: "config.toml:1", mayBe: "ask" });
  expect(judged("frobnicate", rules)).toMatchObject({ decision: "ask", rule: "config.toml:1", mayBe: "ask" });
});

test("without a rule about paths nothing of this is asked in anybody's name", () => {
  const rules = rulesOf('decision = "deny"\ncommand = "terraform"');
  for (const command of [...pathEvasions.git, ...notConcerned].filter(
    (one) => !/\bconfig (?:-f|include)|-c core|send-email|difftool|\$X|raw|git-dir|frobnicate|git l$/.test(one),
  ))
    expect([command, judged(command, rules).rule.startsWith("config.toml:")]).toEqual([command, false]);
});
