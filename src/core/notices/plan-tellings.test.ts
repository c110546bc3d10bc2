import { expect, test } from "bun:test";
import type { Notice, Part } from "./notice.ts";
import { planFor } from "./plan-tellings.ts";
import type { Telling } from "./telling.ts";

const part: Part = {
  source: "clm_1",
  title: "agent1 has claimed src",
  action: "",
  other: "agent1",
  severity: "high",
  files: ["/w/src"],
  kinds: ["k"],
  told: ["k"],
  toldAs: "high",
  heardFromMs: 0,
  denies: true,
  over: null,
};

const denial = {
  id: "tel_1",
  agent: "agent2",
  way: "hook",
  state: "told",
  denies: true,
  covers: [{ notice: "ntc_1", source: "clm_1", kinds: ["k"], as: "high", over: false }],
  moments: ["edit"],
  files: ["/w/src"],
} as unknown as Telling;

/** Says what becomes of a denial that was told, while its part is as given. */
function becomes(more: Partial<Part>, id = "ntc_1"): string {
  const notices = [{ id, about: "claim", made_ms: 0, parts: [{ ...part, ...more }] } as unknown as Notice];
  const desk = { marks: () => new Map<string, number>(), claim: () => true };
  const { changes } = planFor({
    agent: "agent2",
    way: "hook",
    seen: "busy",
    canBeWoken: false,
    notices,
    tellings: [denial],
    desk,
    nowMs: 1,
    isQuiet: false,
    left: 10,
  });
  return changes.find((change) => change.id === "tel_1")?.state ?? "stands";
}

test("a denial stands as long as its reason, and ends with whatever of it has gone", () => {
  expect(becomes({})).toBe("stands");
  expect(becomes({ over: "the claim ended" })).toBe("ended");
  expect(becomes({ denies: false })).toBe("ended");
  expect(becomes({ told: [] })).toBe("ended");
  expect(becomes({ source: "clm_2" })).toBe("ended");
  expect(becomes({ kinds: ["k", "another path"] })).toBe("ended");
  expect(becomes({}, "ntc_2")).toBe("ended");
});
