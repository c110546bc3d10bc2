// A tick whose daemon cannot be started still lets agents go on when their usage limit lifts: real files, a real database, no daemon.

import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import type { AgentSighting } from "../core/agents/agent.ts";
import { seeAgents } from "../core/agents/see.ts";
import { drain } from "../floor/bus/drain.ts";
import { tellToGoOn } from "../daemon/agents/go-on.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import { loadSettings } from "../settings/settings.ts";
import { openStore } from "../store/open.ts";
import { tellLifted } from "./due-without-daemon.ts";
import { storeOptions } from "./store-options.ts";

const seen = (agent: string, state: "limited" | "idle", untilMs?: number): AgentSighting => ({
  agent,
  role: "clone",
  runtime: "script",
  wanted: "up",
  seen: {
    state,
    on: "hooks",
    says: "as seen",
    ...(untilMs === undefined ? {} : { untilMs }),
  },
  launchedMs: 1,
  because: "up",
  cwd: "/",
  mailHeld: null,
});

test("who was limited is told to go on once, whoever looks: ticks without a daemon, and the daemon when it is back", async () => {
  using home = temporaryDirectory("lifted");
  mkdirSync(join(home.path, "state"), { mode: 0o700 });
  const settings = await loadSettings({}, "/", { home: home.path });
  const bus = { home: home.path, clock: systemClock, random: systemRandom, liveness: systemLiveness };
  const heard = async (agent: string): Promise<string[]> =>
    (await drain({ ...bus, sign: undefined, recorder: undefined }, agent, {})).messages.map(
      ({ envelope }) => envelope.text,
    );
  const waiting = (): number =>
    readdirSync(join(home.path, "channels/agent/agent1/inbox")).filter((name) => !name.startsWith(".")).length;
  expect(await tellLifted(settings)).toBe("nobody is due");
  const store = await openStore(storeOptions(settings));
  const hourMs = 3_600_000;
  await seeAgents(store, [
    seen("agent1", "limited", Date.now() - 1000),
    seen("agent2", "limited", Date.now() + hourMs),
    seen("agent3", "idle"),
  ]);
  await store.close();

  writeFileSync(join(home.path, "config.toml"), "[limits]\nresume = false\n");
  expect(await tellLifted(await loadSettings({}, "/", { home: home.path }))).toContain("limits.resume");
  writeFileSync(join(home.path, "config.toml"), "");
  expect(await tellLifted(settings)).toBe("told to go on: agent1");
  expect(await tellLifted(settings)).toBe("nobody is due"); // the next tick
  expect(waiting()).toBe(1);

  const again = await openStore(storeOptions(settings));
  await seeAgents(again, [seen("agent1", "idle")]);
  await tellToGoOn(again, { ...bus, sign: undefined, recorder: undefined }, true);
  await again.close();
  expect(await tellLifted(settings)).toBe("nobody is due");
  expect([await heard("agent1"), await heard("agent2"), await heard("agent3")]).toEqual([
    [expect.stringContaining("Your usage limit has lifted.")],
    [],
    [],
  ]);
  writeFileSync(join(home.path, "meta.db"), "no database at all, and long enough to be taken for one".repeat(100));
  expect(await tellLifted(settings)).toBe("not known: the database cannot be read");
});
