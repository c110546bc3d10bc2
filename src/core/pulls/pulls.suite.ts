// For tests of pull requests: tasks as in core/tasks, over an origin that is a forge. The double answers in this very process, so
// whatever talks to the origin must not wait for git in one turn.

import { afterEach, beforeEach } from "bun:test";
import { writeFileSync } from "node:fs";
import { ForgeDouble, token } from "../../../test/kit/forge/double.ts";
import { type MakeScene, sqliteScene } from "../../../test/kit/databases.ts";
import { systemForges } from "../../host/forge/forges.ts";
import { systemProcesses } from "../../host/process/run.ts";
import type { ForgePlace } from "../../ports/forge.ts";
import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import { harvestRound } from "../tasks/landing/harvest.ts";
import { type TaskScene, withTasks } from "../tasks/tasks.suite.ts";
import { pullsRound } from "./round.ts";

export class PullScene {
  readonly tasks: TaskScene;
  readonly double: ForgeDouble;

  constructor(tasks: TaskScene, kind: Exclude<ForgePlace["kind"], "command">) {
    const { stage } = tasks;
    this.tasks = tasks;
    this.double = new ForgeDouble(stage.path("forge"));
    const { model } = this.double;
    stage.write(stage.source, { "constel.toml": '[gate]\ncommand = "sh gate.sh"\n[land]\nby = "pull-request"\n' });
    stage.git(stage.source, "commit", "-qam", "by pull request");
    stage.git(stage.source, "push", "-q", model.bare, "main");
    stage.git(stage.source, "remote", "set-url", "origin", this.double.origin);
    model.protect();
    const token_file = stage.path("token");
    writeFileSync(token_file, token, { mode: 0o600 });
    tasks.forges = systemForges({
      settings: [{ host: this.double.host, kind, api: this.double.api(kind), token_file }],
      processes: systemProcesses,
      environment: {},
      clock: { nowMs: () => tasks.clock.nowMs(), sleep: async () => undefined },
      deadlineMs: 10_000,
    });
  }

  get model(): ForgeDouble["model"] {
    return this.double.model;
  }

  /** A task whose work is done and whose pull request is open. */
  async opened(files: Readonly<Record<string, string>> = { "x.txt": "1" }): Promise<number> {
    const { task } = await this.tasks.readyWith(files);
    await this.tasks.harvest(task);
    await this.settle();
    return task;
  }

  /** Everything that the daemon's loops would do by now; time passes in between. */
  async settle(times = 3): Promise<void> {
    for (let at = 0; at < times; at++) {
      while (await harvestRound(this.tasks.context, new AbortController().signal));
      await pullsRound(this.tasks.context, new AbortController().signal);
      await this.tasks.round();
      this.tasks.clock.advance(400_000);
    }
  }

  async row(task: number): Promise<PullRequestsTable> {
    const { store } = this.tasks.context;
    return await store.db
      .selectFrom("pull_requests")
      .selectAll()
      .where("task", "=", task)
      .orderBy("created_ms", "desc")
      .executeTakeFirstOrThrow();
  }

  /** The number of a task's pull request, as far as constel knows it. */
  async known(task: number): Promise<number | null> {
    const { store } = this.tasks.context;
    const row = await store.db.selectFrom("pull_requests").select("number").where("task", "=", task).executeTakeFirst();
    return row?.number ?? null;
  }

  /** The head of a task's pull request, with a check that says so. */
  async check(task: number, state: "green" | "red" | "pending", log = ""): Promise<string> {
    const { number } = await this.row(task);
    const pull = this.model.pull(number ?? 0);
    if (pull === undefined) throw new Error(`task ${task} has no pull request`);
    const head = this.model.headOf(pull);
    this.model.check(head, "build", state, log);
    return head;
  }

  async reason(task: number): Promise<string | null> {
    const { store } = this.tasks.context;
    const found = await store.db
      .selectFrom("tasks")
      .select("reason")
      .where("number", "=", task)
      .executeTakeFirstOrThrow();
    return found.reason;
  }

  async close(): Promise<void> {
    await this.double.close();
  }
}

export function withPulls(
  kind: Exclude<ForgePlace["kind"], "command"> = "github",
  makeScene: MakeScene = sqliteScene,
): {
  readonly scene: TaskScene;
  readonly pulls: PullScene;
} {
  const tasks = withTasks(makeScene);
  const here = {} as { scene: TaskScene; pulls: PullScene };
  beforeEach(() => {
    here.scene = tasks.scene;
    here.pulls = new PullScene(tasks.scene, kind);
  });
  afterEach(async () => {
    await here.pulls.close();
  });
  return here;
}
