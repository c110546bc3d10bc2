// What hangs elsewhere must not hang us: a daemon that does not answer, clients that do not read, commands that are told to
// end, starts that cannot succeed.

import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type Socket, connect } from "node:net";
import { join } from "node:path";
import { followEvents } from "../src/client/follow-events.ts";
import { socketCaller } from "../src/client/socket.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";
import { throwing } from "./kit/rejection.ts";

const bin = join(projectTop, "bin/constel");

/** The kernel lists the listening socket, and one more under its name for each connection that was accepted. */
async function connected(path: string): Promise<void> {
  const mentions = () => readFileSync("/proc/net/unix", "utf8").split(path).length - 1;
  await until(`somebody is connected to ${path}`, mentions, (count) => count > 1);
}

test("a query in the middle of a long step is ended by Ctrl-C", async () => {
  await using at = new TestHome();
  const endless =
    "select 0 union all select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n) select i from n)";
  const child = Bun.spawn([bin, "query", endless, "--csv"], { env: at.env, stdout: "pipe", stderr: "ignore" });
  await child.stdout.getReader().read(); // it has begun
  child.kill("SIGINT");
  await child.exited;
  expect(child.signalCode).toBe("SIGINT");
});

test("a daemon that hangs is given up by its callers, who can also be told to end", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const pid = at.daemonPid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    const caller = socketCaller(join(at.home, "state/daemon.sock"), "owner", { silenceMs: 100 });
    expect(await throwing(caller.call("daemon.status", {}))).toThrow("said nothing");
    const waiting = Bun.spawn([bin, "announce", "never"], { env: at.env, stdout: "ignore", stderr: "ignore" });
    // It asks there first whether this is the daemon at all.
    await connected(join(at.home, "state/who.sock"));
    waiting.kill("SIGTERM");
    expect(await waiting.exited).not.toBe(0);
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("stop waits for nobody who does not read, and for no request that is never finished", async () => {
  await using at = new TestHome();
  for (let times = 0; times < 30; times++) await at.constel(["announce", "x".repeat(9_000)]);
  const sockets: Socket[] = [];
  const say = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(join(at.home, "state/daemon.sock"), () => socket.write(text, () => resolve()));
      socket.on("error", reject);
      socket.pause();
      sockets.push(socket);
    });
  for (let times = 0; times < 5; times++) await say("GET /events?after=0 HTTP/1.1\r\nHost: x\r\n\r\n");
  await say("POST /op/timeline.announce HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  const ran = await at.constel(["daemon", "stop"]);
  for (const socket of sockets) socket.destroy();
  expect(ran).toMatchObject({ code: 0, stdout: "Stopped.\n" });
});

test("a follower lives through a restart of the daemon, and misses nothing although nothing had happened yet", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "before"]);
  const socket = join(at.home, "state/daemon.sock");
  const followed = followEvents(socket, undefined, new AbortController().signal);
  const first = followed.next();
  await connected(socket);
  await at.constel(["daemon", "stop"]);
  await at.constel(["announce", "after"]);
  expect((await first).value).toMatchObject({ seq: 2, data: { text: "after" } });
  await followed.return(undefined);
});

test("a daemon that cannot listen ends, says why, and leaves nothing running", async () => {
  await using at = new TestHome();
  using taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
  const ran = await at.constel(["daemon", "start", "--set", "http.enabled=true", "--set", `http.port=${taken.port}`]);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain(`listen on 127.0.0.1:${taken.port}`);
  expect((await at.constel(["daemon", "status"])).code).toBe(1);
  expect(existsSync(join(at.home, "state/daemon.sock"))).toBe(false);
  for (const words of [["status"], ["daemon", "status"]]) {
    const { code, stdout } = await at.constel(words);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`listen on 127.0.0.1:${taken.port}`)]);
    expect(stdout).not.toContain("Nothing needs you");
  }
  // Doctor, to which the message sends one, knows it too, until a daemon serves.
  const doctor = await at.constel(["doctor"]);
  expect([doctor.code, doctor.stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `✗ daemon +it is not running, and could not when it was last started: listen on 127.0.0.1:${taken.port}`,
      ),
    ),
  ]);
  for (const left of [
    "not JSON",
    '{"error":{"kind":"refusal","code":"usage.bad-value","message":"\u001b[31mred","hint":"do"}}',
  ]) {
    writeFileSync(join(at.home, "state/daemon-failure.json"), left);
    const { stdout } = await at.constel(["doctor"]);
    expect(stdout).toMatch(/✗ daemon +it is not running, and could not when it was last started/);
    expect(stdout).not.toContain("\u001b[31m");
  }
  await at.constel(["daemon", "start"]);
  await at.constel(["daemon", "stop"]);
  expect((await at.constel(["doctor"])).stdout).toMatch(/✓ daemon +it is not running; it starts when it is needed/);
});

test("a directory in the place of the socket is named, and is no bug of ours", async () => {
  await using at = new TestHome();
  mkdirSync(join(at.home, "state/daemon.sock"), { recursive: true });
  const ran = await at.constel(["announce", "one"]);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain("state/daemon.sock");
  expect(ran.stderr).not.toContain("bug");
});

test("the daemon's log is not written through a planted link", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  mkdirSync(join(at.top, "elsewhere"));
  symlinkSync(join(at.top, "elsewhere"), join(at.home, "logs"));
  expect((await at.constel(["daemon", "start"])).stderr).toContain("[path.symlink]");
  expect(existsSync(join(at.top, "elsewhere/daemon.log"))).toBe(false);
});

test("an answer that is no JSON is the machine's failure, not a bug of the caller's", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const caller = socketCaller(join(at.home, "state/daemon.sock"), "owner");
  const tooLarge = caller.call("timeline.announce", { text: "x".repeat(65 * 1024 * 1024) });
  expect(await throwing(tooLarge)).toThrow("it answered 413");
  expect((await at.constel(["daemon", "status"])).code).toBe(0);
});

test("a daemon whose log cannot be written goes on serving, and stops when it is asked to", async () => {
  await using at = new TestHome();
  const full = Bun.file("/dev/full");
  const daemon = Bun.spawn([bin, "daemon", "run"], { env: at.env, stdin: "ignore", stdout: full, stderr: full });
  await until("it listens", () => at.daemonPid, Boolean);
  expect((await at.constel(["announce", "the disk is full of logs"])).code).toBe(0);
  expect((await at.constel(["daemon", "stop"])).code).toBe(0);
  expect(await daemon.exited).toBe(0);
});

test("a daemon whose home is taken away ends", async () => {
  await using at = new TestHome();
  const daemon = Bun.spawn([bin, "daemon", "run"], {
    env: at.env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await until("it listens", () => at.daemonPid, Boolean);
  renameSync(at.home, `${at.home}.moved`);
  expect(await daemon.exited).toBe(0);
});

/** Whatever goes on until it is ended, and what it prints first, if anything. */
const endless: Readonly<Record<string, { readonly words: readonly string[]; readonly isSilent?: true }>> = {
  "status --watch": { words: ["status", "--watch"] },
  "status --watch --json": { words: ["status", "--watch", "--json"] },
  "conflicts --watch": { words: ["conflicts", "--watch"], isSilent: true },
  "query --watch": { words: ["query", "select 1", "--watch", "3600"] },
  "events --follow": { words: ["events", "--follow"], isSilent: true },
  "channel drain --follow": { words: ["channel", "drain", "agent1", "--follow"], isSilent: true },
  "channel send --wait": { words: ["channel", "send", "agent1", "hello", "--wait"], isSilent: true },
  "check --gate": { words: ["check", "ours", "theirs", "--gate"], isSilent: true },
};

/** A home with an event, in a repository whose gate takes an hour. */
async function anHourLong(at: TestHome): Promise<void> {
  await at.constel(["announce", "something to print"]);
  const git = (...words: string[]) => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    const run = Bun.spawnSync(["git", ...identity, ...words], { cwd: at.top, env: at.env });
    if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  };
  git("init", "-q", "-b", "main");
  await Bun.write(join(at.top, "constel.toml"), `[gate]\ncommand = "touch ${at.top}/begun; sleep 3600"\n`);
  git("add", "constel.toml");
  git("commit", "-qm", "one");
  for (const side of ["ours", "theirs"]) {
    git("checkout", "-q", "-b", side, "main");
    await Bun.write(join(at.top, side), side);
    git("add", side);
    git("commit", "-qm", side);
  }
}

/** Processes that were started in this home, by what they were started with. */
function startedIn(at: TestHome, but: number | undefined): string[] {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && Number(entry) !== but);
  return pids.flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      return environment.includes(`HOME=${at.top}`) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

for (const ending of ["its reader has gone", "its terminal is closed"] as const) {
  test(`every command that goes on ends when ${ending}, with what it started`, async () => {
    await using at = new TestHome();
    await anHourLong(at);
    for (const [name, { words, isSilent }] of Object.entries(endless)) {
      rmSync(join(at.top, "begun"), { force: true });
      const child = Bun.spawn([bin, ...words], { cwd: at.top, env: at.env, stdout: "pipe", stderr: "ignore" });
      const reader = child.stdout.getReader();
      if (isSilent !== true) await reader.read();
      else if (name === "check --gate")
        await until(`${name} runs the gate`, () => existsSync(join(at.top, "begun")), Boolean);
      else await until(`${name} runs`, () => catches(child.pid, "SIGHUP"), Boolean);
      if (ending === "its reader has gone") await reader.cancel();
      else child.kill("SIGHUP");
      await child.exited;
      await until(
        `${name} leaves nothing`,
        () => startedIn(at, at.daemonPid),
        (left) => left.length === 0,
      );
    }
  }, 120_000);
}

/** Tells whether the process has a handler of its own for the signal: then it has got as far as its work. */
const catches = (pid: number, signal: "SIGHUP"): boolean => hasSignal(pid, "SigCgt", signal);

function hasSignal(pid: number, set: "SigCgt" | "SigIgn", signal: "SIGHUP"): boolean {
  const mask = new RegExp(`^${set}:\\s*([0-9a-f]+)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return (BigInt(`0x${mask ?? "0"}`) & (1n << BigInt({ SIGHUP: 1 }[signal] - 1))) !== 0n;
}

test("a command that a terminal's end is not to touch goes on under nohup", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "something to print"]);
  const child = Bun.spawn(["nohup", bin, "events", "--follow"], { env: at.env, stdout: "pipe", stderr: "ignore" });
  await until(`nohup has begun`, () => hasSignal(child.pid, "SigIgn", "SIGHUP"), Boolean);
  child.kill("SIGHUP");
  const reader = child.stdout.getReader();
  const heard = reader.read().then(({ value }) => new TextDecoder().decode(value));
  let said = "";
  void heard.then((text) => (said = text));
  await until(
    "it still follows",
    async () => {
      await at.constel(["announce", "and more"]);
      return said;
    },
    (text) => text.includes("and more"),
  );
  await reader.cancel();
  await child.exited;
}, 120_000);
