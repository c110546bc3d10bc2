// What needs the owner, as rows: what it is, what it rests on, and the one verb that helps.

import type { Answer } from "../live/ask.ts";
import type { Tone } from "./states.ts";
import { plainly } from "./text.ts";

type Seen = Answer<"status.look">;
type Approval = Answer<"approval.list">["approvals"][number];

export interface Attention {
  readonly key: string;
  readonly kind: string;
  readonly glyph: string;
  readonly tone: Tone;
  readonly word: string;
  readonly says: string;
  readonly codes: readonly string[];
  readonly evidence: string;
  readonly sinceMs: number | null;
  readonly next: string;
  readonly go: readonly [page: string, id?: string | number] | undefined;
  readonly goes: string;
  readonly task: number | undefined;
  readonly approval: Approval | undefined;
}

export function attentionOf(seen: Seen, approvals: readonly Approval[]): Attention[] {
  return seen.needs.flatMap((need): Attention[] => {
    if (need.kind !== "findings") return [rowOf(need, approvals)];
    return seen.findings.map((finding) => ({
      ...blank,
      key: `finding:${finding.id}`,
      kind: "collision",
      glyph: "✕",
      tone: finding.severity === "high" ? ("break" as const) : ("doubt" as const),
      word: finding.severity,
      says: plainly(finding.title),
      evidence: `${finding.kind}, between ${finding.sides.map(plainly).join(" and ")}`,
      next: `constel conflicts --explain ${finding.id.slice(-6)}`,
      go: ["collisions", finding.id] as const,
      goes: "Look",
    }));
  });
}

const blank = {
  codes: [],
  evidence: "",
  sinceMs: null,
  next: "",
  go: undefined,
  goes: "",
  task: undefined,
  approval: undefined,
};

function rowOf(need: Seen["needs"][number], approvals: readonly Approval[]): Attention {
  const { key, kind, says, next, since_ms: sinceMs, agent } = need;
  const row = {
    ...blank,
    key,
    kind,
    glyph: "!",
    tone: "doubt" as Tone,
    word: kind,
    says: plainly(says),
    next,
    sinceMs,
  };
  const approval = approvals.find(({ id }) => key === `permission:${id}`);
  if (approval !== undefined)
    return {
      ...row,
      glyph: "?",
      tone: "yours",
      word: "asks",
      says: `${approval.agent} asks to run ${approval.asked}`,
      codes: [approval.asked],
      evidence: `in ${approval.cwd} · ${approval.why}`,
      sinceMs: approval.asked_ms,
      approval,
    };
  const task = Number(/^(?:ready|review|dispatch-failed):(\d+)/.exec(key)?.[1] ?? Number.NaN);
  if (kind === "ready")
    return { ...row, glyph: "✓", tone: "holds", word: "ready", task, go: ["tasks", task], goes: "Look" };
  if (!Number.isNaN(task)) return { ...row, glyph: "✕", tone: "break", task, go: ["tasks", task], goes: "Look" };
  if (kind === "stopped" || kind === "asked" || kind === "question" || kind === "unattended")
    return { ...row, glyph: "?", tone: "yours", go: agent === null ? undefined : ["agents", agent], goes: "Reply" };
  if (kind === "dead")
    return { ...row, glyph: "✕", tone: "break", go: agent === null ? undefined : ["agents", agent], goes: "Look" };
  if (kind === "limited" || kind === "budget") return { ...row, glyph: "◔", tone: "soft", go: ["cost"], goes: "Look" };
  if (kind.includes("delivery") || kind === "poisoned") return { ...row, go: ["messages"], goes: "Look" };
  if (kind === "schedule") return { ...row, go: ["schedules"], goes: "Look" };
  return { ...row, go: agent === null ? undefined : ["agents", agent], goes: "Look" };
}
