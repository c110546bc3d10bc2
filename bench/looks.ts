// Measures what it costs to ask once: `check` of a pair and `try` over many worktrees of a TypeScript project, against git's own work for
// the same worktrees and one run of the compiler over the merged tree.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fleet } from "./fleet.ts";
import { ascending, type Entry, type Measured, median, timed } from "./harness.ts";
import { constel } from "./program.ts";
import { nativeLibraries } from "../src/languages/typescript/compiler/native-libraries.ts";

/** The one that constel asks. */
const compiler = join(nativeLibraries() ?? "", "tsc");
/** Two thirds of them are TypeScript. */
const modules = 600;
const rounds = 5;

const settings = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "esnext",
    module: "nodenext",
    allowImportingTsExtensions: true,
  },
  include: ["packages"],
});

/** A fleet whose first two worktrees collide in types alone, and the tree of their merge. */
class Project implements Disposable {
  readonly fleet: Fleet;
  readonly #merged: string;

  constructor(worktrees: number) {
    this.fleet = new Fleet(modules, worktrees, { "tsconfig.json": settings });
    const { fleet } = this;
    const [first = "", second = ""] = fleet.worktrees;
    // One asks for a parameter more, and its own uses follow; the other calls it in a new file. No worktree changes these modules otherwise.
    const changed = 273;
    this.#edit(first, changed, `compute${changed}(value: number,`, `compute${changed}(value: number, scale: number,`);
    for (const index of [changed * 2, changed * 2 + 1])
      this.#edit(first, index, `compute${changed}(value - 1)`, `compute${changed}(value - 1, 2)`);
    const call = `import { compute${changed} } from "./module${changed}.ts";\n\nexport const seven = compute${changed}(7);\n`;
    writeFileSync(join(second, dirname(fleet.pathOf(changed)), "extra.ts"), call);
    for (const path of [first, second]) {
      fleet.git(path, "add", "-A");
      fleet.git(path, "commit", "-qm", "more work");
    }
    this.#merged = join(fleet.top, "merged");
    fleet.git(fleet.repository, "worktree", "add", "-q", "--detach", this.#merged, "w0");
    fleet.git(this.#merged, "merge", "-q", "-m", "merged", "w1");
  }

  constel(words: readonly string[], code: number): void {
    this.#run([constel, ...words], this.fleet.repository, code);
  }

  status(): void {
    for (const path of this.fleet.worktrees) this.fleet.git(path, "status", "--porcelain");
  }

  /** The merged tree has the one mistake, so it ends with 1. */
  compile(): void {
    this.#run([compiler, "-p", this.#merged], this.#merged, 1);
  }

  mergeAll(): void {
    const names = this.fleet.worktrees.map((_, name) => `w${name}`);
    this.fleet.mergeAll(names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const)));
  }

  #edit(worktree: string, index: number, before: string, after: string): void {
    const path = join(worktree, this.fleet.pathOf(index));
    const text = readFileSync(path, "utf8");
    if (!text.includes(before)) throw new Error(`module ${index} has no ${before}`);
    writeFileSync(path, text.replace(before, after));
  }

  #run(command: readonly string[], cwd: string, code: number): void {
    const { exitCode, stderr, stdout } = Bun.spawnSync([...command], { cwd, env: this.fleet.env });
    if (exitCode === code) return;
    throw new Error(`${command.join(" ")}: ${exitCode} ${stderr.toString()}${stdout.toString().slice(0, 500)}`);
  }

  [Symbol.dispose](): void {
    this.fleet[Symbol.dispose]();
  }
}

/** Times in milliseconds, each taken in turn with its floor. */
async function inTurn(prepare: () => void, ours: () => void, floor: () => void): Promise<Measured> {
  const times = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    prepare();
    times.ours.push(await timed(ours));
    times.floor.push(await timed(floor));
  }
  const [value, least] = [median(times.ours.sort(ascending)), median(times.floor.sort(ascending))];
  return { value, floor: least, unit: "ms" };
}

async function pair(isAgain: boolean): Promise<Measured> {
  using project = new Project(2);
  const check = (): void => project.constel(["check", "w0", "w1"], 1);
  const forget = (): void => rmSync(project.fleet.env.CONSTEL_HOME, { recursive: true, force: true });
  if (isAgain) {
    // What is known of files is kept where there is a home.
    project.constel(["daemon", "start"], 0);
    project.constel(["daemon", "stop"], 0);
    check();
  }
  return await inTurn(isAgain ? () => {} : forget, check, () => {
    project.status();
    project.compile();
  });
}

const alone = "two `git status` and the compiler's own run over the merged tree";

export const lookEntries: readonly Entry[] = [
  {
    name: "check-first",
    what: "`check` of two branches of a project with 400 modules of TypeScript, with nothing known of them",
    floorIs: alone,
    bar: 1.3,
    better: "lower",
    lane: "full",
    measure: () => pair(false),
  },
  {
    name: "check-again",
    what: "the same a second time",
    floorIs: alone,
    bar: 0.5,
    better: "lower",
    lane: "full",
    measure: () => pair(true),
  },
  {
    name: "try-25",
    what: "`try` over 25 worktrees of the same project",
    floorIs: "`git status` of each, `git merge-tree` of the pairs and one run of the compiler over a merged tree",
    bar: 3,
    better: "lower",
    lane: "full",
    measure: async () => {
      using project = new Project(25);
      const floor = (): void => {
        project.status();
        project.mergeAll();
        project.compile();
      };
      return await inTurn(
        () => {},
        () => project.constel(["try"], 1),
        floor,
      );
    },
  },
];
