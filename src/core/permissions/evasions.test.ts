// Every way to hide a word, on every rule: what a rule forbids is denied, or asked in the rule's name, however it is written; and it
// is looked at before a tool is used. Only a rule's name makes an agent's program that asks for nothing stop.

import { expect, test } from "bun:test";
import { readShell } from "../../languages/shell/read-shell.ts";
import { evasions } from "./evasion-cases.suite.ts";
import { judge } from "./judge.ts";
import { mayForbid } from "./may-forbid.ts";
import { type Judgement, noRule, type PermissionRequest } from "./rule.ts";
import { parseRules } from "./rules-text.ts";

const parse = readShell;

const workspace = "/w/12/repo";
const rulesFor = (command: string) =>
  parseRules(`[[permissions.rules]]\ndecision = "deny"\ncommand = "${command}"\n`, {
    path: "config.toml",
    trusted: true,
  });
const asking = (command: string): PermissionRequest => ({ tool: "Bash", input: { command }, cwd: workspace });
const judged = (rules: ReturnType<typeof rulesFor>, command: string): Judgement =>
  judge(asking(command), {
    rules,
    place: { role: "clone", workspace, branch: "topic", readable: [] },
    facts: { resolve: (path) => path, names: () => [], repositoryOf: () => workspace },
    parse,
  });

for (const forbidden of ["rm", "rm -rf", "git push", "curl", "npm publish", "kubectl delete"]) {
  test(`no way around a rule that denies ${forbidden}`, () => {
    const rules = rulesFor(forbidden);
    const silent = evasions.flatMap(([way, write]) => {
      const command = write(forbidden.split(" "));
      const { decision, rule, why } = judged(rules, command);
      const isStopped = decision === "deny" || (decision === "ask" && rule !== noRule);
      return isStopped && mayForbid(rules, asking(command)) ? [] : [{ way, command, decision, rule, why }];
    });
    expect(silent).toEqual([]);
  });
}

test("what cannot be the forbidden command goes on as without the rule", () => {
  const rules = rulesFor("git push");
  const plain = [
    "git status",
    "git commit -m 'Mend $(x) and `y`'",
    'echo "$HOME"',
    "npm test",
    "make",
    "ls -la src",
    "find . -name '*.ts' -type f",
    "grep -rn 'push' src",
    "bun test src --bail",
    "python3 scripts/build.py --fast",
    "node dist/main.js",
    "python3 --version",
    '"$BUN" test',
    "for f in a b; do echo $f; done",
    "sed -n '1,40p' src/a.ts",
    "awk '{ print $1 }' src/a.ts",
    "cat src/a.ts | head -20",
    "env FOO=bar npm test",
    "timeout 60 npm test",
    "X=1 npm test",
    "psql -c 'select 1'",
    "cd src && npm test > out.txt 2>&1",
    "git log --format=%s -n 5 $BRANCH",
    "mkdir -p build && cp -r src/* build/",
  ];
  const stopped = plain.flatMap((command) => {
    const { decision, rule, why } = judged(rules, command);
    return decision === "deny" || rule === "config.toml:1" ? [{ command, decision, rule, why }] : [];
  });
  expect(stopped).toEqual([]);
});

test("a command that may be a forbidden one says so, and one that may be asked about says that", () => {
  const ask = parseRules('[[permissions.rules]]\ndecision = "ask"\ncommand = "git push"\n', {
    path: "constel.toml",
    trusted: false,
  });
  expect(judged(rulesFor("git push"), "$X push").mayBe).toBe("deny");
  expect(judged(ask, "$X push")).toMatchObject({ decision: "ask", rule: "constel.toml:1", mayBe: "ask" });
  expect(judged([...ask, ...rulesFor("git push")], "$X push").mayBe).toBe("deny");
  expect(judged(rulesFor("git push"), "make").mayBe).toBeUndefined();
});
