// For tests of tasks: a real SQLite store, real git with a bare origin, and the verbs as the daemon would call them.

import { BackOffs } from "../../ports/back-off.ts";
import { rmSync } from "node:fs";
import { afterEach, beforeEach } from "bun:test";
import { join } from "node:path";
import { type MakeScene, type StoreScene, sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { identityAt } from "../../host/git/observer.ts";
import { systemForges } from "../../host/forge/forges.ts";
import { systemGrounds } from "../../host/harvest/landing-repository.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { Stage } from "../../host/workspace/workspace.suite.ts";
import type { Forges } from "../../ports/forge.ts";
import { briefSender, type Deliver, type Letter } from "../../ports/deliver.ts";
import type { HarvestsTable } from "../../store/tables/tasks.ts";
import type { AgentSighting, SeenState } from "../agents/agent.ts";
import { seeAgents } from "../agents/see.ts";
import { accountFor, type MessageSighting, type MessageState } from "../messages/account.ts";
import { createTask } from "./create.ts";
import { dispatchRound } from "./assigning/dispatch-round.ts";
import {
  type Assignment,
  type Dispatched,
  type DispatchInput,
  dispatchTask,
  showAssignment,
} from "./assigning/dispatch.ts";
import { askHarvest, harvestRound, harvestRows } from "./landing/harvest.ts";
import { readyTask } from "./landing/ready.ts";
import { hearReplies } from "./assigning/replies.ts";
import type { TaskContext } from "./task-context.ts";

export class TaskScene {
  readonly stage = new Stage({
    "a.txt": "one\ntwo\nthree\n",
    "constel.toml": '[gate]\ncommand = "sh gate.sh"\n',
    "gate.sh": "test ! -e broken\n",
  });
  readonly #store: StoreScene;
  step: (name: string) => void = () => {};
  deliver: Deliver | undefined;
  /** Another one stands for another daemon. */
  holder = "one";
  readonly inHand = new Set<string>();
  readonly unended = new BackOffs();
  gone = new Set<string>();
  requireGate = false;
  /** None is known, unless a test brings one. */
  forges: Forges = systemForges({
    settings: [],
    processes: systemProcesses,
    environment: {},
    clock: { nowMs: () => 0, sleep: async () => undefined },
  });
  requireReview = false;
  /** The agent whose shell cannot reach the daemon. */
  shutIn: string | undefined;
  confined = new Set<string>();

  constructor(store: StoreScene) {
    this.#store = store;
  }

  get clock(): StoreScene["clock"] {
    return this.#store.clock;
  }

  get context(): TaskContext {
    const { stage } = this;
    const options = { processes: systemProcesses, environment: stage.environment };
    return {
      store: this.#store.store,
      clock: this.#store.clock,
      random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random },
      constellation: "constel0",
      actor: "owner",
      machine: {
        workspaces: stage.workspaces,
        grounds: systemGrounds({ ...options, directory: stage.path("grounds") }),
        forges: this.forges,
        hasSecrets: (text) => text.includes("ghp_"),
        identityOf: (path) => identityAt(path, options),
        deliver: this.deliver,
        readBrief: (_, path) => ({ path, text: "the brief" }),
        writeFile: (root, path, text) => stage.write(root, { [path]: text }),
        requireGate: this.requireGate,
        requireReview: this.requireReview,
        bundles: stage.path("bundles"),
        holder: this.holder,
        isGone: (holder) => this.gone.has(holder),
        inHand: this.inHand,
        unended: this.unended,
        step: (name) => this.step(name),
        ownWorkspaces: (agent) => (this.confined.has(agent) ? `workspaces/${agent}` : undefined),
      },
    };
  }

  /** A file of the origin's main. */
  onMain(path: string): string | undefined {
    const { code, stdout } = this.stage.tryGit(this.stage.origin, "show", `main:${path}`);
    return code === 0 ? stdout : undefined;
  }

  /** Somebody commits to main by hand; answers their clone. */
  byHand(files: Readonly<Record<string, string>>, message: string): string {
    const someone = this.stage.path("by-hand");
    rmSync(someone, { recursive: true, force: true });
    this.someone("by-hand");
    this.stage.commit(someone, files, message);
    this.stage.git(someone, "push", "-q");
    return someone;
  }

  /** A task with a workspace in which these files were committed, ready to land. */
  async readyWith(files: Readonly<Record<string, string>>, title = "a task"): Promise<{ task: number; path: string }> {
    const { task, path } = await this.begun(title);
    this.stage.commit(path, files, title);
    await readyTask(this.context, { task });
    return { task, path };
  }

  async begun(title = "a task"): Promise<{ task: number; path: string }> {
    const { stage, context } = this;
    const about = { title, priority: "P2", root: stage.top, repositories: [stage.source], scope: [], after: [] };
    const { number } = await createTask(context, about);
    const given = await this.dispatch(giveWish(number, { to_workspace: true }));
    return { task: number, path: given.workspaces[0] ?? "" };
  }

  /** A task in an agent's hands; answers its workspace. */
  async atWork(agent: string): Promise<string> {
    const { stage, context } = this;
    this.letters();
    await this.see(agent, "idle");
    const about = {
      title: "a task",
      priority: "P2",
      root: stage.top,
      repositories: [stage.source],
      scope: [],
      after: [],
    };
    const { number } = await createTask(context, about);
    const { workspaces } = await this.dispatch(giveWish(number, { agent }));
    return workspaces[0] ?? "";
  }

  async harvest(...tasks: number[]): Promise<HarvestRow[]> {
    const { context } = this;
    const { train } = await askHarvest(context, { tasks, all: tasks.length === 0 });
    while (await harvestRound(context, new AbortController().signal));
    return (await harvestRows(context, { train })).harvests;
  }

  /** A clone of the origin for somebody else to push from. */
  someone(name = "someone"): string {
    this.stage.git(this.stage.root, "clone", "-q", this.stage.origin, this.stage.path(name));
    return this.stage.path(name);
  }

  log(...more: string[]): string[] {
    const text = this.stage.git(this.stage.origin, "log", "--reverse", "--format=%s", ...more, "main").trim();
    return text.split("\n");
  }

  /** The main branch holds each landed commit of a task once. */
  landedCommits(): string[] {
    const format = "--format=%(trailers:key=Constel-Commit,valueonly)";
    return this.stage.git(this.stage.origin, "log", format, "main").split("\n").filter(Boolean);
  }

  async state(task: number): Promise<string> {
    const row = await this.context.store.db
      .selectFrom("tasks")
      .select("state")
      .where("number", "=", task)
      .executeTakeFirstOrThrow();
    return row.state;
  }

  async events(task: number): Promise<string[]> {
    const rows = await this.context.store.db
      .selectFrom("task_events")
      .select("type")
      .where("task", "=", task)
      .orderBy("seq")
      .execute();
    return rows.map(({ type }) => type);
  }

  /** As the fleet would have seen it. */
  async see(agent: string, state: SeenState, more: Partial<AgentSighting> = {}): Promise<void> {
    const seen = { state, on: "hooks", says: "" } as const;
    const about = {
      role: "clone",
      runtime: "script",
      wanted: "up",
      launchedMs: 1,
      because: "up",
      cwd: "/",
      mailHeld: null,
    };
    await seeAgents(this.context.store, [{ agent, seen, ...about, ...more } as AgentSighting]);
  }

  /** Returns the letters that are put into inboxes from now on. */
  letters(budget = { tokensPerDay: 0, microsPerDay: 0 }): Letter[] {
    const put: Letter[] = [];
    this.deliver = {
      put: (letter) => void put.push(letter),
      carries: (text) => !text.includes("<no>"),
      program: "/bin/constel",
      hasOnlyTools: (agent) => agent === this.shutIn,
      budget,
    };
    return put;
  }

  /** A round, and all that it began. */
  async round(): Promise<void> {
    await Promise.all(await dispatchRound(this.context, new AbortController().signal, () => {}));
  }

  /** Admitted, and delivered by the next round. */
  async dispatch(wish: DispatchInput): Promise<Dispatched & Pick<Assignment, "workspaces" | "branch">> {
    const receipt = await dispatchTask(this.context, wish);
    if (receipt.dispatch === null) return { ...receipt, workspaces: [], branch: null };
    await this.round();
    const { workspaces, branch, problem, notes } = await showAssignment(this.context, { dispatch: receipt.dispatch });
    if (problem !== null) throw new Error(problem);
    return { ...receipt, workspaces, branch, notes };
  }

  /** Records what became of a letter, as the bus's account would have it. */
  async told(letter: Letter | undefined, state: MessageState, more: Partial<MessageSighting> = {}): Promise<void> {
    const { id = "", to = "", kind = "", text = "" } = letter ?? {};
    const content = { message_id: id, kind, thread: null, in_reply_to: null, task: null, text, text_bytes: 1 };
    const sighting = { name: `n-${id}`, receiver: to, sender: briefSender, state, atMs: 1, because: "why", content };
    const evidence = "bound" as const;
    await this.context.store.write((tx) => accountFor(tx, "constel0", [{ ...sighting, evidence, ...more }]));
  }

  /** An agent says on the bus that a task is ready; answers what it would be told. */
  hear(sender: string, task: number, word: { id: string; answers?: string; isProven?: boolean }): Promise<Letter[]> {
    const said = {
      name: `n-${word.id}`,
      receiver: "agent0",
      sender,
      state: "sent",
      atMs: 1,
      evidence: "bound",
    } as const;
    const about = { message_id: word.id, in_reply_to: word.answers ?? null, task: String(task) };
    const content = { ...about, kind: "ready", thread: null, text: "done", text_bytes: 4 };
    return this.context.store.write(async (tx) =>
      hearReplies(
        this.context,
        tx,
        await accountFor(tx, "constel0", [
          { ...said, content, verifiedBy: word.isProven === false ? undefined : sender },
        ]),
      ),
    );
  }

  get ground(): string {
    return join(this.stage.root, "grounds");
  }
}

export const giveWish = (task: number, more: object = {}) => ({
  task,
  to_workspace: false,
  fetch: false,
  dry_run: false,
  ...more,
});

type HarvestRow = Omit<HarvestsTable, "report"> & { report: Record<string, unknown> };

/** A scene for each test; read it inside tests only. */
export function withTasks(makeScene: MakeScene = sqliteScene): { readonly scene: TaskScene } {
  const store = withStore(makeScene);
  const here = {} as { scene: TaskScene };
  beforeEach(() => {
    here.scene = new TaskScene(store);
  });
  afterEach(async () => {
    await here.scene.stage.close();
  });
  return here;
}
