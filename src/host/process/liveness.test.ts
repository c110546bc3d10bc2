import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "../../../test/kit/home.ts";
import { markOf, systemLiveness } from "./liveness.ts";

test("this process is alive", () => {
  expect(systemLiveness.self().pid).toBe(process.pid);
  expect(systemLiveness.isProvenDead(systemLiveness.self())).toBe(false);
});

test("a process that ended is proven dead, before and after it is reaped", async () => {
  const child = Bun.spawn(["sleep", "60"]);
  const mark = markOf(child.pid) ?? { pid: 0, token: "" };
  expect(systemLiveness.isProvenDead(mark)).toBe(false);
  child.kill("SIGKILL");
  await child.exited;
  expect(systemLiveness.isProvenDead(mark)).toBe(true);
  expect(markOf(child.pid)).toBeUndefined();
});

test.skipIf(process.platform !== "linux")("one whose parent has not heard of its end has no mark either", async () => {
  // The shell becomes a program that never asks for its child's status; a shell may still ask before that.
  const parent = Bun.spawn(["sh", "-c", "sleep 60 & echo $!; exec cat"], { stdin: "pipe", stdout: "pipe" });
  const ended = Number(new TextDecoder().decode((await parent.stdout.getReader().read()).value));
  await until(
    "the parent is no shell any more",
    () => readFileSync(`/proc/${parent.pid}/comm`, "utf8"),
    (name) => name === "cat\n",
  );
  process.kill(ended, "SIGKILL");
  await until(
    "it has ended",
    () => readFileSync(`/proc/${ended}/stat`, "utf8"),
    (stat) => stat.includes(") Z "),
  );
  expect(markOf(ended)).toBeUndefined();
  parent.stdin.end();
  await parent.exited;
});

test("another process that got the same number does not count as alive", () => {
  const { pid, token } = systemLiveness.self();
  expect(systemLiveness.isProvenDead({ pid, token: `${token}7` })).toBe(true);
});

test("about a process of another PID namespace nothing is proven", () => {
  expect(systemLiveness.isProvenDead({ pid: 2 ** 22 - 1, token: "12345-6" })).toBe(false);
});

test("a number that is none proves nothing alive", () => {
  const [namespace = ""] = systemLiveness.self().token.split("-");
  expect(systemLiveness.isProvenDead({ pid: -1, token: `${namespace}-1` })).toBe(true);
});
