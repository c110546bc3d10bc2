// Where a real repository is measured: a clone of its own with a working tree for pyright and branches for the review, gone
// afterwards. A round is one refactoring and many uses, so that pyright looks at two states only: the base with all the uses, and
// the refactored tree with all of them merged in.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AskCompilers } from "../../../../sensing/ask-compilers.ts";
import type { ReviewedSide } from "../../../../sensing/merged-pair.ts";
import { PairPipeline } from "../../../../sensing/pipeline.ts";
import { systemClock } from "../../../../host/clock/system-clock.ts";
import { repositoryToolchains } from "../../../../app/repository-toolchains.ts";
import { observe } from "../../../../host/git/observer.ts";
import { systemProcesses } from "../../../../host/process/run.ts";
import type { RepositoryObserver } from "../../../../ports/git.ts";
import { mergeFiles } from "../../rules/scenario.suite.ts";
import { freshMemory } from "../../../../../eval/judge-scenarios.ts";
import { type LanguageServer, type Problem, startLanguageServer } from "./language-server.ts";
import { type Definition, type Project, readProject } from "./project.ts";
import type { Attempt, Chance, Refactoring } from "./attempt.ts";
import { newUses, type Use } from "./uses.ts";

export interface Judged {
  readonly what: string;
  readonly how: string;
  /** What pyright finds wrong in the merge and in neither side. */
  readonly broken: readonly Problem[];
  /** The semantic alarms. */
  readonly said: readonly string[];
  /** Those of the syntax alone, where pyright was asked too. */
  readonly saidAlone: readonly string[];
  readonly text: string;
}

export interface Ground {
  round(attempt: Attempt, chance: Chance, number: number): Promise<readonly Judged[] | "impossible" | "unsound">;
  close(): Promise<void>;
}

type Errors = ReadonlyMap<string, readonly Problem[]>;

export interface GroundWish {
  /** A directory with pyright in its node_modules. */
  readonly tools: string;
  /** constel asks pyright too, as it does where pyright is on the PATH. */
  readonly second: boolean;
  /** Pairs of one refactoring that are looked at. */
  readonly pairs: number;
}

export async function openGround(repository: string, { tools, second, pairs }: GroundWish): Promise<Ground> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "constel-real-")));
  const environment = { PATH: process.env["PATH"] ?? "", HOME: directory, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (input: string, ...args: string[]): string => {
    const run = Bun.spawnSync(["git", ...args], { cwd: directory, env: environment, stdin: Buffer.from(input) });
    if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString();
  };
  git("", "clone", "-q", "--shared", realpathSync(repository), "tree");
  const root = join(directory, "tree");
  const base = git("", "-C", root, "rev-parse", "HEAD").trim();
  const paths = git("", "-C", root, "ls-files", "-z", "*.py")
    .split("\0")
    .filter((path) => path !== "");
  // Before any settings of the repository's own, so that every one is judged alike.
  const outside = packagesWithout(directory, paths);
  writeFileSync(
    join(root, "pyrightconfig.json"),
    JSON.stringify({
      typeCheckingMode: "basic",
      include: ["."],
      extraPaths: ["src", outside],
      venvPath: directory,
      venv: "empty",
    }),
  );
  const project = await readProject(root, paths);
  const server = await startLanguageServer(root, tools);
  const observer = await observe(root, {
    processes: systemProcesses,
    environment,
    clock: systemClock,
    directory: join(directory, "observe"),
  });
  const path = `${join(realpathSync(tools), "node_modules/.bin")}:${environment.PATH}`;
  const toolchains = repositoryToolchains({
    observer,
    processes: systemProcesses,
    environment: { ...environment, PATH: path },
    directory: join(directory, "compilers"),
    compilers: { off: [], memoryBytes: 3 * 1024 ** 3, buildCode: [] },
    checkouts: () => [root],
  });
  const pipelineWith = (asked: Pick<AskCompilers, "toolchains">): PairPipeline =>
    new PairPipeline({
      observer,
      memory: freshMemory(),
      compilers: { asked: { when: "now" }, deadlineMs: 120_000, ...asked },
      deadlineMs: 180_000,
      log: (line) => {
        throw new Error(line);
      },
    });
  const alonePipeline = pipelineWith({});
  const pipeline = second ? pipelineWith({ toolchains }) : alonePipeline;
  const baseErrors = await server.problems([...project.files.keys()]);

  /** Puts these files into the tree for as long as `look` takes. */
  const withFiles = async <T>(files: ReadonlyMap<string, string | null>, look: () => Promise<T>): Promise<T> => {
    for (const [path, text] of files) put(root, path, text);
    server.changed([...files.keys()], true);
    try {
      return await look();
    } finally {
      for (const path of files.keys()) put(root, path, project.files.get(path)?.text ?? null);
      server.changed([...files.keys()], false);
    }
  };

  const round = async (
    attempt: Attempt,
    chance: Chance,
    number: number,
  ): Promise<readonly Judged[] | "impossible" | "unsound"> => {
    const refactoring = await attempt(project, server, chance);
    if (refactoring === undefined || !isJudgeable(project, baseErrors, refactoring.target)) return "impossible";
    const { files } = refactoring;
    const after = concerned(project, refactoring);
    const references = await server.references(refactoring.target);
    const uses = newUses(project, refactoring, references, chance, number);
    const mergeable = uses.flatMap((use) => {
      const merged = mergedUse(project.files, refactoring, use);
      return merged === undefined ? [] : [{ use, merged }];
    });
    const alone = await withFiles(
      new Map(uses.flatMap((use) => [...use.files])),
      async () => await server.problems(uses.flatMap((use) => [...use.files.keys()])),
    );
    const ours = await withFiles(files, async () => await server.problems(after));
    const before = errorsOf(baseErrors, [...after, ...refactoring.moved.keys()]);
    if (excess([...ours.values()].flat(), before).length > 0) return "unsound";
    // What lies in files of its own cannot meddle with the others; what is added to a file of the project might.
    const apart = mergeable.filter(({ use }) => ![...use.files.keys()].some((path) => project.files.has(path)));
    const inMerge: Problem[] = [];
    for (const together of [apart, ...mergeable.filter((one) => !apart.includes(one)).map((one) => [one])]) {
      const added = together.flatMap(({ merged }) => [...merged]);
      const found = await withFiles(new Map([...files, ...added]), async () => [
        ...(await server.problems(added.map(([path]) => path))).values(),
        refactoring.isNowAsync === true ? await unawaitedCalls(server, root, refactoring.target) : [],
      ]);
      const paths = new Set(added.map(([path]) => path));
      inMerge.push(...found.flat().filter(({ path }) => paths.has(path)));
    }

    const judged: Judged[] = [];
    for (const [at, { use, merged: texts }] of mergeable.entries()) {
      if (judged.length === pairs) break;
      const own = errorsOf(alone, use.files.keys());
      if (excess(own, errorsOf(baseErrors, use.files.keys())).length > 0) continue;
      const there = inMerge.filter(({ path }) => use.isGuarded !== true && texts.has(path));
      const broken = excess(there, [...own, ...errorsOf(ours, texts.keys())]);
      const alarmed = await alarms(refactoring, use, `${number}-${at}`);
      if (alarmed === undefined) continue;
      judged.push({ what: refactoring.what, how: use.how, broken, ...alarmed, text: shown(project.files, use) });
    }
    return judged;

    async function alarms(
      one: Refactoring,
      use: Use,
      name: string,
    ): Promise<Pick<Judged, "said" | "saidAlone"> | undefined> {
      const branches = [
        [`ours-${name}`, one.files],
        [`theirs-${name}`, use.files],
      ] as const;
      git(
        branches.map(([branch, changed]) => commitOf(branch, base, changed)).join(""),
        "-C",
        root,
        "fast-import",
        "--quiet",
      );
      const [ours, theirs] = [await sideOf(observer, `ours-${name}`), await sideOf(observer, `theirs-${name}`)];
      const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }]);
      if (merge === undefined || merge.kind !== "clean") return undefined;
      const saidBy = async (one: PairPipeline): Promise<readonly string[]> =>
        (await one.judge(ours, theirs, merge)).findings
          .filter(({ kind, severity }) => kind === "semantic" && severity !== "context")
          .map(({ title }) => title);
      const said = await saidBy(pipeline);
      return { said, saidAlone: second ? await saidBy(alonePipeline) : said };
    }
  };

  return {
    round,
    async close() {
      await server.close();
      toolchains.close();
      await observer.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * A Python of its own with everything that this machine's Python has installed, but for copies of the repository's packages: a module
 * that is gone from the tree would be found there.
 */
function packagesWithout(directory: string, paths: readonly string[]): string {
  const run = (...command: string[]): string => Bun.spawnSync(command, { cwd: directory }).stdout.toString().trim();
  run("python3", "-m", "venv", "--without-pip", "empty");
  const outside = join(directory, "outside");
  mkdirSync(outside);
  const own = new Set(paths.flatMap((path) => path.split("/").map((part) => part.replace(/\.py$/, ""))));
  const installed = run("python3", "-c", "import site; print('\\n'.join(site.getsitepackages()))").split("\n");
  for (const home of installed.filter((path) => existsSync(path))) {
    for (const name of readdirSync(home)) {
      if (!own.has(name.replace(/(\.py|-stubs)$/, "")) && !existsSync(join(outside, name)))
        symlinkSync(join(home, name), join(outside, name));
    }
  }
  return outside;
}

/** False for members of a class whose base pyright cannot find: it then says nothing of any member. */
function isJudgeable(project: Project, errors: Errors, target: Definition, depth = 0): boolean {
  const home =
    target.kind === "class" && depth > 0
      ? target
      : project.own.find((one) => one.kind === "class" && one.path === target.path && one.name === target.owner);
  const lost = new Set(
    (errors.get(home?.path ?? "") ?? []).filter(({ rule }) => unresolved.has(rule)).map(({ line }) => line),
  );
  return (home?.bases ?? []).every((base) => {
    const name = /^[\w.]*/.exec(base)?.[0] ?? "";
    const file = project.files.get(home?.path ?? "");
    const from = file?.imports.find(({ names }) => names.some((one) => (one.alias ?? one.name) === name.split(".")[0]));
    if (from !== undefined && lost.has(from.line + 1)) return false;
    const above = project.own.find(
      (one) => one.kind === "class" && one.name === name.split(".").at(-1) && one !== home,
    );
    return above === undefined || depth > 5 || isJudgeable(project, errors, above, depth + 1);
  });
}

const unresolved = new Set(["reportMissingImports", "reportAttributeAccessIssue"]);

/** Files of the refactored tree that it could break: those it writes, and those that name what it is about. */
function concerned(project: Project, { target, files }: Refactoring): string[] {
  const names = [target.name === "__init__" ? "" : target.name, target.owner ?? "", project.moduleOf(target.path)];
  const words = names.map((name) => name.split(".").at(-1) ?? "").filter((name) => name !== "");
  const mentions = new RegExp(`\\b(${words.join("|")})\\b`);
  const others = [...project.files].filter(([path, { text }]) => !files.has(path) && mentions.test(text));
  const written = [...files].flatMap(([path, text]) => (text === null ? [] : [path]));
  return [...written, ...others.map(([path]) => path)];
}

async function sideOf(observer: RepositoryObserver, branch: string): Promise<ReviewedSide> {
  const snapshot = await observer.snapshotOf(`refs/heads/${branch}`);
  if (snapshot === undefined) throw new Error(`there is no ${branch}`);
  const { commit, tree } = snapshot;
  return { side: { label: branch.replace(/-.*/, ""), worktree: null, branch, commit, tree }, snapshot };
}

/**
 * Calls of what is async now that nobody awaits. Pyright minds them only where the value is used as something else, but the
 * caller has a coroutine instead of a value everywhere; only an override may hand it on as it is.
 */
async function unawaitedCalls(server: LanguageServer, root: string, target: Definition): Promise<Problem[]> {
  const uses = await server.references({ ...target, column: target.column + "async ".length });
  return uses.flatMap(({ path, line, endColumn }) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    const text = lines[line] ?? "";
    const around = lines.slice(0, line).findLast((one) => /^\s*(async )?def /.test(one)) ?? "";
    const handedOn = text.includes("super()") && around.includes(`def ${target.name}(`);
    const called = text[endColumn] === "(" && !/^\s*(async )?def |\bawait\b/.test(text) && !handedOn;
    return called
      ? [{ path, line: line + 1, rule: "unawaited", message: `${target.name} is async and not awaited` }]
      : [];
  });
}

/** The use's files as they are in the merge; undefined when git sees a conflict. */
function mergedUse(
  files: ReadonlyMap<string, { readonly text: string }>,
  { files: ours, moved }: Refactoring,
  use: Use,
): ReadonlyMap<string, string> | undefined {
  const merged = new Map<string, string>();
  for (const [path, text] of use.files) {
    const to = moved.get(path) ?? path;
    const base = files.get(path)?.text;
    if (base === undefined) {
      merged.set(to, text);
      continue;
    }
    const mine = ours.get(to) ?? base;
    const one = mergeFiles({ [to]: base }, { [to]: mine }, { [to]: text })?.[to];
    if (one === undefined) return undefined;
    merged.set(to, one);
  }
  return merged;
}

const errorsOf = (errors: Errors, paths: Iterable<string>): Problem[] =>
  [...paths].flatMap((path) => errors.get(path) ?? []);

/** Those that the others do not have, counted, whatever their lines. */
function excess(errors: readonly Problem[], others: readonly Problem[]): Problem[] {
  const left = new Map<string, number>();
  const key = ({ rule, message }: Problem): string => `${rule} ${message}`;
  for (const one of others) left.set(key(one), (left.get(key(one)) ?? 0) + 1);
  return errors.filter((one) => {
    const count = left.get(key(one)) ?? 0;
    left.set(key(one), count - 1);
    return count <= 0;
  });
}

function put(root: string, path: string, text: string | null): void {
  const full = join(root, path);
  if (text === null) return rmSync(full, { force: true });
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

function commitOf(branch: string, base: string, files: ReadonlyMap<string, string | null>): string {
  const changes = [...files].map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  return `commit refs/heads/${branch}\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx\nfrom ${base}\n${changes.join("")}\n`;
}

/** What the use brings, for reading. */
function shown(files: ReadonlyMap<string, { readonly text: string }>, use: Use): string {
  return [...use.files]
    .map(([path, text]) => {
      const base = new Set(files.get(path)?.text.split("\n") ?? []);
      return `${path}\n${
        base.size === 0
          ? text
          : text
              .split("\n")
              .filter((line) => !base.has(line))
              .join("\n")
      }`;
    })
    .join("\n");
}
