import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { calledBy, type Reaction, reactions } from "../../core/reactions.ts";
import { react } from "./react.ts";

const here = withStore(sqliteScene);
const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
const happens = (type: string): Promise<unknown> => here.store.write((tx) => tx.record({ type, actor: "test" }));

function scene(reaction: Pick<Reaction, "events" | "everyMs"> & { readonly gatherMs?: number }) {
  const told = { rounds: 0, ended: false };
  const whole: Reaction = { does: "", calls: "", hints: [], ...reaction };
  const loop = react(
    "x",
    whole,
    {
      round: async () => {
        told.rounds += 1;
        return undefined;
      },
      end: async () => void (told.ended = true),
    },
    { store: here.store, clock: here.clock, log: () => {} },
  );
  return { told, loop };
}

test("a round comes after an event that the reaction names, and after no other: in a moment, so that whoever wrote it is answered first", async () => {
  const { told, loop } = scene({ events: ["task.*", "agent.seen-changed"], everyMs: 60_000 });
  await settled();
  await happens("finding.opened");
  await happens("agent.seen");
  here.clock.advance(5);
  await settled();
  expect(told.rounds).toBe(1);
  await happens("task.dispatched");
  await settled();
  expect(told.rounds).toBe(1);
  here.clock.advance(5);
  await settled();
  expect(told.rounds).toBe(2);
  await happens("agent.seen-changed");
  here.clock.advance(5);
  await settled();
  expect(told.rounds).toBe(3);
  await loop.stop();
});

test("without any event a round comes when its time has come: a daemon that was not there missed the event", async () => {
  const { told, loop } = scene({ events: ["task.*"], everyMs: 2_000 });
  await settled();
  here.clock.advance(2_000);
  await settled();
  expect(told.rounds).toBe(2);
  await loop.stop();
});

test("what happens together is answered by one round, and not after the end", async () => {
  const { told, loop } = scene({ events: ["task.*"], everyMs: 60_000, gatherMs: 500 });
  await settled();
  await happens("task.dispatched");
  await happens("task.workspace_made");
  await settled();
  expect(told.rounds).toBe(1);
  here.clock.advance(500);
  await settled();
  expect(told.rounds).toBe(2);
  await happens("task.harvested");
  await loop.stop();
  expect(told).toEqual({ rounds: 2, ended: true });
  await happens("task.closed");
  here.clock.advance(60_000);
  await settled();
  expect(told.rounds).toBe(2);
});

test("a round is told whether anything happened in its directories since the last one, once all of them are watched", async () => {
  using directory = temporaryDirectory("react");
  const [one, other] = [join(directory.path, "one"), join(directory.path, "other")];
  mkdirSync(one);
  const quiet: (boolean | undefined)[] = [];
  let came = Promise.withResolvers<void>();
  const loop = react(
    "x",
    { does: "", calls: "", hints: [], events: [], everyMs: 1_000 },
    {
      directories: () => [one, other],
      round: async (_, isQuiet) => {
        quiet.push(isQuiet);
        came.resolve();
        return undefined;
      },
    },
    { store: here.store, clock: here.clock, log: () => {} },
  );
  const next = async (happens: () => void): Promise<boolean | undefined> => {
    await settled();
    came = Promise.withResolvers();
    happens();
    await came.promise;
    return quiet.at(-1);
  };
  const timePasses = (): void => here.clock.advance(1_000);
  // One of them is not there.
  expect([await next(timePasses), await next(timePasses)]).toEqual([false, false]);
  mkdirSync(other);
  expect(await next(timePasses)).toBe(false);
  expect(await next(timePasses)).toBe(true);
  expect(await next(() => writeFileSync(join(other, "x"), ""))).toBe(false);
  await loop.stop();
});

test("every reaction comes by time alone too, and says what it does and which verb it calls", () => {
  for (const [name, { does, calls, everyMs }] of Object.entries<Reaction>(reactions)) {
    expect([name, everyMs > 0, does.endsWith("."), calls !== ""]).toEqual([name, true, true, true]);
  }
  for (const type of ["claim.made", "worktree.observed", "worktree.entered", "repository.added"])
    expect([type, calledBy(reactions.claims)(type)]).toEqual([type, true]);
  expect(calledBy(reactions.harvest)("harvest.asked")).toBe(true);
});
