// For tests of tasks: a real SQLite store, real git with a bare origin, and the verbs as the daemon would call them.

import { afterEach, beforeEach } from "bun:test";
import { join } from "node:path";
import { type MakeScene, type StoreScene, sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { systemGrounds } from "../../host/harvest/ground.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { Stage } from "../../host/workspace/workspace.suite.ts";
import type { Deliver } from "../../protocol/deliver.ts";
import type { HarvestsTable } from "../../store/tables/tasks.ts";
import { createTask } from "./create.ts";
import { dispatchTask } from "./dispatch.ts";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { readyTask } from "./ready.ts";
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
  gone = new Set<string>();

  constructor(store: StoreScene) {
    this.#store = store;
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
        deliver: this.deliver,
        readBrief: (_, path) => ({ path, text: "the brief" }),
        writeFile: (root, path, text) => stage.write(root, { [path]: text }),
        bundles: stage.path("bundles"),
        holder: this.holder,
        isGone: (holder) => this.gone.has(holder),
        inHand: this.inHand,
        step: (name) => this.step(name),
      },
    };
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
    const given = await dispatchTask(context, { task: number, to_workspace: true, fetch: false, dry_run: false });
    return { task: number, path: given.workspace ?? "" };
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

  get ground(): string {
    return join(this.stage.root, "grounds");
  }
}

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
