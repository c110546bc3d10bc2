// Events: whom they are addressed to, once each, and who hears of one again.

import { expect, test } from "bun:test";
import { addClaim } from "../claims/claim.ts";
import { addressEvent } from "./address-event.ts";
import { handleNotice } from "./handle.ts";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { repository } from "./notices-scene.suite.ts";
import { subscribe } from "./subscribe.ts";
import { rejection } from "../../../test/kit/rejection.ts";

export function eventsSuite({ here, begun, listed }: NoticesGround): void {
  test("one event for a thousand agents is one write, and never comes back to who caused it", async () => {
    const at = await begun(["a", "b"]);
    const guests = Array.from({ length: 1_000 }, (_, number) => ({
      agent: `agentg${number}`,
      runtime: "claude",
      cwd: "/elsewhere",
    }));
    at.machine = { ...at.machine, guests: () => guests };
    const recipients = guests.map(({ agent }) => agent);
    let writes = 0;
    const { write } = here.store;
    const store = {
      ...here.store,
      write: ((job) => {
        writes += 1;
        return write(job);
      }) as typeof write,
    };
    const receipt = await addressEvent(
      { ...at.context, store },
      { event: "branch.ready", causedBy: "agentg7", recipients, severity: "low", text: "a is ready" },
      { guests },
    );
    expect([receipt.recipients.length, writes]).toEqual([999, 1]);
    await at.rounds();
    expect(at.desk.items("agentg7")).toEqual([]);
    expect(at.desk.items("agentg8")[0]?.text).toContain("a is ready");
    const before = at.desk.written;
    await at.rounds();
    expect(at.desk.written).toBe(before);
    await at.tell("agentg8");
    expect(await listed(at, "agentg8")).toEqual([]);
    expect(await listed(at, "agentg8", true)).toMatchObject([{ state: "told", kind: "branch.ready" }]);
  });

  test("subscribers, claim holders and those who can do it are addressed, each with the reason", async () => {
    const at = await begun(["a", "b", "c", "d", "e"]);
    const none = { paths: [], topics: [], services: [], capabilities: [] };
    await subscribe(at.context, { ...none, agent: "agentb", paths: ["src/api/**"] });
    await subscribe(at.context, { ...none, agent: "agentc", topics: ["release"], capabilities: ["review"] });
    await subscribe({ ...at.context, actor: "agentd" }, { ...none, services: ["billing"] });
    // An agent that never subscribed has nothing to end.
    expect(await subscribe(at.context, { ...none, agent: "agenta" })).toMatchObject({ subscriptions: 0, before: 0 });
    await subscribe(at.context, { ...none, agent: "agenta", topics: ["one", "two"] });
    expect(await subscribe(at.context, { ...none, agent: "agenta" })).toMatchObject({ subscriptions: 0, before: 2 });
    expect(await rejection(subscribe({ ...at.context, actor: "agentd" }, { ...none, agent: "agenta" }))).toMatchObject({
      code: "notice.not-yours",
    });
    const words = [{ word: "src/api", isThere: true }];
    const wish = { repository, top: "/w/a", cwd: "/w/a", words, agent: "agenta", forMs: 1_000_000, reason: "" };
    await addClaim(at.context, { ...wish, severity: "low" });
    const { recipients } = await addressEvent(at.context, {
      event: "schema.changed",
      causedBy: "agente",
      repository,
      paths: ["src/api/users.ts"],
      topics: ["release"],
      services: ["billing"],
      capability: "review",
      recipients: ["agente"],
      severity: "medium",
      text: "users have another shape",
    });
    expect(
      Object.fromEntries(recipients.map(({ agent, reasons }) => [agent, reasons.map(({ rule }) => rule)])),
    ).toEqual({
      agenta: ["claim holder"],
      agentb: ["subscriber"],
      agentc: ["subscriber", "capability"],
      agentd: ["subscriber"],
    });
  });

  test("an event that only the predecessor heard is told again for a day, unless somebody dealt with it", async () => {
    const at = await begun(["a"]);
    const told = async (session: string): Promise<number> => {
      at.machine.conversations.heard("agenta", session);
      await at.rounds();
      return (await at.tell("agenta", "prompt", undefined, session)).length;
    };
    await at.launch("agenta", "one");
    const say = (text: string) =>
      addressEvent(at.context, { event: "hand-off", severity: "medium", text, recipients: ["agenta"] });
    await say("the old one");
    expect(await told("one")).toBe(1);
    here.clock.advance(25 * 3_600_000);
    await say("take over the parser");
    const { recipients } = await say("done with already");
    expect(await told("one")).toBe(2);
    await handleNotice(at.context, { id: recipients[0]?.notice ?? "" });
    await at.launch("agenta", "two");
    await at.rounds();
    expect(at.desk.items("agenta").map(({ text }) => /take over|done with|old one/.exec(text)?.[0])).toEqual([
      "take over",
    ]);
    expect(await told("two")).toBe(1);
    expect(await told("two")).toBe(0);
  });
}
