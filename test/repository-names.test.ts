// What a repository is called that constel first meets when a task is dispatched, however it was named.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";

interface Listed {
  readonly name: string;
}

const ways: Readonly<Record<string, (at: TaskHome) => string>> = {
  "its directory": (at) => at.root,
  "its .git directory": (at) => join(at.root, ".git"),
  "a bare repository": (at) => at.origin,
  "a bare repository, with a slash behind it": (at) => `${at.origin}/`,
};

for (const [way, place] of Object.entries(ways))
  test(`a repository that a task names by ${way} has a name that people know`, async () => {
    await using at = new TaskHome();
    const { number } = await at.ask<{ number: number }>("task", "create", "one", "--repo", place(at));
    const dispatched = await at.run("task", "dispatch", String(number), "--to-workspace", "--no-fetch");
    expect([dispatched.code, dispatched.stderr]).toEqual([0, expect.any(String)]);
    const names = await until(
      "it is watched",
      async () => (await at.ask<{ repositories: Listed[] }>("repo", "ls")).repositories.map(({ name }) => name),
      (all) => all.length > 0,
    );
    // Its clone in the workspace is one way into the same repository.
    expect(["root", "origin"]).toContain(names.join());
    for (const words of [["repo", "ls"], ["plan"]]) {
      const { stdout } = await at.run(...words);
      expect([words, stdout.includes(names.join()), /(^|\s)\.git\b/.test(stdout)]).toEqual([words, true, false]);
    }
    const { stdout } = await at.run("query", "select name from repositories");
    expect(stdout).toContain(names.join());
  });

test("of a task in several repositories, each workspace is called like its repository", async () => {
  await using at = new TaskHome();
  const other = join(at.top, "other");
  at.git(at.top, "clone", "-q", at.origin, other);
  const places = [join(at.root, ".git"), join(other, ".git/")].flatMap((one) => ["--repo", one]);
  const { number } = await at.ask<{ number: number }>("task", "create", "two", ...places);
  const ran = await at.run("task", "dispatch", String(number), "--to-workspace", "--no-fetch");
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
  for (const name of ["root", "other"]) expect(ran.stdout).toContain(join("workspaces", String(number), name));
});
