// Reviews on real git and a real store: asked, answered, sent back, asked again, and what lands where a review is required.

import { beforeEach, describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { onEachDatabase } from "../../../test/kit/databases.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import type { Letter } from "../../ports/deliver.ts";
import { changeTask } from "../tasks/update.ts";
import { readyTask } from "../tasks/landing/ready.ts";
import { showTask } from "../tasks/queries.ts";
import { giveWish, type TaskScene, withTasks } from "../tasks/tasks.suite.ts";
import { listAttention } from "../attention/attention.ts";
import { answerForReview } from "./answer.ts";
import { askForReview } from "./ask.ts";
import { reviewList } from "./list.ts";
import { reviewPacket } from "./packet.ts";
import { reviewsRound } from "./tell-reviewers.ts";
import { verdictOf, whyUnreviewed } from "./verdict.ts";

onEachDatabase("reviews", (makeScene) => {
  const here = withTasks(makeScene);
  let letters: Letter[] = [];
  let path = "";
  const task = 1;

  const as = (actor: string) => ({ ...here.scene.context, actor });
  const commit = (files: Readonly<Record<string, string>>): void =>
    void here.scene.stage.commit(path, files, Object.keys(files).join(" "));
  const ready = () => readyTask(as("agent1"), { task });
  const ask = (more: object = { by: "agent2" }) => askForReview(here.scene.context, { task, ...more });
  const head = async (): Promise<string> => (await verdictOf(here.scene.context, task)).head ?? "";
  const answer = async (who: string, verdict: "approved" | "changes", more: object = {}) =>
    answerForReview(as(who), { task, verdict, read: (await head()).slice(0, 12), text: "", comments: [], ...more });
  const round = async (): Promise<void> => {
    await reviewsRound(here.scene.context, (line) => {
      throw new Error(line);
    });
    await here.scene.round();
  };
  const codeOf = async (work: Promise<unknown>): Promise<string> => ((await rejection(work)) as { code: string }).code;

  beforeEach(async () => {
    const { scene } = here;
    path = await scene.atWork("agent1");
    letters = scene.letters();
    await scene.see("agent2", "idle");
    await scene.see("agent3", "idle");
    commit({ "price.txt": "10\n" });
    await ready();
  });

  describe("a review", () => {
    test("asks for changes, is mended, asked for again, approved, and then the work lands; before it, it is held", async () => {
      const { scene } = here;
      scene.requireReview = true;
      expect(await scene.harvest(task)).toMatchObject([
        { outcome: "held", reason: `it is held for review: nobody has reviewed ${(await head()).slice(0, 12)}` },
      ]);
      const { head: first, reviewer } = await ask();
      expect(reviewer).toBe("agent2");
      await round();
      expect(letters.map(({ to, kind }) => [to, kind])).toEqual([["agent2", "review"]]);
      expect(letters[0]?.text).toContain("| 1 + 10");
      expect(letters[0]?.text).toContain(`constel review approve 1 --read ${first.slice(0, 12)}`);
      const comments = [{ path: "price.txt", line: 1, text: "in cents, please" }];
      await answer("agent2", "changes", { text: "the unit is wrong", comments });
      await round();
      expect(await scene.state(task)).toBe("needs_review");
      const [back, ...more] = letters.slice(1);
      expect([back?.to, more]).toEqual(["agent1", []]);
      for (const words of ["agent2 read", "| the unit is wrong", "## price.txt:1\n| in cents, please"])
        expect(back?.text).toContain(words);
      await round();
      expect(letters).toHaveLength(2);
      expect((await scene.harvest(task))[0]?.reason).toBe(
        "it is held for review: agent2 asks for changes: the unit is wrong",
      );
      await round();
      expect(letters).toHaveLength(2);
      scene.clock.advance(1_000);
      commit({ "price.txt": "1000\n" });
      await ready();
      expect((await verdictOf(scene.context, task)).verdict).toBe("stale");
      await round();
      expect(letters.at(-1)).toMatchObject({ to: "agent2", kind: "review" });
      expect(await codeOf(answer("agent2", "approved", { read: first.slice(0, 12) }))).toBe("review.stale");
      await answer("agent2", "approved");
      expect((await showTask(scene.context, { task })).task.reason).toBeNull();
      expect(await scene.harvest(task)).toMatchObject([{ outcome: "landed" }]);
      expect(scene.onMain("price.txt")).toBe("1000\n");
      const rows = (await reviewList(scene.context, { task, all: true, limit: 10 })).reviews;
      expect(rows.map(({ state, stale }) => [state, stale])).toEqual([
        ["approved", false],
        ["changes", true],
      ]);
    });

    test("that approved is stale after a new commit, and the work is held again; the same commits called ready again stay approved", async () => {
      const { scene } = here;
      scene.requireReview = true;
      await ask();
      await answer("agent2", "approved");
      await ready();
      expect((await verdictOf(scene.context, task)).verdict).toBe("approved");
      commit({ "more.txt": "and this\n" });
      // Not called ready: what was approved lands, and nothing that came later.
      expect((await reviewPacket(scene.context, { task })).works[0]?.files.map((file) => file.path)).toEqual([
        "price.txt",
      ]);
      await ready();
      const [row] = await scene.harvest(task);
      expect(row?.outcome).toBe("held");
      expect(row?.reason).toBe(
        `it is held for review: agent2 reviewed earlier commits, and nobody has reviewed ${(await head()).slice(0, 12)}`,
      );
      expect(scene.onMain("price.txt")).toBeUndefined();
      expect(await scene.state(task)).toBe("ready");
    });

    test("is required by the repository's constel.toml too, as its target has it", async () => {
      const { scene } = here;
      scene.byHand(
        { "constel.toml": '[gate]\ncommand = "sh gate.sh"\n[harvest]\nrequire_review = true\n' },
        "review it",
      );
      expect((await scene.harvest(task))[0]?.outcome).toBe("held");
      await answer("owner", "approved");
      expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
    });

    test("is not needed where nothing requires one, and none is asked for once the work has landed", async () => {
      expect((await here.scene.harvest(task))[0]?.outcome).toBe("landed");
      expect(await codeOf(ask())).toBe("task.not-allowed");
    });

    test("is given to whoever has the capability and did not work on it: an idle one, and the one with less to do", async () => {
      const { store } = here.scene.context;
      const can = (agent: string) =>
        store.write((tx) =>
          tx.insert("subscriptions", {
            constellation: "constel0",
            agent,
            what: "capability",
            repository: "",
            value: "review",
            made_ms: 1,
          }),
        );
      expect(await codeOf(ask({ capability: "review" }))).toBe("review.nobody");
      await can("agent1");
      expect(await codeOf(ask({ capability: "review" }))).toBe("review.nobody");
      await can("agent2");
      await can("agent3");
      await here.scene.see("agent2", "busy");
      expect((await ask({ capability: "review" })).reviewer).toBe("agent3");
      await here.scene.see("agent3", "dead");
      expect((await ask({ capability: "review" })).reviewer).toBe("agent2");
    });
  });

  describe("nobody", () => {
    test("reviews their own work, or work that they had a hand in", async () => {
      const { scene } = here;
      expect(await codeOf(ask({ by: "agent1" }))).toBe("review.own-work");
      expect(await codeOf(answer("agent1", "approved"))).toBe("review.own-work");
      // It had the task before.
      await changeTask(scene.context, { task, move: "rework" });
      await changeTask(scene.context, { task, move: "release" });
      await scene.dispatch(giveWish(task, { agent: "agent3" }));
      await readyTask(as("agent3"), { task });
      for (const who of ["agent1", "agent3"]) expect(await codeOf(ask({ by: who }))).toBe("review.own-work");
      // Its hooks told of an edit there.
      await ask({ by: "agent2" });
      const edit = { constellation: "constel0", agent: "agent2", worktree: path, last_ms: 1 };
      await scene.context.store.write((tx) => tx.insert("workplaces", edit));
      expect(await codeOf(answer("agent2", "approved"))).toBe("review.own-work");
    });

    test("who worked by hand approves it, not even the owner", async () => {
      const { scene } = here;
      const own = await scene.readyWith({ "own.txt": "mine\n" });
      const read = (await verdictOf(scene.context, own.task)).head ?? "";
      const approve = (actor: string) =>
        answerForReview(as(actor), { task: own.task, verdict: "approved", read, text: "", comments: [] });
      expect(await codeOf(approve("owner"))).toBe("review.own-work");
      await askForReview(scene.context, { task: own.task, by: "agent2" });
      await approve("agent2");
      expect((await verdictOf(scene.context, own.task)).verdict).toBe("approved");
    });

    test("among the agents answers without being asked, and what is answered says something about what is ready", async () => {
      expect(await codeOf(answer("agent2", "approved"))).toBe("review.not-asked");
      await ask();
      expect(await codeOf(answer("agent3", "approved"))).toBe("review.not-asked");
      expect(await codeOf(answer("agent2", "changes"))).toBe("review.says-nothing");
      expect(await codeOf(ask({ by: "agent77" }))).toBe("review.nobody");
      expect(await codeOf(answer("agent2", "approved", { read: "0000000" }))).toBe("review.stale");
      await changeTask(here.scene.context, { task, move: "rework" });
      expect(await codeOf(answer("agent2", "approved"))).toBe("task.not-allowed");
    });

    test("is believed whose row constel did not sign", async () => {
      const { scene } = here;
      await ask();
      await answer("agent2", "approved");
      const landing = (
        await scene.context.store.db.selectFrom("task_reviews").select("works").executeTakeFirstOrThrow()
      ).works;
      const [work] = JSON.parse(landing) as [{ workspace: string; commit: string }];
      const { store } = scene.context;
      expect(await whyUnreviewed({ store }, task, work)).toBeUndefined();
      const verify = () => ({ ok: false, why: "another key" }) as never;
      expect(await whyUnreviewed({ store, audit: { verify } as never }, task, work)).toContain("nobody has reviewed");
      expect((await verdictOf({ store, audit: { verify } as never }, task)).verdict).toBe("none");
    });

    test("whose commits are nowhere is refused", async () => {
      const { scene } = here;
      const gone = "1".repeat(40);
      await scene.context.store.write((tx) => tx.db.updateTable("workspaces").set({ ready_sha: gone }).execute());
      expect(await codeOf(reviewPacket(scene.context, { task }))).toBe("review.unreadable");
    });

    test("is shown other content than what would land, whatever lies in the workspace's object store", async () => {
      const { stage } = here.scene;
      const blob = stage.git(path, "rev-parse", "HEAD:price.txt").trim();
      const file = join(path, ".git", "objects", blob.slice(0, 2), blob.slice(2));
      const harmless = Buffer.from("harmless\n");
      chmodSync(file, 0o600);
      writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`blob ${harmless.length}\0`), harmless])));
      expect(stage.git(path, "show", "HEAD:price.txt")).toBe("harmless\n");
      // What was kept when it was called ready has the true one.
      const { works } = await reviewPacket(here.scene.context, { task });
      expect(works[0]?.files[0]?.hunks[0]?.lines.map(({ text }) => text)).toEqual(["10"]);
    });
  });

  test("one that the owner is asked for stands under attention, and the view has every review with its answer", async () => {
    const { context } = here.scene;
    await ask({});
    const { rows } = await listAttention(context, { snoozed: false, limit: 10 });
    expect(rows.map(({ kind, task: number, says, next }) => [kind, number, says, next])).toContainEqual([
      "to-review",
      task,
      "task 1 waits for your review",
      "constel review show 1",
    ]);
    await answer("owner", "changes", { comments: [{ path: "price.txt", line: 1, text: "why 10?" }] });
    const after = await listAttention(context, { snoozed: false, limit: 10 });
    expect(after.rows.filter(({ kind }) => kind === "to-review")).toEqual([]);
    const view = sql<Record<string, unknown>>`select task, reviewer, state, stale, comments from reviews`;
    expect((await view.execute(context.store.db)).rows).toEqual([
      {
        task,
        reviewer: "owner",
        state: "changes",
        stale: 0,
        comments: '[{"path":"price.txt","line":1,"text":"why 10?"}]',
      },
    ]);
  });

  test("the owner's word stands above agents', and one agent that asks for changes holds the work whatever another says", async () => {
    await ask({ by: "agent2" });
    await ask({ by: "agent3" });
    await answer("agent2", "approved");
    expect((await verdictOf(here.scene.context, task)).verdict).toBe("approved");
    await answer("agent3", "changes", { text: "no" });
    expect(await verdictOf(here.scene.context, task)).toMatchObject({ verdict: "changes", reviewer: "agent3" });
    await answer("owner", "approved");
    expect(await verdictOf(here.scene.context, task)).toMatchObject({ verdict: "approved", reviewer: "owner" });
  });

  test("a task with a review that is not answered is told of once, however often rounds come, and never after it is stale", async () => {
    const { scene } = here;
    await ask();
    const failing = { ...scene.context.machine, step: stopAt("review.put") };
    expect(await rejection(reviewsRound({ ...scene.context, machine: failing }, () => {}))).toBeInstanceOf(Error);
    await round();
    await round();
    // Killed after the message was put: it is put again under the same name, which is one message to the agent.
    expect(new Set(letters.map(({ id }) => id)).size).toBe(1);
    await ask({ by: "agent3" });
    commit({ "next.txt": "x\n" });
    await ready();
    await round();
    const about = letters.filter(({ to }) => to === "agent3");
    expect(about).toHaveLength(1);
    expect(about[0]?.text).toContain("next.txt");
  });

  const stopAt =
    (name: string): TaskScene["step"] =>
    (step) => {
      if (step === name) throw new Error("killed");
    };
});
