// The lease on a constellation over Postgres: one daemon writes, another takes over when the first is silent, and the first writes nothing more.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import postgres from "postgres";
import { rejection } from "../../test/kit/rejection.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "../../test/kit/postgres.ts";
import { systemRandom } from "../host/clock/system-clock.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import type { LeaseWish } from "./lease.ts";
import { openStore, type Store } from "./open.ts";
import { readEvents, verifyChain } from "./timeline.ts";

describe.skipIf(withoutPostgres !== undefined)("a lease on a constellation", () => {
  let server: TestPostgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    url = await server.copyOf("migrated", async (empty) => (await open(empty, undefined)).close());
  });

  test("is one daemon's; another is refused with the holder's name, and has it once it was given back", async () => {
    const first = await open(url, lease("laptop"));
    const refusal = await rejection(open(url, lease("server")));
    expect(refusal).toMatchObject({ code: "store.held", facts: { holder: "laptop", constellation: "constel0" } });
    await using other = await opened(url, lease("server"), "constel1");
    expect(await record(other, "one.done")).toBe(1);
    await first.close();
    await using second = await opened(url, lease("server"));
    expect(await record(second, "one.done")).toBeGreaterThan(0);
  });

  test("is had at once by the next daemon of the same home, but not back from it", async () => {
    const killed = await open(url, lease("laptop"));
    await using next = await opened(url, lease("laptop"));
    expect(await record(next, "next.done")).toBe(1);
    expect(await rejection(record(killed, "late.done"))).toMatchObject({ code: "store.not-written" });
    const again = { ...lease("laptop"), onlyWhenLapsed: true };
    expect(await rejection(open(url, again))).toMatchObject({ code: "store.held" });
    await killed.close();
    expect(await record(next, "next.done")).toBe(2);
  });

  test("goes to another when it lapsed; whoever slept writes nothing more, and is told at the next renewal", async () => {
    const clock = new FakeClock();
    const heard = Promise.withResolvers<void>();
    const sleeper = await open(url, { ...lease("laptop"), lost: heard.resolve }, "constel0", clock);
    await record(sleeper, "before.done");
    await lapse();
    await using heir = await opened(url, lease("server"));
    expect(await readEvents(heir.db, { limit: 10 })).toMatchObject([
      { type: "before.done" },
      { type: "constellation.taken-over", data: { from: "laptop", epoch: 2 } },
    ]);
    expect(await rejection(record(sleeper, "late.done"))).toMatchObject({
      code: "store.not-written",
      cause: { code: "store.lease-lost" },
    });
    clock.advance(5_000);
    await heard.promise;
    await sleeper.close();
    await record(heir, "after.done");
    const types = (await readEvents(heir.db, { limit: 10 })).map(({ type }) => type);
    expect(types).toEqual(["before.done", "constellation.taken-over", "after.done"]);
    expect(await verifyChain(heir.db, "constel0")).toMatchObject({ ok: true, count: 3 });
  });

  test("is not taken in the middle of a write: the write is whole, and then comes the other", async () => {
    const holder = await open(url, lease("laptop"));
    const [inside, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const written = holder.write(async (tx) => {
      inside.resolve();
      await mayGoOn.promise;
      return tx.record({ type: "slow.done", actor: "test" });
    });
    await inside.promise;
    // Not by an update of ours, which would wait for the writer too: the lease has been over for the one who asks now.
    const asking = open(url, { ...lease("laptop"), leaseMs: 60_000 });
    mayGoOn.resolve();
    expect((await written).seq).toBe(1);
    const heir = await asking;
    expect(await record(heir, "after.done")).toBe(2);
    await heir.close();
    await holder.close();
  });

  test("is renewed while its holder lives", async () => {
    const clock = new FakeClock();
    await using holder = await opened(url, lease("laptop"), "constel0", clock);
    await lapse();
    clock.advance(5_000);
    let forMs = 0;
    while (forMs <= 0) forMs = await heldForMs();
    expect(await rejection(open(url, lease("server")))).toMatchObject({ code: "store.held" });
    expect(await record(holder, "one.done")).toBe(1);
  });

  const lease = (holder: string): LeaseWish => ({ holder, leaseMs: 20_000, lost: () => {}, log: () => {} });

  function open(
    at: string,
    wish: LeaseWish | undefined,
    constellation = "constel0",
    clock = new FakeClock(),
  ): Promise<Store> {
    const options = { url: at, backupDirectory: "/nonexistent", clock, random: systemRandom, constellation };
    return openStore(wish === undefined ? options : { ...options, lease: wish });
  }

  async function opened(...how: Parameters<typeof open>): Promise<Store & AsyncDisposable> {
    const store = await open(...how);
    return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
  }

  const record = async (store: Store, type: string): Promise<number> =>
    (await store.write((tx) => tx.record({ type, actor: "test" }))).seq;

  const lapse = (): Promise<unknown> => raw("update chain_heads set held_until_ms = 0");

  async function heldForMs(): Promise<number> {
    const [row] = await raw<{ held: string }>("select held_until_ms as held from chain_heads");
    return Number(row?.held ?? 0);
  }

  async function raw<T>(statement: string): Promise<T[]> {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return [...(await sql.unsafe(statement))] as unknown as T[];
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
});
