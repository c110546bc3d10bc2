// From ready to landed by pull request, against the double, on both databases: opened once, never landed too early.

import { expect, test } from "bun:test";
import { onEachDatabase } from "../../../test/kit/databases.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { listAttention } from "../attention/attention.ts";
import { waitingTasks } from "../owner/owner.sql.ts";
import { pullsThatAsk } from "./pulls.sql.ts";
import { answerForReview } from "../reviews/answer.ts";
import { askForReview } from "../reviews/ask.ts";
import { verdictOf } from "../reviews/verdict.ts";
import { readyTask } from "../tasks/landing/ready.ts";
import { cancelTask, changeTask } from "../tasks/update.ts";
import { pullSteps } from "./pull.ts";
import { pullsRound } from "./round.ts";
import { withPulls } from "./pulls.suite.ts";

onEachDatabase("a pull request, kept in a database,", (makeScene) => {
  const here = withPulls("github", makeScene);

  for (const method of ["merge", "squash", "rebase"] as const) {
    test(`is opened once, followed, merged by ${method}, and landed is what the origin has`, async () => {
      const { scene, pulls } = here;
      pulls.model.commit("main", {
        "constel.toml": `[gate]\ncommand = "sh gate.sh"\n[land]\nby = "pull-request"\nmethod = "${method}"\n`,
      });
      const { task, path } = await scene.begun("Add a file");
      scene.stage.commit(path, { "x.txt": "1" }, "one");
      scene.stage.commit(path, { "y.txt": "2" }, "two");
      await readyTask(scene.context, { task, evidence: "it is there" });
      expect((await scene.harvest(task))[0]?.outcome).toBe("proposed");
      await pulls.settle();
      expect(pulls.model.pulls.map(({ number, title, branch, base }) => [number, title, branch, base])).toEqual([
        [1, "Add a file", `constel/constel0/${task}-add-a-file`, "main"],
      ]);
      expect(pulls.model.pull(1)?.body).toContain("it is there");
      expect(pulls.model.pull(1)?.body).toContain("Green on the merged tree");
      // Nothing has checked it.
      expect(await pulls.row(task)).toMatchObject({
        phase: "open",
        checks: "none",
        waits_for: expect.stringContaining("merged by a person only"),
      });
      await pulls.check(task, "pending");
      await pulls.settle();
      expect(pulls.model.pull(1)?.state).toBe("open");
      await pulls.check(task, "green");
      await pulls.settle();
      expect(pulls.model.pull(1)?.state).toBe("merged");
      expect(pulls.model.onMain("y.txt")).toBe("2");
      expect(await scene.state(task)).toBe("closed");
      expect(await pulls.row(task)).toMatchObject({
        phase: "ended",
        outcome: "landed",
        landed_sha: pulls.model.tip("main"),
      });
      expect(pulls.model.pulls.length).toBe(1);
      expect(await scene.events(task)).toContain("harvested");
    });
  }

  test("that the forge calls merged is not landed while the origin does not have it", async () => {
    const { scene, pulls } = here;
    const task = await pulls.opened();
    const pull = pulls.model.pull(1);
    if (pull === undefined) throw new Error("it was not opened");
    Object.assign(pull, { endHead: pulls.model.headOf(pull), state: "merged", endedBy: "mona" });
    await pulls.settle();
    expect(await scene.state(task)).toBe("ready");
    expect(await pulls.reason(task)).toContain("the forge says merged, but main does not read as the work has it");
    pulls.model.commit("main", { "x.txt": "1" });
    await pulls.settle();
    expect(await scene.state(task)).toBe("closed");
  });

  for (const step of [...pullSteps, "harvest.proposed"]) {
    test(`killed at ${step} is taken up again: one pull request, one landing`, async () => {
      const { scene, pulls } = here;
      const { task } = await scene.readyWith({ "x.txt": "1" });
      let isKilled = false;
      scene.step = (name) => {
        if (isKilled || name !== step) return;
        isKilled = true;
        throw new Error("killed");
      };
      const unlessKilled = async (work: Promise<unknown>): Promise<void> => {
        try {
          await work;
        } catch (cause) {
          if (!String(cause).includes("killed")) throw cause;
        }
      };
      await unlessKilled(scene.harvest(task));
      scene.holder = "another";
      scene.gone.add("one");
      for (let at = 0; at < 4; at++) {
        await unlessKilled(pulls.settle(2));
        if ((await pulls.known(task)) !== null) await pulls.check(task, "green");
      }
      expect(isKilled).toBe(true);
      expect(pulls.model.pulls.map(({ state }) => state)).toEqual(["merged"]);
      expect(await scene.state(task)).toBe("closed");
      const landings = (await scene.events(task)).filter((type) => type === "harvested");
      expect(landings).toEqual(["harvested"]);
    });
  }

  test("of a task that lands by its own word, not the repository's; a protected branch says how", async () => {
    const { scene, pulls } = here;
    pulls.model.commit("main", { "constel.toml": '[gate]\ncommand = "sh gate.sh"\n' });
    const { task } = await scene.readyWith({ "x.txt": "1" });
    const [refused] = await scene.harvest(task);
    expect(refused).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("constel task update NUMBER --by pull-request"),
    });
    await changeTask(scene.context, { task, by: "pull-request" });
    expect((await scene.harvest(task))[0]?.outcome).toBe("proposed");
    await pulls.settle();
    expect(pulls.model.pulls.length).toBe(1);
  });

  test("is closed with its task when that is cancelled", async () => {
    const { scene, pulls } = here;
    const task = await pulls.opened();
    await cancelTask(scene.context, { task, reason: "no longer" });
    await pulls.settle();
    expect(pulls.model.pull(1)?.state).toBe("closed");
    expect(await pulls.row(task)).toMatchObject({ phase: "ended", outcome: "cancelled" });
  });

  test("that somebody closes gives the task back, and removes nothing", async () => {
    const { scene, pulls } = here;
    const { task, path } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    await pulls.settle();
    const pull = pulls.model.pull(1);
    if (pull !== undefined) pulls.model.close(pull, "mona");
    await pulls.settle();
    expect(await scene.state(task)).toBe("open");
    expect(await pulls.reason(task)).toBe("mona closed its pull request without merging it");
    expect(scene.stage.git(path, "log", "-1", "--format=%s").trim()).toBe("a task");
    expect(pulls.model.tip(`refs/heads/constel/constel0/${task}-a-task`)).toBeDefined();
  });

  test("waits for a review that the forge requires, and is merged when it is there", async () => {
    const { scene, pulls } = here;
    pulls.model.rules.reviews = 1;
    const task = await pulls.opened();
    await pulls.check(task, "green");
    await pulls.settle();
    expect(pulls.model.pull(1)?.state).toBe("open");
    expect(await pulls.reason(task)).toContain("requires a review");
    expect(pulls.double.writes().filter((one) => one.includes("merge"))).toEqual([]);
    pulls.model.say({ pull: 1, kind: "review", author: "mona", text: "", verdict: "APPROVED" });
    await pulls.settle();
    expect(await scene.state(task)).toBe("closed");
  });

  test("says the review of the very commit, and calls a task that looks like a secret by its number", async () => {
    const { scene, pulls } = here;
    const { task } = await scene.readyWith({ "x.txt": "1" }, "use ghp_key");
    await scene.see("agent2", "idle");
    await askForReview(scene.context, { task, by: "agent2" });
    const { head } = await verdictOf(scene.context, task);
    const said = { task, verdict: "approved" as const, read: head ?? "", text: "as @all agreed", comments: [] };
    await answerForReview({ ...scene.context, actor: "agent2" }, said);
    await scene.harvest(task);
    await pulls.settle();
    const { title, body } = pulls.model.pull(1) ?? {};
    expect(body).toContain("- agent2 approves: as @\u200dall agreed");
    expect(title).toBe(`Task ${task}`);
    expect(body).not.toContain("ghp_");
  });

  test("tells the owner when a person is wanted, and only then", async () => {
    const { scene, pulls } = here;
    const needs = async (): Promise<string[]> =>
      (await listAttention(scene.context, { snoozed: false, limit: 9 })).rows.map(({ says }) => says);
    pulls.model.rules.reviews = 1;
    const task = await pulls.opened();
    await pulls.check(task, "pending");
    await pulls.settle();
    expect(await needs()).toEqual([]);
    expect(await waitingTasks(scene.context.store.db, "constel0")).toEqual([]);
    // It goes on by itself, so landing everything is not about it.
    expect(await rejection(scene.harvest())).toMatchObject({ code: "task.nothing-to-land" });
    await pulls.check(task, "green");
    await pulls.settle();
    const url = pulls.model.pull(1) === undefined ? "" : (await pulls.row(task)).url;
    const says = `the pull request of task ${task} waits for you: the forge requires a review (${url})`;
    expect(await needs()).toEqual([says]);
    expect(await pullsThatAsk(scene.context.store.db, "constel0")).toMatchObject([{ number: task }]);
    // Two of one task are two rows, each with a key of its own: the page and `snooze` go by it.
    const another = { ...(await pulls.row(task)), id: "pul_another", workspace: "another" };
    await scene.context.store.write((tx) => tx.insert("pull_requests", another));
    const { rows } = await listAttention(scene.context, { snoozed: false, limit: 9 });
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
    await scene.context.store.write((tx) => tx.db.deleteFrom("pull_requests").where("id", "=", another.id).execute());
    pulls.model.say({ pull: 1, kind: "review", author: "mona", text: "", verdict: "APPROVED" });
    await pulls.settle();
    expect(await needs()).toEqual([]);
  });

  test("whose task has landed in another way is closed, and not called landed when its work is not there", async () => {
    const { scene, pulls } = here;
    const task = await pulls.opened();
    await scene.context.store.write((tx) =>
      tx.db.updateTable("tasks").set({ state: "closed", updated_ms: tx.nowMs }).where("number", "=", task).execute(),
    );
    await pulls.settle();
    expect(pulls.model.pull(1)?.state).toBe("closed");
    expect(await pulls.row(task)).toMatchObject({ phase: "ended", outcome: "closed", landed_sha: null });
  });

  test("that the queue puts out goes to a person, and is queued again when it is called ready again", async () => {
    const { scene, pulls } = here;
    pulls.model.rules.queue = true;
    const task = await pulls.opened();
    await pulls.check(task, "green");
    await pulls.settle();
    const pull = pulls.model.pull(1);
    if (pull === undefined) throw new Error("it was not opened");
    expect(pull.queued).toBe(true);
    pull.queued = false;
    await pulls.settle();
    expect(await scene.state(task)).toBe("needs_review");
    expect(await pulls.reason(task)).toContain("the forge's queue put it out");
    expect(pull.queued).toBe(false);
    await readyTask(scene.context, { task });
    await pulls.settle();
    expect(pull.queued).toBe(true);
    pulls.model.runQueue("merge");
    await pulls.settle();
    expect(await scene.state(task)).toBe("closed");
  });

  test("that a rule of the forge keeps out waits for a person, and is not asked for every few seconds", async () => {
    const { scene, pulls } = here;
    const task = await pulls.opened();
    await pulls.check(task, "green");
    const no = JSON.stringify({ message: "Squash merges are not allowed" });
    pulls.double.trouble = ({ path }, after) =>
      path.endsWith("/merge") && after === undefined ? new Response(no, { status: 405 }) : undefined;
    await pulls.settle(3);
    const row = await pulls.row(task);
    expect(row).toMatchObject({ phase: "open", waits_for: expect.stringContaining("Squash merges are not allowed") });
    expect(row.asks_ms).not.toBeNull();
    expect((row.retry_ms ?? 0) - row.updated_ms).toBe(20_000);
    pulls.double.trouble = undefined;
    await pulls.settle();
    expect(await scene.state(task)).toBe("closed");
  });

  test("goes through the forge's queue, and queued is not landed", async () => {
    const { scene, pulls } = here;
    pulls.model.rules.queue = true;
    const task = await pulls.opened();
    await pulls.check(task, "green");
    await pulls.settle();
    expect(pulls.model.pull(1)).toMatchObject({ state: "open", queued: true });
    expect(await scene.state(task)).toBe("ready");
    pulls.model.runQueue("squash");
    await pulls.settle();
    expect(await scene.state(task)).toBe("closed");
  });

  test("survives a forge that is down for an hour, asks for a pause, does not know us, or answers half: never twice, never too early", async () => {
    const { scene, pulls } = here;
    const { double } = pulls;
    const { task } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    double.isDown = true;
    for (let at = 0; at < 9; at++) await pulls.settle(1);
    expect(await scene.state(task)).toBe("ready");
    expect(await pulls.reason(task)).toContain("its pull request waits");
    double.isDown = false;
    const answers = [
      () =>
        new Response(JSON.stringify({ message: "API rate limit exceeded" }), {
          status: 403,
          headers: { "x-ratelimit-remaining": "0" },
        }),
      () => new Response(JSON.stringify({ message: "Bad credentials" }), { status: 401 }),
      () => new Response('{"number": 1, "html_url": "http://for', { status: 200 }),
    ];
    for (const answer of answers) {
      double.trouble = (_, after) => (after === undefined ? undefined : answer());
      await pulls.settle(2);
      expect(await scene.state(task)).toBe("ready");
    }
    double.trouble = undefined;
    await pulls.settle();
    expect(pulls.model.pulls.length).toBe(1);
    const head = await pulls.check(task, "green");
    // What it says to the merge is lost, and it did merge.
    double.trouble = ({ path }, after) =>
      path.endsWith("/merge") && after !== undefined ? new Response("", { status: 502 }) : undefined;
    await pulls.settle();
    double.trouble = undefined;
    await pulls.settle();
    expect(pulls.model.pull(1)).toMatchObject({ state: "merged", endHead: head });
    expect(await scene.state(task)).toBe("closed");
    expect(double.writes().filter((one) => one === "POST /pulls").length).toBeLessThanOrEqual(4);
    expect(pulls.model.pulls.length).toBe(1);
  });

  test("is left alone while a harvest is under way, and does not take its lease from it", async () => {
    const { scene, pulls } = here;
    const first = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(first.task);
    await pulls.settle();
    const second = await scene.readyWith({ "y.txt": "1" }, "another");
    const rounds: Promise<boolean>[] = [];
    scene.step = (name) => {
      if (name === "harvest.fetched") rounds.push(pullsRound(scene.context, new AbortController().signal));
    };
    expect((await scene.harvest(second.task)).map(({ outcome }) => outcome)).toEqual(["proposed"]);
    expect(await Promise.all(rounds)).toEqual([false]);
  });

  test("that cannot be merged while mergeability is computed is merged after it", async () => {
    const { scene, pulls } = here;
    const task = await pulls.opened();
    await pulls.check(task, "green");
    const pull = pulls.model.pull(1);
    if (pull !== undefined) pull.computing = 3;
    await pulls.settle(2);
    expect(await scene.state(task)).toBe("ready");
    await pulls.settle(3);
    expect(await scene.state(task)).toBe("closed");
  });
});
