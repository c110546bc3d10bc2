import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FakeClock } from "../../../ports/fake-clock.ts";
import { tryLock } from "../../../host/process/file-lock.ts";
import { inHome } from "../../../settings/paths.ts";
import { agentsTurn } from "./agents-turn.ts";

test("who finds another at work waits, and is refused when it never ends", async () => {
  const home = mkdtempSync(join(tmpdir(), "constel-turn-"));
  try {
    const path = join(home, inHome.agentsLock);
    mkdirSync(dirname(path), { recursive: true });
    const held = tryLock(home, inHome.agentsLock);
    const clock = new FakeClock();
    let hasRun = false;
    const run = (): Promise<unknown> => agentsTurn(home, clock, async () => (hasRun = true)).catch((cause) => cause);
    const refused = run();
    clock.advance(119_990);
    await new Promise(setImmediate);
    expect(clock.sleeping).toBe(1);
    clock.advance(20);
    expect(await refused).toMatchObject({ code: "agents.busy" });
    expect(hasRun).toBe(false);
    const waiting = run();
    held?.release();
    clock.advance(10);
    expect(await waiting).toBe(true);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
