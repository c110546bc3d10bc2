// An event of the timeline as a sentence. Types that are not told here are shown by their name.

import { middle, plainly } from "./text.ts";
import { lasting } from "./time.ts";
import type { Tone } from "./states.ts";

export interface Event {
  readonly seq: number;
  readonly at_ms: number;
  readonly type: string;
  readonly subject: string | null;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Told {
  readonly says: string;
  readonly glyph: string;
  readonly tone: Tone;
  /** Worth telling to somebody who was away. */
  readonly matters: boolean;
}

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
const short = (value: unknown): string => text(value).slice(0, 8);
const after = (subject: string | null): string => (subject ?? "").slice((subject ?? "").indexOf(":") + 1);

type Tell = (event: Event, name: string) => Told;
const told = (says: string, glyph = "·", tone: Tone = "soft", matters = false): Told => ({
  says,
  glyph,
  tone,
  matters,
});

const tellers: Readonly<Record<string, Tell>> = {
  "task.created": ({ data }, name) => told(`task ${name} was created: ${text(data["title"])}`, "+"),
  "task.dispatched": ({ data }, name) => told(`task ${name} went to ${text(data["agent"]) || "a person"}`, "→"),
  "task.queued": (_, name) => told(`task ${name} waits for an agent`, "◌"),
  "task.ready": (_, name) => told(`task ${name} is ready to land`, "✓", "holds", true),
  "task.gate_passed": ({ data }, name) =>
    told(`the gate of task ${name} is green after ${lasting(Number(data["duration_ms"]))}`, "✓", "holds"),
  "task.gate_failed": (_, name) => told(`the gate of task ${name} is red`, "✕", "break", true),
  "task.harvested": ({ data }, name) =>
    told(`task ${name} landed as ${short(data["sha"])} on ${text(data["target"])}`, "✓", "holds", true),
  "task.pull_opened": ({ data }, name) => told(`the pull request of task ${name} is open: ${text(data["url"])}`, "→"),
  "task.pull_sent_back": ({ data }, name) =>
    told(`task ${name} came back: ${text(data["reason"])}`, "✕", "doubt", true),
  "task.pull_closed": ({ data }, name) =>
    told(`task ${name} is given back: ${text(data["reason"])}`, "✕", "doubt", true),
  "task.target_red": ({ data }, name) =>
    told(
      `${text(data["target"])} is red since task ${name} landed; constel task revert ${name} undoes it`,
      "✕",
      "break",
      true,
    ),
  "task.closed": (_, name) => told(`task ${name} is closed`, "✓"),
  "task.needs_review": ({ data }, name) =>
    told(`task ${name} needs review: ${text(data["reason"])}`, "✕", "break", true),
  "task.taken_back": ({ data }, name) =>
    told(`task ${name} was taken back: ${text(data["reason"])}`, "✕", "break", true),
  "task.cancelled": (_, name) => told(`task ${name} was cancelled`, "–"),
  "task.clone_reply": ({ data, actor }, name) => told(`${actor} on task ${name}: ${text(data["text"])}`, "“"),
  "task.brief_delivered": ({ data }, name) => told(`${text(data["agent"])} has the brief of task ${name}`, "✓"),
  "task.workspace_made": (_, name) => told(`the workspace of task ${name} is made`, "+"),
  "finding.opened": ({ data }) =>
    told(`foreseen: ${plainly(text(data["title"]))}`, "✕", data["severity"] === "high" ? "break" : "doubt", true),
  "finding.closed": ({ data }) => told(`over: ${plainly(text(data["title"]))}`, "✓", "holds", true),
  "finding.dismissed": ({ data, actor }) => told(`${actor} dismissed a collision: ${text(data["reason"])}`, "–"),
  "agent.seen-changed": ({ data }, name) =>
    told(
      `${name} is ${text(data["to"])}: ${text(data["says"])}`,
      data["to"] === "dead" ? "✕" : "·",
      data["to"] === "dead" ? "break" : "soft",
    ),
  "agent.crashed": ({ data }, name) => told(`${name} crashed: ${text(data["what"])}`, "✕", "break", true),
  "agent.resumed": (_, name) => told(`${name} came back with its task`, "✓", "holds", true),
  "agent.limited": (_, name) => told(`${name} reached a usage limit`, "◔", "doubt", true),
  "agent.budget-reached": (_, name) => told(`${name} reached its budget`, "◔", "doubt", true),
  "approval.asked": ({ data }) => told(`${text(data["agent"])} asked to run ${text(data["asked"])}`, "?", "yours"),
  "approval.answered": ({ data, actor }) =>
    told(`${actor} answered ${text(data["agent"])}: ${text(data["state"])} ${text(data["asked"])}`, "✓"),
  "notice.told": (_, name) => told(`${name} was told of a collision`, "→"),
  "owner.announced": ({ data, actor }) => told(`${actor}: ${text(data["text"])}`, "“", "plain", true),
  "owner.paged": ({ data }) => told(`you were paged: ${text(data["subject"] ?? data["says"])}`, "!", "doubt", true),
  "repository.added": ({ data }) => told(`watching ${text(data["name"])}`, "+"),
  "worktree.observed": ({ data }) => told(`a worktree of ${text(data["branch"]) || "no branch"} is watched`, "+"),
  "worktree.entered": ({ data }) => told(`${text(data["agent"])} works in ${middle(text(data["path"]), 60)}`, "→"),
  "worktree.gone": ({ data }) => told(`the worktree of ${text(data["branch"])} is gone`, "–"),
  "harvest.asked": ({ data }) => told(`a harvest was asked for: ${text(data["tasks"])}`, "→"),
  "schedule.fired": (_, name) => told(`${name} fired`, "→", "soft", true),
  "token.created": ({ data }) => told(`a token was made: ${text(data["name"])}, ${text(data["role"])}`, "+"),
  "token.revoked": (_, name) => told(`a token was revoked: ${name}`, "–"),
  "settings.changed": ({ data }) =>
    told(`settings changed: ${Object.keys((data["changed"] ?? {}) as object).join(", ")}`, "·"),
};

export function tellEvent(event: Event): Told {
  const name = after(event.subject);
  const tell = Object.hasOwn(tellers, event.type) ? tellers[event.type] : undefined;
  return (
    tell?.(event, name) ??
    told(
      `${event.type.replaceAll(/[._-]/g, " ")} ${plainly(name)} ${plainly(text(event.data["title"] ?? event.data["text"] ?? event.data["reason"]))}`.trim(),
    )
  );
}

/** Where one would look after reading it. */
export function placeOf({ subject, type }: Event): readonly [page: string, id: string] | undefined {
  const [kind = "", id = ""] = [subject?.slice(0, subject.indexOf(":")), after(subject)];
  if (kind === "task") return ["tasks", id];
  if (kind === "agent") return ["agents", id];
  if (kind === "finding" && type !== "finding.closed") return ["collisions", id];
  return undefined;
}
