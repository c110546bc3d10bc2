import { expect, test } from "bun:test";
import { mayForbid } from "./may-forbid.ts";
import type { Rule } from "./rule.ts";

const rules = [{ decision: "deny", command: ["git", "push"] }] as unknown as readonly Rule[];
const looks = (command: string): boolean => mayForbid(rules, { tool: "Bash", input: { command }, cwd: "/w" });

test("what could be the forbidden command is looked at, however it is written; what cannot is not", () => {
  const written = [
    "git push",
    "'git' push",
    "g\\it push",
    `g"i"t push`,
    "cd x && git push",
    "g\\\nit push",
    `$'\\x67it' push`,
    `$"git" push`,
    `$'\\147it' push`,
  ];
  expect(written.filter((command) => !looks(command))).toEqual([]);
  expect(["ls -la", "make", `echo "$HOME"`, "npm test"].filter(looks)).toEqual([]);
});
