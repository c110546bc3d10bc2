// The timeline: every way of tampering is found, and the database itself refuses the plain ones.

import { describe, expect, test } from "bun:test";
import { type MakeScene, withStore } from "../../test/kit/databases.ts";
import type { Dialect } from "./tables.ts";
import { type EventsQuery, genesisHash, readEvents, verifyChain } from "./timeline.ts";
import { throwing } from "../../test/kit/rejection.ts";

export function timelineSuite(makeScene: MakeScene, dialect: Dialect): void {
  describe("the timeline", () => {
    const here = withStore(makeScene);
    const record = (count: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          here.store.write((tx) =>
            tx.record({
              type: index % 2 ? "odd.seen" : "even.seen",
              subject: `n:${index}`,
              actor: "test",
              data: { index },
            }),
          ),
        ),
      );
    const verdict = () => verifyChain(here.store.db, "constel0");
    const seqs = async (query: Partial<EventsQuery>): Promise<number[]> =>
      (await readEvents(here.store.db, { limit: 3, ...query })).map((event) => event.seq);
    const unguarded =
      dialect === "sqlite"
        ? ["drop trigger events_no_update", "drop trigger events_no_delete"]
        : ["drop trigger events_no_change on events"];

    test("an empty chain and one longer than a page verify", async () => {
      expect(await verdict()).toMatchObject({ ok: true, count: 0, head: { seq: 0, hash: genesisHash } });
      await record(1500);
      expect(await verdict()).toMatchObject({ ok: true, count: 1500, head: { seq: 1500 } });
    });

    test("any text survives in the data, and the chain still verifies", async () => {
      const data = {
        nul: "a\0b",
        lone: "\ud800",
        emoji: "🜁",
        quote: `'"\\$1?`,
        big: 2 ** 53,
        deep: { list: [1, null] },
      };
      const event = await here.store.write((tx) => tx.record({ type: "odd.text", actor: "ünï 'q\"", data }));
      const [read] = await readEvents(here.store.db, { limit: 1 });
      expect(read).toEqual(event);
      expect(read?.data).toEqual(data);
      expect(await verdict()).toMatchObject({ ok: true, count: 1 });
    });

    test("text that the databases would not keep as it is is refused", async () => {
      for (const actor of ["", "a\0b", "\ud800"]) {
        expect(await throwing(here.store.write((tx) => tx.record({ type: "a.b", actor })))).toThrow("plain");
      }
    });

    test("events are read in pages, by type and by subject", async () => {
      await record(10);
      expect(await seqs({})).toEqual([1, 2, 3]);
      expect(await seqs({ afterSeq: 8 })).toEqual([9, 10]);
      expect(await seqs({ type: "odd.seen", afterSeq: 3 })).toEqual([4, 6, 8]);
      expect(await seqs({ subject: "n:4" })).toEqual([5]);
      expect(await seqs({ constellation: "constel1" })).toEqual([]);
    });

    test("of a long chain the newest part can be checked alone, and what is broken before it is found by the whole look", async () => {
      await record(30);
      const newest = (count: number) => verifyChain(here.store.db, here.store.constellation, { newest: count });
      expect(await newest(10)).toMatchObject({ ok: true, count: 30, checked: 10, pruned: 0 });
      expect(await newest(100)).toMatchObject({ ok: true, checked: 30 });
      await here.scene.raw(...unguarded, "update events set actor = 'owner2' where seq = 15");
      expect(await newest(10)).toMatchObject({ ok: true });
      expect(await newest(20)).toMatchObject({ ok: false, seq: 15 });
      await here.scene.raw("update events set actor = 'owner2' where seq = 25");
      expect(await newest(10)).toMatchObject({ ok: false, seq: 25 });
    });

    test("a look does not slip into somebody's open transaction, in which what is new cannot be seen", async () => {
      const reading = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const held = here.store.db.transaction().execute(async (transaction) => {
        await transaction.selectFrom("events").selectAll().execute();
        reading.resolve();
        await goOn.promise;
      });
      await reading.promise;
      await record(1);
      const look = seqs({});
      goOn.resolve();
      await held;
      expect(await look).toEqual([1]);
      expect(await seqs({})).toEqual([1]);
    });

    test("a clock that jumps back does not disturb the order", async () => {
      await record(2);
      here.clock.jumpTo(here.clock.nowMs() - 86_400_000);
      await record(2);
      const events = await readEvents(here.store.db, { limit: 10 });
      expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
      expect(events[2]?.at_ms).toBeLessThan(events[1]?.at_ms ?? 0);
      expect(await verdict()).toMatchObject({ ok: true, count: 4 });
    });

    test("the database refuses to change, delete or empty the timeline", async () => {
      await record(3);
      const refused = /append-only/;
      expect(await throwing(here.scene.raw("update events set actor = 'owner' where seq = 2"))).toThrow(refused);
      expect(await throwing(here.scene.raw("delete from events where seq = 3"))).toThrow(refused);
      if (dialect === "postgres") expect(await throwing(here.scene.raw("truncate events"))).toThrow(refused);
      expect(await verdict()).toMatchObject({ ok: true, count: 3 });
    });

    const tamperings: [name: string, statements: string[], seq: number, why: string][] = [
      ["a changed actor", ["update events set actor = 'owner' where seq = 3"], 3, "not what was appended"],
      ["a changed time", ["update events set at_ms = at_ms + 1 where seq = 1"], 1, "not what was appended"],
      [
        "a changed character of data",
        [`update events set data = '{"index":9}' where seq = 4`],
        4,
        "not what was appended",
      ],
      ["a changed hash", [`update events set hash = '${genesisHash}' where seq = 2`], 2, "not what was appended"],
      ["a deletion", ["delete from events where seq = 3"], 3, "missing"],
      ["a deletion of the first", ["delete from events where seq = 1"], 1, "missing"],
      ["a reorder", swap(2, 4), 2, "does not follow"],
      ["a truncation", ["delete from events where seq > 3"], 4, "missing"],
      [
        "a truncation with the head moved back",
        ["delete from events where seq > 3", "update chain_heads set seq = 3"],
        3,
        "head names another",
      ],
      ["an event past the head", ["update chain_heads set seq = 4"], 5, "past the chain's head"],
      ["a lost head", ["delete from chain_heads"], 1, "head is gone"],
    ];
    test("every tampering is found, at the right place", async () => {
      await record(5);
      await here.scene.raw(
        ...unguarded,
        "create table saved_events as select * from events",
        "create table saved_heads as select * from chain_heads",
      );
      for (const [name, statements, seq, why] of tamperings) {
        await here.scene.raw(...statements);
        expect({ name, ...(await verdict()) }).toEqual({ name, ok: false, seq, why: expect.stringContaining(why) });
        await here.scene.raw(
          "delete from events",
          "insert into events select * from saved_events",
          "delete from chain_heads",
          "insert into chain_heads select * from saved_heads",
        );
        expect({ name, ...(await verdict()) }).toMatchObject({ name, ok: true, count: 5 });
      }
    });

    test("after the mark of pruning is moved, older events may go and the rest verifies", async () => {
      await record(5);
      await here.scene.raw(
        "update chain_heads set pruned_seq = 2, pruned_hash = (select hash from events where seq = 2)",
        "delete from events where seq <= 2",
      );
      expect(await verdict()).toMatchObject({ ok: true, count: 3, head: { seq: 5 } });
      expect(await throwing(here.scene.raw("delete from events where seq = 3"))).toThrow("append-only");
      await record(1);
      expect(await verdict()).toMatchObject({ ok: true, count: 4, head: { seq: 6 } });
    });
  });
}

function swap(a: number, b: number): string[] {
  return [
    `update events set seq = 1000 where seq = ${a}`,
    `update events set seq = ${a} where seq = ${b}`,
    `update events set seq = ${b} where seq = 1000`,
  ];
}
