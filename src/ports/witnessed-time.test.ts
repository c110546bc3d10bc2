import { describe, expect, test } from "bun:test";
import { believe, type Moment, settledMs, witness, type Witnessed } from "./witnessed-time.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 2);

/** A machine whose clock, uptime and boots a test moves. */
class Machine {
  #now: Moment = { boot: "1", upMs: 5_000, wallMs: start };
  #seen: Witnessed | undefined;

  /** Both move. */
  pass(ms: number, stepMs = day): this {
    for (let left = ms; left > 0; left -= stepMs) {
      const step = Math.min(left, stepMs);
      this.#now = { ...this.#now, upMs: this.#now.upMs + step, wallMs: this.#now.wallMs + step };
      this.look();
    }
    return this;
  }
  set(byMs: number): this {
    this.#now = { ...this.#now, wallMs: this.#now.wallMs + byMs };
    return this;
  }
  boot(afterMs: number): this {
    this.#now = { boot: `${this.#now.boot}+`, upMs: 1_000, wallMs: this.#now.wallMs + afterMs };
    return this;
  }
  accept(): this {
    this.#seen = believe(this.#now);
    return this;
  }
  look(): Witnessed {
    return (this.#seen = witness(this.#seen, this.#now));
  }
  /** Returns the distance of the settled time from the start. */
  settled(madeMs?: number): number {
    return settledMs(this.look(), madeMs) - start;
  }
}

const machine = (): Machine => {
  const made = new Machine();
  made.look();
  return made;
};

describe("a clock that jumps ahead", () => {
  test("is not believed; the settled time goes on by what passes, and by the wall for what was made since", () => {
    const at = machine()
      .pass(hour)
      .set(400 * day);
    expect(at.settled()).toBe(hour);
    expect(at.pass(2 * hour, hour).settled()).toBe(3 * hour);
    const { wallMs, jump } = at.look();
    expect(jump).toMatchObject({ aheadMs: 400 * day, steadyMs: 2 * hour });
    expect(at.settled(wallMs - hour) + start).toBe(wallMs);
    expect(at.settled(start)).toBe(3 * hour);
  });
  test("and back has done nothing", () => {
    const at = machine().set(400 * day);
    at.look();
    expect(
      at
        .pass(hour)
        .set(-400 * day)
        .settled(),
    ).toBe(hour);
    expect(at.look().jump).toBeUndefined();
  });
  test("is believed after a week of going on steadily, by the owner's word at once, and not when it jumps again", () => {
    const at = machine().set(400 * day);
    at.look();
    expect(at.pass(7 * day - hour).settled()).toBe(7 * day - hour);
    expect(at.pass(hour).settled()).toBe(407 * day);
    expect(
      machine()
        .set(400 * day)
        .accept()
        .settled(),
    ).toBe(400 * day);
    const again = machine().set(400 * day);
    again.look();
    expect(
      again
        .pass(6 * day)
        .set(30 * day)
        .pass(2 * day)
        .settled(),
    ).toBe(8 * day);
  });
  test("by less than an hour is believed at once", () => {
    expect(machine().set(hour).settled()).toBe(hour);
  });
});

describe("time that really passed needs nobody", () => {
  test("three weeks of a suspended machine", () => {
    const at = machine().pass(21 * day, 21 * day);
    expect([at.settled(), at.look().jump]).toEqual([21 * day, undefined]);
  });
  test("a week switched off; of three weeks, after one of running", () => {
    expect(
      machine()
        .boot(6 * day)
        .settled(),
    ).toBe(6 * day);
    const long = machine().boot(21 * day);
    expect(long.settled()).toBe(1_000); // the uptime of the new boot
    expect(long.pass(7 * day).settled()).toBe(28 * day);
  });
  test("a boot in between does not begin the week anew", () => {
    const long = machine().boot(21 * day);
    long.look();
    expect(
      long
        .pass(4 * day)
        .boot(2 * day)
        .pass(3 * day)
        .settled(),
    ).toBe(30 * day);
  });
});

describe("a clock in the past", () => {
  test("at boot keeps everything, and is right again at once when it is set", () => {
    const at = machine()
      .pass(hour)
      .boot(-300 * day);
    expect(at.settled()).toBe(hour - 300 * day);
    expect(at.set(300 * day + hour).settled()).toBe(2 * hour);
    expect(at.look().jump).toBeUndefined();
  });
  test("that stays there is the time after a week, and a jump from there is one", () => {
    const at = machine().set(-300 * day);
    at.look();
    at.pass(8 * day);
    expect(at.look()).toMatchObject({ reachedMs: start - 292 * day });
    expect(at.set(100 * day).settled()).toBe(-292 * day);
  });
});
