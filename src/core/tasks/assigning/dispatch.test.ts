import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { onEachDatabase } from "../../../../test/kit/databases.ts";
import { Stage } from "../../../host/workspace/workspace.suite.ts";
import type { FindingDraft, PairSide } from "../../../protocol/findings.ts";
import type { Context } from "../../context.ts";
import { register } from "../../worktrees/register.ts";
import { takeIn } from "../../worktrees/take-in.ts";
import type { Refusal } from "../../../protocol/errors.ts";
import { accountUsage } from "../../agents/account-usage.ts";
import { briefArrived, standingOfBrief } from "./arrival.ts";
import { deliverAssignment } from "./deliver-assignment.ts";
import { dispatchTask } from "./dispatch.ts";
import { openDispatches } from "./dispatches.sql.ts";
import { findFree } from "./lease-clone.ts";
import { taskAt } from "../costs.ts";
import { createTask } from "../create.ts";
import { nextTasks, showTask } from "../queries.ts";
import { readyTask } from "../landing/ready.ts";
import { giveWish, type TaskScene, withTasks } from "../tasks.suite.ts";
import { cancelTask, changeTask } from "../update.ts";
import { removeWorkspace, restoreWorkspace } from "../workspaces/workspace.ts";
import { cloneWorkspace } from "../workspaces/workspace.ts";
import { rejection } from "../../../../test/kit/rejection.ts";

onEachDatabase("giving tasks out and landing them", (makeScene) => {
  const here = withTasks(makeScene);

  async function create(scope: string[] = []): Promise<number> {
    const { scene } = here;
    const repositories = [scene.stage.source];
    const about = { title: "a task", priority: "P2", root: scene.stage.top, repositories, after: [] };
    return (await createTask(scene.context, { ...about, scope })).number;
  }

  const wish = giveWish;
  const see: TaskScene["see"] = (...about) => here.scene.see(...about);
  const letters: TaskScene["letters"] = (...about) => here.scene.letters(...about);
  const round = (): Promise<void> => here.scene.round();
  const told: TaskScene["told"] = (...about) => here.scene.told(...about);
  const dispatches = async (task: number) => (await showTask(here.scene.context, { task })).dispatches;

  test("a task of no repository is not queued: whoever gives it out is told to name one", async () => {
    const { scene } = here;
    letters();
    const about = { title: "a task", priority: "P2", root: scene.stage.top, repositories: [], after: [], scope: [] };
    const { number: task } = await createTask(scene.context, about);
    for (const way of [wish(task), { ...wish(task), to_workspace: true }, { ...wish(task), dry_run: true }])
      expect(await rejection(scene.dispatch(way))).toMatchObject({ code: "task.no-repository" });
    expect(await scene.events(task)).toEqual(["created"]);
    await changeTask(scene.context, { task, repositories: [scene.stage.source] });
    expect((await scene.dispatch(wish(task))).delivery).toBe("queued");
  });

  test("with nobody free a task is queued, once; freed, the clone gets workspace, branch and brief by itself", async () => {
    const { scene } = here;
    const put = letters();
    const task = await create();
    await see("agent1", "busy");
    expect((await scene.dispatch(wish(task))).delivery).toBe("queued");
    expect((await scene.dispatch(wish(task))).delivery).toBe("queued");
    await round();
    expect(await scene.events(task)).toEqual(["created", "queued"]);
    await see("agent1", "idle");
    await round();
    const [workspace] = (await showTask(scene.context, { task })).workspaces;
    expect(put).toMatchObject([{ to: "agent1", kind: "brief", task }]);
    for (const words of [workspace?.path ?? "?", workspace?.branch ?? "?", `constel task ready ${task}`])
      expect(put[0]?.text).toContain(words);
    expect(scene.stage.git(workspace?.path ?? "", "branch", "--show-current").trim()).toBe(workspace?.branch ?? "");
    expect(await scene.state(task)).toBe("in_progress");
  });

  test("a workspace is its task's agent's: who else says that they work there does not take it over", async () => {
    const { scene } = here;
    letters();
    const task = await create();
    await see("agent1", "idle");
    await scene.dispatch(wish(task));
    await round();
    const top = (await showTask(scene.context, { task })).workspaces[0]?.path ?? "?";
    const place = { repository: "r", path: top, top };
    const workers = async (agent: string): Promise<(string | null)[]> => {
      await register({ ...scene.context, actor: agent }, { place, agent, isOwnersWord: false });
      const rows = await scene.context.store.db.selectFrom("worktrees").select("agent").execute();
      return rows.map((row) => row.agent);
    };
    expect(await workers("agent1")).toEqual(["agent1"]);
    for (const other of ["agent2", "agent0"]) expect(await workers(other)).toEqual(["agent1"]);
    await cancelTask(scene.context, { task, reason: "over" });
    expect(await workers("agent2")).toEqual(["agent2"]);
  });

  test("free is a clone that is up, idle, of the wanted runtime, within its budget and without a task", async () => {
    const { scene } = here;
    letters({ tokensPerDay: 100, microsPerDay: 0 });
    const context = scene.context;
    await see("agent0", "idle", { role: "root" });
    await see("agent2", "idle", { wanted: "paused" });
    await see("agent3", "limited");
    await see("agent4", "idle", { runtime: "codex" });
    await see("agent5", "idle");
    await see("agent10", "idle");
    await see("agent6", "idle");
    const usage = {
      id: "u",
      model: "m",
      input: 200,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      atMs: context.clock.nowMs(),
    };
    await accountUsage(context.store, [{ agent: "agent5", answers: [usage] }], [], taskAt);
    expect((await findFree(context, {})).free).toEqual(["agent4", "agent6", "agent10"]);
    expect((await findFree(context, { runtime: "codex" })).free).toEqual(["agent4"]);
    expect((await findFree(context, { agent: "agent3" })).free).toEqual([]);
    const given = await here.scene.dispatch(wish(await create(), { runtime: "script" }));
    expect(given.agent).toBe("agent6");
    expect((await findFree(context, {})).free).toEqual(["agent4", "agent10"]);
  });

  test("where no agents can be given work, that is said, and the task stays open", async () => {
    const { scene } = here;
    const task = await create();
    expect(await rejection(scene.dispatch(wish(task)))).toMatchObject({ code: "task.no-agents" });
    expect([await scene.state(task), await scene.events(task)]).toEqual(["open", ["created"]]);
    // By hand it goes out all the same.
    expect(await scene.dispatch(wish(task, { to_workspace: true }))).toMatchObject({
      delivery: "assigned",
    });
  });

  test("of two dispatches at once one is refused, and the work goes out once", async () => {
    const { scene } = here;
    const put = letters();
    await see("agent1", "idle");
    await see("agent2", "idle");
    const task = await create();
    const dry = await scene.dispatch(wish(task, { dry_run: true }));
    expect(dry).toMatchObject({ delivery: "dry-run", agent: "agent1" });
    const outcomes = await Promise.allSettled([scene.dispatch(wish(task)), scene.dispatch(wish(task))]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await round();
    expect(put).toHaveLength(1);
  });

  test("a delivery that is not proven is called unknown, once, and the task is not given to a second clone", async () => {
    const { scene } = here;
    const put = letters();
    await see("agent1", "idle");
    await see("agent2", "idle");
    const task = await create();
    await scene.dispatch(wish(task));
    await told(put[0], "unknown");
    await round();
    await round();
    expect(await dispatches(task)).toMatchObject([{ agent: "agent1", state: "unknown", problem: "why" }]);
    expect((await scene.events(task)).filter((type) => type === "delivery_unknown")).toHaveLength(1);
    expect(await rejection(scene.dispatch(wish(task)))).toMatchObject({ code: "task.not-allowed" });
    await told(put[0], "delivered");
    await round();
    expect(await dispatches(task)).toMatchObject([{ state: "delivered", problem: null }]);
    expect((await scene.events(task)).at(-1)).toBe("brief_delivered");
    expect(put).toHaveLength(1);
  });

  test("an agent that was started again in another conversation is given its task's brief again, once, and proven anew; one that took its conversation up is not", async () => {
    const { scene } = here;
    const put = letters();
    scene.clock.advance(1_000_000);
    await see("agent1", "idle", { sessionId: "first" });
    const task = await create();
    await scene.dispatch(wish(task));
    await told(put[0], "delivered");
    await round();
    const launchedMs = (afterMs: number) => ({ launchedMs: scene.clock.nowMs() + afterMs });
    scene.clock.advance(10_000);
    // Back in the same conversation, and back after a crash with a handoff: nothing is to be said again.
    await see("agent1", "idle", { ...launchedMs(1), sessionId: "first", because: "restart" });
    await round();
    await see("agent1", "idle", { ...launchedMs(2), sessionId: "second", because: "crash" });
    await round();
    await see("agent1", "dead", { ...launchedMs(3), sessionId: "third" });
    await round();
    expect(put).toHaveLength(1);
    await see("agent1", "idle", { ...launchedMs(4), runtime: "codex" });
    await round();
    await round();
    expect(put).toMatchObject([{ kind: "brief" }, { to: "agent1", kind: "brief", task }]);
    expect(await dispatches(task)).toMatchObject([
      { state: "replaced", problem: "agent1 was started again in another conversation" },
      { state: "sent" },
    ]);
    expect(await standingOfBrief(scene.context, { agent: "agent1", dispatch: put[0]?.id ?? "" })).toHaveProperty(
      "stale",
    );
    expect(await rejection(scene.dispatch(wish(task)))).toMatchObject({ code: "task.not-allowed" });
    scene.clock.advance(10_000);
    await told(put[1], "delivered");
    await round();
    await round();
    expect(put).toHaveLength(2);
    expect((await dispatches(task)).map(({ state }) => state)).toEqual(["replaced", "delivered"]);
    expect(await scene.state(task)).toBe("in_progress");
  });

  test("proof told twice is one event; a brief is a task to its own clone alone, and nothing once the assignment has ended", async () => {
    const { scene } = here;
    const put = letters();
    await see("agent1", "idle");
    const task = await create();
    await scene.dispatch(wish(task));
    const dispatch = put[0]?.id ?? "";
    const standing = (agent: string) => standingOfBrief(scene.context, { agent, dispatch });
    expect([await standing("agent1"), await standing("agent2")]).toEqual(["assignment", "words"]);
    await briefArrived(scene.context, { dispatch, agent: "agent1" }, "proof");
    await briefArrived(scene.context, { dispatch, agent: "agent1" }, "proof again");
    expect((await scene.events(task)).filter((type) => type === "brief_delivered")).toHaveLength(1);
    await cancelTask(scene.context, { task, reason: "" });
    expect(await standing("agent1")).toEqual({ stale: `the assignment of task ${task} has ended: cancelled` });
  });

  test("an agent that proves its brief before it is noted as sent has it, and one that is done by then is done", async () => {
    const { scene } = here;
    const put = letters();
    for (const isDone of [false, true]) {
      await see("agent1", "idle");
      const task = await create();
      const { dispatch } = await dispatchTask(scene.context, { ...wish(task), agent: "agent1" });
      const proven: Promise<unknown>[] = [];
      scene.step = (name) => {
        if (name !== "dispatch.put") return;
        proven.push(briefArrived(scene.context, { dispatch: put.at(-1)?.id ?? "", agent: "agent1" }, "proof"));
        if (isDone) proven.push(cancelTask(scene.context, { task, reason: "" }));
      };
      await round();
      await Promise.all(proven);
      scene.step = () => {};
      const states = (await dispatches(task)).map(({ id, state }) => [id, state]);
      expect(states).toEqual([[dispatch ?? "", isDone ? "cancelled" : "delivered"]]);
      expect((await scene.events(task)).filter((type) => type === "brief_delivered")).toHaveLength(1);
      if (!isDone) await cancelTask(scene.context, { task, reason: "" });
    }
  });

  test("a clone that says on the bus that it is done, and is not, hears why", async () => {
    const { scene } = here;
    const put = letters();
    await see("agent1", "idle");
    const task = await create();
    await scene.dispatch(wish(task));
    await scene.hear("agent1", task, { id: "m1" });
    await scene.hear("agent1", task, { id: "m1" });
    await round();
    await round();
    expect((await scene.events(task)).slice(-2)).toEqual(["clone_reply", "ready_refused"]);
    expect(put.slice(1)).toMatchObject([{ to: "agent1", kind: "refused", task }]);
    expect(put[1]?.text).toContain("has no commits of its own");
    expect(await scene.state(task)).toBe("in_progress");
  });

  test("a task taken back is open, and a word of the clone that had it counts no more", async () => {
    const { scene } = here;
    letters();
    await see("agent1", "idle");
    const task = await create();
    const {
      workspaces: [workspace],
    } = await scene.dispatch(wish(task));
    scene.stage.commit(workspace ?? "", { "x.txt": "x" }, "x");
    await changeTask(scene.context, { task, move: "release" });
    expect(await scene.state(task)).toBe("open");
    expect(await rejection(readyTask({ ...scene.context, actor: "agent1" }, { task }))).toMatchObject({
      code: "task.not-yours",
    });
    expect((await findFree(scene.context, {})).free).toEqual(["agent1"]);
  });

  test("what cannot be made ends the assignment; the task is open with the reason, and the next in the queue goes out", async () => {
    const { scene } = here;
    const put = letters();
    const bad = await create();
    const good = await create();
    for (const task of [bad, good]) await scene.dispatch(wish(task));
    // A repository that is gone when somebody is to work in it.
    const gone = scene.stage.path("gone");
    mkdirSync(gone);
    scene.stage.git(gone, "init", "-q");
    await changeTask(scene.context, { task: bad, repositories: [gone] });
    rmSync(gone, { recursive: true });
    await see("agent1", "idle");
    await round();
    expect(await scene.state(bad)).toBe("open");
    expect((await scene.events(bad)).at(-1)).toBe("dispatch_failed");
    await round();
    expect(put.map(({ task }) => task)).toEqual([good]);
  });

  test("work that did not land goes back once, with both sides; mended, it lands", async () => {
    const { scene } = here;
    const put = letters();
    await see("agent1", "idle");
    const task = await create();
    const {
      workspaces: [workspace],
    } = await scene.dispatch(wish(task));
    const path = workspace ?? "";
    const agent = { ...scene.context, actor: "agent1" };
    scene.stage.commit(path, { "a.txt": "one\nmine\nthree\n" }, "mine");
    await readyTask(agent, { task });
    const someone = scene.someone();
    scene.stage.commit(someone, { "a.txt": "one\ntheirs\nthree\n" }, "theirs");
    scene.stage.git(someone, "push", "-q");
    await scene.harvest(task);
    await round();
    await round();
    expect(put).toHaveLength(2);
    for (const words of ["could not land", "a.txt", "mine", "theirs"]) expect(put[1]?.text).toContain(words);
    expect(await scene.state(task)).toBe("needs_review");
    expect(await rejection(scene.dispatch(wish(task)))).toMatchObject({ code: "task.leased" });
    await told(put[1], "delivered");
    await round();
    expect(await scene.state(task)).toBe("in_progress");
    scene.stage.git(path, "fetch", "-q", "origin");
    scene.stage.git(path, "reset", "-q", "--hard", "origin/main");
    scene.stage.commit(path, { "a.txt": "one\nboth\nthree\n" }, "both");
    await readyTask(agent, { task });
    expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  });

  test("words that the bus would not carry stay in the file, and the message says where", async () => {
    const { scene } = here;
    const put = letters();
    await see("agent1", "idle");
    const task = await create();
    await changeTask(scene.context, { task, directive: "about <no> tags" });
    await scene.dispatch(wish(task));
    expect(put[0]?.text).not.toContain("<no>");
    expect(put[0]?.text).toContain(`${scene.stage.top}/workspaces/${task}/brief.md`);
  });

  test("a confined clone works where no other sees, and not where it cannot see", async () => {
    const { scene } = here;
    const put = letters();
    scene.confined.add("agent1");
    await see("agent1", "idle", { cwd: scene.stage.top });
    const [fresh, old] = [await create(), await create()];
    await cloneWorkspace(scene.context, { task: old, fetch: false });
    await dispatchTask(scene.context, wish(old));
    const [row] = await openDispatches(scene.context.store.db, scene.context.constellation);
    if (row === undefined) throw new Error("nothing was assigned");
    const refused = await deliverAssignment(scene.context, row).catch((cause: unknown) => cause);
    expect((refused as Refusal).code).toBe("confined.workspace");
    await scene.dispatch(wish(fresh, { agent: "agent1" }));
    expect(put.map(({ text }) => text)).toEqual([
      expect.stringContaining(`${scene.stage.top}/workspaces/agent1/${fresh}/repo`),
    ]);
    // Through a link it could write to objects that the source reads.
    const objects = `${scene.stage.top}/workspaces/agent1/${fresh}/repo/.git/objects`;
    const linked = Bun.spawnSync(["find", objects, "-type", "f", "-links", "+1"]);
    expect([linked.exitCode, linked.stdout.toString()]).toEqual([0, ""]);
    const rows = await scene.context.store.db.selectFrom("dispatches").select(["task", "problem"]).execute();
    expect(JSON.stringify(rows)).toContain("which agent1 cannot see");
  });

  test("held back, a task waits until nothing collides", async () => {
    const { scene } = here;
    const put = letters();
    const first = await create(["src/orders"]);
    await scene.dispatch(wish(first, { to_workspace: true }));
    await see("agent1", "idle");
    const second = await create(["src/orders/list.ts"]);
    const held = await scene.dispatch(wish(second, { hold: true }));
    expect(held).toMatchObject({
      delivery: "queued",
      notes: ["it is held back while its scope collides", `task ${first} works on src/orders/list.ts too`],
    });
    await round();
    expect(put).toEqual([]);
    await cancelTask(scene.context, { task: first, reason: "" });
    await round();
    expect(put).toMatchObject([{ task: second }]);
  });

  test("work in flight on the same paths is named", async () => {
    const { scene } = here;
    const first = await create(["src/orders"]);
    await scene.dispatch(wish(first, { to_workspace: true }));
    const second = await create(["src/orders/list.ts"]);
    const answer = await scene.dispatch(wish(second, { to_workspace: true, dry_run: true }));
    expect(answer.notes).toContain(`task ${first} works on src/orders/list.ts too`);
  });

  test("the same paths in another repository are no collision, whether of a task or of a finding", async () => {
    const { scene } = here;
    const first = await create(["src/orders"]);
    const other = new Stage({ "b.txt": "other\n" });
    try {
      await changeTask(scene.context, { task: first, repositories: [other.source] });
      await scene.dispatch(wish(first, { to_workspace: true }));
      await openFinding(scene.context, "remote:example.org/other", "elsewhere");
      const mine = await scene.context.machine.identityOf(scene.stage.source);
      const second = await create(["src/orders/list.ts"]);
      const ask = async () =>
        (await scene.dispatch(wish(second, { to_workspace: true, dry_run: true }))).notes.join("\n");
      expect(await ask()).not.toMatch(/too|finding/);
      await openFinding(scene.context, mine ?? "", "here");
      expect(await ask()).toContain("an open finding is about src/orders/list.ts: here");
    } finally {
      other.close();
    }
  });

  test("two removals at once: one does it, the other is told that it is under way; nothing is lost", async () => {
    const { scene } = here;
    const { task, path } = await scene.begun();
    scene.stage.write(path, { "untracked.txt": "u" });
    const removal = (): Promise<unknown> => removeWorkspace(scene.context, { task, with_ignored: false });
    const outcomes = await Promise.allSettled([removal(), removal()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = outcomes.find((outcome) => outcome.status === "rejected")?.reason as Refusal;
    expect([refused.code, refused.message]).toEqual(["workspace.busy", `${path} is being worked on at this moment`]);
    await restoreWorkspace(scene.context, { task });
    expect(await Bun.file(`${path}/untracked.txt`).text()).toBe("u");
  });

  test("a task lands, and another one that breaks the gate does not", async () => {
    const { scene } = here;
    await scene.readyWith({ "x.txt": "1" });
    await scene.readyWith({ broken: "b" });
    expect((await scene.harvest()).map(({ outcome }) => outcome)).toEqual(["landed", "red"]);
    expect((await nextTasks(scene.context, { limit: 5 })).tasks.map(({ state }) => state)).toEqual(["needs_review"]);
    const { events } = await showTask(scene.context, { task: 1 });
    expect(events.map(({ type }) => type).slice(-3)).toEqual(["gate_passed", "harvested", "closed"]);
  });
});

/** A finding about src/orders/list.ts, as sensing would report it. */
async function openFinding(context: Context, repository: string, title: string): Promise<void> {
  const [one, other] = [`/w/${title}/one`, `/w/${title}/other`];
  await register(context, { place: { repository, path: one, top: one }, isOwnersWord: true });
  const side = (worktree: string): PairSide => ({ label: "x", worktree, branch: "x", commit: "c", tree: "t" });
  const finding: FindingDraft = {
    kind: "textual",
    severity: "high",
    fingerprint: title,
    title,
    action: "",
    files: ["src/orders/list.ts"],
    symbols: [],
    evidence: [],
    evidenceKind: "",
  };
  const verdict = { ours: side(one), theirs: side(other), findings: [finding], complete: true, open: [], notes: [] };
  await takeIn(context, {
    repository,
    defaultBranch: null,
    worktrees: [],
    present: [one, other],
    sides: [`worktree ${one}`, `worktree ${other}`],
    landed: [],
    left: 0,
    pairs: [verdict],
    problem: null,
  });
}
