import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { until } from "../../../test/kit/home.ts";
import { Outage } from "../../protocol/errors.ts";
import { childEnvironment } from "./child-environment.ts";
import { systemProcesses } from "./run.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const env = { PATH: process.env["PATH"] ?? "" };
const run = (script: string, more: object = {}) =>
  systemProcesses.run(["sh", "-c", script], { env, deadlineMs: 20_000, ...more });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test("output, exit code and input are passed through", async () => {
  const outcome = await run("cat; echo err >&2; exit 3", { stdin: "hello" });
  expect(outcome).toMatchObject({ code: 3, signal: null, stderr: "err\n", timedOut: false, truncated: false });
  expect(text(outcome.stdout)).toBe("hello");
});

test("past its deadline the program ends, and so do its children", async () => {
  const outcome = await run("sleep 1000 & echo $!; wait", { deadlineMs: 2_000 });
  expect(outcome).toMatchObject({ code: null, signal: "SIGKILL", timedOut: true });
  const child = Number(text(outcome.stdout));
  expect(child).toBeGreaterThan(1);
  // It was told to; on a busy machine it is a moment until it has ended.
  await until(
    "the end of the child",
    () =>
      Bun.file(`/proc/${child}/stat`)
        .text()
        .catch(() => "gone"),
    (state) => state === "gone" || state.includes(" Z "),
  );
});

test("what left the program's group and holds its output open is not waited for; all that the program wrote is there", async () => {
  const before = openSockets();
  // It would take longer than any test. Its first line is awaited, so that it is surely in a session of its own.
  const outcome = await run(
    `exec 3>&1
     left=$(setsid sh -c 'echo $$; exec sleep 100000 >&3 2>&3' &)
     echo "$left"; head -c 60000 /dev/zero`,
  );
  const left = Number(text(outcome.stdout.subarray(0, outcome.stdout.indexOf(10))));
  try {
    expect(outcome).toMatchObject({ code: 0, timedOut: false, truncated: false });
    expect(process.kill(left, 0)).toBe(true);
    expect(outcome.stdout.length).toBe(String(left).length + 1 + 60_000);
    await until(
      "its output is closed on our side", // Bun does it in a thread of its own
      () => openSockets().filter((one) => !before.includes(one)),
      (ours) => ours.length === 0,
    );
  } finally {
    process.kill(left, "SIGKILL");
  }
});

test("children that stay in the program's group are waited for", async () => {
  expect(text((await run("(sleep 1; echo late) & echo soon")).stdout)).toBe("soon\nlate\n");
});

test("a call that was called off, before or during, ends the program", async () => {
  const before = await run("sleep 1000", { signal: AbortSignal.abort() });
  expect(before.signal).toBe("SIGKILL");
  const calling = new AbortController();
  const during = run("sleep 1000", { signal: calling.signal });
  calling.abort();
  expect((await during).signal).toBe("SIGKILL");
});

test("output past the bound ends the program and is cut there", async () => {
  const outcome = await run("yes", { maxOutputBytes: 1000 });
  expect(outcome.truncated).toBe(true);
  expect(outcome.stdout.length).toBe(1000);
});

test("a program that does not exist is an outage that names it", async () => {
  const failed = systemProcesses.run(["no-such-program-at-all"], { env, deadlineMs: 1000 });
  expect(await rejection(failed)).toBeInstanceOf(Outage);
});

test("nothing is inherited but what is given, and what injects code is never given", async () => {
  const given = childEnvironment({
    PATH: env.PATH,
    BUN_OPTIONS: "--preload x",
    NODE_OPTIONS: "-r x",
    GIT_DIR: "/x",
    LD_PRELOAD: "x",
    KEEP: "1",
  });
  const outcome = await run("env", { env: given });
  expect(
    text(outcome.stdout)
      .split("\n")
      .filter((line) => /^(BUN_|NODE_|GIT_|LD_|KEEP)/.test(line)),
  ).toEqual(["KEEP=1"]);
});

/** Bun reads its children's output from sockets. */
function openSockets(): string[] {
  return readdirSync("/proc/self/fd")
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ""; // what the listing itself had open
      }
    })
    .filter((one) => one.startsWith("socket:"));
}

test.skipIf(process.platform !== "linux")(
  "what waits for a pipe is seen also where another process started it",
  async () => {
    using at = temporaryDirectory("pipe");
    const pipe = join(at.path, "pipe");
    Bun.spawnSync(["mkfifo", pipe]);
    expect(await run(`(cat '${pipe}'); :`, { endsAtPipe: true })).toMatchObject({ waitedForPipe: true });
  },
);
