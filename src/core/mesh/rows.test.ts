// A root is told how things are on its sibling: what changed, once, and from when that is known.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { onEachDatabase } from "../../../test/kit/databases.ts";
import { admit, connect, endSide, makeSide, type Side, until } from "../../../test/kit/mesh-sides.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { arrivalsRound } from "./arrivals.ts";
import { takeRows, tellPeer } from "./rows.ts";

onEachDatabase("rows of siblings", (makeScene) => {
  let desk: Side;
  let laptop: Side;
  beforeEach(async () => {
    desk = await makeSide(makeScene, "desk", 1);
    laptop = await makeSide(makeScene, "laptop", 2);
    admit(laptop, desk, desk);
  });
  afterEach(async () => {
    await endSide(desk);
    await endSide(laptop);
  });

  const agent = (name: string, seen: string) => ({
    constellation: "laptop",
    agent: name,
    role: "clone",
    runtime: "script",
    wanted: "up",
    seen,
    seen_until_ms: null,
    evidence_on: "hook",
    evidence_says: "",
    evidence_at_ms: null,
    since_ms: 1_000,
    launched_ms: 1_000,
    session_id: null,
    task: null,
    cwd: "/",
    model: null,
    account: null,
    mail_held: null,
    resume_due_ms: null,
    updated_ms: 1_000,
  });
  const tell = async (): Promise<number | undefined> => {
    const root = laptop.peers[0];
    if (root === undefined) throw new Error("no root");
    return tellPeer(laptop.context(), root, { version: "0.1.0", work: [] });
  };
  /** Everything that the laptop has for the desk is taken in and done. */
  const carry = async (): Promise<void> => {
    const line = connect(laptop, desk);
    await until(async () => (await laptop.store.db.selectFrom("mesh_outbox").select("id").execute()).length === 0);
    line.cut();
    await line.over;
    const doings = { rows: (arrival: Parameters<typeof takeRows>[1]) => takeRows(desk.context(), arrival) };
    await arrivalsRound(
      desk.context(),
      doings,
      (line_) => {
        throw new Error(line_);
      },
      new AbortController().signal,
    );
  };
  const ask = async (view: string) =>
    (await sql<Record<string, unknown>>`select * from ${sql.table(view)}`.execute(desk.store.db)).rows;

  test("the root's views answer for the sibling, with the time from which it is known", async () => {
    await laptop.store.write(async (tx) => {
      await tx.insert("agents", agent("agent1", "busy"));
      await tx.insert("agents", agent("agent2", "idle"));
    });
    expect(await tell()).toBeUndefined();
    await carry();
    const agents = (await ask("agents_now")).filter(({ constellation }) => constellation === "laptop");
    expect(agents.map(({ agent: name, state, heard_by }) => [name, state, heard_by]).toSorted()).toEqual([
      ["agent1", "busy", "desk"],
      ["agent2", "idle", "desk"],
    ]);
    expect(agents.find(({ agent: name }) => name === "agent1")?.["known_at"]).toBe(
      new Date(desk.clock.nowMs()).toISOString(),
    );
    const all = await ask("constellations_now");
    expect(all.find(({ constellation }) => constellation === "laptop")).toMatchObject({
      agents: 2,
      working: 1,
      open_tasks: 0,
      version: "0.1.0",
      heard_by: "desk",
    });
  });

  test("only what changed is told, nothing while changes are on their way, and what is gone goes", async () => {
    await laptop.store.write(async (tx) => {
      await tx.insert("agents", agent("agent1", "busy"));
      await tx.insert("agents", agent("agent2", "idle"));
    });
    await tell();
    await laptop.store.write(async (tx) => void (await tx.db.updateTable("agents").set({ seen: "idle" }).execute()));
    expect(await tell()).toBeUndefined();
    const held = () => laptop.store.db.selectFrom("mesh_outbox").select("body").execute();
    expect(await held()).toHaveLength(1);
    await carry();
    await laptop.store.write(
      async (tx) => void (await tx.db.deleteFrom("agents").where("agent", "=", "agent2").execute()),
    );
    await tell();
    const [second] = await held();
    expect(
      JSON.parse(second?.body ?? "").rows.map(({ key, data }: { key: string; data: unknown }) => [key, data === null]),
    ).toEqual([
      ["agent1", false],
      ["agent2", true],
    ]);
    await carry();
    expect((await ask("agents_now")).filter(({ constellation }) => constellation === "laptop")).toHaveLength(1);
    expect(await tell()).toBe(2);
  });

  test("a row of another shape, or too many of them, is refused whole", async () => {
    const from = desk.peers[0];
    if (from === undefined) throw new Error("no peer");
    const take = (rows: unknown[]) => takeRows(desk.context(), { id: "x", from, body: { rows }, heardMs: 1 });
    const good = { version: "1", findings: 0, waits: 0 };
    const said = { subject: "constellation", key: "self", data: good };
    for (const bad of [{ ...good, more: 1 }, { ...good, findings: "many" }, { ...good, version: "x".repeat(500) }, 7])
      expect(await rejection(take([said, { ...said, data: bad }]))).toMatchObject({ code: "mesh.bad-item" });
    expect(await rejection(take([{ ...said, subject: "owner" }]))).toMatchObject({ code: "mesh.bad-item" });
    expect(await desk.store.db.selectFrom("mesh_rows").selectAll().execute()).toEqual([]);
  });
});
