import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../../settings/settings.ts";
import type { CliContext } from "../context.ts";
import { startDaemon, untilItAnswers } from "./start-daemon.ts";
import { markOf } from "../../../host/process/liveness.ts";

test("a daemon that ends without a word is an outage that names how it ended", async () => {
  const home = mkdtempSync(join(tmpdir(), "constel-start-"));
  try {
    // This very program is the test here, and is no daemon: what is started ends at once.
    const env = { PATH: process.env["PATH"], HOME: home };
    const context = { env, cwd: home, flags: { home }, settings: () => loadSettings(env, home, { home }) };
    const met = await startDaemon(context as unknown as CliContext).catch((cause: unknown) => cause);
    expect(met).toMatchObject({ code: "daemon.unreachable", message: expect.stringContaining("ended with code 1") });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("an agent does not start the daemon: what it hands down would be the daemon's", async () => {
  const home = mkdtempSync(join(tmpdir(), "constel-start-"));
  try {
    mkdirSync(join(home, "state/agents"), { recursive: true, mode: 0o700 });
    const launch = { agent: "agent1", role: "clone", wanted: "up", runtime: "script", tmuxSocket: "x", sinceMs: 0 };
    const written = { ...launch, launch: { home }, leader: markOf(process.pid) };
    writeFileSync(join(home, "state/agents/agent1.json"), JSON.stringify(written));
    const env = { PATH: process.env["PATH"], HOME: home };
    const context = { env, cwd: home, flags: { home }, settings: () => loadSettings(env, home, { home }) };
    const met = await startDaemon(context as unknown as CliContext).catch((cause: unknown) => cause);
    expect(met).toMatchObject({ code: "daemon.not-yours" });
    expect(existsSync(join(home, "logs/daemon.log"))).toBe(false);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("a daemon that lives is waited for past the usual time, and that is said once", async () => {
  const home = mkdtempSync(join(tmpdir(), "constel-start-"));
  try {
    const said: string[] = [];
    let left = 3;
    const child = {
      pid: 7,
      signalCode: null,
      // Alive at some looks, and then gone.
      get exitCode() {
        return left-- > 0 ? null : 5;
      },
    };
    const met = await untilItAnswers(
      home,
      () => child,
      (text) => said.push(text),
      {
        usualMs: 0,
        deadlineMs: 60_000,
      },
    ).catch((cause: unknown) => cause);
    expect(met).toMatchObject({ message: expect.stringContaining("ended with code 5") });
    expect(said).toEqual(["constel: the daemon has not answered yet; it is still starting (pid 7)"]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
