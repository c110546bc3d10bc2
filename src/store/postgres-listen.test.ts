// Whoever listens for commits over Postgres looks by itself too: a hint may be lost.

import { describe, expect, test } from "bun:test";
import { startPostgres, withoutPostgres } from "../../test/kit/postgres.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { listenFor } from "./postgres-listen.ts";

describe.skipIf(withoutPostgres !== undefined)("listening", () => {
  test("looks every few seconds, although nothing was heard and no connection was lost", async () => {
    const server = await startPostgres();
    const ending = new AbortController();
    try {
      const clock = new FakeClock();
      const [heard, looks] = [[] as string[], [Promise.withResolvers<void>(), Promise.withResolvers<void>()]];
      let seen = 0;
      await listenFor({
        url: await server.database(),
        channel: "nobody_notifies",
        heard: (payload) => void heard.push(payload),
        connected: () => looks[seen++]?.resolve(),
        clock,
        signal: ending.signal,
      });
      await looks[0]?.promise;
      expect(seen).toBe(1);
      clock.advance(10_000);
      await looks[1]?.promise;
      expect([seen, heard]).toEqual([2, []]);
    } finally {
      ending.abort();
      await server.stop();
    }
  });
});
