// Tests when an agent is done with what it was told: by its word, by its own change, or by what it did about an event.

import { expect, test } from "bun:test";
import { addressEvent } from "./address-event.ts";
import { handleNotice } from "./handle.ts";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision } from "./notices-scene.suite.ts";
import { rejection } from "../../../test/kit/rejection.ts";

export function handledSuite({ here, testOnce, begun, listed }: NoticesGround): void {
  testOnce("an agent is done with its own notices only, and hears again of another kind of evidence", async () => {
    const at = await begun(["a", "b"]);
    await at.see([["a", "b", [collision("x")]]]);
    await at.rounds();
    const [notice] = await listed(at, "agenta");
    const id = notice?.id ?? "";
    expect(await handleNotice(at.context, { id })).toMatchObject({ state: "waiting" });
    await at.tell("agenta");
    expect(await rejection(handleNotice({ ...at.context, actor: "agentb" }, { id }))).toMatchObject({
      code: "notice.not-yours",
    });
    expect(await handleNotice({ ...at.context, actor: "agenta" }, { id })).toMatchObject({ state: "handled" });
    await at.rounds();
    expect(at.desk.items("agenta")).toEqual([]);
    await at.see([["a", "b", [collision("x", { evidenceKind: "modify/delete x" })]]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toHaveLength(1);
    expect((await listed(at, "agenta"))[0]?.state).toBe("waiting");
  });

  test("what an agent's own change or landing ended is handled, with that as the evidence; what another's ended is withdrawn", async () => {
    const at = await begun(["a", "b"]);
    const ends = async (ending: Parameters<typeof at.see>[1]) => {
      await at.see([["a", "b", [collision("x")]]], { trees: { a: "t2", b: "t2" } });
      await at.rounds();
      for (const agent of ["agenta", "agentb"]) expect(await at.tell(agent)).toHaveLength(1);
      here.clock.advance(1_000);
      await at.see([["a", "b", []]], ending);
      await at.rounds();
      for (const agent of ["agenta", "agentb"]) expect(await at.tell(agent)).toHaveLength(1);
      const newest = new Map((await listed(at, undefined, true)).map((one) => [one.agent, one] as const).toReversed());
      return ["agenta", "agentb"].map((agent) => {
        const { state, handled_by: by } = newest.get(agent) ?? { state: "none", handled_by: null };
        return [state, by?.replace(/fnd_\S+/, "it") ?? null];
      });
    };
    here.clock.advance(1_000);
    expect(await ends({ trees: { a: "t3", b: "t2" } })).toEqual([
      ["handled", "its own change in /w/a closed it"],
      ["withdrawn", null],
    ]);
    here.clock.advance(1_000);
    expect(await ends({ trees: { a: "t2", b: "t3" } })).toEqual([
      ["withdrawn", null],
      ["handled", "its own change in /w/b closed it"],
    ]);
    here.clock.advance(1_000);
    expect(await ends({ trees: { a: "t2", b: "t2" }, landed: ["/w/b"] })).toEqual([
      ["withdrawn", null],
      ["handled", "its own change in /w/b closed it"],
    ]);
  });

  test("what its agent ended and then brought back is told and no longer handled; what somebody called done stays so", async () => {
    const at = await begun(["a", "b"]);
    const open = async (tree: string) => {
      await at.see([["a", "b", [collision("x")]]], { trees: { a: tree } });
      await at.rounds();
    };
    const standing = async () =>
      (await listed(at, "agenta", true)).map(({ state, handled_by: by }) => [state, by?.replace(/fnd_\S+/, "it")]);
    await open("t2");
    expect(await at.tell("agenta")).toHaveLength(1);
    here.clock.advance(1_000);
    await at.see([["a", "b", []]], { trees: { a: "t3" } });
    await at.rounds();
    expect(await standing()).toEqual([["handled", "its own change in /w/a closed it"]]);
    await open("t2");
    expect([await standing(), at.desk.items("agenta")]).toEqual([[["told", undefined]], []]);
    const [notice] = await listed(at, "agenta");
    await handleNotice({ ...at.context, actor: "agenta" }, { id: notice?.id ?? "" });
    await open("t4");
    expect(await standing()).toEqual([["handled", "agenta"]]);
  });

  test("an event is handled once its agent took the task, settled the decision, or acknowledged the message", async () => {
    const at = await begun(["a", "b"]);
    const event = { event: "hand-off", severity: "high" as const, recipients: ["agenta"] };
    await addressEvent(at.context, { ...event, text: "take it", task: 12 });
    await addressEvent(at.context, { ...event, text: "decided", decision: "dec_1" });
    await addressEvent(at.context, { ...event, text: "read it" });
    await at.rounds();
    expect(await at.tell("agenta")).toHaveLength(3);
    const states = async () =>
      Object.fromEntries(
        (await listed(at, "agenta", true)).map(({ title, state, handled_by: by }) => [title, by ?? state]),
      );
    expect(await states()).toEqual({ "take it": "told", decided: "told", "read it": "told" });
    // The acts of others say nothing of this agent.
    const accepts = async (actor: string) => {
      const event = { type: "decision.accepted", subject: "decision:dec_1", actor, data: {} };
      await here.store.write(async (tx) => void (await tx.record(event)));
      await at.rounds();
    };
    await accepts("agentb");
    expect((await states())["decided"]).toBe("told");
    await accepts("agenta");
    const dispatch = { constellation: at.context.constellation, task: 12, workspace: null, state: "delivered" };
    const rest = { fencing_token: 1, asked_ms: 1, ended_ms: null, problem: null, about: null, said_ready_ms: null };
    const more = { told_ms: null, left_ms: null, fetch: 0, notes: "[]", brief: null };
    const nowMs = here.clock.nowMs();
    await here.store.write(async (tx) => {
      const row = { id: "dsp_1", agent: "agenta", delivered_ms: nowMs, ...dispatch, ...rest, ...more };
      await tx.insert("dispatches", row);
      await tx.db
        .updateTable("agent_notices")
        .set({ told_by: "message tel_1" })
        .where("title", "=", "read it")
        .execute();
    });
    const message = { name: "n", receiver: "agenta", constellation: at.context.constellation, message_id: "tel_1" };
    const blank = { kind: null, thread: null, in_reply_to: null, task: null, text: null, text_bytes: null };
    const proof = { because: null, evidence: null, verified_by: null, sent_ms: 1, delivered_ms: 1, acked_ms: 1 };
    const none = { unknown_ms: null, poisoned_ms: null, sender: "agentnotices", state: "acked" };
    await here.store.write((tx) => tx.insert("messages", { ...message, ...blank, ...proof, ...none }));
    await at.rounds();
    expect(await states()).toEqual({
      "take it": "it took task 12",
      decided: "it accepted decision dec_1",
      "read it": "it acknowledged message tel_1",
    });
  });
}
