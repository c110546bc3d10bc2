// The same messages to the same program over a pipe and through its terminal: the time from sending to proof of arrival, and the memory of all
// its processes. The figures are printed; how fast they are depends on the machine, so only arrival is held.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { readLaunch } from "../../../src/floor/agents/launch-files.ts";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const slowMs = 120_000;
const messages = 8;

/** The resident memory of a process and all that descend from it. */
function megabytesOf(leader: number): number {
  const parents = new Map<number, number>();
  const memory = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0));
      memory.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // it has just ended
    }
  }
  const isOfIt = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === leader || isOfIt(parents.get(pid)));
  return Math.round([...memory].filter(([pid]) => isOfIt(pid)).reduce((sum, [, one]) => sum + one, 0));
}

for (const runtime of runtimes.filter(({ name }) => name === "claude" || name === "codex")) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("over a pipe and through a terminal", () => {});
    });
    continue;
  }
  for (const way of ["pipe", "terminal"] as const)
    test(
      `${runtime.name} by ${way}: every message arrives`,
      async () => {
        const here = await TaskLab.open(runtime, program.path, { slowMs });
        try {
          await here.lab.model.setRules({ default: { text: "heard" }, rules: [] });
          await here.constel("daemon", "start");
          await here.constel("agent", "1", "--type", runtime.name, ...(way === "pipe" ? ["--driven"] : []));
          await here.becomes("idle");
          const took: number[] = [];
          for (let at = 0; at <= messages; at++) {
            const said = JSON.parse(await here.constel("channel", "send", "agent1", `word ${at}`, "--json")) as {
              id: string;
            };
            const about = `select sent_ms, delivered_ms from messages where message_id = '${said.id}' and receiver = 'agent1'`;
            const [row] = await until(
              "it is delivered",
              () => here.query(about),
              ([one]) => typeof one?.["delivered_ms"] === "number",
              slowMs,
            );
            await here.becomes("idle");
            took.push(Number(row?.["delivered_ms"]) - Number(row?.["sent_ms"]));
          }
          // The first one begins the conversation.
          const sorted = took.slice(1).sort((a, b) => a - b);
          const leader = readLaunch(here.lab.constel, "agent1")?.leader?.pid ?? 0;
          const memory = megabytesOf(leader);
          const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
          process.stderr.write(
            `${runtime.name} by ${way}: ${middle} ms in the middle, ${sorted.at(-1)} ms at most, ${memory} MB\n`,
          );
          expect(sorted).toHaveLength(messages);
          expect(memory).toBeGreaterThan(0);
        } finally {
          await here.close();
        }
      },
      slowMs * 3,
    );
}
