// The guards outside of a worker: each parks one that does not end, tells the owner, and keeps what waits.

import { describe, expect, test } from "bun:test";
import { until } from "./kit/home.ts";
import { WorkersHome } from "./kit/workers-home.ts";

interface Need {
  readonly kind: string;
  readonly next: string;
}

describe("a guard parks a worker, says so, and keeps what waits", () => {
  const parks = async (at: WorkersHome, because: string | RegExp): Promise<void> => {
    const { because: said } = await at.becomes("one", "parked");
    expect(String(said)).toMatch(because);
    const needs = await until(
      "the owner is told",
      // It exits with 1, because something needs the owner.
      async () => (JSON.parse((await at.constel(["status", "--json"])).stdout) as { needs: Need[] }).needs,
      (all) => all.some(({ kind }) => kind === "parked"),
    );
    expect(needs.find(({ kind }) => kind === "parked")?.next).toBe("constel worker start one");
    expect(at.query("select * from timeline where type = 'worker.parked'")).toHaveLength(1);
  };

  test("turns in an hour; started again it goes on with them", async () => {
    await using at = new WorkersHome();
    await at.start("one", "--turns-per-hour", "1");
    await at.answered(await at.send("agentwone", "first"));
    const id = await at.send("agentwone", "second");
    await parks(at, /1 turn within an hour/);
    expect(at.turns("one")).toHaveLength(1);
    // Whoever writes to it is told that nobody reads that now.
    const told = await at.constel(["channel", "send", "agentwone", "third"]);
    expect([told.code, told.stderr]).toEqual([0, expect.stringContaining("agentwone is parked (it has had 1 turn")]);
    await at.json(["worker", "stop", "one"]);
    expect((await at.constel(["channel", "send", "agentwone", "fourth"])).stderr).toContain("agentwone is stopped");
    await at.start("one", "--turns-per-hour", "10");
    expect(await at.answered(id)).toHaveLength(1);
  });

  test("tokens in a day", async () => {
    await using at = new WorkersHome();
    await at.start("one", "--budget", "1000");
    await at.answered(await at.send("agentwone", "use 5000 tokens"));
    await until(
      "they are counted",
      () => at.query("select sum(input) as n from token_usage")[0]?.["n"],
      (n) => n === 5_000,
    );
    await at.send("agentwone", "second");
    await parks(at, /5001 of the 1000 tokens/);
    expect(at.turns("one")).toHaveLength(1);
  });

  test("no progress in three turns", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    for (const turn of [1, 2, 3]) {
      await at.send("agentwone", `say the same, ${turn}`);
      await until(
        "it had its turn",
        () => at.turns("one").length,
        (count) => count === turn,
      );
      if (turn < 3) await at.becomes("one", "waiting", turn);
    }
    await parks(at, /no progress/);
  });

  test("the same answer to other calls is progress, and to the same call is none", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    const turn = async (number: number, text: string): Promise<void> => {
      await at.send("agentwone", text);
      await until(
        "it had its turn",
        () => at.turns("one").length,
        (count) => count === number,
      );
    };
    for (const [at_, word] of ["left", "right", "up"].entries()) {
      await turn(at_ + 1, `say the same after call ${word}`);
      await at.becomes("one", "waiting", at_ + 1);
    }
    for (const number of [4, 5]) {
      await turn(number, "say the same after call up");
      if (number === 4) await at.becomes("one", "waiting", 4);
    }
    await parks(at, /no progress/);
  });

  test("failures: its messages are kept and tried again later, and after five somebody has to look", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    await at.answered(await at.send("agentwone", "which session?"));
    await at.becomes("one", "waiting", 1);
    const id = await at.send("agentwone", "another session");
    const row = await until(
      "it has failed",
      () => at.worker("one"),
      ({ failures }) => failures === 1,
    );
    expect(String(row["because"])).toContain("another conversation");
    expect(Number(row["retry_ms"])).toBeGreaterThan(Number(row["updated_ms"]) + 9_000);
    expect(at.answersTo(id)).toEqual([]);
    const turns = at.query("select state, attempt, ok from worker_turns where turn = 2");
    expect(turns).toEqual([{ state: "asked", attempt: 2, ok: 0 }]);
  });
});
