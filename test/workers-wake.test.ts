// Each kind of cause wakes a worker, from the command that makes it to the turn that its program is given; and workers come back as other agents do.

import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLaunch } from "../src/floor/agents/launch-files.ts";
import { until } from "./kit/home.ts";
import { WorkersHome } from "./kit/workers-home.ts";

/** With a repository as its root, and an origin. */
class Repository extends WorkersHome {
  readonly root = join(this.top, "root");

  constructor() {
    super();
    writeFileSync(join(this.top, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
    mkdirSync(this.root);
    const origin = join(this.top, "origin.git");
    this.git(this.top, "init", "-q", "--bare", "-b", "main", origin);
    this.git(this.root, "init", "-q", "-b", "main");
    this.commit(this.root, { "a.txt": "one\ntwo\nthree\n", ".gitignore": "workspaces/\n", "constel.toml": "" });
    this.git(this.root, "remote", "add", "origin", origin);
    this.git(this.root, "push", "-q", "-u", "origin", "main");
  }

  override json<T>(words: readonly string[]): Promise<T> {
    return super.json<T>(words, { cwd: this.root });
  }

  git(cwd: string, ...words: string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(["git", ...words], { cwd, env: this.env });
    if (exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${stderr.toString()}`);
  }

  commit(cwd: string, files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(cwd, path), content);
    this.git(cwd, "add", "-A");
    this.git(cwd, "commit", "-qm", "work");
  }

  /** A task in a workspace that nobody but the owner works in. */
  async workspaceOf(title: string): Promise<{ number: number; path: string }> {
    const { number } = await this.json<{ number: number }>(["task", "create", title]);
    const words = ["task", "dispatch", String(number), "--to-workspace", "--no-fetch"];
    return { number, path: (await this.json<{ workspace: string }>(words)).workspace };
  }

  turned(name: string, what: string) {
    return until(
      `${name} has a turn with ${what}`,
      () => this.turns(name).map(({ text }) => text),
      (texts) => texts.some((text) => text.includes(what)),
    );
  }

  causes(): string[] {
    return this.query("select causes from worker_turns order by turn").flatMap(({ causes }) =>
      (JSON.parse(String(causes)) as { kind: string }[]).map(({ kind }) => kind),
    );
  }
}

describe("a worker is woken, and by nothing that it does not wake on:", () => {
  test("by a task that is given to it", async () => {
    await using at = new Repository();
    await at.start("one", "--wakes-on", "task");
    await at.json(["task", "create", "Count the files"]);
    await at.json(["task", "dispatch", "1", "--agent", "agentwone", "--no-fetch"]);
    await at.turned("one", "Task 1 is yours");
    expect(at.causes()).toEqual(["task"]);
    const [row] = at.query("select state, agent from tasks");
    expect(row?.["agent"]).toBe("agentwone");
  });

  test("by a review that is asked of it", async () => {
    await using at = new Repository();
    await at.start("one", "--wakes-on", "review");
    const { number, path } = await at.workspaceOf("Add a line");
    at.commit(path, { "b.txt": "four\n" });
    await at.json(["task", "ready", String(number)]);
    await at.json(["task", "review", String(number), "--by", "agentwone", "--note", "Is four right?"]);
    const texts = await at.turned("one", "Is four right?");
    expect(texts[0]).toContain(`constel review show ${number}`);
    expect(at.causes()).toEqual(["review"]);
  });

  test("by something urgent that concerns it: what it works on collides with what another does", async () => {
    await using at = new Repository();
    await at.start("one", "--wakes-on", "task", "--wakes-on", "notice");
    await at.json(["repo", "add", at.root]);
    await at.json(["task", "create", "Change the second line"]);
    await at.json(["task", "dispatch", "1", "--agent", "agentwone", "--no-fetch"]);
    await at.turned("one", "Task 1 is yours");
    await at.becomes("one", "waiting", 1);
    const path = String(at.query("select path from workspaces where task = 1")[0]?.["path"]);
    writeFileSync(join(path, "a.txt"), "one\nTWO of the worker\nthree\n");
    const other = await at.workspaceOf("Change it differently");
    writeFileSync(join(other.path, "a.txt"), "one\nTWO of another\nthree\n");
    await until(
      "it has a turn of its own for that",
      () => at.causes(),
      (causes) => causes.includes("notice"),
    );
    // The turn is written down before its program is given it.
    await at.turned("one", "Urgent for you");
    expect(at.turns("one").at(-1)?.text).toContain("a.txt");
  });
});

describe("a worker comes back, with what came for it meanwhile,", () => {
  const gone = async (at: WorkersHome): Promise<void> => {
    const holder = readLaunch(at.home, "agentwone")?.leader?.pid;
    const { pid } = await at.json<{ pid: number }>(["daemon", "status"]);
    Bun.spawnSync(["tmux", "-L", at.socket, "kill-server"], { env: at.env });
    for (const one of [pid, holder ?? 0]) {
      try {
        process.kill(one, "SIGKILL");
      } catch {
        // it went with its terminal
      }
    }
  };

  test("by `up` after `down`, and stays down when it was stopped by its name", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    await at.start("two");
    const first = await at.answered(await at.send("agentwone", "before"));
    expect(first).toHaveLength(1);
    await at.becomes("one", "waiting", 1);
    await at.json(["worker", "stop", "two"]);
    await at.json(["down"]);
    const id = await at.send("agentwone", "while it was down");
    await at.json(["up", "--type", "script"]);
    expect(await at.answered(id)).toHaveLength(1);
    expect(readLaunch(at.home, "agentwtwo")?.wanted).toBe("down");
  });

  test("after the machine went, by what the machine starts", async () => {
    await using at = new WorkersHome();
    await at.json(["up", "--type", "script"]);
    await at.start("one");
    await at.answered(await at.send("agentwone", "before"));
    await at.becomes("one", "waiting", 1);
    await at.json(["down", "agentinfinity"]);
    await gone(at);
    const id = await at.send("agentwone", "while nothing ran");
    // As `constel service install` has the machine call it, once after it started and then every minute.
    const unit = ["watchdog", "tick", "--existing-home", "--home", at.home, "--root", at.top];
    await at.constel(unit);
    expect(await at.answered(id)).toHaveLength(1);
  });
});

describe("where a turn begins:", () => {
  const sessions = async (at: WorkersHome, turns: number): Promise<string[]> => {
    for (let turn = 1; turn <= turns; turn += 1) {
      await at.answered(await at.send("agentwone", `message ${turn}`));
      await at.becomes("one", "waiting", turn);
    }
    return at.turns("one").map(({ session, resumes }) => `${session.slice(0, 4)} ${resumes ? "goes on" : "begins"}`);
  };

  test("in its conversation, and anew after every two turns", async () => {
    await using at = new WorkersHome();
    await at.start("one", "--context", "fresh:2");
    const seen = await sessions(at, 5);
    expect(seen.map((one) => one.slice(5))).toEqual(["begins", "goes on", "begins", "goes on", "begins"]);
    expect([seen[0]?.slice(0, 4) === seen[1]?.slice(0, 4), seen[1]?.slice(0, 4) === seen[2]?.slice(0, 4)]).toEqual([
      true,
      false,
    ]);
  });
});
