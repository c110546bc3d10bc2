import { expect, test } from "bun:test";
import type { z } from "zod";
import { showTask } from "../../../protocol/operations/tasks.ts";
import { taskStory } from "./task-story.ts";
import { width } from "./table.ts";
import { eventText } from "./task-events.ts";

type Story = z.output<typeof showTask.output>;

const same = (text: string): string => text;
const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
const at = Date.UTC(2026, 10, 15, 9, 0, 0);
const sha = "0123456789abcdef0123456789abcdef01234567";
const path = "/home/ada/shop/workspaces/12/repo";

const event = (index: number, type: string, actor: string, data: object): Story["events"][number] => ({
  id: `tev_${index}`,
  constellation: "constel0",
  task: 12,
  seq: index,
  at_ms: at + index * 61_000,
  type,
  actor,
  data: data as Record<string, unknown>,
});

const harvest = (more: Partial<Story["harvests"][number]>): Story["harvests"][number] => ({
  id: "hrv_1",
  constellation: "constel0",
  train: "trn_1",
  task: 12,
  place_in_train: 1,
  workspace: "wsp_1",
  origin: "/srv/shop.git",
  phase: "ended",
  outcome: "landed",
  reason: null,
  report: {},
  target: "main",
  expected_old: null,
  new_tip: sha,
  landed_sha: sha,
  gate_commit: sha,
  gate_outcome: "green",
  gate_tail: "",
  gate_ms: 42_000,
  attempts: 1,
  ready_sha: sha,
  outages: 0,
  retry_ms: null,
  fencing_token: 1,
  asked_by: "owner",
  asked_ms: at,
  started_ms: at,
  ended_ms: at,
  ...more,
});

/** Created, given to a clone, asked about once, done, harvested. */
const ordinary: Story = showTask.output.parse({
  task: {
    constellation: "constel0",
    number: 12,
    title: "Paginate the list of orders",
    directive: "The list of orders is too long to read; give it pages.",
    state: "closed",
    priority: "P1",
    brief: "briefs/orders.md",
    agent: "agent1",
    root: "/home/ada/shop",
    repository: "/home/ada/shop",
    repositories: [],
    target: "main",
    branch: "constel/constel0/12-paginate-the-list-of-orders",
    scope: [],
    after: [],
    land_by: null,
    blocked_by: [],
    estimate_ms: 5_400_000,
    actual_ms: 2_460_000,
    landed_sha: sha,
    ready_sha: sha,
    reason: null,
    source_key: null,
    evidence: null,
    created_by: "owner",
    created_ms: at,
    updated_ms: at,
    started_ms: at,
    ready_ms: at,
    closed_ms: at,
  },
  allowed: [],
  criteria: [],
  artefacts: [],
  review: { verdict: "none", head: sha, review: null, reviewer: null, text: null, answered_ms: null },
  workspaces: [
    {
      id: "wsp_1",
      constellation: "constel0",
      task: 12,
      name: "repo",
      state: "ready",
      holder: null,
      root: "/home/ada/shop",
      place: "workspaces/12/repo",
      path,
      source: "/home/ada/shop/.git",
      origin: "/srv/shop.git",
      target: "main",
      branch: "constel/constel0/12-paginate-the-list-of-orders",
      base_sha: sha,
      port_first: 20_000,
      port_count: 10,
      rescue: null,
      kept_ms: null,
      ready_sha: null,
      problem: null,
      created_ms: at,
      removing_ms: null,
      removed_ms: null,
    },
  ],
  harvests: [harvest({})],
  dispatches: [{ id: "dsp_1", agent: "agent1", state: "done", asked_ms: at, problem: null }],
  events: [
    event(0, "created", "owner", { title: "x", priority: "P1" }),
    event(1, "dispatched", "owner", { agent: "agent1", dispatch: "dsp_1", fencing_token: 1 }),
    event(2, "workspace_made", "owner", { path, branch: "b", base: sha, problem: null }),
    event(3, "brief_delivered", "daemon", { agent: "agent1", because: "its own proof", dispatch: "dsp_1" }),
    event(4, "clone_reply", "agent1", { kind: null, text: "pages of 20, or of 50?", message: "msg_1" }),
    event(5, "ready", "agent1", { branch: "b", commits: 2, uncommitted: 0, tips: [sha] }),
    event(6, "gate_passed", "daemon", { commit: sha, duration_ms: 42_000, together: [] }),
    event(7, "harvested", "daemon", { sha, target: "main", commits: 2, origin: "/srv/shop.git" }),
    event(8, "closed", "daemon", { landed_sha: sha, actual_ms: 2_460_000, estimate_ms: 5_400_000 }),
  ],
  messages: [
    {
      sender: "agentdispatch",
      receiver: "agent1",
      kind: "brief",
      text: "Task 12 is yours.\n…",
      state: "delivered",
      sent_ms: at,
    },
    { sender: "agent1", receiver: "agent0", kind: null, text: "pages of 20, or of 50?", state: "acked", sent_ms: at },
  ],
  cost: { answers: 31, input_tokens: 48_210, output_tokens: 9_120, cost_micros: 412_000, unpriced_answers: 0 },
});

const screen = { columns: 80, paint };
const linesOf = (story: Story, options: Partial<Parameters<typeof taskStory>[2]> = {}): string[] =>
  taskStory(story, screen, { hunks: false, rows: 24, ...options }).split("\n");

test("the whole story of an ordinary task stands on one screen of 80 by 24, with nothing left out", () => {
  const lines = linesOf(ordinary);
  expect(lines.length).toBeLessThan(24);
  expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(80);
  const text = lines.join("\n");
  for (const part of [
    "Task 12: Paginate the list of orders",
    "closed, P1, agent1",
    "The list of orders is too long",
    "briefs/orders.md",
    "12-paginate-the-list-of-orders → main",
    path,
    "estimated 1h 30m, took 41m",
    "31 answers",
    `${sha} on main`,
    "gate green in 42s",
    "agentdispatch → agent1 (brief, delivered)",
    "agent1 → agent0 (acked)  pages of 20, or of 50?",
  ])
    expect(text).toContain(part.slice(0, 60));
  for (const { type } of ordinary.events) expect(lines.filter((line) => line.includes(` ${type} `))).toHaveLength(1);
  expect(text).not.toContain("earlier");
});

test("of a long story a screen has the newest, and says how much is left out; asked for, all of it comes", () => {
  const events = Array.from({ length: 60 }, (_, index) => event(index, "updated", "owner", { priority: `P${index}` }));
  const long = { ...ordinary, events };
  const lines = linesOf(long);
  expect(lines.length).toBeLessThan(24);
  expect(lines.some((line) => line.includes("priority=P59"))).toBe(true);
  expect(lines.find((line) => line.includes("earlier: --all"))).toMatch(/… \d+ earlier/);
  expect(linesOf(long, { rows: undefined }).filter((line) => line.includes("updated"))).toHaveLength(60);
});

test("a task that did not land says why before anything else, and what the gate printed", () => {
  const red = harvest({ outcome: "red", landed_sha: null, gate_outcome: "red", gate_tail: "one\ntwo test failed" });
  const task = { ...ordinary.task, state: "needs_review", reason: "the gate is red", landed_sha: null };
  const lines = linesOf({ ...ordinary, task, harvests: [red], allowed: ["ready", "cancel"] });
  expect(lines.findIndex((line) => line.includes("the gate is red"))).toBeLessThan(4);
  expect(lines.some((line) => line.includes("gate       red in 42s"))).toBe(true);
  expect(lines.at(-1)).toContain("two test failed");
});

test("over several repositories each has its own line, landed or not", () => {
  const api = harvest({ id: "hrv_2", origin: "/srv/api.git", outcome: "red", landed_sha: null });
  const reason = "api did not land: the gate is red\nshop landed as 0123456789ab";
  const task = { ...ordinary.task, state: "needs_review", reason, repositories: ["/home/ada/shop", "/home/ada/api"] };
  const lines = linesOf({ ...ordinary, task, harvests: [harvest({}), api] });
  expect(lines.filter((line) => /^ {2}(reason)? +\S+ (did not land|landed as)/.test(line))).toHaveLength(2);
  expect(lines.find((line) => line.startsWith("  landed"))).toContain("on main of /srv/shop.git");
});

test("a workspace is told of with the files that were copied into it", () => {
  const made = { path: "/w/1/repo", branch: "b", base: "abc", problem: null };
  expect(eventText("workspace_made", made)).toBe("/w/1/repo");
  expect(eventText("workspace_made", { ...made, copied: [".env", "local.toml"] })).toBe(
    "/w/1/repo, with .env, local.toml",
  );
});

test("the review of what is ready stands in the story, with who said it", () => {
  const said = { head: sha, review: "rvw_1", reviewer: "agent2", text: "the unit is wrong", answered_ms: at };
  const lineWith = (verdict: Story["review"]["verdict"]): string | undefined =>
    taskStory({ ...ordinary, review: { ...said, verdict } }, screen, { hunks: false, rows: undefined })
      .split("\n")
      .find((line) => line.startsWith("  review"));
  expect(lineWith("changes")).toBe("  review     agent2 asks for changes: the unit is wrong");
  expect(lineWith("approved")).toBe("  review     approved by agent2: the unit is wrong");
  expect(lineWith("none")).toBeUndefined();
});
