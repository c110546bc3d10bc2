// What is cut says so: every listing verb, with more rows than it shows by itself.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { TestHome } from "./kit/home.ts";

/** Copies of task 1, numbered on. */
function multiplyTasks(home: string, upTo: number): void {
  const database = new Database(join(home, "meta.db"));
  const columns = database.query<{ name: string }, []>("select name from pragma_table_info('tasks')").all();
  const others = columns.map(({ name }) => name).filter((name) => name !== "number" && name !== "source_key");
  database.run(`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${upTo})
    insert into tasks (number, ${others.join(", ")}) select n.i, ${others.map((name) => `t.${name}`).join(", ")}
    from tasks t, n where t.number = 1`);
  database.close();
}

test("every listing verb that shows only some says how many there are, and how to see the rest", async () => {
  await using at = new TestHome();
  await at.constel(["task", "create", "one of many"]);
  for (let index = 0; index < 25; index++) await at.constel(["announce", `word ${index}`]);
  await at.constel(["daemon", "stop"]);
  multiplyTasks(at.home, 5_007);
  for (let index = 0; index < 3; index++)
    await at.constel(["channel", "send", "agent1", `word ${index}`, "--thread", "long"]);

  const listings: [words: string[], says: RegExp][] = [
    [["task", "list"], /Shown: 1000 of 5007\. More: constel task list --limit 5007/],
    [["task", "list", "--limit", "3"], /Shown: 3 of 5007/],
    [["task", "next"], /Shown: 10 of 5007/],
    [["events"], /Only the newest 20 are shown\. More: constel events --limit 200/],
    [["channel", "history", "long", "--limit", "2"], /Shown: 2 of 3\. More: constel channel history long --limit 3/],
  ];
  for (const [words, says] of listings) {
    expect((await at.constel(words)).stdout).toMatch(says);
    const json = await at.constel([...words, "--json"]);
    expect(json.stderr).toMatch(says);
    expect(Array.isArray(JSON.parse(json.stdout))).toBe(true);
  }
  expect((await at.json<unknown[]>(["task", "list", "--limit", "100000"])).length).toBe(5_007);
  expect((await at.json<{ unfinished_tasks: number }>(["status"])).unfinished_tasks).toBe(5_007);
  expect((await at.constel(["events", "--limit", "1000"])).stdout).not.toContain("are shown");
}, 120_000);

test("what is piped is not cut to the width of a terminal that is not there", async () => {
  await using at = new TestHome();
  const title = `one ${"long ".repeat(60)}title`;
  await at.constel(["task", "create", title]);
  for (const words of [
    ["task", "list"],
    ["task", "show", "1"],
    ["query", "select title from tasks"],
  ])
    expect({ words, said: (await at.constel(words)).stdout.includes(title) }).toEqual({ words, said: true });
  const narrow = await at.constel(["task", "list"], { env: { COLUMNS: "60" } });
  for (const line of narrow.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});
