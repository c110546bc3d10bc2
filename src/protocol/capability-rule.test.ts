// Capabilities as permissions, over all who ask.

import { expect, test } from "bun:test";
import { capabilityRulesIn } from "../settings/capability-rules.ts";
import { askerNamed } from "./authority.ts";
import { refuseWithoutCapability } from "./capability-rule.ts";

const rules = capabilityRulesIn([
  { capability: "release", operations: "event.publish task.ready", agents: "agent1, agent0" },
  { capability: "review", operations: "review.*", agents: "agent2" },
]);

function check(asker: string, operation: string, lacks: string | undefined, input: object = {}): void {
  const refusal = refuseWithoutCapability(askerNamed(asker), operation, input, rules);
  expect([asker, operation, refusal?.code, refusal?.facts["capability"]]).toEqual([
    asker,
    operation,
    lacks === undefined ? undefined : "authority.capability",
    lacks,
  ]);
}

test("an agent without the capability is refused, and hears who has it", () => {
  check("agent3", "task.ready", "release");
  check("agent2", "event.publish", "release");
  check("agentinfinity", "task.ready", "release");
  check("agent1", "review.answer", "review");
  const refusal = refuseWithoutCapability(askerNamed("agent3"), "task.ready", {}, rules);
  expect(refusal?.message).toBe(
    "`task.ready` needs the capability release here, which agent3 was not given; agent1, agent0 have it",
  );
});

test("who has it, the owner, colleagues, and what no rule names pass", () => {
  check("agent1", "task.ready", undefined);
  check("agent0", "event.publish", undefined);
  check("agent2", "review.answer", undefined);
  for (const asker of ["owner", "human:ann"]) check(asker, "task.ready", undefined);
  check("agent3", "task.list", undefined);
  // `review.*` is a subject, not the beginning of a word.
  check("agent3", "reviews.list", undefined);
});

test("no agent takes such a capability by its own word", () => {
  check("agent3", "notice.subscribe", "review", { capabilities: ["review"] });
  check("agent2", "notice.subscribe", undefined, { capabilities: ["review"] });
  check("agent3", "notice.subscribe", undefined, { capabilities: ["database"] });
});

test("rules that cannot be understood are refused", () => {
  const good = { capability: "release", operations: "task.ready", agents: "agent1" };
  for (const [change, says] of [
    [{ operations: "task.redy" }, "there is no operation"],
    [{ operations: "nothing.*" }, "there is no operation"],
    [{ operations: " " }, "must name at least one"],
    [{ capability: "two words" }, "one plain word"],
    [{ agents: "agent1 Owner" }, "table 1"],
  ] as const)
    expect(() => capabilityRulesIn([{ ...good, ...change }])).toThrow(says);
  expect(capabilityRulesIn([{ ...good, agents: "" }])[0]?.agents).toEqual([]);
});
