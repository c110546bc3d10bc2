// Writing: group commit, jobs that fail alone, locks that are retried, and nothing said that is not so.

import { describe, expect, test } from "bun:test";
import { type MakeScene, withStore } from "../../test/kit/databases.ts";
import type { FakeClock } from "../ports/fake-clock.ts";
import { Refusal, systemCode } from "../protocol/errors.ts";
import type { Tx } from "./group-commit.ts";
import type { CliInvocationsTable } from "./tables/records.ts";
import { readEvents, type StoredEvent, verifyChain } from "./timeline.ts";
import { rejection, throwing } from "../../test/kit/rejection.ts";

export function writingSuite(makeScene: MakeScene): void {
  describe("writing", () => {
    const here = withStore(makeScene);
    const crashes = async (): Promise<string[]> =>
      (await here.store.db.selectFrom("crashes").select("id").orderBy("id").execute()).map((row) => row.id);
    const add = (id: string): Promise<void> => here.store.write((tx) => tx.insert("crashes", crash(id)));

    test("what a job wrote and recorded is there when it is acknowledged", async () => {
      const event = await here.store.write(async (tx) => {
        await tx.db.insertInto("crashes").values(crash("c1")).execute();
        return tx.record({ type: "agent.crashed", subject: "agent:agent1", actor: "watchdog", data: { code: 1 } });
      });
      expect(await here.store.db.selectFrom("crashes").selectAll().execute()).toEqual([crash("c1")]);
      expect(await readEvents(here.store.db, { limit: 10 })).toEqual([event]);
      expect(event).toMatchObject({ seq: 1, constellation: "constel0", data: { code: 1 } });
    });

    test("the ready-made insert writes the same row, with numbers and nulls as they are", async () => {
      await here.store.write((tx) => tx.insert("cli_invocations", invocation("cli_1")));
      expect(await here.store.db.selectFrom("cli_invocations").selectAll().execute()).toEqual([invocation("cli_1")]);
      const { total } = await here.store.db
        .selectFrom("cli_invocations")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      expect(total).toBe(1);
    });

    test("jobs asked for together share one commit, in the order of asking", async () => {
      const commits: (readonly StoredEvent[])[] = [];
      here.store.onCommit((events) => commits.push(events));
      const asked = Array.from({ length: 64 }, (_, index) =>
        here.store.write((tx) => tx.record({ type: "test.asked", subject: `n:${index}`, actor: "test" })),
      );
      const events = await Promise.all(asked);
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
      await here.store.close();
      expect(commits.map((events) => events.length)).toEqual([64]);
      expect(commits[0]).toEqual(events);
    });

    test("who asks two turns after their answer shares the next commit with those who asked at once; who asks alone waits for nobody", async () => {
      const commits: number[] = [];
      here.store.onCommit((events) => commits.push(events.length));
      const say = (): Promise<unknown> => here.store.write((tx) => tx.record({ type: "test.asked", actor: "test" }));
      const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
      const caller = async (isLate: boolean): Promise<void> => {
        for (let again = 0; again < 20; again++) {
          await say();
          if (isLate) await turn();
          if (isLate) await turn();
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, index) => caller(index % 2 === 1)));
      for (let again = 0; again < 5; again++) await say();
      await here.store.close();
      expect(commits.filter((size) => size === 16).length).toBeGreaterThan(15);
      expect(commits.slice(-5)).toEqual([1, 1, 1, 1, 1]);
    });

    test("the number of writes is another after each, with an event or without", async () => {
      const numbers = [here.store.writes];
      await here.store.write((tx) => tx.insert("crashes", crash("one")));
      numbers.push(here.store.writes);
      await here.store.write((tx) => tx.record({ type: "test.asked", actor: "test" }));
      numbers.push(here.store.writes);
      expect(new Set(numbers).size).toBe(3);
    });

    test("a job that throws after writing is undone alone, with its events", async () => {
      const outcomes = await Promise.allSettled([
        here.store.write(async (tx) => {
          await tx.insert("crashes", crash("before"));
          return tx.record({ type: "before.kept", actor: "test" });
        }),
        here.store.write(async (tx) => {
          await tx.db.insertInto("crashes").values(crash("bad")).execute();
          await tx.record({ type: "bad.lost", actor: "test" });
          throw new Error("no");
        }),
        here.store.write(async (tx) => {
          await tx.insert("crashes", crash("after"));
          return tx.record({ type: "after.kept", actor: "test" });
        }),
      ]);
      expect(outcomes).toMatchObject([
        { status: "fulfilled", value: { seq: 1 } },
        { status: "rejected", reason: { message: "no" } },
        { status: "fulfilled", value: { seq: 2 } },
      ]);
      expect(await crashes()).toEqual(["after", "before"]);
      const types = (await readEvents(here.store.db, { limit: 10 })).map((event) => event.type);
      expect(types).toEqual(["before.kept", "after.kept"]);
      expect(await verifyChain(here.store.db, "constel0")).toMatchObject({ ok: true, count: 2 });
    });

    test("a job that refuses before writing costs the others nothing", async () => {
      let runs = 0;
      const refusal = new Refusal("input.invalid", "no");
      const outcomes = await Promise.allSettled([
        here.store.write(async (tx) => {
          runs++;
          await tx.insert("crashes", crash("kept"));
        }),
        here.store.write(async (tx) => {
          await tx.db.selectFrom("crashes").select("id").execute();
          await tx.record({ type: "bad.lost", actor: "test" });
          throw refusal;
        }),
      ]);
      expect(outcomes).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: refusal }]);
      expect({ runs, crashes: await crashes() }).toEqual({ runs: 1, crashes: ["kept"] });
      expect(await readEvents(here.store.db, { limit: 10 })).toEqual([]);
    });

    test("a statement that the database refuses fails its own job only, and says what it was", async () => {
      const [one, twin, other] = await Promise.allSettled([add("same"), add("same"), add("other")]);
      expect(one.status).toBe("fulfilled");
      expect(other.status).toBe("fulfilled");
      expect(twin.status === "rejected" && isUniqueViolation(twin.reason)).toBe(true);
      expect(await crashes()).toEqual(["other", "same"]);
    });

    test("a job may catch what the database refuses and go on", async () => {
      await here.store.write((tx) => tx.insert("crashes", crash("same")));
      const write = here.store.write(async (tx) => {
        const added = await tx.db
          .insertInto("crashes")
          .values(crash("same"))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        await tx.insert("crashes", crash("next"));
        return Number(added.numInsertedOrUpdatedRows);
      });
      expect(await write).toBe(0);
      expect(await crashes()).toEqual(["next", "same"]);
    });

    test("a lock error is retried five times, waiting longer each time, and then the change is refused", async () => {
      const sleeps = recordSleeps(here.clock);
      let runs = 0;
      const write = here.store.write(async () => {
        runs++;
        throw lockError();
      });
      expect(await rejection(write)).toMatchObject({ code: "store.not-written", facts: { attempts: 6 } });
      expect(runs).toBe(6);
      expect(sleeps).toHaveLength(5);
      sleeps.forEach((ms, index) => {
        const full = 100 * 2 ** index;
        expect(ms).toBeGreaterThanOrEqual(full / 2);
        expect(ms).toBeLessThanOrEqual(Math.min(full, 3000));
      });
    });

    test("when the lock is had at last, the whole batch is there once", async () => {
      recordSleeps(here.clock);
      let runs = 0;
      const first = here.store.write(async (tx) => {
        await tx.insert("crashes", crash("first"));
        return tx.record({ type: "first.kept", actor: "test" });
      });
      const second = here.store.write(async () => {
        if (++runs < 4) throw lockError();
      });
      await Promise.all([first, second]);
      expect({ runs, crashes: await crashes() }).toEqual({ runs: 4, crashes: ["first"] });
      expect(await verifyChain(here.store.db, "constel0")).toMatchObject({ ok: true, count: 1 });
    });

    test("a failing disk is not retried: everybody in the batch is refused, the cause is kept, and writing goes on", async () => {
      const sleeps = recordSleeps(here.clock);
      const cause = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
      const outcomes = await Promise.allSettled([
        here.store.write((tx) => tx.insert("crashes", crash("innocent"))),
        here.store.write(() => Promise.reject(cause)),
      ]);
      const refused = { status: "rejected", reason: { code: "store.not-written", cause } };
      expect(outcomes).toMatchObject([refused, refused]);
      expect({ sleeps, crashes: await crashes() }).toEqual({ sleeps: [], crashes: [] });
      await here.store.write((tx) => tx.insert("crashes", crash("later")));
      expect(await crashes()).toEqual(["later"]);
    });

    test("a handle that outlived its job, or a transaction inside a job, is refused", async () => {
      let kept: Tx | undefined;
      await here.store.write(async (tx) => {
        kept = tx;
        await tx.insert("crashes", crash("kept"));
      });
      expect(() => kept?.db).toThrow("the transaction of this job is over");
      expect(await throwing(kept?.record({ type: "late.lost", actor: "test" }))).toThrow("over");
      expect(await throwing(kept?.insert("crashes", crash("late")))).toThrow("over");
      const nested = here.store.write((tx) => tx.db.transaction().execute(async () => {}));
      expect(await throwing(nested)).toThrow("already runs inside a transaction");
    });

    test("the reading handle cannot write, and may read a consistent snapshot", async () => {
      expect(await throwing(here.store.db.insertInto("crashes").values(crash("no")).execute())).toThrow(
        /readonly|read-only/,
      );
      const seen = await here.store.db
        .transaction()
        .execute(async (snapshot) => snapshot.selectFrom("crashes").selectAll().execute());
      expect(seen).toEqual([]);
    });

    test("a reader is not held up by a job in progress and does not see it", async () => {
      const inside = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const write = here.store.write(async (tx) => {
        await tx.insert("crashes", crash("slow"));
        inside.resolve();
        await goOn.promise;
      });
      await inside.promise;
      expect(await crashes()).toEqual([]);
      goOn.resolve();
      await write;
      expect(await crashes()).toEqual(["slow"]);
    });

    test("closing waits for what was taken and refuses what comes after", async () => {
      const taken = here.store.write((tx) => tx.insert("crashes", crash("taken")));
      const closing = here.store.close();
      expect(await rejection(here.store.write(async () => {}))).toMatchObject({ code: "store.not-written" });
      await Promise.all([taken, closing]);
      await here.reopen();
      expect(await crashes()).toEqual(["taken"]);
    });

    test("a listener that throws stops neither the writer nor the others, and one that left hears nothing", async () => {
      const problems: unknown[] = [];
      const store = await here.reopen({ log: (_, cause) => problems.push(cause) });
      const heard: string[] = [];
      const bug = new Error("bug");
      store.onCommit(() => {
        throw bug;
      });
      store.onCommit((events) => heard.push(...events.map((event) => event.type)));
      const leave = store.onCommit(() => heard.push("left"));
      leave();
      await store.write((tx) => tx.record({ type: "one.done", actor: "test" }));
      await store.write(async () => {});
      await store.close();
      expect({ heard, problems }).toEqual({ heard: ["one.done"], problems: [bug] });
    });
  });
}

/** Sleeps pass at once, and are written down. */
function recordSleeps(clock: FakeClock): number[] {
  const sleeps: number[] = [];
  clock.sleep = async (ms) => {
    sleeps.push(ms);
  };
  return sleeps;
}

function lockError(): Error {
  return Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
}

/** As of a crash that was noticed before ends were told in detail. */
const unknownEnd = { runtime: null, launched_ms: null, exit_status: null, exit_signal: null };

export function crash(id: string) {
  return { id, constellation: "constel0", at_ms: 5, agent: "agent1", what: "exit", detail: "{}", ...unknownEnd };
}

export function invocation(id: string): CliInvocationsTable {
  return {
    id,
    constellation: "constel0",
    at_ms: 1_767_323_045_678,
    duration_ms: 12,
    argv: '["task","list"]',
    cwd: "/somewhere",
    agent: null,
    exit_code: 0,
    version: "0.1.0",
  };
}

function isUniqueViolation(cause: unknown): boolean {
  const code = systemCode(cause);
  return code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY" || code === "23505";
}
