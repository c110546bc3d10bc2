import { expect, test } from "bun:test";
import { hostileTexts, looksHarmless } from "../../protocol/hostile-texts.suite.ts";
import type { JoinFacts } from "./facts.ts";
import { fitted, packetFor } from "./packet.ts";
import { packetText } from "./packet-text.ts";

/** Facts in which everything that somebody else chose is this text. */
function hostileFacts(text: string): JoinFacts {
  const place = { path: `/w/${text.slice(0, 200)}`, branch: text, repository: "r", name: text };
  const task = { number: 1, agent: "agent1", title: text, state: "in_progress", ready_ms: null };
  const people = ["agent1", "agent2"].map((agent) => ({ agent, state: "idle", places: [place], tasks: [task] }));
  const decision = { title: text, text, repository: null, task: null, owner_verified: false, files: [text] };
  const memory = { text, by: "agent2", audience: "everybody", repository: null, task: null, pinned: true };
  const claim = { id: "clm_1", worktree: "/w", repository: "r", patterns: [text], reason: text, severity: "low" };
  return {
    claims: ["agent1", "agent2"].map((holder) => ({ ...claim, holder, isExclusive: true, madeMs: 1, endsMs: 2 })),
    crowd: people,
    byName: new Map(people.map((one) => [one.agent, one])),
    byRepository: new Map([["r", people]]),
    placeOf: () => place,
    decisions: [{ id: "dec_123456", ...decision }] as never,
    memories: [{ id: "mem_1", valid_while: null, holdsAt: () => true, remembered_ms: 1, updated_ms: 1, ...memory }],
  };
}

test("whatever others chose as titles, branches, paths, reasons, decisions and memories is data in a join packet, and bounded", () => {
  for (const text of hostileTexts) {
    const concern = {
      id: "fnd_1",
      notice: "ntc_1",
      severity: "high" as const,
      kind: "textual",
      title: text,
      action: text,
    };
    const joining = { agent: "agent1", constellation: "constel0", concerns: [concern] };
    const packet = packetFor(hostileFacts(text), joining);
    const said = packetText(packet) ?? "";
    looksHarmless(said, { frame: "constel-join" });
    expect(Buffer.byteLength(said) / 3.5).toBeLessThanOrEqual(1_500);
    const headings = /^(\| |You are agent1\.|Concerns|Claimed|Decided|Remembered|Also here|Next: |<\/?constel-join>$)/;
    for (const line of said.split("\n")) expect(line).toMatch(headings);
    expect(said.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(8);
    expect(JSON.stringify(fitted(packet)).length / 3.5).toBeLessThanOrEqual(1_500);
  }
});

test("a finding of which there is no notice is named with the command that shows it", () => {
  const concern = { id: "fnd_1", notice: null, severity: "high" as const, kind: "textual", title: "t", action: "a" };
  const joining = { agent: "agent1", constellation: "constel0", concerns: [concern] };
  expect(packetText(packetFor(hostileFacts("x"), joining))).toContain("[high] t (constel conflicts --explain fnd_1)");
});
