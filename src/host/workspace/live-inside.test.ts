import { expect, test } from "bun:test";
import { until } from "../../../test/kit/home.ts";
import { isPassing } from "./live-inside.ts";

test.skipIf(process.platform !== "linux")(
  "what one of our threads has started and what has not become git yet is only passing, by whatever name",
  async () => {
    const script =
      "require('node:fs').writeFileSync('/proc/self/comm', 'Worker'); console.log('named'); setInterval(() => {}, 1000)";
    const child = Bun.spawn([process.execPath, "-e", script], { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    try {
      await until(
        "it has another name",
        () => Bun.file(`/proc/${child.pid}/comm`).text(),
        (name) => name.trim() === "Worker",
      );
      expect(isPassing({ pid: child.pid, path: "/", command: "" })).toBe(true);
    } finally {
      child.kill();
      await child.exited;
    }
  },
);

test.skipIf(process.platform !== "linux")("another program that we started stays", async () => {
  const child = Bun.spawn(["sleep", "600"], { stdin: "ignore", stdout: "ignore" });
  try {
    await until(
      "it runs",
      () => Bun.file(`/proc/${child.pid}/comm`).text(),
      (name) => name.trim() === "sleep",
    );
    expect(isPassing({ pid: child.pid, path: "/", command: "" })).toBe(false);
  } finally {
    child.kill();
    await child.exited;
  }
});
