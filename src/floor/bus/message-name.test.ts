import { describe, expect, test } from "bun:test";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { claimFileName, doneFileName, makeMessageName, readClaim, readDone, readMessageName } from "./message-name.ts";

const dayNanoseconds = 86_400_000_000_000n;
const ports = () => ({ clock: new FakeClock(), random: seededRandom() });

describe("names of messages", () => {
  test("made in one process are in order though the clock jumps back", () => {
    const { clock, random } = ports();
    const names = [0, 60_000, 30_000, 3_600_000].map((backMs) => {
      clock.jumpTo(Date.UTC(2026, 5, 1) - backMs);
      return makeMessageName({ clock, random }, 1, "agent1").name;
    });
    expect(names.toSorted()).toEqual(names);
    expect(new Set(names).size).toBe(4);
  });

  test("follow the sender's last name, unless that one is more than a day ahead", () => {
    const { clock, random } = ports();
    clock.jumpTo(Date.UTC(2027, 5, 1));
    const now = BigInt(clock.nowMs()) * 1_000_000n;
    const hourAhead = now + dayNanoseconds / 24n;
    expect(makeMessageName({ clock, random }, 1, "agent1", now + 2n * dayNanoseconds).nanoseconds).toBe(now);
    expect(makeMessageName({ clock, random }, 1, "agent1", hourAhead).nanoseconds).toBe(hourAhead + 1n);
  });

  test("are read back, and nothing else is taken for one", () => {
    const { name, nanoseconds } = makeMessageName(ports(), 77, "agentcron");
    expect(readMessageName(name)).toEqual({ name, nanoseconds, sender: "agentcron" });
    for (const strange of ["", "x.json", `${name}~`, `x${name}`, name.replace("agentcron", "owner"), `${name}\n`]) {
      expect(readMessageName(strange)).toBeUndefined();
    }
  });

  test("stay far below 255 bytes in every place, for the longest sender", () => {
    const { name } = makeMessageName(ports(), 4_194_304, `agent${"z".repeat(32)}`);
    const file = claimFileName({
      name,
      state: "handed-out",
      attempt: 999_999,
      claimer: { pid: 4_194_304, token: "1".repeat(40) },
      leaseUntilMs: 8.64e15,
    });
    expect(file.length).toBeLessThan(230);
    expect(readClaim(file)).toMatchObject({ name, state: "handed-out", attempt: 999_999, leaseUntilMs: 8.64e15 });
    expect(readDone(doneFileName(name, "acked", 5))).toMatchObject({ name, settled: "acked", settledAtMs: 5 });
  });
});
