// From ready to landed by pull request, against the double: opened once, never landed too early.

import { describe, expect, test } from "bun:test";
import { readyTask } from "../tasks/ready.ts";
import { cancelTask, changeTask } from "../tasks/update.ts";
import { pullSteps } from "./pull.ts";
import { withPulls } from "./pulls.suite.ts";

const here = withPulls();

describe("a pull request", () => {
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
    const { task } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    await pulls.settle();
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
    const { task } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    await pulls.settle();
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
    const { task } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    await pulls.settle();
    await pulls.check(task, "green");
    await pulls.settle();
    expect(pulls.model.pull(1)?.state).toBe("open");
    expect(await pulls.reason(task)).toContain("requires a review");
    expect(pulls.double.writes().filter((one) => one.includes("merge"))).toEqual([]);
    pulls.model.say({ pull: 1, kind: "review", author: "mona", text: "", verdict: "APPROVED" });
    await pulls.settle();
    expect(await scene.state(task)).toBe("closed");
  });

  test("goes through the forge's queue, and queued is not landed", async () => {
    const { scene, pulls } = here;
    pulls.model.rules.queue = true;
    const { task } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    await pulls.settle();
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

  test("that cannot be merged while mergeability is computed is merged after it", async () => {
    const { scene, pulls } = here;
    const { task } = await scene.readyWith({ "x.txt": "1" });
    await scene.harvest(task);
    await pulls.settle();
    await pulls.check(task, "green");
    const pull = pulls.model.pull(1);
    if (pull !== undefined) pull.computing = 3;
    await pulls.settle(2);
    expect(await scene.state(task)).toBe("ready");
    await pulls.settle(3);
    expect(await scene.state(task)).toBe("closed");
  });
});
