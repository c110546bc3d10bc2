// Tests what agents are told of findings: who hears of one, of what is new in it and of its end, and why.

import { expect, test } from "bun:test";
import { dismissFinding } from "../findings/dismiss.ts";
import { register } from "../worktrees/register.ts";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision, repository } from "./notices-scene.suite.ts";
import { pruneNotices } from "./prune.ts";
import { whyNotice } from "./queries.ts";
import { rejection } from "../../../test/kit/rejection.ts";

export function findingsSuite({ here, testOnce, begun, listed }: NoticesGround): void {
  test("both sides hear of it once, a third hears nothing, and its end reaches who was told", async () => {
    const at = await begun(["a", "b", "c"]);
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    for (const agent of ["agenta", "agentb"]) expect(at.desk.items(agent)).toHaveLength(1);
    expect(at.desk.items("agentc")).toEqual([]);
    const [item] = at.desk.items("agenta");
    expect(item).toMatchObject({ at: ["edit", "prompt", "stop"], files: ["/w/a/x.ts"] });
    expect(item?.text).toContain("with: agentb on branch b");
    expect(await at.tell("agenta", "edit", "/w/a/other.ts")).toEqual([]);
    expect(await at.tell("agenta", "edit", "/w/a/x.ts")).toHaveLength(1);
    expect(at.desk.items("agenta")).toEqual([]);
    expect(await listed(at, "agenta")).toMatchObject([{ state: "told", told_by: "hook prompt-submitted" }]);
    // The same evidence on other lines is nothing new, a further file is, and one file less is not.
    const further = { evidenceKind: "content x.ts\ncontent y.ts", files: ["x.ts", "y.ts"] };
    await at.see([["a", "b", [collision("x.ts", further)]]]);
    await at.rounds();
    expect(await at.tell("agenta")).toHaveLength(1);
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toEqual([]);
    // Agent b never heard of it, so it does not hear of its end either.
    await at.see([["a", "b", []]]);
    await at.rounds();
    expect(at.desk.items("agentb")).toEqual([]);
    const [end] = await at.tell("agenta");
    expect(end?.text).toContain("No longer a problem:");
    expect(at.desk.items("agenta")).toEqual([]);
    expect(await listed(at)).toEqual([]);
    expect((await listed(at, undefined, true)).map(({ agent, state }) => [agent, state]).sort()).toEqual([
      ["agenta", "withdrawn"],
      ["agentb", "withdrawn"],
    ]);
    // It comes back: that is news.
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    expect(await at.tell("agenta")).toHaveLength(1);
  });

  testOnce(
    "a broken contract is for its consumer, not for who breaks it, nor for who works on both sides",
    async () => {
      const at = await begun(["consumer", "provider", "other"]);
      const broken = collision("cart.ts", { kind: "contract" });
      await at.see([["consumer", "provider", [broken]]]);
      await at.rounds();
      expect(at.desk.items("agentconsumer")).toMatchObject([{ files: ["/w/consumer/cart.ts"] }]);
      expect([at.desk.items("agentprovider"), at.desk.items("agentother")]).toEqual([[], []]);
      const place = { repository, path: "/w/provider", top: "/w/provider" };
      await register(at.context, { place, agent: "agentconsumer", isOwnersWord: true });
      await at.rounds();
      expect(at.desk.items("agentconsumer")).toEqual([]);
    },
  );

  testOnce("why shows the rule, the facts and the proof", async () => {
    const at = await begun(["a", "b"]);
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    await at.tell("agentb", "stop");
    const [notice] = await listed(at, "agentb");
    const why = await whyNotice(at.context, { id: notice?.id.slice(-8) ?? "" });
    expect(why.reasons).toEqual([{ rule: "side of the finding", fact: "/w/b is one side, and it was seen there" }]);
    expect(why).toMatchObject({
      means: "git cannot merge the two, uncommitted and untracked work included",
      facts: [{ title: "both change the same lines of x.ts", with: "agenta on branch a", told: true }],
      tellings: [{ state: "told", told_by: "hook prompt-submitted", moments: ["edit", "prompt", "stop"] }],
    });
    expect(await rejection(whyNotice(at.context, { id: "nosuch" }))).toMatchObject({ code: "notice.unknown" });
  });

  test("what the owner dismissed is withdrawn from who was told, and what is long over is let go of", async () => {
    const at = await begun(["a", "b"]);
    await at.see([["a", "b", [collision("x")]]]);
    await at.rounds();
    await at.tell("agenta");
    const finding = await here.store.db.selectFrom("findings").select("id").executeTakeFirstOrThrow();
    await dismissFinding(at.context, { id: finding.id, reason: "agreed", scope: "finding" });
    await at.rounds();
    expect((await at.tell("agenta"))[0]?.text).toContain("(dismissed: agreed)");
    expect(at.desk.items("agentb")).toEqual([]);
    here.clock.advance(1_000);
    const removed = await pruneNotices(at.context, here.clock.nowMs());
    expect(removed).toEqual({ removed: 5, more: false });
    expect(await listed(at, undefined, true)).toEqual([]);
  });
}
