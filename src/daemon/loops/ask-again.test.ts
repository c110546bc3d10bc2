import { BackOffs } from "../../ports/back-off.ts";
import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { Store } from "../../store/open.ts";
import { contractsLoop } from "./contracts-loop.ts";
import { dispatchLoop } from "./dispatch-loop.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const here = withStore(sqliteScene);

/** The round of a loop, and whether it asked the database. */
function counted(made: (parts: LoopParts) => Round, home = ""): () => Promise<boolean> {
  let asked = 0;
  const store: Store = Object.create(here.store, {
    db: {
      get: () => {
        asked += 1;
        return here.store.db;
      },
    },
    writes: { get: () => here.store.writes },
  });
  const round = made({
    store,
    clock: here.clock,
    settings: { home, root: home },
    taskMachine: { inHand: new Map(), unended: new BackOffs() },
    sensing: { contracts: {} },
    log: () => {},
  } as unknown as LoopParts);
  return async () => {
    const before = asked;
    await round.round(new AbortController().signal);
    return asked > before;
  };
}

const write = (): Promise<unknown> => here.store.write((tx) => tx.record({ type: "test.wrote", actor: "test" }));

test("the dispatcher asks the database again when something was written, and else after ten seconds", async () => {
  const asks = counted(dispatchLoop);
  expect([await asks(), await asks()]).toEqual([true, false]);
  await write();
  expect([await asks(), await asks()]).toEqual([true, false]);
  here.clock.advance(10_000);
  expect([await asks(), await asks()]).toEqual([true, false]);
});

test("contracts are looked for again when something was written, and else after fifteen seconds", async () => {
  using home = temporaryDirectory("contracts");
  const asks = counted(contractsLoop, home.path);
  expect([await asks(), await asks()]).toEqual([true, false]);
  await write();
  expect([await asks(), await asks()]).toEqual([true, false]);
  here.clock.advance(15_000);
  expect([await asks(), await asks()]).toEqual([true, false]);
});
