// Random histories of several tasks over one repository (built on each other, landed, reverted, merged and squashed by hand, picked
// elsewhere, forced back, amended after they were ready, with trailers that lie and trees that git refuses), and what must
// hold after each harvest. The rules are stated over what files read, not by the way a harvest works:
//
//   every file that a landed task's branch changed reads on main as the branch has it, or a line says why not;
//   every commit of its own is on main as some commit, or a line names it;
//   no other file changed; main only went forward; nothing on main is what git would refuse;
//   work that applies lands, and work that does not goes back and leaves nothing.
//
// A file is one value. `m` holds five, far enough apart that git merges each by itself.

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { LandingNote } from "../../../ports/harvest.ts";
import { readyTask } from "./ready.ts";
import { lookForTakenBack } from "./taken-back.ts";
import type { TaskScene } from "../tasks.suite.ts";

type State = ReadonlyMap<string, string>;

interface Work {
  readonly task: number;
  readonly path: string;
  /** The commit of main when it began. */
  readonly base: string;
  ready: string | undefined;
  isHostile: boolean;
}

export interface HistoryAccount {
  rounds: number;
  landed: number;
  sentBack: number;
  notes: number;
  takenBack: number;
  readonly acts: Record<string, number>;
}

const plain = ["p0", "p1", "p2", "p3"];
const slots = [0, 1, 2, 3, 4];
/** Between two values: lines that no others are like, so that git cannot take one place for another. */
const filler = (index: number): string => [1, 2, 3, 4].map((line) => `- ${index}.${line}\n`).join("");

export class LandingHistory {
  readonly #scene: TaskScene;
  readonly #below: (count: number) => number;
  readonly #works: Work[] = [];
  readonly #contents = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #states = new Map<string, State>();
  readonly #parents = new Map<string, string>();
  readonly told: string[] = [];
  readonly account: HistoryAccount;
  #count = 0;
  /** From here on; nobody goes back behind it. */
  #begin = "";

  constructor(scene: TaskScene, below: (count: number) => number, account: HistoryAccount) {
    this.#scene = scene;
    this.#below = below;
    this.account = account;
    const files = {
      ...this.#files(new Map([...plain, ...slots.map(slot)].map((key) => [key, first(key)]))),
      "constel.toml": "",
    };
    this.#byHand("begin", (hand) => (this.#begin = this.#stage.commit(hand, files, "begin")));
  }

  get #stage() {
    return this.#scene.stage;
  }

  /** Things happen until something is ready, and then it is harvested and looked at. */
  async round(): Promise<void> {
    do {
      const acts = 2 + this.#below(4);
      for (let act = 0; act < acts; act++) await this.#act();
    } while (!(await this.#harvest()));
    this.account.rounds += 1;
  }

  async #act(): Promise<void> {
    const acts: [name: string, weight: number, act: () => Promise<unknown> | unknown][] = [
      ["task", 6, () => this.#newTask()],
      ["more work", 3, () => this.#moreWork()],
      ["edit main", 2, () => this.#byHand("edit", (hand) => this.#change(hand, 1))],
      [
        "revert",
        3,
        () => this.#byHand("revert", (hand) => this.#stage.git(hand, "revert", "--no-edit", this.#recent(hand))),
      ],
      ["force back", 1, () => this.#forceBack()],
      ["merge by hand", 1, () => this.#bring("merge by hand", ["merge", "-q", "--no-edit", "--no-ff"])],
      ["squash by hand", 1, () => this.#squash()],
      ["pick by hand", 2, () => this.#bring("pick by hand", ["cherry-pick"])],
      ["take main in", 1, () => this.#takeMainIn()],
      ["after ready", 2, () => this.#afterReady()],
    ];
    const all = acts.flatMap((one) => Array.from({ length: one[1] }, () => one));
    const [name, , act] = all[this.#below(all.length)] ?? acts[0] ?? ["", 0, () => undefined];
    this.account.acts[name] = (this.account.acts[name] ?? 0) + 1;
    this.told.push(name);
    await act();
  }

  async #newTask(): Promise<void> {
    const title = `task of step ${++this.#count}`;
    this.#stage.git(this.#stage.source, "fetch", "-q");
    const { task, path } = await this.#scene.begun(title);
    const base = this.#stage.git(path, "rev-parse", "HEAD").trim();
    const work: Work = { task, path, base, ready: undefined, isHostile: false };
    const other = this.#works[this.#below(this.#works.length + 2)];
    if (other !== undefined && !other.isHostile) {
      this.#stage.git(path, "fetch", "-q", other.path, other.ready ?? "HEAD");
      // On top of the other's commits, wherever those began.
      if (this.#below(2) === 0) this.#stage.git(path, "reset", "-q", "--hard", "FETCH_HEAD");
      else if (this.#stage.tryGit(path, "cherry-pick", "--keep-redundant-commits", "FETCH_HEAD").code !== 0)
        this.#stage.tryGit(path, "cherry-pick", "--abort");
    }
    for (let commits = 1 + this.#below(3); commits > 0; commits--) this.#change(path, 1 + this.#below(2));
    if (this.#below(12) === 0) this.#makeHostile(work);
    this.#works.push(work);
    await this.#say(work);
  }

  async #moreWork(): Promise<void> {
    const work = await this.#anyIn(["in_progress", "ready", "needs_review", "taken_back"]);
    if (work === undefined || work.isHostile) return;
    this.#change(work.path, 1);
    await this.#say(work);
  }

  async #afterReady(): Promise<void> {
    const work = await this.#anyIn(["ready"]);
    if (work === undefined || work.isHostile) return;
    if (this.#below(2) === 0) this.#change(work.path, 1);
    else this.#stage.git(work.path, "commit", "-q", "--amend", "-m", `amended ${++this.#count}`, "--allow-empty");
  }

  async #takeMainIn(): Promise<void> {
    const work = await this.#anyIn(["in_progress", "ready", "needs_review"]);
    if (work === undefined || work.isHostile) return;
    this.#stage.git(work.path, "fetch", "-q");
    if (this.#stage.tryGit(work.path, "merge", "-q", "--no-edit", "origin/main").code !== 0)
      this.#stage.tryGit(work.path, "merge", "--abort");
    await this.#say(work);
  }

  async #say(work: Work): Promise<void> {
    try {
      await readyTask(this.#scene.context, { task: work.task });
      work.ready = this.#stage.git(work.path, "rev-parse", "HEAD").trim();
    } catch {
      // nothing of its own, or closed
    }
  }

  async #anyIn(states: readonly string[]): Promise<Work | undefined> {
    const fit: Work[] = [];
    for (const work of this.#works) if (states.includes(await this.#scene.state(work.task))) fit.push(work);
    return fit[this.#below(fit.length)];
  }

  /** A commit that changes some files: to something new, to something it was before, or away. */
  #change(path: string, keys: number): void {
    const state = new Map(this.#read(path, "HEAD"));
    for (let index = 0; index < keys; index++) {
      const all = [...plain, ...slots.map(slot)];
      const key = all[this.#below(all.length)] ?? "p0";
      const kind = this.#below(6);
      if (kind === 0 && plain.includes(key)) state.delete(key);
      else state.set(key, kind === 1 ? first(key) : `value ${++this.#count}`);
    }
    for (const key of plain) if (!state.has(key)) rmSync(join(path, key), { force: true });
    this.#stage.write(path, this.#files(state));
    this.#stage.git(path, "add", "-A");
    this.#stage.git(path, "commit", "-q", "--allow-empty", "-m", this.#message());
  }

  /** Half of them lie about what they are. */
  #message(): string {
    const subject = `step ${++this.#count}`;
    const other = this.#works[this.#below(this.#works.length)];
    if (other?.ready === undefined || this.#below(2) === 0) return subject;
    return `${subject}\n\nconstel-task: ${other.task}\nconstel-commit: ${other.ready}\nConstel-Commit: ${other.ready}`;
  }

  #makeHostile(work: Work): void {
    const names = [".git", ".GIT", "git~1", ".."];
    const name = names[this.#below(names.length)] ?? ".git";
    const tree = this.#stage.git(work.path, "rev-parse", "HEAD^{tree}").trim();
    const listed = this.#stage.git(work.path, "ls-tree", tree).trim().split("\n");
    const bytes = (mode: string, entry: string, id: string): Buffer =>
      Buffer.concat([Buffer.from(`${mode.replace(/^0/, "")} ${entry}\0`), Buffer.from(id, "hex")]);
    const entries = listed.map((line) => {
      const [mode = "", , id = "", entry = ""] = line.split(/\s+/);
      return { entry, bytes: bytes(mode, entry, id) };
    });
    const all = [...entries, { entry: `${name}/`, bytes: bytes("40000", name, tree) }];
    all.sort((a, b) => Buffer.compare(Buffer.from(a.entry), Buffer.from(b.entry)));
    const made = Bun.spawnSync(["git", "hash-object", "-t", "tree", "-w", "--stdin", "--literally"], {
      cwd: work.path,
      stdin: Buffer.concat(all.map((one) => one.bytes)),
    }).stdout;
    const commit = this.#stage
      .git(work.path, "commit-tree", made.toString().trim(), "-p", "HEAD", "-m", "hostile")
      .trim();
    this.#stage.git(work.path, "update-ref", "HEAD", commit);
    work.isHostile = true;
  }

  /** Somebody works on main with a clone of their own; what git refuses does not happen. */
  #byHand(what: string, act: (hand: string) => unknown, push: readonly string[] = []): boolean {
    const hand = this.#stage.path("hand");
    if (this.#count === 0 && what === "begin") this.#scene.someone("hand");
    this.#stage.git(hand, "fetch", "-q", "--prune");
    this.#stage.git(hand, "reset", "-q", "--hard", "origin/main");
    try {
      act(hand);
    } catch {
      for (const operation of ["revert", "merge", "cherry-pick"]) this.#stage.tryGit(hand, operation, "--abort");
      this.#stage.git(hand, "reset", "-q", "--hard", "origin/main");
      return false;
    }
    if (!this.#isAncestor(hand, this.#begin, "HEAD")) return false;
    this.#stage.git(hand, "push", "-q", ...push, "origin", "HEAD:main");
    return true;
  }

  #recent(hand: string): string {
    const back = `HEAD~${this.#below(3)}`;
    const [id = "", ...parents] = this.#stage.git(hand, "rev-list", "--parents", "-1", back).trim().split(" ");
    if (parents.length !== 1 || id === this.#begin) throw new Error("not a plain commit");
    return back;
  }

  #forceBack(): void {
    this.#byHand("force back", (hand) => this.#stage.git(hand, "reset", "-q", "--hard", `HEAD~${1 + this.#below(2)}`), [
      "-f",
    ]);
  }

  #bring(what: string, command: readonly string[]): void {
    const work = this.#works.filter(({ ready, isHostile }) => ready !== undefined && !isHostile)[this.#below(4)];
    if (work?.ready === undefined) return;
    const { ready, path } = work;
    this.#byHand(what, (hand) => {
      this.#stage.git(hand, "fetch", "-q", path, ready);
      this.#stage.git(hand, ...command, ready);
    });
  }

  #squash(): void {
    const work = this.#works.filter(({ ready, isHostile }) => ready !== undefined && !isHostile)[this.#below(4)];
    if (work?.ready === undefined) return;
    const { ready, path } = work;
    this.#byHand("squash", (hand) => {
      this.#stage.git(hand, "fetch", "-q", path, ready);
      this.#stage.git(hand, "merge", "-q", "--squash", ready);
      this.#stage.git(hand, "commit", "-q", "-m", "squashed by hand");
    });
  }

  async #harvest(): Promise<boolean> {
    await this.#lookAtTakenBack();
    const { origin } = this.#stage;
    const before = this.#stage.git(origin, "rev-parse", "main").trim();
    const ready = await this.#anyIn(["ready"]);
    if (ready === undefined) return false;
    const rows = this.#below(3) === 0 ? await this.#scene.harvest(ready.task) : await this.#scene.harvest();
    const after = this.#stage.git(origin, "rev-parse", "main").trim();
    const hold = (isSo: boolean, rule: string): void => {
      if (!isSo)
        throw new Error(
          `${rule}\n${this.told.join(", ")}\nfrom ${before} to ${after}\n${JSON.stringify(rows, null, 1)}`,
        );
    };
    hold(this.#isAncestor(origin, before, after), "main only goes forward");
    this.#judge(rows, before, after, hold);
    for (const row of rows) {
      const state = await this.#scene.state(row.task);
      const isLanded = row.outcome === "landed";
      this.account[isLanded ? "landed" : "sentBack"] += 1;
      hold((state === "closed") === isLanded, `task ${row.task} is ${state} after ${row.outcome}`);
    }
    await this.#lookAtTakenBack();
    return true;
  }

  #judge(
    rows: Awaited<ReturnType<TaskScene["harvest"]>>,
    before: string,
    after: string,
    hold: (isSo: boolean, rule: string) => void,
  ): void {
    const { origin } = this.#stage;
    const tops = this.#stage.git(origin, "ls-tree", "-r", "--name-only", after).trim().split("\n");
    hold(!tops.some((path) => /git|\.\./i.test(path.replace("gate.sh", ""))), "nothing that git refuses is on main");
    const main = this.#read(origin, after);
    const old = this.#read(origin, before);
    // The content that the model expects on main as the train is built, task after task.
    const model = new Map(old);
    const explained = new Set<string>();
    const touched = new Set<string>();
    for (const row of rows) {
      const work = this.#works.find(({ task }) => task === row.task);
      if (work?.ready === undefined) throw new Error(`task ${row.task} was never ready`);
      const notes = (row.report["notes"] ?? []) as LandingNote[];
      this.account.notes += notes.length;
      if (work.isHostile) {
        hold(row.outcome === "impossible", `hostile task ${row.task} ended as ${row.outcome}`);
        continue;
      }
      const own = this.#own(work, before);
      const isSquashed = own.some(({ parents }) => parents > 1);
      if (row.outcome !== "landed") {
        hold(
          isSquashed || !this.#applies(model, explained, work.path, own),
          `task ${row.task} applies and was sent back: ${row.reason}`,
        );
        continue;
      }
      for (const { id } of own) for (const key of this.#changes(work.path, id).keys()) touched.add(key);
      const left = notes.filter(({ kind }) => kind === "superseded" || kind === "taken-back");
      for (const key of left.flatMap(({ paths }) => paths).flatMap(keysOf)) explained.add(key);
      // Nothing of its own is left out without a line.
      const named = new Set(notes.map(({ commit }) => commit));
      const landed = new Set(
        this.#stage
          .git(origin, "log", "--format=%(trailers:key=Constel-Commit,valueonly)", `${before}..${after}`)
          .split("\n"),
      );
      for (const { id, parents } of own) {
        if (parents > 1 || isSquashed || this.#changes(work.path, id).size === 0) continue;
        hold(landed.has(id) || named.has(id), `commit ${id} of task ${row.task} is neither on main nor named`);
      }
      const start = isSquashed ? this.#stage.git(work.path, "merge-base", before, work.ready).trim() : `${own[0]?.id}^`;
      const branch = this.#read(work.path, work.ready);
      const begun = own.length === 0 ? branch : this.#read(work.path, start);
      for (const key of new Set([...branch.keys(), ...begun.keys()])) {
        if (branch.get(key) === begun.get(key)) continue;
        setOrDelete(model, key, branch.get(key));
        touched.add(key);
      }
      if (isSquashed)
        for (const key of main.keys())
          if (model.get(key) !== main.get(key) && touched.has(key)) setOrDelete(model, key, main.get(key));
    }
    for (const key of new Set([...main.keys(), ...old.keys(), ...model.keys()])) {
      if (explained.has(key)) continue;
      const isFine = touched.has(key) ? this.#isEither(key, main, model, rows) : main.get(key) === old.get(key);
      hold(
        isFine,
        `${key} reads ${main.get(key)} on main, and should read ${touched.has(key) ? model.get(key) : old.get(key)}`,
      );
    }
  }

  /** As the branch has it; or, where a branch went back and forth, as main had it. */
  #isEither(
    key: string,
    main: State,
    model: State,
    rows: readonly { task: number; outcome: string | null }[],
  ): boolean {
    if (main.get(key) === model.get(key)) return true;
    return rows.some(({ task, outcome }) => {
      const work = this.#works.find((one) => one.task === task);
      return (
        outcome === "landed" &&
        work?.ready !== undefined &&
        this.#read(work.path, work.ready).get(key) === main.get(key)
      );
    });
  }

  /** Tells whether the commits apply one after another, by values alone. It is not certain if a task before it left something out. */
  #applies(onto: State, unsure: ReadonlySet<string>, path: string, own: readonly { id: string }[]): boolean {
    const now = new Map(onto);
    for (const { id } of own) {
      for (const [key, [from, to]] of this.#changes(path, id)) {
        if (unsure.has(key) || (now.get(key) !== from && now.get(key) !== to)) return false;
        setOrDelete(now, key, to);
      }
    }
    return own.length > 0;
  }

  /** Its commits that main does not have. What it began on is not its own, also when that was taken out of main since. */
  #own({ path, base, ready = "" }: Work, main: string): { id: string; parents: number }[] {
    this.#stage.git(path, "fetch", "-q", this.#stage.origin, main);
    const others = [main, ...(this.#isAncestor(path, base, ready) ? [base] : [])];
    const begun = this.#stage.git(
      path,
      "log",
      "--reverse",
      "--topo-order",
      "--format=%H %P",
      ready,
      "--not",
      ...others,
    );
    const lines = begun.trim().split("\n").filter(Boolean);
    return lines.map((line) => {
      const [id = "", parent = "", ...others] = line.split(" ");
      this.#parents.set(id, parent);
      return { id, parents: 1 + others.length };
    });
  }

  #changes(path: string, commit: string): Map<string, [string | undefined, string | undefined]> {
    const after = this.#read(path, commit);
    const before = this.#read(path, this.#parents.get(commit) ?? `${commit}^`);
    const changes = new Map<string, [string | undefined, string | undefined]>();
    for (const key of new Set([...before.keys(), ...after.keys()]))
      if (before.get(key) !== after.get(key)) changes.set(key, [before.get(key), after.get(key)]);
    return changes;
  }

  async #lookAtTakenBack(): Promise<void> {
    const unknown = await lookForTakenBack(this.#scene.context, this.#known);
    if (unknown.length > 0) throw new Error(`not looked at: ${unknown.join("; ")}`);
    const rows = await this.#scene.context.store.db
      .selectFrom("tasks")
      .select(["number", "state", "landed_sha"])
      .where("landed_sha", "is not", null)
      .execute();
    for (const { number, state, landed_sha: sha } of rows) {
      const isOn = this.#isAncestor(this.#stage.origin, sha ?? "", "main");
      if (state === "taken_back") this.account.takenBack += 1;
      if (isOn && state === "taken_back") throw new Error(`task ${number} is on main and called taken back`);
    }
  }

  #isAncestor(repository: string, one: string, other: string): boolean {
    return this.#stage.tryGit(repository, "merge-base", "--is-ancestor", one, other).code === 0;
  }

  #read(repository: string, revision: string): State {
    const known = this.#states.get(revision);
    if (known !== undefined) return known;
    const state = this.#readAnew(repository, revision);
    if (/^[0-9a-f]{40}$/.test(revision)) this.#states.set(revision, state);
    return state;
  }

  #readAnew(repository: string, revision: string): State {
    const state = new Map<string, string>();
    for (const line of this.#stage.git(repository, "ls-tree", revision).trim().split("\n")) {
      const [, , id = "", name = ""] = line.split(/\s+/);
      if (name !== "m" && !plain.includes(name)) continue;
      const known = this.#contents.get(id) ?? this.#stage.git(repository, "cat-file", "blob", id);
      this.#contents.set(id, known);
      if (name !== "m") state.set(name, known.trim());
      else {
        const values = known.split("\n").filter((line) => line !== "" && !line.startsWith("- "));
        for (const [index, value] of values.entries()) state.set(slot(index), value);
      }
    }
    return state;
  }

  #files(state: State): Record<string, string> {
    const files: Record<string, string> = {};
    for (const key of plain) if (state.has(key)) files[key] = `${state.get(key)}\n`;
    files["m"] = slots.map((index) => `${state.get(slot(index)) ?? first(slot(index))}\n${filler(index)}`).join("");
    for (const text of Object.values(files)) {
      const id = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
      this.#contents.set(id, text);
    }
    return files;
  }
}

/** No two files ever have the same content: git would see a file that was moved. */
const first = (key: string): string => `first of ${key}`;
const slot = (index: number): string => `m#${index}`;
const keysOf = (path: string): string[] => (path === "m" ? slots.map(slot) : [path]);

function setOrDelete(state: Map<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) state.delete(key);
  else state.set(key, value);
}
