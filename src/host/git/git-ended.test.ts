// A git that was ended (by the system, by a deadline) has not said no. Each question of this room is asked with one git after the other
// ended before it said anything: then it fails, or owns up to having no answer, or has the true one all the same.

import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Processes, RunOutcome } from "../../ports/machine.ts";
import type { RepositoryObserver } from "../../ports/git.ts";
import { systemGrounds } from "../harvest/landing-repository.ts";
import { systemProcesses } from "../process/run.ts";
import { Stage } from "../workspace/workspace.suite.ts";
import { systemWorkspaces } from "../workspace/workspaces.ts";
import { Scratch, snapshotOf } from "./scratch.suite.ts";

const ended: RunOutcome = {
  code: null,
  signal: "SIGKILL",
  stdout: new Uint8Array(),
  stderr: "",
  timedOut: false,
  truncated: false,
};

/** Programs of which the one with this number is ended at once. */
class Endings implements Processes {
  readonly at: number;
  asked: string[] = [];

  constructor(at: number) {
    this.at = at;
  }

  async run(...given: Parameters<Processes["run"]>): Promise<RunOutcome> {
    this.asked.push(given[0].filter((word) => !word.includes("=") && word !== "-c").join(" "));
    return this.asked.length === this.at ? ended : await systemProcesses.run(...given);
  }
}

const failed = "failed";
const orFailed = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch {
    return failed;
  }
};

/** Everything that is asked of it, each question with its answer. */
type Questions = (processes: Processes) => Promise<Readonly<Record<string, unknown>>>;

/** Asks it all with each of the programs ended in turn; answers what was said in place of the truth. */
async function wronglySaid(questions: Questions, isOwnedUp: (answer: unknown) => boolean): Promise<string[]> {
  const whole = new Endings(0);
  const truth = await questions(whole);
  expect(Object.values(truth)).not.toContain(failed);
  expect(whole.asked.length).toBeGreaterThan(5);
  const wrong: string[] = [];
  for (let at = 1; at <= whole.asked.length; at++) {
    const endings = new Endings(at);
    const answers = await orFailed(() => questions(endings));
    if (answers === failed) continue;
    for (const [question, answer] of Object.entries(answers as object)) {
      if (answer === failed || isOwnedUp(answer) || Bun.deepEquals(answer, truth[question])) continue;
      wrong.push(`${question}: ${JSON.stringify(answer)} with \`${endings.asked[at - 1]?.slice(0, 120)}\` ended`);
    }
  }
  return wrong;
}

test("whoever looks at a repository takes no git that was ended for an answer", async () => {
  const scratch = new Scratch();
  try {
    const main = scratch.repository("main", { "a.txt": "one\n", "b.txt": "one\n", ".gitattributes": "*.x binary\n" });
    const [one, other] = [scratch.worktree(main, "one"), scratch.worktree(main, "other")];
    scratch.commit(one, { "a.txt": "two\n" });
    scratch.commit(other, { "a.txt": "three\n" });
    scratch.commit(main, { "b.txt": "two\n" });
    scratch.write(one, { "a.txt": "uncommitted\n", "new.txt": "new\n" });
    scratch.git(one, "update-index", "--assume-unchanged", "b.txt");
    let turn = 0;
    const wrong = await wronglySaid(
      async (processes) => {
        const directory = scratch.path(`observe${++turn}`);
        const observer: RepositoryObserver = await scratch.observe(main, { processes, directory });
        const taken = async (path: string) => await snapshotOf(observer, path);
        const landing = await orFailed(() => observer.defaultBranch());
        const [ours, theirs] = [await taken(one), await taken(other)];
        const [head = ""] = theirs.parents;
        return {
          identity: observer.identity,
          worktrees: await orFailed(async () => (await observer.worktrees()).found.map(({ path }) => path)),
          landing,
          branches: await orFailed(() => observer.branches(10)),
          files: await orFailed(async () => [ours.tree, theirs.tree, ours.flags, theirs.flags]),
          bases: await orFailed(() => observer.mergeBases(ours, theirs)),
          merge: await orFailed(async () => (await observer.merge([{ ours, theirs }])).map(({ kind }) => kind)),
          named: await orFailed(async () => (await observer.snapshotOf("one"))?.tree),
          standing: await orFailed(() => observer.standing(theirs, scratch.git(main, "rev-parse", "main").trim())),
          touching: await orFailed(() => observer.commitsTouching(`${head}^`, head, ["a.txt"], 5)),
          committed: await orFailed(() => observer.committedMs(head)),
          touched: await orFailed(() => observer.lastTouchedMs(head, ["a.txt"])),
          before: await orFailed(() => observer.commitBefore(head, Date.now() + 86_400_000)),
        };
      },
      (answer) => Bun.deepEquals(answer, ["skipped"]),
    );
    expect(wrong).toEqual([]);
  } finally {
    await scratch.close();
  }
}, 120_000);

test("whoever looks into a workspace, or lands what is in it, takes no git that was ended for an answer", async () => {
  const stage = new Stage({ "a.txt": "one\n", ".gitattributes": "*.list merge=union\n", "some.list": "one\n" });
  try {
    const workspace = await stage.make();
    const branch = "constel/constel0/1-work";
    const base = stage.git(workspace, "rev-parse", "HEAD").trim();
    const tip = stage.commit(workspace, { "a.txt": "two\n", "some.list": "one\nours\n" });
    stage.commit(stage.source, { "b.txt": "b\n", "some.list": "one\ntheirs\n" });
    stage.git(stage.source, "push", "-q", "origin", "main");
    const missing = "d".repeat(40);
    let turn = 0;
    const wrong = await wronglySaid(
      async (processes) => {
        const environment = stage.environment;
        const workspaces = systemWorkspaces({ processes, environment });
        const grounds = systemGrounds({ processes, environment, directory: stage.path(`grounds${++turn}`) });
        const ground = await grounds.open({ origin: stage.origin, target: "main", source: join(stage.source, ".git") });
        const onto = await ground.fetch();
        const find = { task: 1, branch, workspace, commit: tip };
        const wish = { onto, tip, base, task: 1, title: "work", atMs: 1_800_000_000_000, regenerate: new Map() };
        const picked = async () => {
          await ground.find(find);
          const { signal } = new AbortController();
          return ground.pick({ ...wish, landedAs: async () => new Map(), signal });
        };
        return {
          look: await orFailed(() => workspaces.look(workspace, base, branch)),
          found: await orFailed(async () => (await ground.find(find)).kind),
          contains: await orFailed(() => ground.contains(base)),
          lacks: await orFailed(() => ground.contains(missing)),
          picked: await orFailed(picked),
        };
      },
      () => false,
    );
    expect(wrong).toEqual([]);
  } finally {
    await stage.close();
  }
}, 120_000);
