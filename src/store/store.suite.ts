// What the store promises, run once for each database by store.test.ts.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeClock, seededRandom } from "../host/clock/fake-clock.ts";
import { openStore, type OpenStoreOptions, type Store } from "./open.ts";
import type { CliInvocationsTable } from "./tables.ts";
import { readEvents, verifyChain } from "./timeline.ts";

/** A fresh database, and the end of it. */
export interface Scene {
  readonly url: string;
  readonly backupDirectory: string;
  end(): Promise<void>;
}

export function storeSuite(name: string, makeScene: () => Promise<Scene>): void {
  describe(`the store on ${name}`, () => {
    let scene: Scene;
    let clock: FakeClock;
    let store: Store;
    const options = (more: Partial<OpenStoreOptions> = {}): OpenStoreOptions => ({
      url: scene.url,
      backupDirectory: scene.backupDirectory,
      clock,
      random: seededRandom(7),
      constellation: "constel0",
      ...more,
    });

    beforeEach(async () => {
      scene = await makeScene();
      clock = new FakeClock();
      store = await openStore(options());
    });
    afterEach(async () => {
      await store.close();
      await scene.end();
    });

    test("what a job wrote and recorded is there when it is acknowledged", async () => {
      const event = await store.write(async (tx) => {
        await tx.db.insertInto("crashes").values(crash("c1")).execute();
        return tx.record({ type: "agent.crashed", subject: "agent:agent1", actor: "watchdog", data: { code: 1 } });
      });
      expect(event.seq).toBe(1);
      expect(await store.db.selectFrom("crashes").selectAll().execute()).toEqual([crash("c1")]);
      expect(await readEvents(store.db, { limit: 10 })).toEqual([event]);
      expect(event.data).toEqual({ code: 1 });
    });

    test("a job that throws is undone alone, with its events", async () => {
      const before = store.write(async (tx) => tx.record({ type: "before.kept", actor: "test" }));
      const bad = store.write(async (tx) => {
        await tx.db.insertInto("crashes").values(crash("bad")).execute();
        await tx.record({ type: "bad.lost", actor: "test" });
        throw new Error("no");
      });
      const after = store.write(async (tx) => tx.record({ type: "after.kept", actor: "test" }));
      expect(await Promise.allSettled([before, bad, after])).toMatchObject([
        { status: "fulfilled", value: { seq: 1 } },
        { status: "rejected", reason: { message: "no" } },
        { status: "fulfilled", value: { seq: 2 } },
      ]);
      expect(await store.db.selectFrom("crashes").selectAll().execute()).toEqual([]);
      expect((await readEvents(store.db, { limit: 10 })).map((event) => event.type)).toEqual([
        "before.kept",
        "after.kept",
      ]);
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 2 });
    });
  });
}

function crash(id: string) {
  return { id, constellation: "constel0", at_ms: 5, agent: "agent1", what: "exit", detail: "{}" };
}

export function invocation(id: string): CliInvocationsTable {
  return {
    id,
    constellation: "constel0",
    at_ms: 1_767_323_045_000,
    duration_ms: 12,
    argv: '["task","list"]',
    cwd: "/somewhere",
    agent: null,
    exit_code: 0,
    version: "0.1.0",
  };
}
