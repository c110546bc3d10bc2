import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolOutcome } from "../../ports/toolchains.ts";
import { systemProcesses } from "../process/run.ts";
import { findProgram } from "./find-program.ts";
import { runTool } from "./run-tool.ts";
import { openSandbox } from "./sandbox.ts";

const path = process.env["PATH"] ?? "";
const sandbox = openSandbox(findProgram("bwrap", path, [])?.named, systemProcesses);
const problem = await sandbox.problem();

let root: string;
let home: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "constel-sandbox-")));
  home = join(root, "room");
  mkdirSync(home);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(script: string, cpuMs = 20_000): Promise<ToolOutcome> {
  const host = { processes: systemProcesses, path: path.split(":"), nice: undefined, memoryBytes: 1024 ** 3, sandbox };
  return runTool(host, ["/bin/sh", "-c", script], { home, cpuMs });
}

test.skipIf(problem !== undefined)("a compiler writes to its scratch place and to nothing else", async () => {
  const outcome = await run(
    `echo in > ${home}/inside; echo out > ${root}/outside; echo out > "$HOME/../beside"; cat ${home}/inside`,
  );
  if (outcome.kind !== "ended") throw new Error(outcome.kind);
  expect(outcome.stdout).toBe("in\n");
  expect(readFileSync(join(home, "inside"), "utf8")).toBe("in\n");
  expect([existsSync(join(root, "outside")), existsSync(join(root, "beside"))]).toEqual([false, false]);
});

test.skipIf(problem !== undefined)("a compiler has no network, and sees no process but its own", async () => {
  const outcome = await run("cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '; ls /proc | grep -c '^[0-9]'");
  if (outcome.kind !== "ended") throw new Error(outcome.kind);
  const [network, processes] = outcome.stdout.trim().split("\n");
  expect(network).toBe("lo");
  expect(Number(processes)).toBeLessThan(10);
});

test.skipIf(problem !== undefined)("past its time it is ended with all it started", async () => {
  const name = join(home, "sleeps");
  copyFileSync(Bun.which("sleep") ?? "", name);
  chmodSync(name, 0o700);
  expect(await run(`setsid ${name} 1000 & while :; do :; done`, 300)).toMatchObject({ kind: "late" });
  const running = readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(name);
    } catch {
      return false; // no process, or it has ended
    }
  });
  expect(running).toEqual([]);
});

test("without bubblewrap a compiler runs as it is, and why is known", async () => {
  const none = openSandbox(undefined, systemProcesses);
  expect(await none.problem()).toBe("bubblewrap (`bwrap`) is not on the PATH");
  const host = {
    processes: systemProcesses,
    path: path.split(":"),
    nice: undefined,
    memoryBytes: 1024 ** 3,
    sandbox: none,
  };
  const outcome = await runTool(host, ["/bin/sh", "-c", "echo ran"], { home, cpuMs: 20_000 });
  expect(outcome).toMatchObject({ kind: "ended", stdout: "ran\n" });
});
