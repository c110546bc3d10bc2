// Agents without hooks are told by a message.

import { expect, test } from "bun:test";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision } from "./notices-scene.suite.ts";

export function withoutHooksSuite({ here, testOnce, begun, listed }: NoticesGround): void {
  test("an agent without hooks is told by one message, at a turn of its own", async () => {
    const at = await begun(["a", "b"], { hasHooks: (runtime) => runtime !== "plain" });
    const seen = async (state: string): Promise<void> => {
      const row = {
        constellation: "constel0",
        agent: "agentb",
        role: "clone",
        runtime: "plain",
        wanted: "up",
        seen: state,
        seen_until_ms: null,
        evidence_on: "",
        evidence_says: "",
        evidence_at_ms: null,
        since_ms: 0,
        launched_ms: 0,
        session_id: null,
        task: null,
        cwd: "/root",
        model: null,
        mail_held: null,
        resume_due_ms: null,
        updated_ms: 0,
      };
      await here.store.write(async ({ db }) => {
        await db.deleteFrom("agents").execute();
        await db.insertInto("agents").values(row).execute();
      });
    };
    await seen("idle");
    const files = ["x", "y", "z"].map((path) => collision(path, { severity: "medium" }));
    await at.see([["a", "b", files]]);
    await at.rounds();
    expect(at.sent).toEqual([]);
    await seen("busy");
    await at.rounds();
    await at.rounds();
    expect(at.sent.map(({ agent }) => agent)).toEqual(["agentb"]);
    const [message] = at.sent;
    expect(message?.text).toContain("same lines of z");
    expect(at.desk.hear("agentb")).toBeUndefined();
    expect((await listed(at, "agentb")).map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting"]);
    const { nextRow } = await import("../messages/account.ts");
    const content = {
      message_id: message?.id ?? "",
      kind: "notice",
      thread: null,
      in_reply_to: null,
      task: null,
      text: "",
      text_bytes: 0,
    };
    const sighting = { name: "n", receiver: "agentb", sender: "agentnotices", atMs: here.clock.nowMs(), content };
    await here.store.write(async (tx) => {
      await tx.insert(
        "messages",
        nextRow(undefined, "constel0", { ...sighting, state: "delivered", evidence: "bound" }),
      );
    });
    await at.rounds();
    expect((await listed(at, "agentb"))[0]).toMatchObject({ state: "told", told_by: `message ${message?.id}` });
    expect(at.sent).toHaveLength(1);
  });

  testOnce(
    "an agent that is known by its worktree alone, and never had a hook, is told by a message that it takes when it likes",
    async () => {
      const at = await begun(["a", "b"], { hasHooks: (runtime, agent) => runtime !== undefined || agent === "agenta" });
      await at.see([["a", "b", [collision("x", { severity: "medium" })]]]);
      await at.rounds();
      expect(at.desk.items("agenta")).toHaveLength(1);
      expect(at.desk.hear("agentb")).toBeUndefined();
      expect(at.sent.map(({ agent, text }) => [agent, text.includes("same lines of x")])).toEqual([["agentb", true]]);
      await at.rounds();
      expect(at.sent).toHaveLength(1);
    },
  );
}
