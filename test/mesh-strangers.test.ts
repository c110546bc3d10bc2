// Two machines, as network namespaces with a cable between them: strangers and misfits knock at a constellation, and a capture on both ends
// shows what is sent where. Nothing of theirs is read, and each is named once.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asMeshKey } from "../src/host/mesh/mesh-key.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { until } from "./kit/home.ts";

const here = `cm${process.pid % 100_000}`;
const [spaceA, spaceB] = [`${here}a`, `${here}b`];
const at = "10.77.0.1:7435";
const child = join(import.meta.dir, "kit/mesh-children.ts");

/** The children work here, so that nothing of theirs is left, however they end. */
const place = temporaryDirectory("mesh-strangers");
const env = { ...process.env, TMPDIR: place.path };

const run = (...words: string[]): { code: number; text: string } => {
  const done = Bun.spawnSync(words, { stdout: "pipe", stderr: "pipe" });
  return { code: done.exitCode, text: `${done.stdout.toString()}${done.stderr.toString()}` };
};

const mayMake = process.platform === "linux" && process.getuid?.() === 0 && Bun.which("ip") !== null;
const why = mayMake ? "" : " (skipped: needs root and `ip` to make network namespaces)";

function must(...words: string[]): void {
  const { code, text } = run(...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${text}`);
}

/** A cable between two namespaces, each with a default route, as machines have one; no IPv6, whose kernel speaks by itself. */
function layCable(): void {
  for (const space of [spaceA, spaceB]) {
    must("ip", "netns", "add", space);
    must("ip", "netns", "exec", space, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1");
    must("ip", "netns", "exec", space, "sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1");
    must("ip", "-n", space, "link", "set", "lo", "up");
  }
  must("ip", "link", "add", `${here}0`, "netns", spaceA, "type", "veth", "peer", "name", `${here}1`, "netns", spaceB);
  for (const [space, link, address, other] of [
    [spaceA, `${here}0`, "10.77.0.1", "10.77.0.2"],
    [spaceB, `${here}1`, "10.77.0.2", "10.77.0.1"],
  ] as const) {
    must("ip", "-n", space, "addr", "add", `${address}/24`, "dev", link);
    must("ip", "-n", space, "link", "set", link, "up");
    must("ip", "-n", space, "route", "add", "default", "via", other);
  }
}

interface Told {
  readonly heard: string[];
  readonly refused: string[];
  readonly connected: string[];
  readonly rss: number;
}

class Answerer {
  readonly #process = Bun.spawn(["ip", "netns", "exec", spaceA, process.execPath, child, "answer", at], {
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  readonly #lines = linesOf(this.#process.stdout);
  key = "";

  async begin(): Promise<void> {
    this.key = ((await this.#next()) as { key: string }).key;
  }

  async ask(words = "tell"): Promise<Told> {
    this.#process.stdin.write(`${words}\n`);
    await this.#process.stdin.flush();
    return (await this.#next()) as Told;
  }

  async #next(): Promise<unknown> {
    const { value } = await this.#lines.next();
    return JSON.parse(value ?? "null");
  }

  async end(): Promise<void> {
    this.#process.stdin.end();
    await this.#process.exited;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return "";
}

function begin(mode: string, given = "") {
  const words = ["ip", "netns", "exec", spaceB, process.execPath, child, "attack", mode, at, answerer.key, given];
  return Bun.spawn(words, { env, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
}

const attack = async (mode: string, given = ""): Promise<Record<string, unknown>> => outcomeOf(begin(mode, given));

async function outcomeOf(running: ReturnType<typeof begin>): Promise<Record<string, unknown>> {
  const text = await new Response(running.stdout).text();
  await running.exited;
  return JSON.parse(text) as Record<string, unknown>;
}

function newKey(): { given: string; key: string; id: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { publicKey: key, id } = asMeshKey(privateKey);
  return { given: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64url"), key, id };
}

let answerer: Answerer;
let capture: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;

beforeAll(async () => {
  if (!mayMake) return;
  layCable();
  if (Bun.which("tcpdump") !== null)
    capture = Bun.spawn(["ip", "netns", "exec", spaceA, "tcpdump", "-n", "-q", "-l", "-s", "64", "-i", `${here}0`], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  answerer = new Answerer();
  await answerer.begin();
});

afterAll(async () => {
  if (!mayMake) return;
  await answerer?.end();
  capture?.kill();
  for (const space of [spaceA, spaceB]) run("ip", "netns", "del", space);
  place[Symbol.dispose]();
});

test.skipIf(!mayMake)(`nothing of a stranger's is read, and each is named once${why}`, async () => {
  const { rss: before } = await answerer.ask();
  const stranger = newKey();
  for (let turn = 0; turn < 3; turn += 1)
    expect(await attack("dial", stranger.given)).toMatchObject({ refused: expect.stringContaining("not on its list") });
  for (const mode of ["pour", "pour-raw"])
    expect((await attack(mode, stranger.given))["sent"]).toBeLessThan(100_000_000);
  for (const mode of ["alpn", "no-alpn", "version"])
    expect(await attack(mode, stranger.given)).toMatchObject({ refused: expect.any(String) });
  const told = await answerer.ask();
  expect(told.heard).toEqual([]);
  expect(told.refused.filter((line) => line.includes(stranger.id))).toHaveLength(1);
  expect(new Set(told.refused).size).toBe(told.refused.length);
  expect(told.refused.filter((line) => line.includes("speaks no TLS 1.3, or another protocol"))).toHaveLength(1);
  expect(told.rss - before).toBeLessThan(100_000_000);
});

test.skipIf(!mayMake)(
  `a peer is heard until it is evicted, and never by a replay or past its bounds${why}`,
  async () => {
    const peer = newKey();
    await answerer.ask(`add desk ${peer.key}`);
    const recording = begin("record", peer.given);
    await until(
      "it was heard",
      () => answerer.ask(),
      ({ heard }) => heard.length === 1,
    );
    // Only now: a line that is closed loses what was in flight.
    recording.stdin.write("heard\n");
    await recording.stdin.flush();
    expect(await outcomeOf(recording)).toEqual({ replayed: true });
    expect((await answerer.ask()).heard).toHaveLength(1);
    expect(Number((await attack("flood", peer.given))["sent"])).toBeLessThan(100_000_000);
    expect((await attack("version", peer.given))["refused"]).toBeDefined();
    await attack("half-proven", peer.given);
    const sending = begin("send", peer.given);
    await until(
      "it is connected",
      () => answerer.ask(),
      ({ connected }) => connected.includes("desk"),
    );
    const evicted = await answerer.ask("evict desk");
    expect(evicted.connected).toEqual([]);
    await sending.exited;
    const heard = evicted.heard.length;
    for (const mode of ["dial", "send"])
      expect(await attack(mode, peer.given)).toMatchObject({ refused: expect.stringContaining("not on its list") });
    const told = await answerer.ask();
    expect(told.heard).toHaveLength(heard);
    expect(told.refused.filter((line) => line.includes(`key ${peer.id}: its key is not on the list`))).toHaveLength(1);
    expect(told.refused.some((line) => line.includes("upgrade constel here"))).toBe(true);
  },
);

test.skipIf(!mayMake)(`connections that stay half open are few and short${why}`, async () => {
  const { tookMs } = await attack("half-open");
  expect(Number(tookMs)).toBeLessThan(60_000);
  const told = await answerer.ask();
  expect(told.refused.filter((line) => line.includes("did not end its TLS handshake"))).toHaveLength(1);
});

test.skipIf(!mayMake || !existsSync("/usr/bin/tcpdump"))(
  `no packet goes to many, or to an address that nobody named${why || (existsSync("/usr/bin/tcpdump") ? "" : " (skipped: needs tcpdump)")}`,
  async () => {
    capture?.kill("SIGINT");
    const text = await new Response(capture?.stdout).text();
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(100);
    const between = / IP 10\.77\.0\.(1\.7435 > 10\.77\.0\.2\.\d+|2\.\d+ > 10\.77\.0\.1\.7435): tcp /;
    expect(lines.filter((line) => !between.test(line) && !/ ARP, /.test(line))).toEqual([]);
  },
);
