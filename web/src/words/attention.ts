// What needs the owner, as rows: what it is, what it rests on, and the one verb that helps. The order is the daemon's.

import { type AttentionRow, sentenceOf } from "../../../src/protocol/operations/attention.ts";
import type { Answer } from "../live/ask.ts";
import type { Tone } from "./states.ts";
import { plainly } from "./text.ts";

type Approval = Answer<"approval.list">["approvals"][number];

export interface Attention {
  readonly row: AttentionRow;
  readonly key: string;
  readonly glyph: string;
  readonly tone: Tone;
  readonly word: string;
  readonly says: string;
  readonly evidence: string;
  readonly go: readonly [page: string, id?: string | number] | undefined;
  readonly goes: string;
  readonly approval: Approval | undefined;
}

type Look = readonly [glyph: string, tone: Tone, word: string];

const looks: Readonly<Record<AttentionRow["place"], Look>> = {
  answer: ["?", "yours", "asks"],
  "collision-near": ["✕", "break", "collides, about to land"],
  stuck: ["!", "doubt", "does not go on"],
  gate: ["✕", "break", "gate red"],
  collision: ["✕", "break", "collides"],
  ready: ["✓", "holds", "ready"],
  limit: ["◔", "plain", "limited"],
};

/** Beside its own place, by kind: where to look. */
const pages: Readonly<Record<string, string>> = {
  limited: "cost",
  budget: "cost",
  "unknown-delivery": "messages",
  poisoned: "messages",
  schedule: "schedules",
  "schedule-file": "schedules",
  clock: "schedules",
};

export function attentionOf(rows: readonly AttentionRow[], approvals: readonly Approval[]): Attention[] {
  return rows.map((row) => {
    const approval = approvals.find(({ id }) => id === row.request);
    const [glyph, tone, word] = row.kind === "dead" ? (["✕", "break", "dead"] as const) : looks[row.place];
    const go = placeOf(row);
    const asked = row.place === "answer" || row.kind === "stopped" || row.kind === "unattended";
    return {
      row,
      key: row.key,
      glyph,
      tone,
      word,
      says: plainly(sentenceOf(row)),
      evidence: plainly(row.evidence),
      go,
      goes: asked ? "Reply" : "Look",
      approval,
    };
  });
}

function placeOf({ finding, task, agent, kind, place }: AttentionRow): Attention["go"] {
  if (finding !== null) return ["collisions", finding];
  if (task !== null && place !== "answer") return ["tasks", task];
  const page = pages[kind];
  if (page !== undefined) return [page];
  if (agent !== null) return ["agents", agent];
  if (task !== null) return ["tasks", task];
  return place === "ready" ? ["landing"] : undefined;
}
