// Commands in a sandbox that lets nobody connect to a socket, as Codex runs its commands (really forbidden, by the kernel): the daemon is
// there and cannot be asked. Each ends at once, answers what the database tells or refuses in a word, and starts no second daemon.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { projectTop, type Ran, TestHome } from "./kit/home.ts";

const inDatabase = "constel: the daemon cannot be reached from here; this is what is in the database\n";

const inside: readonly (readonly [string, "read" | "refused" | "as ever"])[] = [
  ["task list", "read"],
  ["conflicts", "read"],
  ["task ready 1", "refused"],
  ["announce hello", "refused"],
  ["daemon start", "refused"],
  ["daemon status", "refused"],
  ["daemon stop", "refused"],
  ["query select~1", "as ever"],
  ["channel send agent1 hello", "as ever"],
];

// The filter is written for Linux alone, on these two kinds of processor.
test.skipIf(process.platform !== "linux" || !["arm64", "x64"].includes(process.arch))(
  "in a sandbox that keeps commands from sockets reads come from the database, changes are refused at once, and nothing is said of the daemon",
  async () => {
    await using at = new TestHome();
    await at.constel(["task", "create", "made before"]);
    const pid = at.daemonPid;
    const sandbox = [
      process.execPath,
      "--no-env-file",
      "--config=/dev/null",
      join(projectTop, "test/kit/run-without-connect.ts"),
    ];
    const run = (words: string): Promise<Ran> =>
      at.constel(
        words.split(" ").map((word) => word.replaceAll("~", " ")),
        { program: [...sandbox, join(projectTop, "bin/constel")] },
      );
    const ran = await Promise.all(inside.map(([words]) => run(words)));
    const said = ran.map(({ code, stderr }) =>
      stderr.includes("[daemon.out-of-reach]") && code === 4
        ? "refused"
        : stderr.includes(inDatabase)
          ? "read"
          : "as ever",
    );
    expect(inside.map(([words], index) => [words, said[index]])).toEqual(inside.map((line) => [...line]));
    expect(ran[0]?.stdout).toContain("made before");
    expect(ran.at(-1)?.code).toBe(0);
    // What asks tmux alone says where it works, and what answers here.
    const { code, stderr: kept } = await run("agents");
    expect([code, kept]).toEqual([4, expect.stringContaining("run it outside of the sandbox")]);
    expect(kept).toContain("`constel status`");
    const [status, doctor] = await Promise.all([run("status"), run("doctor")]);
    expect(status.stdout).toContain("The daemon cannot be reached from here");
    expect(doctor.stdout).toContain("it cannot be reached from here");
    expect(`${status.stdout}${doctor.stdout}`).not.toMatch(/not running|does not run/);
    expect(at.daemonPid).toBe(pid);
    expect(await at.json<unknown[]>(["task", "list"])).toHaveLength(1);
  },
);
