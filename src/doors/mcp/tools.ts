// The tools of the MCP door: which operation each action asks for, and what a model is told about it. At most 8 tools and
// 2,500 tokens of schema (tools.test.ts counts), so descriptions are short and the shapes of arguments are left to the
// operations, which check them.

import type { OperationName } from "../../client/caller.ts";
import { eventSeverities, eventTypeNames } from "../../protocol/event-types.ts";

export interface ToolAction {
  readonly operation: OperationName;
  /** Arguments that the action itself stands for. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Arguments that are given unless the caller names others. */
  readonly usual?: Readonly<Record<string, unknown>>;
  /** Meant from where the caller works, unless it says where. */
  readonly fromHere?: true;
  /** It may take long: it ends when the client no longer waits for it. */
  readonly waits?: true;
  /** The answer was written by agents, though the action changes something. An action that only reads is always marked so. */
  readonly others?: true;
}

export interface Tool {
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** By the argument `action`; a tool with a single one has no such argument. */
  readonly actions: Readonly<Record<string, ToolAction>> | ToolAction;
}

const text = (description?: string): object => ({
  type: "string",
  ...(description === undefined ? {} : { description }),
});
const texts = (description?: string): object => ({
  type: "array",
  items: { type: "string" },
  ...(description === undefined ? {} : { description }),
});
const count = (description?: string): object => ({
  type: "integer",
  ...(description === undefined ? {} : { description }),
});
const flag = (description?: string): object => ({
  type: "boolean",
  ...(description === undefined ? {} : { description }),
});
const oneOf = (values: readonly string[], description?: string): object => ({
  enum: values,
  ...(description === undefined ? {} : { description }),
});

const aFew = { limit: 20 };

export const tools: Readonly<Record<string, Tool>> = {
  register: {
    description:
      "Call once when you begin. Says who you are, your task, who else works here, findings, claims and decisions that touch your work, and what to do next.",
    properties: { path: text("your worktree, absolute; default: where this server runs") },
    actions: { operation: "join.register", fromHere: true, others: true },
  },
  sync: {
    description:
      "Take the next messages and events for you, one page at a time. Pass the ids you have read as `ack`; what is not acknowledged comes again.",
    properties: { ack: texts("ids of messages you have read") },
    actions: { operation: "sync.page", others: true },
  },
  publish: {
    description:
      "Publish a typed event to the agents named in `to`, or to those whom paths, topics, services, a capability or a task concern. Addressed to nobody, it is refused.",
    properties: {
      type: oneOf(eventTypeNames),
      text: text(),
      fields: {
        type: "object",
        description: "by type: test, branch, commit, file, symbol, on, needs, question, decision…",
      },
      severity: oneOf(eventSeverities),
      to: texts("agent ids"),
      paths: texts(),
      repository: text(),
      topics: texts(),
      services: texts(),
      capability: text(),
      task: count(),
      blocking: flag("wait for the owner first"),
      key: text("same key, same event: safe to repeat"),
    },
    required: ["type", "text"],
    actions: { operation: "event.publish" },
  },
  task: {
    description:
      "Tasks and claims. list, next (can be started), show, ready (committed, may land); claim paths so that others leave them alone, release, claims. When asked to review a task: reading, then approve or changes.",
    properties: {
      task: count("task number"),
      states: texts("for list: open, queued, in_progress, ready, needs_review, closed…"),
      agent: text("for list"),
      branch: text("for ready"),
      evidence: text("for ready: one line that shows it is done"),
      read: text("for approve, changes: the head that `reading` named"),
      text: text("for approve, changes"),
      comments: {
        type: "array",
        items: { type: "object", properties: { path: text(), line: count(), text: text() } },
        description: "for changes",
      },
      paths: texts("for claim: files, directories, .gitignore patterns"),
      path: text("for claim: where they are meant from"),
      for_ms: count("for claim; default 2 h"),
      severity: oneOf(["high", "medium", "low"]),
      reason: text(),
      id: text("for release"),
      limit: count(),
    },
    actions: {
      list: { operation: "task.list", usual: aFew },
      next: { operation: "task.next", usual: aFew },
      show: { operation: "task.show", others: true },
      ready: { operation: "task.ready" },
      reading: { operation: "review.show", others: true },
      approve: { operation: "review.answer", fixed: { verdict: "approved" } },
      changes: { operation: "review.answer", fixed: { verdict: "changes" } },
      claim: { operation: "claim.add", fromHere: true },
      release: { operation: "claim.drop" },
      claims: { operation: "claim.list" },
    },
  },
  decision: {
    description:
      "Decisions that outlive a chat. record (or replace one with `supersedes`), list, show, accept, reject. The owner's decisions (owner_verified) bind; no agent can replace them.",
    properties: {
      title: text(),
      text: text("why, and what follows"),
      draft: flag(),
      files: texts("record: what it is about"),
      file: text("list: decisions about this file"),
      repository: text(),
      service: text(),
      task: count(),
      supersedes: text("id"),
      id: text(),
      reason: text(),
      query: text("words, for list"),
      states: texts(),
      limit: count(),
    },
    actions: {
      record: { operation: "decision.record" },
      list: { operation: "decision.list", usual: aFew, others: true },
      show: { operation: "decision.show", others: true },
      accept: { operation: "decision.settle", fixed: { verdict: "accept" } },
      reject: { operation: "decision.settle", fixed: { verdict: "reject" } },
    },
  },
  discover: {
    description:
      "Look around: agents, agent, findings (what will collide), finding, plan (order of landing), repositories, events, tests (likely affected here), status, notices. subscribe: hear of more than your own work (replaces what you chose); subscriptions.",
    properties: {
      agent: text("agent id"),
      id: text("finding id"),
      repository: text("name, or a path in it"),
      all: flag(),
      type: text("for events"),
      path: text("for tests"),
      paths: texts("for subscribe"),
      topics: texts(),
      services: texts(),
      capabilities: texts("what you can do"),
      limit: count(),
    },
    actions: {
      agents: { operation: "agents.list" },
      agent: { operation: "agents.show", others: true },
      findings: { operation: "finding.list", usual: aFew },
      finding: { operation: "finding.show" },
      plan: { operation: "plan.landing" },
      repositories: { operation: "repository.list" },
      events: { operation: "event.list", usual: aFew, others: true },
      tests: { operation: "worktree.tests", fromHere: true },
      status: { operation: "status.look" },
      notices: { operation: "notice.list", usual: aFew, others: true },
      subscribe: { operation: "notice.subscribe" },
      subscriptions: { operation: "notice.subscriptions" },
    },
  },
  chat: {
    description:
      "Talk to another agent. send, reply (to a message id), wait (until the answer to a message, or the next in a thread), threads, history.",
    properties: {
      to: text("agent id"),
      text: text(),
      message: text("message id"),
      thread: text(),
      task: count(),
      key: text("same key, delivered once"),
      for_ms: count("for wait: at most 50000, default 30000"),
      limit: count(),
    },
    actions: {
      send: { operation: "chat.send" },
      reply: { operation: "chat.reply" },
      wait: { operation: "chat.wait", waits: true, others: true },
      threads: { operation: "chat.threads" },
      history: { operation: "chat.history", others: true },
    },
  },
  memory: {
    description: "Notes that outlive your session. remember, recall (by words, or all), pin, forget.",
    properties: {
      text: text(),
      own: flag("only for you"),
      repository: text(),
      task: count(),
      pinned: flag("shown at every start"),
      query: text("words"),
      id: text(),
      limit: count(),
    },
    actions: {
      remember: { operation: "memory.remember" },
      recall: { operation: "memory.recall", others: true },
      pin: { operation: "memory.pin" },
      forget: { operation: "memory.forget" },
    },
  },
};

export const hasActions = (tool: Tool): tool is Tool & { actions: Readonly<Record<string, ToolAction>> } =>
  !("operation" in tool.actions);

/** As `tools/list` answers. */
export const listedTools = Object.entries(tools).map(([name, tool]) => ({
  name,
  description: tool.description,
  inputSchema: {
    type: "object" as const,
    properties: hasActions(tool) ? { action: oneOf(Object.keys(tool.actions)), ...tool.properties } : tool.properties,
    ...(hasActions(tool) || tool.required !== undefined
      ? { required: [...(hasActions(tool) ? ["action"] : []), ...(tool.required ?? [])] }
      : {}),
    additionalProperties: false,
  },
}));
