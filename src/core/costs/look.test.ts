import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { accountUsage } from "../agents/account-usage.ts";
import { lookAtCost } from "./look.ts";
import { allPrices } from "./owner-prices.ts";

onEachDatabase("what agents cost", (makeScene) => {
  const here = withStore(makeScene);

  test("a model of the table has a price by default; one that nobody knows is counted apart, not as free", async () => {
    const { store, clock } = here;
    const nowMs = clock.nowMs();
    const answer = (id: string, model: string, atMs: number) => ({
      id,
      model,
      atMs,
      input: 1_000_000,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
    });
    const reports = [
      { agent: "agent1", answers: [answer("a", "claude-opus-4-5-20251101", nowMs), answer("b", "nobody-9", nowMs)] },
      { agent: "agent2", answers: [answer("c", "claude-opus-4-5-20251101", nowMs - 86_400_000)] },
    ];
    await accountUsage(store, reports, allPrices([]), async () => "7");
    const look = (by: "agent" | "task" | "day" | "model", days = 30) => lookAtCost({ store, clock }, { by, days });
    const [first, second] = (await look("agent")).rows;
    expect(first).toMatchObject({ of: "agent1", answers: 2, unpriced: 1 });
    expect(first?.cost_micros).toBeGreaterThan(0);
    expect(second).toMatchObject({ of: "agent2", unpriced: 0, cost_micros: first?.cost_micros });
    expect((await look("task")).rows).toMatchObject([{ of: "7", answers: 3 }]);
    expect((await look("day")).rows.map(({ of }) => of)).toEqual(["2026-01-02", "2026-01-01"]);
    expect((await look("day", 1)).rows).toHaveLength(1);
    expect((await look("model")).rows.map(({ of }) => of)).toEqual(["claude-opus-4-5-20251101", "nobody-9"]);
  });
});
