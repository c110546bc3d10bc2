// Passes with real sockets and real processes: whoever asks is named by the kernel, and what a pass is worth ends with its process.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { until } from "../../../test/kit/home.ts";
import { systemRandom, systemClock } from "../../host/clock/system-clock.ts";
import { proveDaemon } from "../../host/keys/daemon-proof.ts";
import { signingKey } from "../../host/keys/key-files.ts";
import { markOf } from "../../host/process/liveness.ts";
import type { Household } from "../../ports/household.ts";
import { type Passes, servePasses } from "./passes.ts";

const door = "7:11";
let directory: ReturnType<typeof temporaryDirectory>;
let passes: Passes;
let household: Household;
let socket: string;
/** Runs while a process is looked at. */
let looking: () => void;

beforeEach(async () => {
  directory = temporaryDirectory("passes");
  const home = directory.path;
  mkdirSync(join(home, "state"));
  socket = join(home, "state/who.sock");
  writeFileSync(socket, "left by a daemon that was killed");
  signingKey(home, "agent1", systemClock); // makes the constellation's key too
  household = { home, agents: [], tmuxSockets: [], daemonPid: undefined };
  looking = () => {};
  const whileLooking = (): Household => {
    looking();
    return household;
  };
  passes = await servePasses({
    home,
    random: systemRandom,
    household: whileLooking,
    door,
    build: "b1",
    version: "0.1.0",
    installation: "/opt/a place",
  });
});
afterEach(() => {
  passes.close();
  directory[Symbol.dispose]();
});

/** Asks as a process of its own that is agent1's, tells what it heard, and stays until it is ended. */
async function agentAsking(words: string) {
  const script = `use IO::Socket::UNIX; $| = 1; my $go = <STDIN>;
    my $socket = IO::Socket::UNIX->new($ARGV[0]) or die; print $socket $ARGV[1]; $socket->flush; print scalar <$socket>; $go = <STDIN>;`;
  const child = Bun.spawn(["perl", "-e", script, socket, words], { stdin: "pipe", stdout: "pipe" });
  const leader = markOf(child.pid);
  if (leader === undefined) throw new Error("the child ended at once");
  household = { ...household, agents: [{ agent: "agent1", isOwners: false, leader }] };
  child.stdin.write("go\n");
  await child.stdin.flush();
  const { value } = await child.stdout.getReader().read();
  const heard = new TextDecoder().decode(value);
  return {
    heard,
    pass: heard.trim().split(" ")[0] ?? "",
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
  };
}

const code = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (cause) {
    return (cause as { code?: string }).code;
  }
};

test("a process is given a pass, with the proof that this is the daemon, and is known by it while it lives", async () => {
  const asking = await agentAsking("?a-word");
  const { pass } = asking;
  const proof = proveDaemon(directory.path, { nonce: "a-word", pass, door });
  expect(proof).toBeDefined();
  const place = Buffer.from("/opt/a place").toString("base64url");
  expect(asking.heard).toBe(`${pass} ${door} ${proof} b1 ${place} 0.1.0\n`);
  expect(passes.askerOf(pass, null)).toEqual({ role: "clone", name: "agent1", known: "kernel: ancestor" });
  expect(code(() => passes.askerOf(pass, "agent2"))).toBe("identity.another");
  for (const wrong of [null, "", "x", `${pass}x`])
    expect(code(() => passes.askerOf(wrong, null))).toBe("identity.no-pass");
  await asking[Symbol.asyncDispose]();
  await until(
    "it is known that it ended",
    () => code(() => passes.askerOf(pass, null)),
    (said) => said === "identity.no-pass",
  );
});

test("a caller that asks without a word hears the pass alone", async () => {
  await using asking = await agentAsking("?");
  expect(asking.heard).toMatch(/^[\w-]{32}\n$/);
  expect(passes.askerOf(asking.pass, null)).toMatchObject({ name: "agent1" });
});

test("a process of the owner's that names one agent after another is each in turn, and a wrong name is refused each time", async () => {
  await using asking = await agentAsking("?");
  const as = (named: string | null): unknown =>
    code(() => (passes.askerOf(asking.pass, named) as { name: string }).name);
  for (const named of ["agent1", null, "owner", "agent1"]) expect(as(named)).toBe("agent1");
  for (const named of ["agent2", "agent1", "agent2", "agent2"])
    expect(as(named)).toBe(named === "agent1" ? "agent1" : "identity.another");
  await new Promise((resolve) => setImmediate(resolve));
  household = { ...household, agents: [] };
  for (const named of ["owner", "agent3", "agent3", "owner", "agent4"]) expect(as(named)).toBe(named);
  expect(as("root")).toBe("agent.bad-id");
  expect(as(null)).toBe("owner");
});

test("whose a process is, is looked at again when more is known of the agents: it may have asked before its file was there", async () => {
  await using asking = await agentAsking("?");
  const [{ leader } = {}] = household.agents;
  if (leader === undefined) throw new Error("agent1 has no leader");
  const seen = async (agents: Household["agents"]): Promise<unknown> => {
    await new Promise((resolve) => setImmediate(resolve)); // what comes in one turn is judged by one look
    household = { ...household, agents };
    return passes.askerOf(asking.pass, null);
  };
  expect(await seen([])).toMatchObject({ role: "owner" });
  const guest = { agent: "agentg0123456789ab", isOwners: false, isGuest: true, leader };
  expect(await seen([guest])).toMatchObject({ role: "clone", name: guest.agent });
  expect(await seen([{ agent: "agent1", isOwners: false, leader }])).toMatchObject({ role: "clone", name: "agent1" });
  expect(await seen([{ agent: "agent1", isOwners: false, leader, isUnproven: true }])).toMatchObject({
    role: "nobody",
  });
});

// Elsewhere the kernel names the process by its number alone.
test.skipIf(process.platform !== "linux")(
  "a process that ends while it is looked at is given nothing, since its number may be another's by then",
  async () => {
    // It connects, leaves the connection to a child and waits; the shell takes note of its end at once.
    const script = `use IO::Socket::UNIX; $| = 1; my $socket = IO::Socket::UNIX->new($ARGV[0]) or die; my $first = $$;
      if (fork) { sleep 60; exit }
      print $first; my $go = <STDIN>; print $socket "?"; $socket->flush; print "heard ", scalar <$socket>;`;
    const child = Bun.spawn(["sh", "-c", `exec 3<&0; perl -e '${script}' "$0" <&3 & wait`, socket], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    const reader = child.stdout.getReader();
    const text = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    const connected = Number(await text());
    looking = () => {
      process.kill(connected, "SIGKILL");
      while (existsSync(`/proc/${connected}`));
    };
    child.stdin.write("go\n");
    await child.stdin.flush();
    expect(await text()).toBe("heard \n");
    child.stdin.end();
    await child.exited;
  },
);

test("no two passes are the same, and each is its own process's", async () => {
  await using one = await agentAsking("?");
  const first = passes.askerOf(one.pass, null);
  household = { ...household, agents: [] };
  await using other = await agentAsking("?");
  expect(other.pass).not.toBe(one.pass);
  expect(first).toMatchObject({ name: "agent1" });
});

test("only this account reaches the socket, and it goes with the daemon", () => {
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  passes.close();
  expect(existsSync(socket)).toBe(false);
});

// Only root can start a process of another account.
test.skipIf(process.getuid?.() !== 0)(
  "a process of another account is nobody, even one that an agent started",
  async () => {
    chmodSync(directory.path, 0o711);
    chmodSync(join(directory.path, "state"), 0o711);
    chmodSync(socket, 0o666);
    const script = `use IO::Socket::UNIX; $| = 1; my $go = <STDIN>; $) = $( = 65534; $> = $< = 65534;
    my $socket = IO::Socket::UNIX->new($ARGV[0]) or die; print $socket "?word"; $socket->flush; print scalar <$socket>; $go = <STDIN>;`;
    const child = Bun.spawn(["perl", "-e", script, socket], { stdin: "pipe", stdout: "pipe" });
    const leader = markOf(child.pid);
    if (leader === undefined) throw new Error("the child ended at once");
    household = { ...household, agents: [{ agent: "agent1", isOwners: false, leader }] };
    child.stdin.write("go\n");
    await child.stdin.flush();
    const { value } = await child.stdout.getReader().read();
    const pass = new TextDecoder().decode(value).split(" ")[0] ?? "";
    // Our own account is root's here, so what is not root's is another's.
    expect(passes.askerOf(pass, null)).toMatchObject({ role: "nobody" });
    child.stdin.end();
    await child.exited;
  },
);
