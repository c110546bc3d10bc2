// Two agents collide and hear of it, on the real program: what lies ready for their hooks, the proof that it was told, its end,
// and a daemon that is killed in between. The hooks themselves are played here, as protocol/hear.ts says they behave.

import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markOf } from "../src/host/process/liveness.ts";
import type { Hear, HearItem } from "../src/protocol/hear.ts";
import { until } from "./kit/home.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";

class Hearing extends WorktreesHome {
  hear(agent: string): Hear | undefined {
    const file = join(this.home, "state/hear", agent, "next.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Hear) : undefined;
  }

  items(agent: string): readonly HearItem[] {
    return this.hear(agent)?.items ?? [];
  }

  /** Read by the next daemon. */
  configure(notices: string): void {
    writeFileSync(join(this.home, "config.toml"), `[notices]\n${notices}\n`);
  }

  say(agent: string, record: object): void {
    mkdirSync(join(this.home, "state/hooks"), { recursive: true });
    const line = JSON.stringify({ at: Date.now(), session: `s-${agent}`, ...record });
    appendFileSync(join(this.home, "state/hooks", `${agent}.jsonl`), `${line}\n`);
  }

  /** As a hook does: the mark first, the record once it printed. */
  tell(agent: string, items: readonly HearItem[], event = "tool-began"): void {
    const marks = join(this.home, "state/hear", `${agent}.told`);
    mkdirSync(marks, { recursive: true });
    for (const { id } of items) writeFileSync(join(marks, id), "", { flag: "wx" });
    this.say(agent, { event, told: items.map(({ id }) => id) });
  }

  heard(agent: string, holds: (items: readonly HearItem[]) => boolean): Promise<readonly HearItem[]> {
    return until(`what lies ready for ${agent}`, () => this.items(agent), holds);
  }
}

/** The time of day so many hours from now, as settings have it and as the program's clock stands (UTC). */
const hourAt = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
const some = (items: readonly HearItem[]): boolean => items.length > 0;
const none = (items: readonly HearItem[]): boolean => items.length === 0;

test("both sides hear of a collision, a third does not; told with proof, withdrawn when undone, through killed daemons, in peace and within the hour's budget", async () => {
  await using at = new Hearing();
  const c = at.worktree("c");
  mkdirSync(join(at.home, "state/guests"), { recursive: true });
  // One of them is a session that a person started. Not this process: what an agent's session runs starts no daemon.
  const session = Bun.spawn(["cat"], { stdin: "pipe", stdout: "ignore" });
  using _ended = { [Symbol.dispose]: () => session.kill() };
  const guest = { runtime: "claude", session: "s", process: markOf(session.pid), cwd: at.b, startedAt: Date.now() };
  writeFileSync(join(at.home, "state/guests/agentg000000000002.json"), JSON.stringify(guest));
  at.write(at.a, { "x.txt": text({ 3: "mine" }) });
  at.write(at.b, { "x.txt": text({ 3: "yours" }) });
  // The daemon ends itself between deciding what the guest is to hear and laying it ready; the next one goes on.
  await at.constel(["repo", "add"], { cwd: at.repository, env: { CONSTEL_KILL_AT: "notices.written:2" } });
  const pid = at.daemonPid ?? 0;
  await until(
    "the first daemon is dead",
    () => existsSync(`/proc/${pid}`),
    (isThere) => !isThere,
  );
  // It is an hour in which agents are to be left in peace.
  at.configure(`quiet_hours = "${hourAt(-1)}-${hourAt(2)}"`);
  await at.constel(["daemon", "start"]);
  await at.known(4);
  at.say("agent1", { event: "session-started", cwd: at.a });
  at.say("agent3", { event: "session-started", cwd: c });

  const [inPeace] = await at.heard("agent1", some);
  expect(inPeace).toMatchObject({ at: ["edit", "prompt"], files: [join(at.a, "x.txt")] });
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  // Now it is a usual hour, in which two things may be said by themselves.
  at.configure("budget_per_hour = 2");
  await at.constel(["daemon", "start"]);
  const [mine] = await at.heard("agent1", (items) => items[0]?.at.includes("stop") === true);
  expect(mine).toMatchObject({ at: ["edit", "prompt", "stop"], files: [join(at.a, "x.txt")] });
  expect(mine?.text).toContain("with: agentg000000000002 on branch b");
  const theirs = await at.heard("agentg000000000002", some);
  expect(theirs[0]?.files).toEqual([join(at.b, "x.txt")]);
  await until(
    "the third one's join packet",
    () => at.hear("agent3")?.join ?? "",
    (join) => join.includes("agent1 in app, branch a"),
  );
  expect(at.items("agent3")).toEqual([]);
  expect(at.hear("agent1")?.join).toContain("same lines of x.txt");

  at.tell(
    "agent1",
    [mine].flatMap((one) => one ?? []),
  );
  await at.heard("agent1", none);
  const { notices } = await at.caller.call("notice.list", {});
  expect(notices.map(({ agent, state }) => [agent, state]).sort()).toEqual([
    ["agent1", "told"],
    ["agentg000000000002", "waiting"],
  ]);
  const told = notices.find(({ agent }) => agent === "agent1")?.id ?? "";
  const why = (await at.constel(["why", told.slice(-8)])).stdout;
  expect(why).toContain("side of the finding:");
  expect(why).toMatch(/^told \S+, by its hook before an edit$/m);
  expect((await at.constel(["status"])).stdout).toContain("Notices: 1 waiting, 1 told.");
  // A daemon that is killed outright has nothing in its head.
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  await at.constel(["daemon", "start"]);
  at.write(at.b, { "x.txt": text() });
  await at.touch(at.b, join(at.b, "x.txt"));
  const [end] = await at.heard("agent1", some);
  expect(end?.text).toContain("No longer a problem:");
  // The guest never heard of it, so there is nothing to take back.
  await at.heard("agentg000000000002", none);
  at.tell(
    "agent1",
    [end].flatMap((one) => one ?? []),
    "prompt-submitted",
  );
  await at.heard("agent1", none);
  expect((await at.caller.call("notice.list", {})).notices).toEqual([]);
  const ended = await at.json<{ notices: { agent: string; state: string }[] }>(["notices", "--all"]);
  expect(ended.notices.map(({ state }) => state)).toEqual(["withdrawn", "withdrawn"]);
  // Two were told: what is high is said all the same, in one piece.
  at.write(at.a, { "y.txt": text({ 3: "mine" }) });
  at.write(at.b, { "x.txt": text({ 3: "yours" }), "y.txt": text({ 3: "yours" }) });
  await Promise.all([at.touch(at.a, join(at.a, "y.txt")), at.touch(at.b, join(at.b, "x.txt"), join(at.b, "y.txt"))]);
  const bundle = await at.heard("agent1", (items) => items.some(({ files }) => files.length === 2));
  expect(bundle.map(({ files }) => files)).toEqual([[join(at.a, "x.txt"), join(at.a, "y.txt")]]);
});
