// What it costs to ask once: `check` of a pair and `try` over many worktrees of a TypeScript project, against git's own work for the same worktrees and
// one run of the compiler over the merged tree.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { ascending, type Entry, type Measured, median, timed } from "./harness.ts";
import { constel } from "./program.ts";

const compiler = join(import.meta.dir, "../node_modules/typescript6/bin/tsc");
const modules = 300;
const rounds = 5;

/** Modules that rest on each other, in nested directories. Each worktree changes ten of its own; the first two collide in types alone. */
class Project implements Disposable {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), "constel-looks-")));
  readonly main = join(this.top, "main");
  readonly merged = join(this.top, "merged");
  readonly home = join(this.top, "home");
  readonly worktrees: string[] = [];
  readonly #env = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.top,
    CONSTEL_HOME: this.home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };

  constructor(worktrees: number) {
    mkdirSync(this.main);
    const options = {
      strict: true,
      noEmit: true,
      target: "esnext",
      module: "nodenext",
      allowImportingTsExtensions: true,
    };
    writeFileSync(
      join(this.main, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, include: ["packages"] }),
    );
    for (let index = 0; index < modules; index++) this.#write(this.main, index, "");
    this.git(this.main, "init", "-q", "-b", "main");
    this.git(this.main, "add", "-A");
    this.git(this.main, "commit", "-qm", "base");
    for (let name = 0; name < worktrees; name++) {
      const path = join(this.top, `w${name}`);
      this.git(this.main, "worktree", "add", "-q", "-b", `w${name}`, path);
      this.worktrees.push(path);
      for (let own = 0; own < 10; own++) this.#write(path, 20 + name * 10 + own, `worktree ${name} was here`);
      // One asks for a parameter more, and its own uses follow; the other calls it in a new file.
      if (name === 0) for (const index of [5, 10, 11]) this.#write(path, index, "scaled", true);
      if (name === 1) {
        const call = 'import { compute5 } from "./module5.ts";\n\nexport const seven = compute5(7);\n';
        writeFileSync(join(path, dirname(pathOf(5)), "extra.ts"), call);
      }
      this.git(path, "add", "-A");
      this.git(path, "commit", "-qm", "work");
    }
    this.git(this.main, "worktree", "add", "-q", "--detach", this.merged, "w0");
    this.git(this.merged, "merge", "-q", "-m", "merged", "w1");
  }

  git(cwd: string, ...words: string[]): void {
    this.#run(["git", ...words], cwd, [0]);
  }

  /** It ends with 1, because two of them collide. */
  constel(...words: string[]): void {
    this.#run([constel, ...words], this.main, [1]);
  }

  constelInOrder(...words: string[]): void {
    this.#run([constel, ...words], this.main, [0]);
  }

  status(worktrees: readonly string[]): void {
    for (const path of worktrees) this.git(path, "status", "--porcelain");
  }

  /** The merged tree has the one mistake, so it ends with 2. */
  compile(): void {
    this.#run([process.execPath, compiler, "-p", this.merged], this.merged, [2]);
  }

  /** Every pair, in one process. */
  mergeAll(): void {
    const names = this.worktrees.map((_, name) => `w${name}`);
    const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => `${one} ${other}\n`));
    this.#run(["git", "merge-tree", "--write-tree", "--stdin"], this.main, [0], pairs.join(""));
  }

  #run(command: readonly string[], cwd: string, expected: readonly number[], input = ""): void {
    const { exitCode, stderr, stdout } = Bun.spawnSync([...command], {
      cwd,
      env: this.#env,
      stdin: new TextEncoder().encode(input),
    });
    if (expected.includes(exitCode)) return;
    throw new Error(`${command.join(" ")}: ${exitCode} ${stderr.toString()}${stdout.toString().slice(0, 500)}`);
  }

  #write(top: string, index: number, what: string, isScaled = false): void {
    const used = Math.floor(index / 2);
    const from = relative(dirname(pathOf(index)), pathOf(used));
    const scale = isScaled && index === 5 ? "scale: number, " : "";
    const given = isScaled && used === 5 ? ", 2" : "";
    const path = join(top, pathOf(index));
    mkdirSync(dirname(path), { recursive: true });
    const lines = [
      ...(index === used ? [] : [`import { compute${used} } from "${from.startsWith(".") ? from : `./${from}`}";`, ""]),
      `export interface Options${index} {`,
      "  readonly limit: number;",
      "  readonly label?: string;",
      "}",
      "",
      `export function compute${index}(value: number, ${scale}options: Options${index} = { limit: 9 }): number {`,
      `  // ${what}`,
      `  const steps = [${Array.from({ length: 60 }, (_, step) => step + index).join(", ")}];`,
      "  const total = steps.map((step) => step * value).filter((one) => one > options.limit);",
      `  return value > 0 ? total.length : ${index === used ? "0" : `compute${used}(value - 1${given})`};`,
      "}",
      "",
    ];
    writeFileSync(path, lines.join("\n"));
  }

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

const pathOf = (index: number): string => `packages/area${index % 8}/src/part${index % 40}/module${index}.ts`;

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
  const check = (): void => project.constel("check", "w0", "w1");
  const forget = (): void => rmSync(project.home, { recursive: true, force: true });
  if (isAgain) {
    // What is known of files is kept where there is a home.
    project.constelInOrder("daemon", "start");
    project.constelInOrder("daemon", "stop");
    check();
  }
  return await inTurn(isAgain ? () => {} : forget, check, () => {
    project.status(project.worktrees);
    project.compile();
  });
}

export const lookEntries: readonly Entry[] = [
  {
    name: "check-first",
    what: "`check` of two branches of a TypeScript project of 300 modules, with nothing known of them",
    floorIs: "two `git status` and the compiler's own run over the merged tree",
    bar: 1.3,
    better: "lower",
    lane: "full",
    measure: () => pair(false),
  },
  {
    name: "check-again",
    what: "the same a second time",
    floorIs: "two `git status` and the compiler's own run over the merged tree",
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
        project.status(project.worktrees);
        project.mergeAll();
        project.compile();
      };
      return await inTurn(
        () => {},
        () => project.constel("try"),
        floor,
      );
    },
  },
];
