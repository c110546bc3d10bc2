// Commands beside a daemon that is there and says nothing (really stopped by a signal): each ends, answers what the files and the
// database tell or refuses in a word, and the watchdog and the owner get it going again. Nothing is sent, so nothing is half done.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Ran, TestHome, until } from "./kit/home.ts";

async function withStoppedDaemon(): Promise<{ at: TestHome; pid: number }> {
  const at = new TestHome();
  expect((await at.constel(["task", "create", "made before"])).code).toBe(0);
  const pid = at.daemonPid ?? 0;
  process.kill(pid, "SIGSTOP");
  await until(
    "it is stopped",
    () => stateOf(pid),
    (state) => state === "T",
  );
  return { at, pid };
}

const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.[0] ?? "";

const inDatabase = "constel: the daemon does not answer; this is what is in the database\n";

/** The way each command answers beside it: read from the database with a word about it, refused in a word, or as if nothing were wrong. */
const beside: readonly (readonly [string, "read" | "refused" | "as ever"])[] = [
  ["task list", "read"],
  ["task show 1", "read"],
  ["task export", "read"],
  ["agent show agent1", "read"],
  ["conflicts", "read"],
  ["plan", "read"],
  ["notices", "read"],
  ["claim ls", "read"],
  ["decision ls", "read"],
  ["repo ls", "read"],
  ["services ls", "refused"],
  ["cost", "read"],
  ["events", "read"],
  ["token ls", "refused"],
  ["workspace ls", "read"],
  ["approvals", "read"],
  ["task create another", "refused"],
  ["task update 1 --title another", "refused"],
  ["task cancel 1", "refused"],
  ["announce hello", "refused"],
  ["repo add .", "refused"],
  ["daemon status", "refused"],
  ["daemon start", "refused"],
  ["query select~1", "as ever"],
  ["agents", "as ever"],
  ["channel send agent1 hello", "as ever"],
  ["channel ls agent1", "as ever"],
  ["config show", "as ever"],
  ["config set notices.budget_per_hour 7", "as ever"],
  ["db status", "as ever"],
];

test.concurrent("every command ends beside a daemon that is stopped: reads come from the database, changes are refused, the rest goes on", async () => {
  const { at, pid } = await withStoppedDaemon();
  await using _ = at;
  const looks = Promise.all([at.constel(["status"]), at.constel(["doctor"])]);
  const ran = await Promise.all(
    beside.map(([words]) => at.constel(words.split(" ").map((word) => word.replaceAll("~", " ")))),
  );
  const said = ran.map(({ stderr }) =>
    stderr.includes("[daemon.silent]") ? "refused" : stderr.includes(inDatabase) ? "read" : "as ever",
  );
  expect(beside.map(([words], at) => [words, said[at]])).toEqual(beside.map(([words, expected]) => [words, expected]));
  expect(ran.filter(({ stderr }) => stderr.includes("not running"))).toEqual([]);
  expect(ran[0]?.stdout).toContain("made before");
  const set = ran[beside.findIndex(([words]) => words.startsWith("config set"))];
  expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining("taken it up is not known") });
  const [status, doctor] = await looks;
  expect(status.code).toBe(1);
  expect(status.stdout).toContain("The daemon does not answer.");
  expect(status.stdout).toContain("made before");
  expect(doctor.stdout).toContain("holds the daemon's lock but does not answer");
  // Continued, it goes on as if nothing had been; what was refused did not happen.
  process.kill(pid, "SIGCONT");
  expect(await at.json<unknown[]>(["task", "list"])).toHaveLength(1);
  expect(at.daemonPid).toBe(pid);
});

test.concurrent("`daemon stop` ends a daemon that is stopped, and the next command starts another with everything that was acknowledged", async () => {
  const { at, pid } = await withStoppedDaemon();
  await using _ = at;
  expect(await at.constel(["daemon", "stop"])).toMatchObject({ code: 0, stdout: "Stopped.\n" });
  expect((await at.constel(["task", "create", "made after"])).code).toBe(0);
  expect(at.daemonPid).not.toBe(pid);
  const titles = (await at.json<{ title: string }[]>(["task", "list"])).map(({ title }) => title);
  expect(titles.sort()).toEqual(["made after", "made before"]);
});

test.concurrent("the watchdog gives a stopped daemon one tick, then ends it and starts another", async () => {
  const { at, pid } = await withStoppedDaemon();
  await using _ = at;
  const tick = async (): Promise<Ran> => at.constel(["watchdog", "tick"]);
  expect((await tick()).stdout).toContain("is there and does not answer; ended at the next tick if it stays so");
  expect(at.daemonPid).toBe(pid);
  expect((await tick()).stdout).toContain("did not answer; ended and started");
  expect(at.daemonPid).not.toBe(pid);
  expect((await tick()).stdout).toContain("answers");
});
