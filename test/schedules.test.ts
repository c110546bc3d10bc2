// Crons and loops on the real program.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";

interface Shown {
  readonly next: number[];
  readonly firings: { readonly state: string; readonly detail: string | null }[];
}

const show = async (at: TestHome, label: string): Promise<Shown> =>
  JSON.parse((await at.constel(["cron", "show", label, "--json"])).stdout) as Shown;

async function announced(at: TestHome, text: string): Promise<number> {
  const { stdout } = await at.constel(["query", "select data from timeline where type = 'owner.announced'", "--json"]);
  return stdout.split(text).length - 1;
}

test("a cron shows its next five times, and a verb of it runs once, also when the daemon is killed in the middle", async () => {
  await using at = new TestHome();
  const words = ["cron", "add", "hello", "0 7 * * *", "--tz", "Europe/Berlin", "--", "announce", "good morning"];
  const added = await at.constel(words);
  expect(added.stderr).not.toContain("refused");
  expect(added.stdout).toContain("cron hello: 0 7 * * * Europe/Berlin");
  expect((await show(at, "hello")).next).toHaveLength(5);
  const tooSoon = await at.constel(["loop", "create", "1s", "agent1", "go on"]);
  expect(tooSoon.stderr).toContain("the interval of a loop goes from 1m to 7d, not 1s");
  expect(readFileSync(join(at.home, "cron.toml"), "utf8")).toContain('verb = [ "announce", "good morning" ]');
  await at.constel(["cron", "run", "hello"]);
  const done = (shown: Shown): boolean => shown.firings[0]?.state === "done";
  await until("it is done", () => show(at, "hello"), done);
  expect(await announced(at, "good morning")).toBe(1);
  expect(readdirSync(join(at.home, "state/firings"))).toEqual([]);

  await at.constel(["daemon", "stop"]);
  await at.constel(["daemon", "start"], { env: { CONSTEL_KILL_AT: "schedules.begun" } });
  await at.constel(["cron", "run", "hello"]);
  await until(
    "the daemon is dead",
    async () => (await at.constel(["daemon", "status"])).code,
    (code) => code !== 0,
  );
  await at.constel(["daemon", "start"]);
  await until(
    "it is done",
    () => show(at, "hello"),
    (shown) => shown.firings.length === 2 && done(shown),
  );
  expect(await announced(at, "good morning")).toBe(2);
});

test("a verb that is killed in the middle is not run again, and the owner is told", async () => {
  await using at = new TestHome();
  await at.constel(["cron", "add", "hello", "0 7 * * *", "announce", "good morning"]);
  await at.constel(["daemon", "stop"]);
  await at.constel(["daemon", "start"], { env: { CONSTEL_KILL_AT: "firing.marked" } });
  await at.constel(["cron", "run", "hello"]);
  const { firings } = await until(
    "it is over",
    () => show(at, "hello"),
    (shown) => shown.firings[0]?.state === "failed",
  );
  expect(firings[0]?.detail).toBe("it was ended from outside before it was done");
  expect(await announced(at, "good morning")).toBe(0);
  const status = await at.constel(["status"]);
  expect(status).toMatchObject({ code: 1, stdout: expect.stringContaining("constel cron show hello") });
});

test("loops and crons are listed, paused and removed; a clone may only put off its own loop", async () => {
  await using at = new TestHome();
  await at.constel(["loop", "create", "agent1", "go on", "--id", "mine", "--until", "false"]);
  expect((await at.constel(["loop", "list"])).stdout).toContain("tell agent1: go on");
  const asClone = (name: string, ...words: string[]) => at.constel(words, { env: { CONSTEL_AGENT: name } });
  expect((await asClone("agent1", "loop", "reschedule", "mine", "20m")).stdout).toContain("mine comes again at");
  expect((await asClone("agent2", "loop", "reschedule", "mine", "20m")).stderr).toContain("schedule.not-yours");
  expect((await asClone("agent1", "loop", "remove", "mine")).stderr).toContain("schedule.not-yours");
  expect((await asClone("agent2", "cron", "add", "x", "* * * * *", "agent1", "hi")).stderr).toContain(
    "authority.clone",
  );
  expect((await at.constel(["loop", "pause", "mine"])).stdout).toBe("mine is paused.\n");
  expect((await at.constel(["cron", "tick"])).code).toBe(0);
  expect((await at.constel(["loop", "remove", "mine"])).stdout).toBe("Removed mine.\n");
  expect((await at.constel(["cron", "add", "x", "61 * * * *", "agent1", "hi"])).code).toBe(2);
});

test("a clone opens a loop on the task it has, and it ends with the task", async () => {
  await using at = new TaskHome();
  await at.run("up", "1", "--type", "script", "--no-attach");
  const asClone = (...words: string[]) => at.constel(words, { env: { CONSTEL_AGENT: "agent1" } });
  const create = ["loop", "create", "15m", "look at the checks", "--id", "checks"];
  expect((await asClone(...create)).stderr).toContain("belongs to a task in hand, and there is none");
  await at.run("task", "create", "Mend the list");
  await at.run("task", "dispatch", "1", "--agent", "1");
  const opened = await asClone(...create);
  expect(opened.stdout).toContain("tell agent1: look at the checks");
  expect(opened.stdout).toContain("ends   with task 1");
  expect((await asClone("loop", "create", "15m", "agent2", "go on")).stderr).toContain("schedule.own-work");
  expect((await asClone("loop", "create", "15m", "go on", "--until", "true")).stderr).toContain("runs no command");
  expect((await asClone("loop", "create", "2m", "go on")).stderr).toContain("waits 5m or longer");
  await asClone("loop", "create", "15m", "go on", "--id", "second");
  expect((await asClone("loop", "remove", "second")).stdout).toBe("Removed second.\n");
  await at.run("task", "cancel", "1");
  const ended = async (): Promise<string> => (await at.constel(["loop", "show", "checks"])).stdout;
  await until("it has ended", ended, (text) => text.includes("ended: task 1 is no longer in agent1's hands"));
});

test("a line that somebody wrote into cron.toml is named by list and doctor, and runs only after the owner accepted it", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const file = join(at.home, "cron.toml");
  writeFileSync(file, '[[cron]]\nlabel = "planted"\nschedule = "* * * * *"\nverb = ["announce", "planted words"]\n');
  const run = ["cron", "run", "planted"];
  expect(await at.constel(run)).toMatchObject({ code: 3, stderr: expect.stringContaining("has not accepted it") });
  expect((await at.constel(["cron", "list"])).stdout).toContain("not accepted, so nothing of it fires: planted");
  expect((await at.constel(["doctor"])).stdout).toContain("written by hand and not accepted: planted");
  const shown = await at.constel(["cron", "accept"]);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain('"planted words"');
  expect(shown.stdout).toContain("Nothing was accepted: add --yes");
  expect((await at.constel(run)).code).toBe(3);
  // An agent is not the owner, whoever it says it is.
  const asAgent = await at.constel(["cron", "accept", "--yes"], { env: { CONSTEL_AGENT: "agent1" } });
  expect(asAgent).toMatchObject({ code: 3, stderr: expect.stringContaining("owner") });
  expect((await at.constel(["cron", "accept", "nothing", "--yes"])).code).toBe(3);
  expect((await at.constel(["cron", "accept", "planted", "--yes"])).stdout).toContain("Accepted planted.");
  expect((await at.constel(["cron", "accept"])).stdout).toContain("Every line of cron.toml is accepted.");
  await at.constel(run);
  await until(
    "it ran",
    () => announced(at, "planted words"),
    (times) => times > 0,
  );
});

test("a command that the settings name acts for nobody, whoever wrote it there", async () => {
  await using at = new TestHome();
  await at.constel(["task", "create", "Keep this"]);
  const said = join(at.top, "said.txt");
  const script = `${join(projectTop, "bin/constel")} task cancel 1 > ${said} 2>&1; (setsid ${join(projectTop, "bin/constel")} task cancel 1 >> ${said} 2>&1); true`;
  const config = `[[escalate.channels]]\ntype = "command"\ncommand = ["sh", "-c", ${JSON.stringify(script)}]\n`;
  writeFileSync(join(at.home, "config.toml"), config);
  await at.constel(["notify", "test"]);
  expect(readFileSync(said, "utf8")).toContain("authority.nobody");
  expect((await at.constel(["task", "show", "1", "--json"])).stdout).toContain('"open"');
});
