// Checks what is told of programs that were just started, on terminals in memory.

import { expect, test } from "bun:test";
import { FakeClock } from "../../ports/fake-clock.ts";
import { FakeTerminals } from "../../ports/fake-terminals.ts";
import { earlyEnds, type EarlyEnds, type EarlyWatch } from "./early-ends.ts";

interface Scene {
  readonly terminals: FakeTerminals;
  readonly clock: FakeClock;
  watch(more?: Partial<EarlyWatch>): Promise<EarlyEnds>;
}

async function scene(): Promise<Scene> {
  const clock = new FakeClock();
  const terminals = new FakeTerminals({ clock });
  await terminals.create({ name: "agent1", cwd: "/", env: {}, command: ["x"] });
  const usual = {
    started: new Map([["agent1", 8_000]]),
    lives: () => Promise.resolve(false),
    signal: new AbortController().signal,
  };
  return { terminals, clock, watch: (more) => earlyEnds({ terminals, clock }, { ...usual, ...more }) };
}

/** Time passes until it has answered. */
async function answered<T>({ clock }: Scene, answer: Promise<T>): Promise<T> {
  const open = Symbol("open");
  for (;;) {
    const now = await Promise.race([answer, Bun.sleep(0).then(() => open)]);
    if (now !== open) return now as T;
    clock.advance(100);
  }
}

test("a program that ended is told of in its own words, once its terminal has drawn them", async () => {
  const here = await scene();
  here.terminals.exit("agent1", 3, "xxxxxxxx");
  const answer = here.watch();
  await Bun.sleep(0);
  here.terminals.show("agent1", "fatal: the disk is upside down");
  expect((await answered(here, answer)).ended).toEqual(
    new Map([["agent1", "it ended at once with status 3: fatal: the disk is upside down"]]),
  );
});

test("a program that shows life is not waited for, and is neither ended nor silent", async () => {
  const here = await scene();
  // No time passes here: it would never answer if it waited.
  const { ended, silent } = await here.watch({ lives: () => Promise.resolve(true) });
  expect([ended.size, silent.size]).toEqual([0, 0]);
});

test("a program that shows nothing, or is asked and does not answer, is silent when its time is over and no later", async () => {
  for (const lives of [() => Promise.resolve(false), () => new Promise<boolean>(() => {})]) {
    const here = await scene();
    const beganMs = here.clock.monotonicMs();
    const { ended, silent } = await answered(here, here.watch({ lives }));
    expect([...silent, ended.size]).toEqual(["agent1", 0]);
    expect(here.clock.monotonicMs() - beganMs).toBeLessThan(9_000);
  }
});
