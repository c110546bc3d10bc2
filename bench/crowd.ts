// A database as it is after a long time with many agents: two hundred worktrees that all collide with some others, a hundred agents,
// ten thousand tasks, a million events. Filled past the store, because nobody waits for it: the chain does not verify.

import { Database, type SQLQueryBindings } from "bun:sqlite";
import { createHash } from "node:crypto";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { makeId } from "../src/protocol/ids.ts";

export interface CrowdSize {
  readonly worktrees: number;
  readonly agents: number;
  readonly tasks: number;
  readonly events: number;
  readonly openFindings: number;
  readonly openPairs: number;
  readonly messages: number;
}

export const fullCrowd: CrowdSize = {
  worktrees: 200,
  agents: 100,
  tasks: 10_000,
  events: 1_000_000,
  openFindings: 2_000,
  openPairs: 5_000,
  messages: 100_000,
};

type Row = Readonly<Record<string, SQLQueryBindings>>;

const constellation = "constel0";
export const crowdRepository = "git:example.org/crowd";
export const crowdWorktree = (index: number): string => `/crowd/w${index}`;

/** `path`: of a database that was migrated and is not open. */
export function fillCrowd(path: string, size: CrowdSize): void {
  const raw = new Database(path);
  raw.run("begin");
  const fill = (table: string, count: number, row: (index: number) => Row): void => insert(raw, table, count, row);
  const nowMs = systemClock.nowMs();
  const id = (kind: Parameters<typeof makeId>[0], index: number): string =>
    makeId(kind, nowMs - index, systemRandom.bytes(10));
  const branch = (index: number): string => `work/${index}`;
  fill("repositories", 1, () => ({
    identity: crowdRepository,
    name: "crowd",
    wanted: "observed",
    added_ms: nowMs,
    added_by: "owner",
    default_branch: "origin/main",
    pairs: (size.worktrees * (size.worktrees - 1)) / 2,
  }));
  fill("clones", 1, () => ({ repository: crowdRepository, path: "/crowd/main", added_ms: nowMs }));
  fill("worktrees", size.worktrees, (index) => ({
    path: crowdWorktree(index),
    repository: crowdRepository,
    branch: branch(index),
    head: "0".repeat(40),
    snapshot_commit: "1".repeat(40),
    snapshot_tree: "2".repeat(40),
    ahead: 2,
    behind: 1,
    agent: `agent${(index % size.agents) + 1}`,
    first_seen_ms: nowMs - 86_400_000,
    changed_ms: nowMs - index * 1_000,
    last_observed_ms: nowMs,
  }));
  const sides = (index: number): [number, number] => {
    const one = index % size.worktrees;
    const other = (one + 1 + (Math.floor(index / size.worktrees) % (size.worktrees - 1))) % size.worktrees;
    return one < other ? [one, other] : [other, one];
  };
  const pairOf = ([one, other]: readonly [number, number]): string =>
    JSON.stringify([`worktree ${crowdWorktree(one)}`, `worktree ${crowdWorktree(other)}`].sort());
  const pairColumns = (pair: readonly [number, number]): Row => ({
    repository: crowdRepository,
    pair: pairOf(pair),
    ours_label: branch(pair[0]),
    ours_worktree: crowdWorktree(pair[0]),
    theirs_label: branch(pair[1]),
    theirs_worktree: crowdWorktree(pair[1]),
  });
  fill("findings", size.openFindings * 6, (index) => {
    const pair = sides(index);
    const isOpen = index < size.openFindings;
    const file = `src/part${index % 97}/file${index % 500}.ts`;
    return {
      ...pairColumns(pair),
      id: id("fnd", index),
      fingerprint: createHash("sha256").update(`${index}`).digest("hex"),
      kind: "file",
      severity: index % 3 === 0 ? "high" : "medium",
      ours_branch: branch(pair[0]),
      theirs_branch: branch(pair[1]),
      title: `${branch(pair[0])} and ${branch(pair[1])} change ${file} in ways that git cannot merge`,
      action: "Agree who lands first; the other takes it in.",
      files: JSON.stringify([file]),
      symbols: "[]",
      evidence: JSON.stringify([
        {
          rule: "conflict",
          path: file,
          ours: Array.from({ length: 20 }, (_, line) => ({ line: line + 1, text: "a line of code that was changed" })),
          theirs: Array.from({ length: 20 }, (_, line) => ({ line: line + 1, text: "another line of code there" })),
        },
      ]),
      evidence_hash: String(index),
      evidence_kind: `conflict ${file}`,
      state: isOpen ? "open" : "closed",
      opened_ms: nowMs - 3_600_000,
      updated_ms: nowMs - index,
      closed_ms: isOpen ? null : nowMs - index,
      closed_because: isOpen ? null : "the work landed",
      times_opened: 1,
    };
  });
  const pairs = new Map(Array.from({ length: size.openPairs }, (_, index) => [pairOf(sides(index)), sides(index)]));
  const listed = [...pairs.values()];
  fill("open_pairs", listed.length, (index) => ({
    ...pairColumns(listed[index] ?? [0, 1]),
    open: JSON.stringify([{ what: "types", why: "a compiler is still asked", paths: [], comes: true }]),
    notes: "[]",
    since_ms: nowMs,
  }));
  fill("agents", size.agents, (index) => ({
    agent: `agent${index + 1}`,
    role: "clone",
    runtime: "script",
    wanted: "up",
    seen: index % 4 === 0 ? "idle" : "busy",
    evidence_on: "hooks",
    evidence_says: "a hook said so",
    since_ms: nowMs,
    launched_ms: nowMs,
    cwd: "/crowd",
    updated_ms: nowMs,
  }));
  fill("sessions", size.agents * 20, (index) => ({
    agent: `agent${(index % size.agents) + 1}`,
    started_ms: nowMs - index * 60_000,
    runtime: "script",
    because: "asked",
    cwd: "/crowd",
    ended_ms: index < size.agents ? null : nowMs - index * 50_000,
  }));
  const states = ["open", "queued", "in_progress", "ready", "needs_review", "closed"];
  const stateOf = (index: number): string =>
    index < size.worktrees ? "in_progress" : (states[index % 10] ?? "closed");
  fill("tasks", size.tasks, (index) => ({
    number: index + 1,
    title: `Task ${index + 1} of the crowd`,
    directive: "Do what the title says, and say when it is done.",
    state: stateOf(index),
    priority: ["P0", "P1", "P2", "P3"][index % 4] ?? "P2",
    agent: stateOf(index) === "open" ? null : `agent${(index % size.agents) + 1}`,
    root: "/crowd",
    repository: "/crowd/main",
    repositories: "[]",
    scope: JSON.stringify([`src/part${index % 97}`]),
    created_by: "owner",
    created_ms: nowMs - index,
    updated_ms: nowMs - index,
    closed_ms: stateOf(index) === "closed" ? nowMs - index : null,
    actual_ms: 60_000,
  }));
  fill("task_after", Math.floor(size.tasks / 4), (index) => ({ task: index * 2 + 2, after: index + 1 }));
  fill("task_events", size.tasks * 5, (index) => ({
    id: id("tev", index),
    task: (index % size.tasks) + 1,
    seq: index + 1,
    at_ms: nowMs - index,
    type: "changed",
    actor: "owner",
    data: "{}",
  }));
  fill("workspaces", size.worktrees, (index) => ({
    id: id("wsp", index),
    task: index + 1,
    name: "repo",
    state: "ready",
    root: "/crowd",
    place: `w${index}`,
    path: crowdWorktree(index),
    source: "/crowd/main",
    origin: "/crowd/origin",
    target: "main",
    branch: branch(index),
    base_sha: "0".repeat(40),
    port_first: 20_000 + index * 10,
    port_count: 10,
    created_ms: nowMs,
  }));
  fill("dispatches", size.tasks, (index) => ({
    id: id("dsp", index),
    task: index + 1,
    agent: `agent${(index % size.agents) + 1}`,
    state: index < size.worktrees ? "delivered" : "ended",
    fencing_token: index + 1,
    asked_ms: nowMs - index,
    delivered_ms: nowMs - index,
    ended_ms: index < size.worktrees ? null : nowMs - index,
    told_ms: nowMs,
    left_ms: index < size.worktrees ? null : nowMs - index,
    notes: "[]",
  }));
  fill("workplaces", size.worktrees, (index) => ({
    agent: `agent${(index % size.agents) + 1}`,
    worktree: crowdWorktree(index),
    last_ms: nowMs - index,
  }));
  fill("claims", size.agents * 3, (index) => ({
    id: id("clm", index),
    repository: crowdRepository,
    holder: `agent${(index % size.agents) + 1}`,
    worktree: crowdWorktree(index % size.worktrees),
    patterns: JSON.stringify([`/src/part${index % 89}`]),
    severity: "medium",
    reason: "in hand",
    made_by: `agent${(index % size.agents) + 1}`,
    made_ms: nowMs,
    expires_ms: nowMs + 3_600_000,
  }));
  fill("subscriptions", size.agents * 4, (index) => ({
    agent: `agent${(index % size.agents) + 1}`,
    what: "topic",
    repository: "",
    value: `topic${index % 50}-${Math.floor(index / size.agents)}`,
    made_ms: nowMs,
  }));
  fill("messages", size.messages, (index) => ({
    name: `${String(index).padStart(20, "0")}-m`,
    receiver: `agent${(index % size.agents) + 1}`,
    message_id: `m${index}`,
    sender: `agent${((index * 7) % size.agents) + 1}`,
    kind: "chat",
    thread: `t${index % 2_000}`,
    task: index % 3 === 0 ? String((index % size.tasks) + 1) : null,
    text: "A message of ordinary length, as one agent writes it to another about their work.",
    text_bytes: 80,
    state: index < 1_000 ? "sent" : "acked",
    evidence: "bound",
    sent_ms: nowMs - index,
    delivered_ms: nowMs - index,
    acked_ms: index < 1_000 ? null : nowMs - index,
  }));
  fill("token_usage", size.messages, (index) => ({
    agent: `agent${(index % size.agents) + 1}`,
    id: `u${index}`,
    model: "a-model",
    input: 1_000,
    output: 200,
    cache_read: 0,
    cache_write: 0,
    cost_micros: 900,
    at_ms: nowMs - index * 1_000,
    task: String((index % size.tasks) + 1),
  }));
  fill("published", 5_000, (index) => ({
    id: id("evt", index),
    at_ms: nowMs - index,
    seq: index + 1,
    type: "announcement",
    severity: "info",
    actor: `agent${(index % size.agents) + 1}`,
    text: "Something happened.",
    fields: "{}",
    paths: "[]",
    topics: "[]",
    services: "[]",
    recipients: 10,
  }));
  fill("decisions", 1_000, (index) => ({
    id: id("dec", index),
    state: "accepted",
    title: `Decision ${index}`,
    text: "We do it so.",
    recorded_by: "owner",
    owner_verified: 1,
    files: "[]",
    recorded_ms: nowMs - index,
    changed_ms: nowMs - index,
    changed_by: "owner",
  }));
  const hash = "0".repeat(64);
  fill("events", size.events, (index) => ({
    seq: index + 1,
    id: id("evt", size.events - index),
    at_ms: nowMs - (size.events - index),
    type: `bench.kind-${index % 20}`,
    subject: `task:${(index % size.tasks) + 1}`,
    actor: "bench",
    data: "{}",
    prev_hash: hash,
    hash,
  }));
  fill("chain_heads", 1, () => ({ seq: size.events, hash, pruned_seq: 0, pruned_hash: hash }));
  raw.run("commit");
  raw.close();
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

/** Columns that a row does not name are empty. */
function insert(raw: Database, table: string, count: number, row: (index: number) => Row): void {
  const columns = raw.query<Column, []>(`pragma table_info("${table}")`).all();
  const names = columns.map(({ name }) => name);
  const places = names.map(() => "?").join(", ");
  const statement = raw.prepare(`insert or ignore into "${table}" (${names.join(", ")}) values (${places})`);
  for (let index = 0; index < count; index++) {
    const given: Row = { constellation, ...row(index) };
    for (const name of Object.keys(given))
      if (name !== "constellation" && !names.includes(name)) throw new Error(`${table} has no column ${name}`);
    statement.run(...columns.map((column) => given[column.name] ?? emptyOf(column)));
  }
}

function emptyOf({ type, notnull }: Column): SQLQueryBindings {
  if (notnull === 0) return null;
  return /int/i.test(type) ? 0 : "";
}
