// That a daemon's stop waits for what is under way and for nothing else, asked of the clock, not of time.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { gitEnvironment, SensingClient, type SensingParts } from "./sensing-client.ts";

test("when the looking has ended nothing is waited for any more: a sleeper would keep the process", async () => {
  using directory = temporaryDirectory("stop");
  const clock = new FakeClock();
  const start = {
    directory: join(directory.path, "observe"),
    watches: 1_000,
    facts: undefined,
    maxBytes: 128 * 1024 * 1024,
    gates: join(directory.path, "gates"),
    environment: gitEnvironment(),
    fetchEveryMs: 0,
  };
  const budget = { holdMs: 20_000, memoryBytes: 1024 ** 3 };
  // Nothing is registered, so that only the thread is needed.
  const context = { clock } as unknown as SensingParts["context"];
  const sensing = new SensingClient({ context, start, budget, gates: [], isInSight: () => true, log: () => {} });
  await sensing.tellClaims(new Map([["a repository", []]])); // starts the thread
  expect(clock.sleeping).toBe(0);
  await sensing.close();
  expect(clock.sleeping).toBe(0);
});
