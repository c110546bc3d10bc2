// The typed events that agents and people publish: what each means, how loud it is unless its publisher says otherwise, and
// which fields it carries beside its text. Declared once: the operation, the command and the reference page come from here.

/** The severities of events, the loudest first. `info` never interrupts anybody. */
export const eventSeverities = ["high", "medium", "low", "info"] as const;
export type EventSeverity = (typeof eventSeverities)[number];

export interface EventType {
  readonly means: string;
  readonly severity: EventSeverity;
  /** Fields without which it says nothing. */
  readonly requires: readonly string[];
  /** Fields that it may carry. */
  readonly allows: readonly string[];
}

export const eventTypes = {
  blocked: {
    means: "I cannot go on until something happens",
    severity: "high",
    requires: [],
    allows: ["on", "needs"],
  },
  unblocked: { means: "What I was blocked on is over", severity: "low", requires: [], allows: ["on"] },
  "test-failed": {
    means: "A test or gate fails",
    severity: "high",
    requires: ["test"],
    allows: ["command", "branch", "commit"],
  },
  "branch-ready": {
    means: "A branch is committed and ready to land",
    severity: "medium",
    requires: ["branch"],
    allows: ["commit"],
  },
  "review-requested": {
    means: "Somebody should look at this work",
    severity: "medium",
    requires: ["branch"],
    allows: ["commit", "question"],
  },
  "hand-off": {
    means: "Somebody else should take this over",
    severity: "high",
    requires: [],
    allows: ["branch", "commit", "state"],
  },
  "schema-changed": {
    means: "A schema, migration or contract changed",
    severity: "medium",
    requires: ["file"],
    allows: ["breaking", "commit"],
  },
  "interface-changed": {
    means: "A function, type or route that others use changed",
    severity: "medium",
    requires: ["symbol"],
    allows: ["file", "before", "after", "commit"],
  },
  "decision-recorded": {
    means: "A decision was recorded that others should know",
    severity: "low",
    requires: ["decision"],
    allows: [],
  },
  note: { means: "Something worth knowing", severity: "info", requires: [], allows: [] },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventTypeName, ...EventTypeName[]];

/** Says what is wrong with an event's fields, in one sentence. Undefined if nothing is. */
export function complaintAboutFields(
  type: EventTypeName,
  fields: Readonly<Record<string, unknown>>,
): string | undefined {
  const { requires, allows }: EventType = eventTypes[type];
  const known = [...requires, ...allows];
  const missing = requires.find((name) => fields[name] === undefined || fields[name] === "");
  if (missing !== undefined) return `${type} needs the field \`${missing}\``;
  const extra = Object.keys(fields).find((name) => !known.includes(name));
  if (extra === undefined) return undefined;
  const list = known.length === 0 ? "none" : known.map((name) => `\`${name}\``).join(", ");
  return `${type} has no field ${JSON.stringify(extra.slice(0, 100))}; it takes ${list}`;
}

/** The receivers of an event, a decision or a claim. Routing reads this; an empty one concerns nobody. */
export interface Addressing {
  /** Agents by name. */
  readonly recipients: readonly string[];
  /** Paths from the top of `repository`, or patterns as .gitignore writes them. */
  readonly paths: readonly string[];
  /** A repository's identity; null: any. */
  readonly repository: string | null;
  readonly topics: readonly string[];
  readonly services: readonly string[];
  /** For agents that have this capability: `review`, `database`. */
  readonly capability: string | null;
  readonly task: number | null;
}
