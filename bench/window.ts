// The window: how long a change takes from the store to whoever watches, and what the monitor writes to its terminal, on the real program.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStream } from "../src/protocol/window.ts";
import { ascending, cpuOf, type Entry, type Measured, percentile } from "./harness.ts";
import { constel } from "./program.ts";

interface Home {
  readonly env: Readonly<Record<string, string>>;
  readonly json: (...words: readonly string[]) => unknown;
}

async function inHome<T>(use: (home: Home) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
  const json = (...words: readonly string[]): unknown => {
    const { stdout, exitCode, stderr } = Bun.spawnSync([constel, ...words, "--json"], { env });
    if (exitCode !== 0) throw new Error(`constel ${words.join(" ")}: ${stderr.toString()}`);
    return JSON.parse(stdout.toString());
  };
  try {
    cpuOf([constel, "daemon", "start"], env);
    return await use({ env, json });
  } finally {
    cpuOf([constel, "daemon", "stop"], env);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** 50 changes a second, each timed from the request to the message that tells of it. */
const changeToStream = (rounds: number): Promise<Measured> =>
  inHome(async ({ json }) => {
    const { url } = json("dashboard", "--no-open") as { url: string };
    const { origin, hash } = new URL(url);
    const headers = { origin, "content-type": "application/json" };
    const code = hash.replace("#code=", "");
    const traded = await fetch(`${origin}/api/session`, { method: "POST", headers, body: JSON.stringify({ code }) });
    const { token } = (await traded.json()) as { token: string };
    const own = { ...headers, authorization: `Bearer ${token}` };
    const leaving = new AbortController();
    const { body } = await fetch(`${origin}/api/stream`, { headers: own, signal: leaving.signal });
    if (body === null) throw new Error("no stream");
    const count = rounds * 10;
    const asked = new Map<string, number>();
    const waited: number[] = [];
    const reading = (async () => {
      for await (const message of readStream(body)) {
        if (message.kind !== "events") continue;
        for (const { data } of message.events) {
          const atMs = asked.get(String(data["text"]));
          if (atMs !== undefined) waited.push(performance.now() - atMs);
        }
        if (waited.length >= count) return;
      }
    })();
    for (let at = 0; at < count; at++) {
      asked.set(`change ${at}`, performance.now());
      const said = fetch(`${origin}/op/timeline.announce`, {
        method: "POST",
        headers: own,
        body: JSON.stringify({ text: `change ${at}` }),
      });
      await Promise.all([said, Bun.sleep(20)]);
    }
    await reading;
    leaving.abort();
    waited.sort(ascending);
    return {
      value: percentile(waited, 0.95),
      floor: 0,
      unit: "ms",
      note: `median ${percentile(waited, 0.5).toFixed(1)} ms`,
    };
  });

/** The bytes that the monitor writes in a second of nothing, and after one change. */
const monitorWrites = (what: "idle" | "change"): Promise<Measured> =>
  inHome(async ({ env, json }) => {
    let [text, bytes] = ["", 0];
    const child = Bun.spawn([constel, "watch"], {
      env: { ...env, TERM: "xterm-256color" },
      terminal: {
        cols: 80,
        rows: 24,
        data(_terminal, data) {
          bytes += data.length;
          text += new TextDecoder().decode(data);
        },
      },
    });
    const shows = async (word: string): Promise<void> => {
      while (!text.includes(word)) await Bun.sleep(20);
    };
    await shows("NEEDS YOU");
    json("task", "create", "the first");
    child.terminal?.write("gt");
    await shows("the first");
    await Bun.sleep(3_000);
    const before = bytes;
    if (what === "change") {
      json("task", "create", "another");
      await shows("another");
    }
    await Bun.sleep(5_000);
    child.terminal?.write("q");
    const value = what === "idle" ? (bytes - before) / 5 : bytes - before;
    await child.exited;
    return { value, floor: 0, unit: what === "idle" ? "B/s" : "B" };
  });

export const windowEntries: readonly Entry[] = [
  {
    name: "window-live",
    what: "change asked for → told on a browser's stream, p95, 50 a second",
    floorIs: "nothing; the bar is absolute",
    bar: 250,
    better: "lower",
    lane: "full",
    measure: changeToStream,
  },
  {
    name: "watch-idle",
    what: "constel watch while nothing happens: bytes a second",
    floorIs: "nothing; the bar is absolute, and none is reached",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: () => monitorWrites("idle"),
  },
  {
    name: "watch-change",
    what: "constel watch: bytes after one change",
    floorIs: "nothing; the bar is absolute",
    bar: 200,
    better: "lower",
    lane: "full",
    measure: () => monitorWrites("change"),
  },
];
