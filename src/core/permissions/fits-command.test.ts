// One command in other spellings, for a rule that forbids it: options in another order, apart, together, short and long, and git's own words for
// what a verb is made of. A rule that allows is read as it is written.

import { expect, test } from "bun:test";
import { readShell } from "../../languages/shell/read-shell.ts";
import { fitsCommand } from "./fits-command.ts";
import { parseRules } from "./rules-text.ts";

function fits(wanted: string, command: string, decision = "deny"): boolean {
  const [rule] = parseRules(`[[permissions.rules]]\ndecision = "${decision}"\ncommand = "${wanted}"\n`, {
    path: "config.toml",
    trusted: true,
  });
  const script = readShell(command);
  const [first] = "unreadable" in script ? [] : script.commands;
  if (rule === undefined || first === undefined) throw new Error(`cannot read ${command}`);
  return fitsCommand(rule, first);
}

const same: readonly (readonly [wanted: string, commands: readonly string[]])[] = [
  [
    "rm -rf",
    [
      "rm -fr x",
      "rm -r -f x",
      "rm -f x -r",
      "rm x -rf",
      "rm -rvf x",
      "rm -Rf x",
      "rm --recursive --force x",
      "rm --rec -f x",
      "/bin/rm -fr x",
    ],
  ],
  ["rm -r", ["rm -rf x", "rm --recursive x", "rm -vR x"]],
  [
    "git push --force",
    [
      "git push origin main --force",
      "git push -f",
      "git push -uf origin x",
      "git -C . push origin -f",
      "git send-pack --force o x",
      "git-push --forc o x",
    ],
  ],
  ["git push -f", ["git push --force", "git push origin --force x"]],
  [
    "git push",
    ["git send-pack o HEAD", "git http-push o", "git-push", "/usr/lib/git-core/git-push o", "git --no-pager push"],
  ],
  ["git push origin main", ["git push -q origin main", "git push -o x origin main", "git push origin --tags main"]],
  [
    "git commit --no-verify",
    ["git commit -n -m x", "git commit -m x --no-verify", "git commit -anm x", "git commit --no-ver"],
  ],
  ["git branch -D", ["git branch x -D", "git branch --delete x"]],
  ["docker compose down", ["docker compose -f x.yml down", "docker --context x compose down -v"]],
  ["kubectl delete", ["kubectl -n prod delete pod x", "kubectl --namespace=prod delete x"]],
  ["terraform apply -auto-approve", ["terraform apply -var x=1 -auto-approve"]],
  ["npm install -g", ["npm install x --global", "npm install --global x"]],
];

test("a rule that forbids a command forbids its other spellings", () => {
  const missed = same.flatMap(([wanted, commands]) =>
    commands.filter((command) => !fits(wanted, command)).map((command) => [wanted, command]),
  );
  expect(missed).toEqual([]);
});

test("a rule that forbids a command leaves others alone", () => {
  const others: readonly (readonly [string, string])[] = [
    ["rm -rf", "rm -f x"],
    ["rm -rf", "rm -r x"],
    ["rm -rf", "rm -- -rf"],
    ["rm -rf", "cp -rf x y"],
    ["git push --force", "git push origin main"],
    ["git push --force", "git push --force-with-lease"],
    ["git push --force", "git push --follow-tags"],
    ["git push origin main", "git push origin topic"],
    ["git push origin main", "git push fork main"],
    ["git commit --no-verify", "git commit --no-edit"],
    ["git commit --no-verify", "git commit -mnote"],
    ["git push", "git status push"],
    ["git push", "git fetch-pack o"],
    ["kubectl delete", "kubectl get delete"],
    ["npm install -g", "npm install"],
  ];
  expect(others.filter(([wanted, command]) => fits(wanted, command))).toEqual([]);
});

test("a rule that allows is for the words as they stand in it", () => {
  for (const [wanted, commands] of same)
    expect([
      wanted,
      commands.filter((command) => fits(wanted, command, "allow") && !command.startsWith(wanted)),
    ]).toEqual([wanted, []]);
  expect(fits("git push", "git push origin x", "allow")).toBe(true);
});
