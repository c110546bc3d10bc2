import { expect, test } from "bun:test";
import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { operations } from "../protocol/operations/all.ts";
import { loadSettings } from "../settings/settings.ts";
import { FollowedSettings } from "./follow-settings.ts";

async function begun(text?: string) {
  const directory = temporaryDirectory("settings");
  const home = directory.path;
  const file = join(home, "config.toml");
  if (text !== undefined) writeFileSync(file, text);
  const load = () => loadSettings({ CONSTEL_HOME: home }, home);
  const lines: string[] = [];
  // Long after anything was written here.
  const clock = new FakeClock(Date.now() + 3_600_000);
  const followed = new FollowedSettings({ running: await load(), load, clock, log: (line) => lines.push(line) });
  const outcome = async (name: keyof typeof operations): Promise<string> => {
    await new Promise((resolve) => setImmediate(resolve)); // a request comes in a turn of its own
    try {
      await followed.refuseUnlessFollowed(operations[name]);
      return "done";
    } catch (cause) {
      return (cause as { code: string }).code;
    }
  };
  return { home, file, followed, clock, lines, outcome, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

test("what the owner asks for waits for the settings; what agents ask for does not", async () => {
  using at = await begun("[harvest]\nrequire_gate = false\n");
  expect(await at.outcome("task.harvest")).toBe("done");
  writeFileSync(at.file, "[harvest]\nrequire_gate = true\n");
  expect(await at.outcome("task.ready")).toBe("done");
  expect(await at.outcome("task.list")).toBe("done");
  expect(await at.outcome("task.harvest")).toBe("daemon.begins-anew");
  expect(await at.outcome("daemon.stop")).toBe("done");
  expect((await at.followed.changed).config["harvest.require_gate"]).toBe(true);
});

test("a file that says the same in other words changes nothing; one that is gone means the defaults", async () => {
  using at = await begun("[harvest]\nrequire_gate = true\n");
  writeFileSync(at.file, "# as before\n[harvest]\nrequire_gate = true # yes\n");
  expect(await at.outcome("task.harvest")).toBe("done");
  rmSync(at.file);
  expect(await at.outcome("task.harvest")).toBe("daemon.begins-anew");
  expect((await at.followed.changed).config["harvest.require_gate"]).toBe(false);
});

test("a file that cannot be understood stops the owner's changes and is told once; mended, they go on", async () => {
  using at = await begun();
  for (const text of ["[http\n", "[http]\nport = 99999999\n", "[nosuch]\na = 1\n", "\0"]) {
    writeFileSync(at.file, text);
    expect([text, await at.outcome("task.create")]).toEqual([text, "config.malformed"]);
    expect([text, await at.outcome("task.harvest")]).toEqual([text, "config.malformed"]);
    expect([text, await at.outcome("daemon.stop")]).toEqual([text, "done"]);
    expect(at.followed.problem).toContain("config.toml");
  }
  expect(at.lines).toHaveLength(4);
  rmSync(at.file);
  symlinkSync("/dev/null", at.file);
  expect(await at.outcome("task.create")).toBe("config.malformed");
  rmSync(at.file);
  expect(await at.outcome("task.create")).toBe("done");
  expect(at.followed.problem).toBeUndefined();
});

test("a file in the middle of being written is not read before it rests", async () => {
  using at = await begun("[harvest]\nrequire_gate = true\n");
  expect(await at.outcome("task.harvest")).toBe("done");
  writeFileSync(at.file, ""); // an editor empties it, and then writes
  at.clock.jumpTo(Number(statSync(at.file).ctimeMs) + 1);
  const asked = at.outcome("task.harvest");
  while (at.clock.sleeping === 0) await Bun.sleep(0);
  writeFileSync(at.file, "[harvest]\nrequire_gate = true\n# and more\n");
  at.clock.advance(3_600_000);
  expect(await asked).toBe("done");
});

test("it looks now and then, until something has changed", async () => {
  using at = await begun();
  const ending = new AbortController();
  const following = at.followed.follow(ending.signal);
  while (at.clock.sleeping === 0) await Bun.sleep(0);
  writeFileSync(at.file, "[http]\nport = 5\n");
  at.clock.advance(500);
  expect((await at.followed.changed).config["http.port"]).toBe(5);
  while (at.clock.sleeping === 0) await Bun.sleep(0);
  at.clock.advance(500);
  await following;
  expect(ending.signal.aborted).toBe(false);
});
