// The daemon's life, as its users meet it.

import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { followEvents } from "../src/client/follow-events.ts";
import { markHome } from "../src/files/mark-home.ts";
import { type Ran, TestHome, until } from "./kit/home.ts";
import { commandOf, processesNaming } from "./kit/processes.ts";

test("looking starts nothing and creates nothing", async () => {
  await using at = new TestHome();
  for (const words of [
    ["events"],
    ["query", "select * from timeline"],
    ["doctor"],
    ["audit", "verify"],
    ["config", "show"],
  ]) {
    expect((await at.constel(words)).code).toBe(0);
  }
  expect((await at.constel(["daemon", "status"])).code).toBe(1);
  expect(existsSync(at.home)).toBe(false);
});

test("a change starts the daemon, says so once, and the socket is the owner's alone", async () => {
  await using at = new TestHome();
  const first = await at.constel(["announce", "one"]);
  expect(first).toMatchObject({ code: 0, stdout: "Announced as event 1.\n", stderr: "constel: started the daemon\n" });
  const second = await at.constel(["announce", "two"]);
  expect(second).toMatchObject({ code: 0, stdout: "Announced as event 2.\n", stderr: "" });
  expect(statSync(join(at.home, "state/daemon.sock")).mode & 0o777).toBe(0o600);
  expect(statSync(join(at.home, "state")).mode & 0o777).toBe(0o700);
  expect(statSync(join(at.home, "meta.db")).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform !== "linux")("the daemon runs with an engine that is to be sparing", async () => {
  await using at = new TestHome();
  // The caller's own wish is not the daemon's.
  await at.constel(["daemon", "start"], { env: { BUN_JSC_heapGrowthMaxIncrease: "2" } });
  const environment = readFileSync(`/proc/${at.daemonPid}/environ`, "utf8").split("\0");
  expect(environment.filter((one) => one.startsWith("BUN_JSC_"))).toEqual([
    "BUN_JSC_heapGrowthMaxIncrease=0.6",
    "BUN_JSC_useFTLJIT=0",
  ]);
});

test("a daemon that was killed leaves a socket behind, and the next start is not confused by it", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  await until(
    "the daemon is gone",
    () => at.constel(["daemon", "status"]),
    (ran) => ran.code === 1,
  );
  expect(existsSync(join(at.home, "state/daemon.sock"))).toBe(true);
  expect((await at.constel(["doctor"])).stdout).toContain("leftovers of a daemon that was killed");
  expect((await at.constel(["announce", "two"])).stdout).toBe("Announced as event 2.\n");
});

test("stop waits for the end and leaves neither socket nor info file; stopping twice is no error", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  expect((await at.constel(["daemon", "stop"])).stdout).toBe("Stopped.\n");
  expect(existsSync(join(at.home, "state/daemon.sock"))).toBe(false);
  expect(existsSync(join(at.home, "state/daemon.json"))).toBe(false);
  expect(await at.constel(["daemon", "stop"])).toMatchObject({ code: 0, stdout: "The daemon is not running.\n" });
});

test("stop does not hang while somebody follows the timeline, and SIGTERM is as good as the verb", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  const follower = Bun.spawn(
    [join(import.meta.dir, "../bin/constel"), "events", "--follow", "--after", "0", "--json"],
    {
      env: at.env,
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const reader = follower.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('"text":"one"');
  expect((await at.constel(["daemon", "stop"])).stdout).toBe("Stopped.\n");
  follower.kill();
  await follower.exited;

  await at.constel(["daemon", "start"]);
  process.kill(at.daemonPid ?? 0, "SIGTERM");
  await until(
    "it ended",
    () => existsSync(join(at.home, "state/daemon.json")),
    (there) => !there,
  );
});

test("a log that is followed goes on with what is written, until Ctrl-C", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const follower = Bun.spawn([join(import.meta.dir, "../bin/constel"), "daemon", "logs", "-f", "-n", "1"], {
    env: at.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = follower.stdout.getReader();
  const decoder = new TextDecoder();
  let said = decoder.decode((await reader.read()).value);
  const before = said;
  appendFileSync(join(at.home, "logs/daemon.log"), "a line that came later\n");
  while (!said.includes("a line that came later\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    said += decoder.decode(value, { stream: true });
  }
  expect(before).not.toContain("later");
  expect(said).toContain("a line that came later\n");
  follower.kill("SIGINT");
  expect([0, 130]).toContain(await follower.exited);
  expect((await at.constel(["daemon", "status"])).code).toBe(0);
});

test("the HTTP port is 7433; where that is taken a free one is used, and log and status say so", async () => {
  await using at = new TestHome();
  expect((await at.constel(["config", "show", "http.port"])).stdout).toContain("7433");
  // Somebody else on this machine may have it already, which serves as well.
  let ours: { stop: () => void } | undefined;
  try {
    ours = Bun.listen({ hostname: "127.0.0.1", port: 7433, socket: { data: () => undefined } });
  } catch {
    ours = undefined;
  }
  try {
    await at.constel(["config", "set", "http.enabled", "true"]);
    expect((await at.constel(["daemon", "start"])).code).toBe(0);
    const { stdout } = await at.constel(["daemon", "status"]);
    const [, port] = /HTTP +http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout) ?? [];
    expect([stdout, Number(port) > 0, port === "7433"]).toEqual([stdout, true, false]);
    expect((await at.constel(["daemon", "logs"])).stdout).toContain("port 7433 is taken; another one is used");
  } finally {
    ours?.stop();
  }
});

test("a follower resumes after the last event it saw, and misses none", async () => {
  await using at = new TestHome();
  for (const text of ["one", "two", "three"]) await at.constel(["announce", text]);
  const seen: number[] = [];
  for await (const event of followEvents(join(at.home, "state/daemon.sock"), 1, new AbortController().signal)) {
    seen.push(event.seq);
    if (event.seq === 3) void at.constel(["announce", "four"]);
    if (event.seq === 4) break;
  }
  expect(seen).toEqual([2, 3, 4]);
});

test("a home whose path is longer than a socket address works", async () => {
  await using at = new TestHome();
  const long = join(at.top, "x".repeat(120));
  const env = { CONSTEL_HOME: long };
  expect((await at.constel(["announce", "one"], { env })).stdout).toBe("Announced as event 1.\n");
  expect((await at.constel(["daemon", "stop"], { env })).stdout).toBe("Stopped.\n");
});

test("a daemon that cannot start tells the command why, and nothing is half done", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true });
  markHome(at.home);
  writeFileSync(join(at.home, "meta.db"), "this is not a database, and it is precious");
  const ran = await at.constel(["announce", "one"]);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain("[store.corrupt]");
  expect(await Bun.file(join(at.home, "meta.db")).text()).toBe("this is not a database, and it is precious");
});

test("a malformed config is an error that names the line, before anything starts", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true });
  writeFileSync(join(at.home, "config.toml"), '[http]\nport = "eighty"\n');
  const ran = await at.constel(["announce", "one"]);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("config.toml:2: http.port must be a whole number");
  expect(existsSync(join(at.home, "state"))).toBe(false);
});

test("a daemon that comes too late does not bring back a home that was removed; nor does what keeps watch over it", async () => {
  await using at = new TestHome();
  for (const words of [
    ["daemon", "run", "--existing-home"],
    ["watchdog", "tick", "--existing-home"],
  ]) {
    let ran: Ran | undefined;
    void at.constel(words).then((ended) => (ran = ended));
    await until(
      "it ended, or serves",
      () => ran ?? at.daemonPid,
      (met) => met !== undefined,
    );
    expect(ran?.code).toBeGreaterThan(0);
    expect(ran?.stderr).toContain(at.home);
    expect(existsSync(at.home)).toBe(false);
  }
});

test("a home that is removed while commands start its daemon stays away, and nothing of it lives on", async () => {
  await using at = new TestHome();
  const commands = [1, 2, 3].map(() => at.constel(["daemon", "start"]));
  await until(
    "a daemon is being started",
    () => existsSync(join(at.home, "logs/daemon.log")),
    (there) => there,
  );
  // Moved away in one step, because a command may still make something in it.
  let removals = 0;
  const remove = (): void => {
    if (existsSync(at.home)) renameSync(at.home, join(at.top, `removed-${++removals}`));
  };
  remove();
  // One that came to it only now may have made it for itself, which is its right.
  await Promise.all(commands);
  remove();
  await until(
    "no daemon of it runs",
    () => processesNaming(at.home).map(commandOf),
    (running) => running.length === 0,
  );
  expect(existsSync(at.home)).toBe(false);
});
