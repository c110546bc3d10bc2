import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { TableName, Tables } from "../../store/tables.ts";
import type { SeenState } from "../agents/agent.ts";
import { seeAgents } from "../agents/see.ts";
import { noteNeeds } from "../owner/note-needs.ts";
import type { Context } from "../context.ts";
import { listAttention, snooze, withStandstill } from "./attention.ts";

onEachDatabase("what needs the owner, in one order", (makeScene) => {
  const here = withStore(makeScene);
  const context = (): Context => ({
    store: here.store,
    clock: here.clock,
    random: seededRandom(5),
    constellation: "constel0",
    actor: "owner",
  });
  const rows = async (snoozed = false) => (await listAttention(context(), { snoozed, limit: 100 })).rows;
  const put = (table: TableName, row: Record<string, unknown>) =>
    here.store.write((tx) => tx.insert(table, { constellation: "constel0", ...row } as unknown as Tables[TableName]));

  const see = (agent: string, state: SeenState, untilMs?: number) =>
    seeAgents(here.store, [
      {
        agent,
        role: "clone",
        runtime: "script",
        wanted: "up",
        seen: {
          state,
          on: "hooks",
          says: `${state}, by its hooks`,
          atMs: 1,
          ...(untilMs === undefined ? {} : { untilMs }),
        },
        launchedMs: 1,
        because: "up",
        cwd: "/w",
        mailHeld: null,
      } as never,
    ]);
  test("what could not be written down is told all the same, and what was is told once", async () => {
    const need = {
      key: "standstill",
      kind: "standstill",
      agent: null,
      says: "the disk is full",
      since_ms: 1,
      next: "df",
    };
    const asked = { snoozed: false, limit: 100 };
    expect(await withStandstill(context(), asked, [])).toEqual(await listAttention(context(), asked));
    const told = await withStandstill(context(), asked, [need]);
    expect(told.rows.map(({ key, says, place }) => ({ key, says, place }))).toEqual([
      { key: "standstill", says: "the disk is full", place: "stuck" },
    ]);
    expect(told.total).toBe(1);
    await noteNeeds(context(), [need]);
    expect((await withStandstill(context(), asked, [need])).rows.map(({ key }) => key)).toEqual(["standstill"]);
  });

  const task = (number: number, state: string, reason: string | null = null) =>
    put("tasks", {
      number,
      title: `title ${number}`,
      directive: "",
      state,
      priority: "P2",
      brief: null,
      agent: "agent9",
      root: "/r",
      repository: null,
      repositories: "",
      target: null,
      branch: null,
      scope: "[]",
      estimate_ms: null,
      actual_ms: null,
      landed_sha: null,
      ready_sha: null,
      reason,
      source_key: null,
      created_by: "owner",
      created_ms: 1,
      updated_ms: number,
      started_ms: null,
      ready_ms: null,
      closed_ms: null,
    });
  const finding = (id: string, symbols: string, worktree: string) =>
    put("findings", {
      id,
      fingerprint: id,
      kind: "semantic",
      severity: "high",
      repository: "r",
      pair: id,
      ours_label: "a",
      ours_worktree: worktree,
      ours_branch: null,
      theirs_label: id,
      theirs_worktree: null,
      theirs_branch: null,
      title: `${id} breaks`,
      action: "rename it there too",
      files: "[]",
      symbols,
      evidence: "[]",
      evidence_hash: "",
      evidence_kind: "",
      by_compiler: 0,
      blocking: 0,
      state: "open",
      opened_ms: 5,
      updated_ms: 5,
      closed_ms: null,
      closed_because: null,
      closed_by: null,
      times_opened: 1,
      dismissed_ms: null,
      dismissed_by: null,
      dismissed_reason: null,
      dismissed_scope: null,
      dismissal: null,
    });
  const workspace = (number: number, path: string) =>
    put("workspaces", {
      id: `wsp_${number}`,
      task: number,
      name: "",
      state: "ready",
      holder: null,
      root: "/r",
      place: "",
      path,
      source: "",
      origin: "",
      target: "",
      branch: "",
      base_sha: "",
      port_first: 0,
      port_count: 0,
      created_ms: 1,
    });
  const approval = (id: string, asked_ms: number) =>
    put("approvals", {
      id,
      request: id,
      agent: "agent3",
      runtime: "script",
      task: null,
      tool: "Bash",
      asked: "npm publish --dry-run",
      part: "npm publish",
      why: "no rule allows it",
      cwd: "/w/3",
      state: "waiting",
      asked_ms,
      due_ms: 9_999_999,
      seen_ms: asked_ms,
      answered_ms: null,
      answered_by: null,
      note: null,
      signature: null,
    });

  test("somebody who waits comes first, then work about to land, what stands still, a red gate, collisions, what is ready, limits", async () => {
    await see("agent1", "limited", 1_900_000_000_000);
    await task(11, "ready");
    await finding("fnd_far", '["far"]', "/w/far");
    await task(9, "needs_review", "the gate is red: 3 tests fail");
    await see("agent2", "dead");
    await finding("fnd_near", '["near"]', "/w/ready");
    await workspace(11, "/w/ready");
    await approval("apr_00000000000000000000000002", 20);
    await approval("apr_00000000000000000000000001", 10);
    await noteNeeds(context(), [
      {
        key: "stopped:agent7",
        kind: "stopped",
        agent: "agent7",
        says: "stopped",
        since_ms: null,
        next: "constel status",
      },
    ]);
    const found = await rows();
    expect(found.map(({ place, key }) => [place, key])).toEqual([
      ["answer", "permission:apr_00000000000000000000000001"],
      ["answer", "permission:apr_00000000000000000000000002"],
      ["collision-near", "collision:fnd_near"],
      ["stuck", "dead:agent2"],
      ["stuck", "stopped:agent7"],
      ["gate", "review:9"],
      ["collision", "collision:fnd_far"],
      ["ready", "ready:11"],
      ["limit", "limited:agent1"],
    ]);
    expect(found[0]).toMatchObject({
      agent: "agent3",
      says: "asks: npm publish --dry-run",
      evidence: "no rule allows it (in /w/3)",
      next: "constel approvals allow 000001",
      since_ms: 10,
      causes: 1,
    });
    expect(found.at(-1)?.says).toMatch(/^is limited until \d\d:\d\d UTC$/);
    expect(found[7]).toMatchObject({ task: 11, next: "constel task harvest 11" });
  });

  test("one cause is one row: agents under one limit, findings about one thing, tasks that can land together", async () => {
    for (let at = 1; at <= 40; at++) await see(`agent${at}`, "limited", 1_900_000_000_000);
    for (const number of [11, 16, 18]) await task(number, "ready");
    for (const id of ["fnd_1", "fnd_2", "fnd_3"]) await finding(id, '["price"]', `/w/${id}`);
    const found = await rows();
    expect(found.map(({ kind, causes, agent, task: number }) => [kind, causes, agent, number])).toEqual([
      ["collision", 3, null, null],
      ["ready", 3, null, null],
      ["limited", 40, null, null],
    ]);
    expect(found[1]).toMatchObject({
      says: expect.stringMatching(/^tasks \d+, \d+, \d+ are ready/),
      next: "constel task harvest --all",
    });
    expect(found[2]?.says).toStartWith("40 agents are limited until ");
  });

  test("what is put aside comes back at its time, or when it says something else", async () => {
    await task(9, "needs_review", "it conflicts");
    await task(11, "ready");
    const put = (key: string, untilMs: number | null) => snooze(context(), { key, until_ms: untilMs, wake: false });
    await put("review:9", null);
    await put("ready:11", Date.now() + 3_600_000);
    expect(await rows()).toEqual([]);
    const aside = await listAttention(context(), { snoozed: true, limit: 1 });
    expect([aside.snoozed, aside.total, aside.rows.length]).toEqual([2, 2, 1]);
    await here.store.write((tx) =>
      tx.db.updateTable("tasks").set({ reason: "the gate is red" }).where("number", "=", 9).execute(),
    );
    await here.store.write((tx) =>
      tx.db.updateTable("snoozes").set({ until_ms: 1 }).where("key", "=", "ready:11").execute(),
    );
    expect((await rows()).map(({ key }) => key)).toEqual(["review:9", "ready:11"]);
    await put("review:9", null);
    await snooze(context(), { key: "review:9", until_ms: null, wake: true });
    expect((await rows()).map(({ key }) => key)).toEqual(["review:9", "ready:11"]);
    const gone = await rejection(put("nothing", null));
    expect(gone).toMatchObject({ code: "attention.unknown" });
    expect(await rejection(put("ready:11", 1))).toMatchObject({ code: "input.invalid" });
  });
});
