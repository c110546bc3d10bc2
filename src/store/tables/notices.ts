// Notices, each telling of them, events that were addressed, and what routing rests on.

/** Something addressed to one agent. One row for one cause, however many others it is about. */
export interface AgentNoticesTable {
  id: string;
  constellation: string;
  agent: string;
  /** The cause that makes two findings one matter for this agent. */
  cause: string;
  /** finding, claim or event. */
  about: string;
  /** The finding's kind, `claim`, or the event's type. */
  kind: string;
  repository: string | null;
  severity: string;
  title: string;
  /** The reasons why it is addressed to this agent: JSON of rules and facts. */
  reasons: string;
  /** The parts it is made of, and what of each was told. JSON: see core/notices/notice.ts. */
  parts: string;
  /** waiting, told, handled or withdrawn. */
  state: string;
  /** Since when there was something to tell that had not been told. */
  due_ms: number;
  made_ms: number;
  updated_ms: number;
  /** The time when it was last told, and what proves it: `hook tool-began`, `message ntc_…`. */
  told_ms: number | null;
  told_by: string | null;
  handled_ms: number | null;
  handled_by: string | null;
  /** Set when nothing can follow any more. */
  ended_ms: number | null;
  ended_because: string | null;
}

/** One thing that is said to one agent at once; it may cover several notices. The id is that of the hear item or message. */
export interface TellingsTable {
  id: string;
  constellation: string;
  agent: string;
  /** hook or message. */
  way: string;
  /** offered, sent, told, lost (taken up and never said) or dropped (over before anybody took it up). */
  state: string;
  /** The notices that it covers, and what it says of each. JSON. */
  covers: string;
  moments: string;
  files: string;
  denies: number;
  text: string;
  offered_ms: number;
  told_ms: number | null;
  told_by: string | null;
  /** The conversation that heard it, or that alone is to hear it; null where nobody can tell. */
  told_to: string | null;
  /** Set when it no longer lies ready for anybody. */
  ended_ms: number | null;
}

/** An event for several agents: its words once, a notice for each recipient. */
export interface AddressedEventsTable {
  id: string;
  constellation: string;
  type: string;
  caused_by: string | null;
  severity: string;
  text: string;
  files: string;
  /** The facts it was routed by. JSON. */
  about: string;
  recipients: number;
  at_ms: number;
}

/** The things that an agent asked to hear of, or can do. */
export interface SubscriptionsTable {
  constellation: string;
  agent: string;
  /** path, topic, service or capability. */
  what: string;
  /** For paths: the repository they are in; empty for every one. */
  repository: string;
  value: string;
  made_ms: number;
}

/** An agent edited files there, by its own hooks. */
export interface WorkplacesTable {
  constellation: string;
  agent: string;
  worktree: string;
  last_ms: number;
}
