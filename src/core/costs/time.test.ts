// Where the time of tasks went: each minute in one phase, whatever overlaps.

import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { lookAtTime } from "./look.ts";

const minute = 60_000;

onEachDatabase("where the time of tasks went", (makeScene) => {
  const here = withStore(makeScene);
  let startMs = 0;

  async function task(number: number, agent: string, state: string): Promise<void> {
    const { store } = here;
    startMs = here.clock.nowMs() - 100 * minute;
    const about = {
      constellation: store.constellation,
      number,
      title: `task ${number}`,
      directive: "",
      state,
      priority: "P2",
      brief: null,
      agent,
      root: "/",
      repository: null,
      repositories: "",
      target: null,
      branch: null,
      scope: "[]",
      estimate_ms: 20 * minute,
      actual_ms: 85 * minute,
      landed_sha: null,
      ready_sha: null,
      reason: null,
      source_key: null,
      created_by: "owner",
      created_ms: startMs,
      updated_ms: here.clock.nowMs(),
      started_ms: startMs,
      ready_ms: null,
      closed_ms: null,
      evidence: null,
      land_by: null,
    };
    await store.write((tx) => tx.insert("tasks", about));
  }

  async function events(number: number, list: readonly (readonly [type: string, atMinutes: number])[]): Promise<void> {
    const { store } = here;
    for (const [at, [type, minutes]] of list.entries()) {
      await store.write(async (tx) => {
        const row = { constellation: store.constellation, task: number, type, actor: "owner", data: "{}" };
        await tx.insert("task_events", { id: `${number}-${at}`, seq: at, at_ms: startMs + minutes * minute, ...row });
      });
    }
  }

  async function asked(id: string, number: number, from: number, to: number | null): Promise<void> {
    const { store } = here;
    await store.write((tx) =>
      tx.insert("approvals", {
        id,
        constellation: store.constellation,
        request: id,
        agent: "agent1",
        runtime: "script",
        task: String(number),
        tool: "Bash",
        asked: "ls",
        part: "ls",
        why: "",
        cwd: "/",
        state: to === null ? "waiting" : "allowed",
        asked_ms: startMs + from * minute,
        due_ms: startMs + 1000 * minute,
        seen_ms: startMs,
        answered_ms: to === null ? null : startMs + to * minute,
        answered_by: null,
        note: null,
        signature: null,
      }),
    );
  }

  test("each minute is in one phase; waits for the owner that overlap are one wait, and only within the work", async () => {
    await task(1, "agent1", "closed");
    await events(1, [
      ["queued", 0],
      ["dispatched", 10],
      ["brief_delivered", 12],
      ["ready", 52],
      ["brief_delivered", 60],
      ["ready", 80],
      ["closed", 85],
    ]);
    await asked("a", 1, 20, 30);
    await asked("b", 1, 25, 32);
    await asked("c", 1, 26, 28);
    await asked("d", 1, 50, 56);
    const { store, clock } = here;
    const { rows } = await lookAtTime({ store, clock }, { by: "task", days: 30 });
    expect(rows).toEqual([
      {
        of: "1",
        title: "task 1",
        tasks: 1,
        clone_minutes: 10,
        start_minutes: 2,
        work_minutes: 46,
        owner_minutes: 14,
        land_minutes: 13,
        all_minutes: 85,
      },
    ]);
    const [drift] = await here.scene.raw("select drift, work_minutes, work_drift from estimate_drift");
    expect(Object.values(drift ?? {}).map(Number)).toEqual([4.25, 46, 2.3]);
  });

  test("what an agent waits for at its prompt counts too; agents are added up; what goes on lasts until now", async () => {
    for (const number of [1, 2]) {
      await task(number, "agent1", "in_progress");
      await events(number, [
        ["dispatched", 90],
        ["brief_delivered", 92],
      ]);
    }
    const { store, clock } = here;
    const about = { constellation: store.constellation, fencing_token: 1, state: "delivered", notes: "[]" };
    await store.write((tx) =>
      tx.insert("dispatches", {
        ...about,
        id: "dsp_1",
        task: 1,
        agent: "agent1",
        workspace: null,
        asked_ms: 0,
        delivered_ms: startMs,
        ended_ms: null,
        problem: null,
        about: null,
        said_ready_ms: null,
        told_ms: null,
        left_ms: null,
        fetch: 1,
        brief: null,
      }),
    );
    const seen = async (to: string): Promise<void> => {
      const data = { from: null, to, on: "hooks", says: "" };
      await store.write(async (tx) => {
        await tx.record({ type: "agent.seen-changed", subject: "agent:agent1", actor: "daemon", data });
      });
    };
    await seen("waiting-answer");
    clock.advance(5 * minute);
    await seen("busy");
    const { rows } = await lookAtTime({ store, clock }, { by: "agent", days: 30 });
    const [row] = rows;
    expect(rows).toHaveLength(1);
    expect(row).toMatchObject({ of: "agent1", title: null, tasks: 2, owner_minutes: 5, start_minutes: 4 });
    expect(row?.all_minutes ?? 0).toBeGreaterThanOrEqual(20);
  });
});
