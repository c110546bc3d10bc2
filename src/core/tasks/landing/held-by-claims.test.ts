// An exclusive claim keeps another's edit from landing, at every door: one task, a train, everything that is ready, a branch that was pushed.

import { beforeEach, expect, test } from "bun:test";
import { addClaim, dropClaim } from "../../claims/claim.ts";
import { lookAtStatusNow } from "../../agents/queries.ts";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { showTask } from "../queries.ts";
import { readyTask } from "./ready.ts";
import { withTasks } from "../tasks.suite.ts";
import { rejection } from "../../../../test/kit/rejection.ts";

const here = withTasks();
const hourMs = 3_600_000;

beforeEach(async () => {
  await here.scene.see("agent2", "idle");
  await here.scene.see("agent3", "idle");
});

async function claim(path: string, more: { agent?: string; isExclusive?: boolean } = {}): Promise<string> {
  const { scene } = here;
  const { source } = scene.stage;
  const repository = (await scene.context.machine.identityOf(source)) ?? "";
  const words = [{ word: path, isThere: true }];
  const about = { repository, top: source, cwd: source, words, forMs: hourMs, severity: "high", reason: "a rewrite" };
  const { id } = await addClaim(scene.context, { ...about, agent: "agent2", isExclusive: true, ...more } as never);
  return id;
}

/** A task of agent3's, ready to land. */
async function workOf(agent: string, files: Readonly<Record<string, string>>): Promise<number> {
  const { scene } = here;
  const { task, path } = await scene.begun(`by ${agent}`);
  scene.stage.commit(path, files, `by ${agent}`);
  await scene.context.store.write((tx) =>
    tx.db.updateTable("tasks").set({ agent }).where("number", "=", task).execute(),
  );
  await readyTask(scene.context, { task });
  return task;
}

test("an edit inside another's exclusive claim is held, with the holder named, and lands when the claim has ended", async () => {
  const id = await claim("src");
  const task = await workOf("agent3", { "src/a.ts": "a\n" });
  const [row] = await here.scene.harvest(task);
  expect(row).toMatchObject({
    outcome: "held",
    reason: "it edits src/a.ts, which agent2 keeps to itself until 2026-01-02 04:04Z (a rewrite)",
    report: { claims: [{ claim: id, holder: "agent2", paths: ["src/a.ts"] }] },
  });
  expect(here.scene.onMain("src/a.ts")).toBeUndefined();
  expect(await here.scene.state(task)).toBe("ready");
  const { needs } = await lookAtStatusNow(here.scene.context);
  expect(needs.find(({ kind }) => kind === "ready")?.says).toBe(
    `task ${task} is ready, and it edits src/a.ts, which agent2 keeps to itself until 2026-01-02 04:04Z (a rewrite)`,
  );
  here.scene.clock.advance(hourMs);
  expect(await here.scene.harvest()).toMatchObject([{ outcome: "landed" }]);
  expect(here.scene.onMain("src/a.ts")).toBe("a\n");
});

test("of a train the others land; a file that is moved out or removed counts, and one beside the claim does not", async () => {
  const { scene } = here;
  await claim("a.txt");
  const moved = await scene.begun("moves");
  scene.stage.git(moved.path, "mv", "a.txt", "moved.txt");
  scene.stage.git(moved.path, "commit", "-qm", "moved");
  await readyTask(scene.context, { task: moved.task });
  const beside = await workOf("agent3", { "a.txt.md": "beside\n" });
  const rows = await scene.harvest();
  expect(rows.map(({ task, outcome }) => [task, outcome])).toEqual([
    [moved.task, "held"],
    [beside, "landed"],
  ]);
  expect(scene.onMain("a.txt")).toBeDefined();
});

test("whoever holds the claim lands inside it; a claim that is not exclusive, was dropped, or whose holder is gone holds nobody", async () => {
  const { scene } = here;
  await claim("mine");
  const own = await workOf("agent2", { "mine/a.ts": "a\n" });
  await claim("soft", { isExclusive: false });
  const soft = await workOf("agent3", { "soft/a.ts": "a\n" });
  await dropClaim(scene.context, { id: await claim("dropped") });
  const dropped = await workOf("agent3", { "dropped/a.ts": "a\n" });
  await scene.see("agent4", "idle", { wanted: "down" });
  await claim("left", { agent: "agent4" });
  const left = await workOf("agent3", { "left/a.ts": "a\n" });
  for (const task of [own, soft, dropped, left])
    expect(await scene.harvest(task)).toMatchObject([{ outcome: "landed" }]);
});

test("the owner lands over a claim, which is recorded and said; nobody else can ask for it", async () => {
  const { scene } = here;
  await claim("src");
  const task = await workOf("agent3", { "src/a.ts": "a\n" });
  for (const actor of ["agent0", "agent3", "agentinfinity"]) {
    const asked = askHarvest({ ...scene.context, actor }, { tasks: [task], all: false, over_claim: true });
    expect(await rejection(asked)).toMatchObject({ code: "authority.owner" });
  }
  const { train } = await askHarvest(scene.context, { tasks: [task], all: false, over_claim: true });
  while (await harvestRound(scene.context, new AbortController().signal));
  const { harvests } = await harvestRows(scene.context, { train });
  expect(harvests).toMatchObject([
    { outcome: "landed", report: { said: [expect.stringContaining("by the owner's word though it edits src/a.ts")] } },
  ]);
  const { events } = await showTask(scene.context, { task });
  expect(events.find(({ type }) => type === "over_claim")).toMatchObject({ actor: "owner", data: { train } });
});

test("the owner's word counts for the landing it was said of, and for no later one", async () => {
  const { scene } = here;
  await claim("src");
  const task = await workOf("agent3", { "src/a.ts": "a\n" });
  scene.step = (name) => {
    if (name === "harvest.fetched") throw new Error("the daemon is killed");
  };
  const signal = new AbortController().signal;
  await askHarvest(scene.context, { tasks: [task], all: false, over_claim: true });
  await harvestRound(scene.context, signal).catch(() => undefined);
  scene.step = () => {};
  expect(await scene.harvest(task)).toMatchObject([{ outcome: "held" }]);
});

test("a claim that is made while the gate runs holds too", async () => {
  const { scene } = here;
  const task = await workOf("agent3", { "src/a.ts": "a\n" });
  let made: Promise<string> | undefined;
  scene.step = (name) => {
    if (name === "harvest.picked") made ??= claim("src");
  };
  await askHarvest(scene.context, { tasks: [task], all: false });
  await harvestRound(scene.context, new AbortController().signal);
  expect(await made).toBeDefined();
  expect(scene.onMain("src/a.ts")).toBeUndefined();
  expect(await scene.state(task)).toBe("ready");
});

test("`task ready` says what will hold it, by its own commits alone", async () => {
  const { scene } = here;
  await claim("src");
  scene.byHand({ "src/landed.ts": "by the owner\n" }, "by hand");
  const { task, path } = await scene.begun("merges");
  scene.stage.commit(path, { "b.txt": "b\n" }, "own");
  scene.stage.git(path, "fetch", "-q", "origin", "main");
  scene.stage.git(path, "merge", "-q", "--no-edit", "FETCH_HEAD");
  expect(await readyTask(scene.context, { task })).toMatchObject({ held: null });
  scene.stage.commit(path, { "src/a.ts": "a\n" }, "inside");
  expect((await readyTask(scene.context, { task })).held).toStartWith("src/a.ts, which agent2 keeps to itself until");
});
