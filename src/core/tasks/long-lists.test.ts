// A list of thousands is whole and in order, and is read in parts, so that nobody waits for all of it.

import { expect, test } from "bun:test";
import type { KyselyPlugin } from "kysely";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import type { Tx } from "../../store/group-commit.ts";
import { listAll } from "./queries.ts";

const count = 2_345;
const priorities = ["P2", "P0", "P3", "P1"];
const states = ["open", "closed", "queued"];

async function addTask(tx: Tx, constellation: string, number: number): Promise<void> {
  await tx.db
    .insertInto("tasks")
    .values({
      constellation,
      number,
      title: `Task ${number}`,
      directive: "",
      state: states[number % 3] ?? "",
      priority: priorities[number % 4] ?? "",
      root: "/r",
      repositories: "[]",
      scope: JSON.stringify([`src/${number}`]),
      created_by: "owner",
      created_ms: 1,
      updated_ms: 1,
    } as never)
    .execute();
}

onEachDatabase("long lists of tasks", (makeScene) => {
  const here = withStore(makeScene);

  test("all of thousands of tasks come once and in their order, from answers of no more than a thousand rows", async () => {
    const { store, clock } = here;
    const { constellation } = store;
    await store.write(async (tx) => {
      for (let number = 1; number <= count; number++) await addTask(tx, constellation, number);
      await tx.insert("task_after", { constellation, task: 8, after: 4 });
    });
    let largest = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => "directive" in row)) largest = Math.max(largest, result.rows.length);
        return result;
      },
    };
    const context = { clock, constellation, store: { ...store, db: store.db.withPlugin(counting) } };
    const list = async (asked: object) => await listAll(context as never, { all: false, limit: 100_000, ...asked });

    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const ordered = (of: readonly number[]): number[] =>
      ["P0", "P1", "P2", "P3"].flatMap((priority) => of.filter((one) => priorities[one % 4] === priority));
    const whole = await list({ all: true });
    expect(whole.tasks.map(({ number }) => Number(number))).toEqual(ordered(numbers));
    expect(whole.total).toBe(count);
    expect(whole.tasks.find(({ number }) => Number(number) === 8)).toMatchObject({ after: [4], scope: ["src/8"] });
    const unfinished = await list({});
    expect(unfinished.tasks.map(({ number }) => Number(number))).toEqual(
      ordered(numbers.filter((one) => one % 3 !== 1)),
    );
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(1_000);
    // A shorter list is cut where it was asked to be.
    expect((await list({ all: true, limit: 1_500 })).tasks.map(({ number }) => Number(number))).toEqual(
      ordered(numbers).slice(0, 1_500),
    );
  });
});
