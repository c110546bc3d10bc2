// Tasks: created, looked at, given out, and landed.

import { z } from "zod";
import { artefactShape, criterionShape } from "../acceptance.ts";
import { branchShape } from "../branch-shape.ts";
import { columnsOf } from "../columns.ts";
import { landingWays } from "../landing-ways.ts";
import { agentField, limitField, placeField, spanField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { verdictShape } from "./reviews.ts";
import { workspaceShape } from "./workspaces.ts";

const title = z.string().trim().min(1).max(10_000);
const directive = z.string().max(100_000);
const priority = z.enum(["P0", "P1", "P2", "P3"]);
const state = z.enum(["open", "queued", "in_progress", "ready", "needs_review", "closed", "taken_back", "cancelled"]);
const path = z.string().min(1).max(4_096);
const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();
const data = z.record(z.string(), z.unknown());

const task = taskField.describe("The task's number");

/** The fields that describe a task. */
const details = {
  directive: directive.optional().describe("What is asked, in your words"),
  brief: placeField.optional().describe("A markdown file inside the root directory"),
  estimate_ms: spanField(60_000, 31_536_000_000).optional().describe("How long it should take: 90m, 2h, 1d"),
  target: branchShape.optional().describe("The branch to land on (default: the origin's own)"),
};
const by = z
  .enum(landingWays)
  .describe("Land by a push, or by a pull request at the forge (default: as the repository says)");
/** What a task is to show: on `task.create`, and on `task.update`, where it replaces what was asked for before. */
const accept = z
  .array(z.string().trim().min(1).max(2_000))
  .max(50)
  .describe("What it must show: a command that runs with the gate, or a sentence; several times for several");
const places = z.array(z.number().int().min(1).max(50)).max(50);
const evidence = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[^\r\n]*$/, "must be one line")
  .describe("One line that shows it is done");
const repositories = z
  .array(placeField)
  .max(50)
  .describe("The repository to work in (default: the root directory's own); several times for several");
const scope = z.array(path).max(1_000).describe("A path it will touch");
const after = z.array(taskField).max(1_000).describe("Wait for this task to land");

export const taskShape = z.object({
  constellation: z.string(),
  number: z.number().int(),
  title: z.string(),
  directive: z.string(),
  state: z.string(),
  priority: z.string(),
  brief: nullableText,
  agent: nullableText,
  root: z.string(),
  repository: nullableText,
  /** All of them when it is about several; else empty. */
  repositories: z.array(z.string()),
  target: nullableText,
  branch: nullableText,
  scope: z.array(z.string()),
  after: z.array(z.number().int()),
  blocked_by: z.array(z.number().int()),
  estimate_ms: nullableNumber,
  actual_ms: nullableNumber,
  landed_sha: nullableText,
  ready_sha: nullableText,
  reason: nullableText,
  source_key: nullableText,
  created_by: z.string(),
  created_ms: z.number(),
  updated_ms: z.number(),
  started_ms: nullableNumber,
  ready_ms: nullableNumber,
  closed_ms: nullableNumber,
  evidence: nullableText,
  /** push or pull-request; null: as the repository says. */
  land_by: nullableText,
});

export const taskEventShape = z.object({
  id: z.string(),
  constellation: z.string(),
  task: z.number().int(),
  seq: z.number().int(),
  at_ms: z.number(),
  type: z.string(),
  actor: z.string(),
  data,
});

export const harvestShape = z.object({
  id: z.string(),
  constellation: z.string(),
  train: z.string(),
  task: z.number().int(),
  place_in_train: z.number().int(),
  workspace: nullableText,
  origin: z.string(),
  phase: z.string(),
  outcome: nullableText,
  reason: nullableText,
  report: data,
  target: nullableText,
  expected_old: nullableText,
  new_tip: nullableText,
  landed_sha: nullableText,
  gate_commit: nullableText,
  gate_outcome: nullableText,
  gate_tail: nullableText,
  gate_ms: nullableNumber,
  attempts: z.number().int(),
  ready_sha: nullableText,
  outages: z.number().int(),
  retry_ms: nullableNumber,
  fencing_token: z.number().int(),
  asked_by: z.string(),
  asked_ms: z.number(),
  started_ms: nullableNumber,
  ended_ms: nullableNumber,
});

const queuedShape = taskShape.extend({ wanted_agent: nullableText, wanted_runtime: nullableText, hold: z.boolean() });

export const createTask = defineOperation({
  name: "task.create",
  summary: "Create a task.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["title", "directive", "accept"],
  input: z.object({
    title: title.describe("What is to be done"),
    ...details,
    priority: priority.default("P2").describe("How urgent"),
    root: path,
    repositories: repositories.default([]),
    scope: scope.default([]),
    after: after.default([]),
    accept: accept.default([]),
    by: by.optional(),
  }),
  output: z.object({ number: z.number().int(), criteria: z.array(criterionShape) }),
  refusals: [
    "task.unknown",
    "brief.missing",
    "path.outside-root",
    "path.symlink",
    "git.not-a-repository",
    "store.not-written",
  ],
});

export const importTasks = defineOperation({
  name: "task.import",
  summary: "Create tasks from elsewhere; what was imported before is left alone.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["tasks"],
  input: z.object({
    root: path,
    repository: placeField.optional().describe("The repository to work in"),
    tasks: z
      .array(
        z.object({
          key: z.string().min(1).max(1_000),
          title,
          directive: directive.default(""),
          priority: priority.default("P2"),
          estimate_ms: details.estimate_ms,
        }),
      )
      .max(10_000),
  }),
  output: z.object({ created: z.array(z.number().int()), known: z.number().int() }),
  refusals: ["git.not-a-repository", "store.not-written"],
});

export const listTasks = defineOperation({
  name: "task.list",
  summary: "Tasks that are not finished, or those of some states.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    states: z.array(state).optional().describe("Only this state"),
    all: z.boolean().default(false).describe("Finished ones too"),
    agent: agentField.optional().describe("Only this agent's"),
    priority: priority.optional().describe("Only this priority"),
    limit: limitField(100_000, 1_000),
    ...columnsOf(taskShape),
  }),
  output: z.object({ total: z.number().int(), tasks: z.array(taskShape) }),
  rows: "tasks",
  refusals: [],
});

export const nextTasks = defineOperation({
  name: "task.next",
  summary: "List tasks that can be started now: nothing it waits for is unlanded.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ limit: limitField(1_000, 10), ...columnsOf(taskShape) }),
  output: z.object({ total: z.number().int(), tasks: z.array(taskShape) }),
  rows: "tasks",
  refusals: [],
});

export const queueOfTasks = defineOperation({
  name: "task.queue",
  summary: "Tasks that wait for a free agent, in the order in which they go out.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ ...columnsOf(queuedShape) }),
  output: z.object({ tasks: z.array(queuedShape) }),
  rows: "tasks",
  refusals: [],
});

export const showTask = defineOperation({
  name: "task.show",
  summary: "The whole story of a task.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ task }),
  output: z.object({
    task: taskShape,
    allowed: z.array(z.string()),
    workspaces: z.array(workspaceShape),
    harvests: z.array(harvestShape),
    dispatches: z.array(
      z.object({
        id: z.string(),
        agent: nullableText,
        state: z.string(),
        asked_ms: z.number(),
        problem: nullableText,
      }),
    ),
    events: z.array(taskEventShape),
    messages: z.array(
      z.object({
        sender: z.string(),
        receiver: z.string(),
        kind: nullableText,
        text: nullableText,
        state: z.string(),
        sent_ms: nullableNumber,
      }),
    ),
    cost: z.object({
      answers: z.number().int(),
      input_tokens: z.number(),
      output_tokens: z.number(),
      cost_micros: z.number(),
      unpriced_answers: z.number().int(),
    }),
    criteria: z.array(criterionShape),
    artefacts: z.array(artefactShape),
    /** The verdict on the commits that are ready now. */
    review: verdictShape,
  }),
  refusals: ["task.unknown"],
});

export const exportTasks = defineOperation({
  name: "task.export",
  summary: "Every task with its events.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({}),
  output: z.object({ tasks: z.array(taskShape.extend({ events: z.array(taskEventShape) })) }),
  refusals: [],
});

export const updateTask = defineOperation({
  name: "task.update",
  summary: "Change a task, reopen a cancelled one, or send one back for rework.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["title", "directive", "accept"],
  input: z.object({
    task,
    title: title.optional().describe("New title"),
    ...details,
    priority: priority.optional().describe("How urgent"),
    repositories: repositories.optional(),
    scope: scope.optional(),
    after: after.optional(),
    accept: accept.optional(),
    by: by.optional(),
    passed: places.describe("This acceptance sentence has been shown, by its number").optional(),
    failed: places.describe("This acceptance sentence does not hold, by its number").optional(),
    move: z.enum(["reopen", "rework", "release"]).optional(),
  }),
  output: z.object({ state: z.string() }),
  refusals: [
    "task.unknown",
    "task.not-allowed",
    "task.landing",
    "task.waits-for-itself",
    "brief.missing",
    "git.not-a-repository",
    "task.no-criterion",
  ],
});

export const cancelTask = defineOperation({
  name: "task.cancel",
  summary: "Cancel a task. Its workspace stays.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["reason"],
  input: z.object({ task, reason: z.string().max(10_000).default("").describe("Why") }),
  output: z.object({ state: z.string(), told: z.array(z.string()) }),
  refusals: ["task.unknown", "task.not-allowed", "task.landing"],
});

export const readyTask = defineOperation({
  name: "task.ready",
  summary: "Mark a task as committed and ready to land.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["evidence"],
  input: z.object({
    task,
    evidence: evidence.optional(),
    branch: branchShape.optional().describe("The branch to land, if it is not the workspace's own"),
  }),
  output: z.object({
    state: z.string(),
    branch: z.string(),
    commits: nullableNumber,
    uncommitted: z.number().int(),
    /** The reason why it will not land yet: the things it edits that another has claimed for itself. Null if there are none. */
    held: nullableText,
    /** What it must show, none of which has been seen of this work yet. */
    criteria: z.array(criterionShape),
  }),
  refusals: ["task.unknown", "task.not-allowed", "task.not-yours", "task.no-workspace", "task.nothing-to-land"],
});

export const dispatchTask = defineOperation({
  name: "task.dispatch",
  summary: "Give a task out, or create one and give it out: to a free agent, or to a workspace for a person.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["title", "directive", "accept"],
  input: z.object({
    task: task.optional(),
    title: title.optional().describe("What is to be done, for a task that is created now"),
    ...details,
    priority: priority.optional().describe("How urgent"),
    root: path.optional(),
    repositories: repositories.optional(),
    scope: scope.optional(),
    after: after.optional(),
    by: by.optional(),
    accept: accept.optional(),
    to_workspace: z.boolean().default(false).describe("Prepare the workspace for a person instead"),
    agent: agentField.optional().describe("To this agent"),
    runtime: z.string().min(1).max(100).optional().describe("To an agent on this runtime"),
    hold: z.boolean().default(false).describe("Keep it queued while its scope collides with work in progress"),
    fetch: z.boolean().default(true).describe("Fetch from the origin first"),
    dry_run: z.boolean().default(false).describe("Show what would happen, and do nothing"),
  }),
  output: z.object({
    /** Null only when a task would have been created and nothing was done. */
    task: z.number().int().nullable(),
    /** What it must show, when it was created now. */
    criteria: z.array(criterionShape),
    /** The assignment to watch with task.assignment; null when the task was queued. */
    dispatch: nullableText,
    state: z.string(),
    agent: nullableText,
    delivery: z.enum(["assigned", "queued", "dry-run"]),
    notes: z.array(z.string()),
  }),
  refusals: [
    "task.unknown",
    "task.not-allowed",
    "task.waits",
    "task.no-repository",
    "task.no-agents",
    "task.leased",
    "task.lease-lost",
    "task.landing",
    "task.agent-cannot",
    "brief.missing",
    "path.outside-root",
    "path.symlink",
    "git.not-a-repository",
    "store.not-written",
  ],
});

export const showAssignment = defineOperation({
  name: "task.assignment",
  summary: "Where an assignment stands: its workspace and brief as they are made, and whether it was sent.",
  // It only reads, but it needs the daemon: who waits for a delivery wants it to go on.
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ dispatch: z.string() }),
  output: z.object({
    dispatch: z.string(),
    task: z.number().int(),
    agent: nullableText,
    state: z.string(),
    settled: z.boolean(),
    problem: nullableText,
    workspaces: z.array(z.string()),
    branch: nullableText,
    brief: nullableText,
    notes: z.array(z.string()),
  }),
  refusals: ["task.unknown"],
});

export const harvestTasks = defineOperation({
  name: "task.harvest",
  summary: "Ask for tasks to land; `task.harvests` tells how it goes.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    tasks: z.array(taskField).max(1_000).default([]).describe("Their numbers"),
    all: z.boolean().default(false).describe("Land everything that is ready, tested together"),
    over_claim: z
      .boolean()
      .default(false)
      .describe("Also land what edits paths that an agent has claimed exclusively (owner only)"),
  }),
  output: z.object({
    train: z.string(),
    tasks: z.array(z.number().int()),
    landed: z.array(z.object({ task: z.number().int(), sha: z.string() })),
  }),
  refusals: [
    "task.unknown",
    "task.not-allowed",
    "task.nothing-to-land",
    "task.no-workspace",
    "authority.owner",
    "authority.human",
  ],
});

export const harvestsOf = defineOperation({
  name: "task.harvests",
  summary: "How the harvests of one asking stand.",
  // It only reads, but it needs the daemon: who waits for a harvest wants it to go on.
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ train: z.string() }),
  output: z.object({ harvests: z.array(harvestShape) }),
  refusals: [],
});
