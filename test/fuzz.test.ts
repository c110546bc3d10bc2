// Hostile input by the thousand, the same at every run: API bodies, routes and headers against a real daemon, and settings
// files against the reader. Nothing may crash, hang, write outside the home, or be called a bug.

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { operations } from "../src/protocol/operations/all.ts";
import { Refusal } from "../src/protocol/errors.ts";
import { loadConfig } from "../src/settings/config.ts";
import { setInText } from "../src/settings/set-in-text.ts";
import { settingKeys } from "../src/settings/declarations.ts";
import { TestHome } from "./kit/home.ts";

/** Far above what any of these takes, even on a busy machine; what is looked for is "for ever". */
const longestMs = 10_000;

test("3,000 hostile requests: none is answered with a bug, none hangs, and the daemon goes on", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  const socket = join(at.home, "state/daemon.sock");
  const outside = listing(at.top);
  const random = makeRandom(1);
  const names = Object.keys(operations).filter((name) => name !== "daemon.stop");
  const ask = async (): Promise<void> => {
    const route = random.one([
      `/op/${random.one(names)}`,
      `/op/${random.one(hostileNames)}`,
      `/events?after=${encodeURIComponent(random.one(hostileTexts).toWellFormed())}`,
    ]);
    const events = route.startsWith("/events");
    const init: RequestInit = events
      ? { method: "GET" }
      : { method: random.one(["POST", "POST", "POST", "PUT", "DELETE"]), body: hostileBody(random) };
    const ended = new AbortController();
    const response = await fetch(`http://constel${route}`, {
      ...init,
      headers: { "x-constel-actor": random.one(["owner", "agent1", "../x", "a".repeat(5_000)]) },
      unix: socket,
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(longestMs)]),
    });
    if (response.status === 500) throw new Error(`${route} ${String(init.body)}: ${await response.text()}`);
    if (events && response.ok) ended.abort(); // a stream has no end of its own
    else if (response.status !== 431) JSON.parse(await response.text()); // 431: the server's own, to a head too large
  };
  for (let round = 0; round < 60; round++) await Promise.all(Array.from({ length: 50 }, ask));
  expect((await at.constel(["daemon", "status"])).code).toBe(0);
  expect((await at.constel(["audit", "verify"])).code).toBe(0);
  expect(listing(at.top)).toEqual(outside);
  expect((await at.constel(["daemon", "logs", "-n", "1000"])).stdout).not.toContain("bug");
}, 120_000);

test("500 connections that send rubbish, or half a request, or nothing: the daemon goes on", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const random = makeRandom(2);
  const sockets = Array.from({ length: 500 }, () => {
    const socket = connect(join(at.home, "state/daemon.sock"), () => socket.write(random.one(halfRequests)));
    socket.on("error", () => {}); // it may be thrown out
    return socket;
  });
  expect((await at.constel(["announce", "still there"])).code).toBe(0);
  for (const socket of sockets) socket.destroy();
  expect((await at.constel(["audit", "verify"])).stdout).toContain("1 event,");
}, 120_000);

test("3,000 hostile settings files are read or refused with their line, and setting a value never makes one unreadable", () => {
  const random = makeRandom(3);
  const read = (file: string): unknown => loadConfig({ file, filePath: "config.toml", env: {}, flags: [] });
  for (let round = 0; round < 3_000; round++) {
    const file = hostileToml(random);
    const wasReadable = refusedOr(() => read(file));
    if (wasReadable) {
      const key = random.one(settingKeys);
      refusedOr(() => read(setInText(file, key, random.one(hostileTexts))));
    }
  }
});

/** False when it was refused; anything else that is thrown is a bug and fails the test. */
function refusedOr(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    expect(cause.message).not.toBe("");
    return false;
  }
}

interface Random {
  below(limit: number): number;
  one<T>(choices: readonly T[]): T;
}

/** Small and seeded: a failure can be had again. */
function makeRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, one: <T>(choices: readonly T[]) => choices[below(choices.length)] as T };
}

const hostileNames = [
  "../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "%00",
  "__proto__",
  "constructor",
  "toString",
  "timeline.announce%2f..%2fdaemon.stop",
  "timeline.announce%20",
  "x".repeat(4_000),
  "",
];

const hostileTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\u001b[31m\u009b2J",
  "\uD800",
  "\u202Etxt.exe",
  "💥".repeat(500),
  "x".repeat(20_000),
  "'; drop table events; --",
  "${jndi:ldap://x}",
  "../../../etc/passwd",
  "-1",
  "1e999",
  "NaN",
  "9007199254740993",
  "now",
  "\r\nx-injected: 1",
  '"""',
  "'''",
  "[x]\ny = 1",
];

const halfRequests = [
  "",
  "\0\0\0\0",
  "GET",
  "GET / HTTP/1.1\r\n",
  "POST /op/timeline.announce HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{",
  "POST /op/timeline.announce HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
  "POST /op/timeline.announce HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
  `GET /${"x".repeat(100_000)} HTTP/1.1\r\n\r\n`,
  `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(5_000)}`,
];

function hostileBody(random: Random): string {
  const value = hostileValue(random, 0);
  const text = JSON.stringify(value) ?? "";
  const cut = random.below(8) === 0 ? random.below(text.length + 1) : text.length;
  return random.below(10) === 0 ? random.one(hostileTexts) : text.slice(0, cut);
}

const fields = ["text", "limit", "after_seq", "type", "subject", "__proto__", "constructor", "then", "toJSON"];

function hostileValue(random: Random, depth: number): unknown {
  if (depth > 4) return null;
  switch (random.below(7)) {
    case 0:
      return random.one(hostileTexts);
    case 1:
      return random.one([0, -1, 1.5, 1e308, 2 ** 53, -0]);
    case 2:
      return random.one([null, true, false]);
    case 3:
      return Array.from({ length: random.below(5) }, () => hostileValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [random.one(fields), hostileValue(random, depth + 1)]),
      );
  }
}

const lines = [
  "[http]",
  "[http] # comment",
  "[[http]]",
  "[constellation]",
  "[ store ]",
  '["http"]',
  "[http.port]",
  "[__proto__]",
  "port = 8080",
  "port = -1",
  "port = 1e3",
  "port = 0x1F",
  "http.port = 1",
  "__proto__.x = 1",
  'name = "constel1"',
  'name = """\n[http]\nport = 3\n"""',
  'url = ""',
  "enabled = true",
  "enabled = [",
  "http = { port = 3 }",
  "# only a comment",
  "[[escalate.channels]]",
  'type = "command"',
  "constructor = 1",
  "at = 2020-01-01T00:00:00Z",
  `deep = ${"[".repeat(2_000)}${"]".repeat(2_000)}`,
  `long = "${"x".repeat(50_000)}"`,
  "\uFEFF",
  "\r",
  "\0",
];

function hostileToml(random: Random): string {
  const chosen = Array.from({ length: random.below(6) }, () => random.one(lines));
  const text = chosen.join(random.one(["\n", "\r\n", "\n\n"]));
  const at = random.below(text.length + 1);
  return random.below(4) === 0 ? text.slice(0, at) + random.one(hostileTexts) + text.slice(at) : text;
}

/** Every name under a directory but the home's. */
function listing(top: string): string[] {
  return (readdirSync(top, { recursive: true }) as string[]).filter((name) => !name.startsWith("home/")).sort();
}
