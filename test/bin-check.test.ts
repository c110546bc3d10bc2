// `bin/check --load`: the busy processes it starts are gone when it is, however it ends.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./kit/directory.ts";
import { projectTop, until } from "./kit/home.ts";

/** Living processes of a session, as /proc tells: what was started inside is found also after its parent has gone. */
function processesOfSession(session: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // After the name in brackets: state, parent, group, session.
        const [state, , , ofSession] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return Number(ofSession) === session && state !== "Z";
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}

const ends: readonly [how: string, signal: NodeJS.Signals | undefined, group: boolean][] = [
  ["by itself", undefined, false],
  ["at Ctrl-C", "SIGINT", true],
  ["when it is told to end", "SIGTERM", false],
  ["when it is killed", "SIGKILL", false],
];

for (const [how, signal, group] of ends) {
  // /proc and setsid are Linux's; elsewhere nobody could look.
  test.if(process.platform === "linux")(`the load ends with the check ${how}`, async () => {
    using directory = temporaryDirectory("load");
    const go = join(directory.path, "go");
    const file = join(directory.path, "waits.test.ts");
    // Waits until it is told to go, so that the load is there for as long as this test looks at it.
    writeFileSync(
      file,
      `import { existsSync } from "node:fs";\nimport { test } from "bun:test";\n` +
        `test("waits", async () => {\n  while (!existsSync(${JSON.stringify(go)})) await Bun.sleep(20);\n});\n`,
    );
    // Not a group's leader, it leads the new session itself.
    const command = ["setsid", "--wait", join(projectTop, "bin/check"), "--load", "test", file];
    const child = Bun.spawn(command, {
      cwd: projectTop,
      env: { ...process.env, TMPDIR: directory.path },
      stdout: "pipe",
      stderr: "pipe",
    });
    const leader = child.pid;
    const out = new Response(child.stdout).text();
    await until(
      "the tests run, and the load beside them",
      () => processesOfSession(leader).map(commandOf),
      (commands) =>
        commands.some((command) => command.includes("--reporter=junit")) &&
        commands.filter((command) => command.includes("--load")).length >= 3,
    );
    if (signal === undefined) writeFileSync(go, "");
    else process.kill(group ? -leader : leader, signal);
    await child.exited;
    // What the check runs beside the load is not the load's affair; it is let go and ends by itself.
    writeFileSync(go, "");
    await until(
      "nothing is left",
      () => processesOfSession(leader),
      (left) => left.length === 0,
    );
    if (signal === undefined) {
      expect(child.exitCode).toBe(0);
      expect(await out).toMatch(/load: \d busy processes beside the tests[\s\S]*1 passed, 0 failed\n$/);
    }
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
