// A branch whose own files do not parse, or have conflict markers in them, is never praised: also where the others touched nothing that
// has to do with it, and where it is the only one.

import { expect, test } from "bun:test";
import { until } from "./kit/home.ts";
import { WorktreesHome } from "./kit/worktrees-home.ts";

const conflict = "<<<<<<< HEAD\nhello\n=======\nhi\n>>>>>>> one\n";

interface Steps {
  readonly lines?: readonly { label: string; verdict: string; score: number; why: readonly string[] }[];
  readonly repositories?: readonly { steps: Steps["lines"] }[];
}

const shown = (steps: Steps["lines"]): string[] =>
  (steps ?? [])
    .map(({ label, verdict, score, why }) => `${label} ${verdict} ${score}: ${why.join("; ")}`)
    .filter((line) => !line.startsWith("main "))
    .sort();

test("try and plan hold what does not parse or has conflict markers, and give it a low number", async () => {
  await using at = new WorktreesHome({
    "README.md": "hello\n",
    "docs/how.md": conflict,
    "a.ts": "export const a = 1;\n",
  });
  at.write(at.a, { "src/new.py": "def total(:\n    pass\n", "docs/how.md": `${conflict}more\n` });
  at.write(at.b, { "README.md": conflict });
  const expected = [
    "a hold 20: src/new.py was not checked: syntax error at line 1",
    "b hold 20: README.md has conflict markers at line 1",
  ];
  const where = { cwd: at.repository };
  const tried = await at.constel(["try", "--json"], where);
  expect(shown((JSON.parse(tried.stdout) as Steps).lines)).toEqual(expected);
  await at.constel(["repo", "add"], where);
  const plan = async (): Promise<string[]> => {
    const answer = JSON.parse((await at.constel(["plan", "--json"], where)).stdout) as Steps;
    return shown(answer.repositories?.[0]?.steps);
  };
  await until("both were looked at", plan, (lines) => lines.every((line) => line.includes(" hold 20")));
  expect(await plan()).toEqual(expected);
  // The branch that it lands on moved meanwhile, in nothing that concerns it.
  at.write(at.repository, { "a.ts": "export const a = 2;\n" });
  at.git(at.repository, "commit", "-qam", "two");
  at.write(at.b, { "README.md": "hello\nhi\n" });
  await until("one was mended", plan, (lines) => lines.some((line) => line.startsWith("b land")));
  expect((await plan())[0]).toContain("a hold 20: src/new.py was not checked: syntax error at line 1");
}, 120_000);
