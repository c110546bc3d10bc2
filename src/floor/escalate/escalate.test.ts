import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { systemHttp } from "../../host/notify/http-sender.ts";
import { lineConnections } from "../../host/notify/line-connections.ts";
import { systemProcesses } from "../../host/process/run.ts";
import type { HttpSender } from "../../ports/notify.ts";
import { HurriedClock, temporaryDirectory, unwritableHome } from "../floor.suite.ts";
import { failedEscalations, readFailedEscalation } from "../markers/escalate-failed.ts";
import { readRecords } from "../records.ts";
import type { Channel } from "./channel.ts";
import { type EscalateContext, escalate } from "./escalate.ts";

interface Received {
  path: string;
  headers: Headers;
  body: unknown;
}

const servers: { stop(force: boolean): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true);
});

/** A web server on loopback that answers with these statuses, in turn, and then with the last. */
function webServer(...statuses: number[]): { url: string; received: Received[] } {
  const received: Received[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 200;
      received.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.json() });
      return new Response("answer", { status, headers: status === 302 ? { location: "/elsewhere" } : {} });
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}`, received };
}

function context(channels: readonly Channel[], over: Partial<EscalateContext> = {}): EscalateContext {
  return {
    home: temporaryDirectory(),
    constellation: "constel0",
    channels,
    // A clock that hurries would end deadlines at once: only the pause before the retry may be skipped.
    clock: pauseless(),
    random: seededRandom(),
    processes: systemProcesses,
    http: systemHttp,
    connections: lineConnections(),
    platform: "linux",
    env: { PATH: "/usr/bin:/bin" },
    ...over,
  };
}

function pauseless(): FakeClock {
  const clock = new FakeClock();
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (ms, signal) => (ms === 1000 ? Promise.resolve() : sleep(ms, signal));
  return clock;
}

/** A program in a directory of its own that writes its arguments and input down, then ends as told. */
function program(name: string, exit = 0): { directory: string; said: () => string } {
  const directory = temporaryDirectory();
  const path = join(directory, name);
  writeFileSync(
    path,
    `#!/bin/sh\n{ printf '%s|' "$@"; cat; echo; } >> "${directory}/said"\necho broken >&2\nexit ${exit}\n`,
  );
  chmodSync(path, 0o700);
  return { directory, said: () => readFileSync(join(directory, "said"), "utf8") };
}

describe("escalating", () => {
  test("a command that leaves something running has told somebody when it ends, and is not run again", async () => {
    const pager = program("pager");
    // The process that is left holds the output open, in the command's own group.
    const left = join(pager.directory, "left");
    const script = `"${join(pager.directory, "pager")}" "$@"; sleep 600 & echo $! >"${left}"`;
    const here = context([{ type: "command", command: ["sh", "-c", script, "sh"] }]);
    const { results } = await escalate(here, { subject: "s", body: "b" });
    expect(results).toEqual([{ channel: "command", told: true, attempts: 1, reason: undefined }]);
    expect(pager.said().trim().split("\n")).toHaveLength(1);
    // It rings on.
    const pid = Number(readFileSync(left, "utf8"));
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid);
  });

  test("with no channel says that nobody was told, and leaves a marker", async () => {
    const here = context([]);
    const result = await escalate(here, { subject: "help", body: "the disk is full" });
    expect(result.told).toBe(false);
    expect(result.line).toStartWith("nobody was told: no channel is configured");
    expect(failedEscalations(here.home)).toEqual([result.marker ?? ""]);
    expect(readFailedEscalation(here.home, result.marker ?? "")).toContain("the disk is full");
  });

  test("with channels that cannot be used says why nobody was told, and with one that can, tells through it", async () => {
    const unusable = ["escalate.channels, table 1: smtp needs to (a list of texts)"];
    const nobody = await escalate({ ...context([]), unusable }, { subject: "help" });
    expect(nobody).toMatchObject({ told: false, unusable, line: `nobody was told: ${unusable[0]}` });
    const { url } = webServer(200);
    const somebody = await escalate({ ...context([{ type: "webhook", url }]), unusable }, { subject: "help" });
    expect(somebody).toMatchObject({ told: true, line: `told through webhook; failed: ${unusable[0]}` });
  });

  test("through Slack and Discord posts one message, with nothing in it that calls or marks up", async () => {
    const { url, received } = webServer(200, 204);
    const page = { subject: "help", body: "<!channel> @everyone a & b" };
    const slack = await escalate(context([{ type: "slack", url: `${url}/services/T/B/X` }]), page);
    const discord = await escalate(context([{ type: "discord", url: `${url}/api/webhooks/1/x` }]), page);
    expect([slack.line, discord.line]).toEqual(["told through slack", "told through discord"]);
    expect(received.map(({ path, body }) => [path, body])).toEqual([
      ["/services/T/B/X", { text: "[constel0] help\n\n&lt;!channel&gt; @everyone a &amp; b" }],
      [
        "/api/webhooks/1/x",
        { content: "[constel0] help\n\n<!channel> @everyone a & b", allowed_mentions: { parse: [] } },
      ],
    ]);
  });

  test("through Discord a long page is cut to what it takes, and a refusal is said without the address", async () => {
    const { url, received } = webServer(200, 403);
    const channel = { type: "discord", url: `${url}/api/webhooks/1/secret` } as const;
    await escalate(context([channel]), { subject: "s", body: "x".repeat(9_000) });
    expect(JSON.stringify(received[0]?.body).length).toBeLessThanOrEqual(2100);
    const refused = await escalate(context([channel]), { subject: "s" });
    expect(refused.told).toBe(false);
    expect(refused.line).toContain("answered 403");
    expect(refused.line).not.toContain("secret");
  });

  test("through a webhook posts one JSON object", async () => {
    const { url, received } = webServer(200);
    const here = context([{ type: "webhook", url: `${url}/hook`, headers: { "x-team": "a" } }]);
    const result = await escalate(here, { subject: "help\nme", body: "now", urgent: true });
    expect(result).toMatchObject({ told: true, line: "told through webhook", marker: undefined });
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toEqual({
      constellation: "constel0",
      subject: "[constel0] URGENT: help me",
      body: "now",
      urgent: true,
      at: "2026-01-02T03:04:05.000Z",
    });
    expect(received[0]?.headers.get("x-team")).toBe("a");
    expect(failedEscalations(here.home)).toEqual([]);
  });

  test("tries once more, and no more than that", async () => {
    const mends = webServer(500, 200);
    expect((await escalate(context([{ type: "webhook", url: mends.url }]), { subject: "x" })).results).toEqual([
      { channel: "webhook", told: true, attempts: 2, reason: undefined },
    ]);
    const broken = webServer(500);
    const here = context([{ type: "webhook", url: broken.url }]);
    const result = await escalate(here, { subject: "x" });
    expect(result.told).toBe(false);
    expect(result.results[0]).toMatchObject({ told: false, attempts: 2 });
    expect(result.line).toMatch(/^nobody was told: webhook: 127\.0\.0\.1:\d+ answered 500$/);
    expect(broken.received).toHaveLength(2);
    expect(failedEscalations(here.home)).toHaveLength(1);
  });

  test("does not follow a redirect and does not call it success", async () => {
    const { url, received } = webServer(302);
    expect((await escalate(context([{ type: "webhook", url }]), { subject: "x" })).told).toBe(false);
    expect(received.map((request) => request.path)).toEqual(["/", "/"]);
  });

  test("one working channel is enough, and the broken one is named", async () => {
    const { url } = webServer(200);
    const here = context([
      { type: "webhook", url: "http://127.0.0.1:1/closed" },
      { type: "webhook", url },
    ]);
    const result = await escalate(here, { subject: "x" });
    expect(result.told).toBe(true);
    expect(result.line).toMatch(/^told through webhook; failed: webhook: post to 127\.0\.0\.1:1/);
    expect(failedEscalations(here.home)).toEqual([]);
  });

  test("a channel that never answers is given up, and the others are not held up by it", async () => {
    const clock = pauseless();
    const { url } = webServer(200);
    const answered = Promise.withResolvers<void>();
    const http: HttpSender = {
      async post(request) {
        if (request.url.includes("dead")) return new Promise<never>(() => undefined);
        const answer = await systemHttp.post(request);
        answered.resolve();
        return answer;
      },
    };
    const channels: Channel[] = [
      { type: "webhook", url: "http://dead.invalid" },
      { type: "webhook", url },
    ];
    const escalation = escalate(context(channels, { clock, http }), { subject: "x" });
    await answered.promise;
    // The first attempt and the second are each given up when their time is over.
    for (let attempt = 0; attempt < 2; attempt++) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(11_000);
    }
    const { results } = await escalation;
    expect(results.map((result) => result.told)).toEqual([false, true]);
    expect(results[0]?.reason).toBe("no answer within 11000 ms");
  });

  test("is recorded, with results and without secrets", async () => {
    const token = `12345678:${"A1b2C3d4E5".repeat(4)}`;
    const { url } = webServer(403);
    const here = context([{ type: "telegram", token, chat: "7", server: url }]);
    await escalate(here, { subject: "x", body: `the key is sk-${"a1B2".repeat(5)}` });
    const { records } = readRecords(here.home, "escalations-2026-01-02.jsonl", 0);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ told: false, body: "the key is ***" });
    const everything = readdirSync(join(here.home, "state")).map((name) => readFailedEscalation(here.home, name));
    expect(JSON.stringify([records, everything])).not.toContain("C3d4E5");
  });

  test("works in a home that cannot be written", async () => {
    const { url, received } = webServer(200);
    const home = unwritableHome();
    expect((await escalate(context([{ type: "webhook", url }], { home }), { subject: "x" })).told).toBe(true);
    expect(received).toHaveLength(1);
    expect(await escalate(context([], { home }), { subject: "x" })).toMatchObject({ told: false, marker: undefined });
  });

  test("the same within its time is told once, something else or later is told", async () => {
    const { url, received } = webServer(200);
    const here = context([{ type: "webhook", url }]);
    const tell = (subject: string) => escalate(here, { subject, body: "b" }, { sameForMs: 600_000 });
    expect((await tell("disk")).told).toBe(true);
    expect(await tell("disk")).toMatchObject({
      told: true,
      results: [],
      line: expect.stringContaining("told already"),
    });
    await tell("another");
    (here.clock as FakeClock).advance(600_000);
    await tell("disk");
    expect(received).toHaveLength(3);
  });

  test("leaves no marker when the caller wants none", async () => {
    const here = context([], { clock: new HurriedClock() });
    await escalate(here, { subject: "x" }, { leaveMarker: false });
    expect(failedEscalations(here.home)).toEqual([]);
  });
});

describe("the channels", () => {
  test("ntfy gets topic, title, message and priority, and its token", async () => {
    const { url, received } = webServer(200);
    const here = context([{ type: "ntfy", server: url, topic: "mine", token: "tk_1" }]);
    expect((await escalate(here, { subject: "häng", body: "agent3", urgent: true })).told).toBe(true);
    expect(received[0]?.body).toEqual({
      topic: "mine",
      title: "[constel0] URGENT: häng",
      message: "agent3",
      priority: 5,
    });
    expect(received[0]?.headers.get("authorization")).toBe("Bearer tk_1");
  });

  test("telegram gets the chat and the text, cut to its limit", async () => {
    const { url, received } = webServer(200);
    const here = context([{ type: "telegram", server: url, token: "123:abc", chat: "42" }]);
    expect((await escalate(here, { subject: "s", body: "b".repeat(9000) })).told).toBe(true);
    expect(received[0]?.path).toBe("/bot123:abc/sendMessage");
    expect(received[0]?.body).toMatchObject({ chat_id: "42" });
    const text = String((received[0]?.body as { text?: string } | undefined)?.text);
    expect(text).toStartWith("[constel0] s\n\nbbb");
    expect(text.length).toBeLessThanOrEqual(4096);
  });

  test("a page that is too long for a phone keeps what to do next, and says that something is missing", async () => {
    const body = `wants to run: ${"x".repeat(5_000)}\n  constel approvals allow 4k2p9x`;
    const { url, received } = webServer(200);
    const here = context([
      { type: "ntfy", server: url, topic: "mine" },
      { type: "telegram", server: url, token: "123:abc", chat: "42" },
    ]);
    await escalate(here, { subject: "long", body });
    expect(received).toHaveLength(2);
    for (const { body: sent } of received) {
      const { text, message } = sent as { text?: string; message?: string };
      const shown = text ?? message ?? "";
      expect(shown).toContain("characters left out");
      expect(shown).toEndWith("constel approvals allow 4k2p9x");
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(4_100);
    }
  });

  test("a command gets the subject as its last argument and the body as input, neither read by a shell", async () => {
    const { directory, said } = program("tell");
    const here = context([{ type: "command", command: [join(directory, "tell"), "--to", "me"] }]);
    expect((await escalate(here, { subject: "$(touch x) `y`", body: "line 1\nline 2" })).told).toBe(true);
    expect(said()).toBe("--to|me|[constel0] $(touch x) `y`|line 1\nline 2\n");
  });

  test("a command that fails, or is not there, is a failure with its reason", async () => {
    const { directory } = program("tell", 3);
    const failing = await escalate(context([{ type: "command", command: [join(directory, "tell")] }]), {
      subject: "x",
    });
    expect(failing.results[0]).toMatchObject({ told: false, attempts: 2 });
    expect(failing.results[0]?.reason).toEndWith("tell ended with 3: broken");
    const telling = ["sh", "-c", "echo --token=hush >&2; exit 1"];
    const masked = await escalate(context([{ type: "command", command: telling }]), { subject: "x" });
    expect(masked.results[0]?.reason).toBe("sh ended with 1: --token=***");
    const missing = await escalate(context([{ type: "command", command: ["/nowhere/tell"] }]), { subject: "x" });
    expect(missing.told).toBe(false);
  });

  test("the desktop is reached by notify-send on Linux and osascript on macOS", async () => {
    const linux = program("notify-send");
    const env = { PATH: `${linux.directory}:/usr/bin:/bin` };
    await escalate(context([{ type: "desktop" }], { env }), { subject: "--help", body: "b", urgent: true });
    expect(linux.said()).toBe("--app-name=constel|--urgency=critical|--|[constel0] URGENT: --help|b|\n");
    const mac = program("osascript");
    const macEnv = { PATH: `${mac.directory}:/usr/bin:/bin` };
    await escalate(context([{ type: "desktop" }], { env: macEnv, platform: "darwin" }), {
      subject: 'a "quote"',
      body: "b",
    });
    expect(mac.said()).toEndWith('|end run|[constel0] a "quote"|b|\n');
  });

  test("iMessage goes through osascript, with the text as an argument, and only on macOS", async () => {
    const mac = program("osascript");
    const env = { PATH: `${mac.directory}:/usr/bin:/bin` };
    const channels: Channel[] = [{ type: "imessage", to: "+100" }];
    expect((await escalate(context(channels, { env, platform: "darwin" }), { subject: "s", body: "b" })).told).toBe(
      true,
    );
    expect(mac.said()).toEndWith("|end run|+100|[constel0] s\n\nb|\n");
    const linux = await escalate(context(channels), { subject: "s" });
    expect(linux.line).toBe("nobody was told: imessage: iMessage works on macOS only");
  });
});
