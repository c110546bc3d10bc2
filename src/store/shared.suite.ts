// Several stores over one database: the chain does not fork, and where the database can tell, each hears of the others.

import { describe, expect, test } from "bun:test";
import { type MakeScene, withStore } from "../../test/kit/databases.ts";
import { seededRandom } from "../ports/fake-clock.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { openStore } from "./open.ts";
import type { Dialect } from "./tables.ts";
import { readEvents, verifyChain } from "./timeline.ts";
import { crash } from "./writing.suite.ts";
import { rejection } from "../../test/kit/rejection.ts";

export function sharedSuite(makeScene: MakeScene, dialect: Dialect): void {
  describe("several stores over one database", () => {
    const here = withStore(makeScene);
    const real = { clock: systemClock, random: systemRandom };

    test("do not fork the chain", async () => {
      await here.reopen(real);
      const other = await openStore(here.options(real));
      try {
        const writes = [here.store, other].flatMap((store, index) =>
          Array.from({ length: 40 }, async () => {
            await store.write((tx) => tx.record({ type: "one.done", actor: `store${index}` }));
            await store.write((tx) => tx.record({ type: "two.done", actor: `store${index}` }));
          }),
        );
        await Promise.all(writes);
        expect(await verifyChain(other.db, "constel0")).toMatchObject({ ok: true, count: 160 });
      } finally {
        await other.close();
      }
    });

    test("keep one chain for each constellation", async () => {
      const other = await openStore(here.options({ constellation: "constel1", random: seededRandom(8) }));
      try {
        const event = await other.write((tx) => tx.record({ type: "one.done", actor: "test" }));
        expect(event).toMatchObject({ seq: 1, constellation: "constel1" });
        await here.store.write((tx) => tx.record({ type: "one.done", actor: "test" }));
        expect(await verifyChain(other.db, "constel0")).toMatchObject({ ok: true, count: 1 });
        expect(await verifyChain(other.db, "constel1")).toMatchObject({ ok: true, count: 1 });
      } finally {
        await other.close();
      }
    });

    if (dialect === "postgres") {
      // Tried again at most three times: postgres.js 3.4.9 now and then (1 of 12 here) writes to a socket it has just lost and
      // throws outside of any promise. The daemon survives that (run.ts logs it); a test run cannot catch it.
      const patience = { retry: 3, timeout: 30_000 };
      test("find the way back after the server dropped every connection", patience, async () => {
        const drop =
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'constel' and datname = current_database()";
        const record = () => here.store.write((tx) => tx.record({ type: "one.done", actor: "test" }));
        await record();
        await here.scene.raw(drop);
        // The one that meets the loss may be refused; it must not be acknowledged falsely, and the next one is written.
        const [met] = await Promise.allSettled([record()]);
        if (met.status === "rejected") expect(met.reason).toMatchObject({ code: "store.not-written" });
        const inside = here.store.write(async (tx) => {
          await tx.insert("crashes", crash("lost"));
          await here.scene.raw(drop);
          await tx.insert("crashes", crash("never"));
        });
        expect(await rejection(inside)).toMatchObject({ code: "store.not-written" });
        const last = await record();
        expect(await verifyChain(here.store.db, "constel0")).toMatchObject({ ok: true, count: last.seq });
        expect(await here.store.db.selectFrom("crashes").selectAll().execute()).toEqual([]);
      });

      test("hear of each other's events, each once and in order", async () => {
        await here.reopen(real);
        const other = await openStore(here.options(real));
        const everything = Promise.withResolvers<void>();
        const heard: number[] = [];
        here.store.onCommit((events) => {
          heard.push(...events.map((event) => event.seq));
          if (heard.length >= 30) everything.resolve();
        });
        try {
          const stores = [here.store, other, other];
          for (let round = 0; round < 10; round++) {
            await Promise.all(
              stores.map((store) => store.write((tx) => tx.record({ type: "one.done", actor: "test" }))),
            );
          }
          await everything.promise;
          expect(heard).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
          expect(await readEvents(here.store.db, { limit: 100 })).toHaveLength(30);
        } finally {
          await other.close();
        }
      });
    }
  });
}
