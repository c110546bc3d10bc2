import { expect, test } from "bun:test";
import { FakeClock, seededRandom } from "../ports/fake-clock.ts";
import type { Writer } from "./engine.ts";
import { GroupCommit } from "./group-commit.ts";

/** How many jobs each commit had. */
function stage() {
  const batches: number[] = [];
  let jobs = 0;
  const writer = {
    untouched: true,
    begin: () => void (jobs = 0),
    lockHead: () => ({ seq: 0, hash: "", signed_since: null }),
    countWrites: () => undefined,
    commit: () => void batches.push(jobs),
  } as unknown as Writer;
  const random = seededRandom(1);
  const commits = new GroupCommit({
    writer,
    constellation: "c",
    clock: new FakeClock(0),
    random,
    committed: () => undefined,
  });
  return { batches, write: () => commits.write(async () => void (jobs += 1)) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("those who were answered together share the next commit, also when some of them come a little later", async () => {
  const { batches, write } = stage();
  const caller = async (turns: number): Promise<void> => {
    await write();
    for (let at = 0; at < turns; at++) await turn();
    await write();
  };
  await Promise.all([0, 0, 1, 1, 2, 2].map(caller));
  expect(batches).toEqual([6, 6]);
});

test("whoever writes alone waits for nobody", async () => {
  const { batches, write } = stage();
  await write();
  let turns = 0;
  const counting = async (): Promise<void> => {
    while (batches.length < 2) {
      await turn();
      turns += 1;
    }
  };
  await Promise.all([write(), counting()]);
  expect(batches).toEqual([1, 1]);
  expect(turns).toBeLessThan(3);
});
