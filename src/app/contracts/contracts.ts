// Contracts for the command line, with no daemon and no trace: two versions compared, the specifications of a repository, and what
// each commit did to one.

import { existsSync, realpathSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { formatOf, mayBeContract } from "../../core/contracts/format-of.ts";
import {
  type ContractComparison,
  type ContractFormat,
  type ContractSource,
  verdictOf,
} from "../../core/contracts/format.ts";
import { inTurn, OverBudget } from "../../ports/budget.ts";
import { declaresServices, readDeclarations } from "../../core/services/declared-files.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { Git } from "../../host/git/git.ts";
import { observe } from "../../host/git/observer.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { withTemporaryDirectory } from "../../host/process/temporary-directory.ts";
import type { RepositoryObserver } from "../../ports/git.ts";
import type {
  ContractRequest,
  Contracts,
  ContractVersion,
  DiffReport,
  ListedContract,
} from "../../protocol/contract-report.ts";
import { Refusal } from "../../protocol/errors.ts";
import { formatOrRoutes, inferredFrom } from "../../sensing/inferred-format.ts";
import { sourceInRevision, sourceOnDisk, topOf } from "./contract-sources.ts";

/** Past it a comparison answers that it did not finish. */
const deadlineMs = 120_000;
/** So many files are opened at most to list contracts. */
const mostOpened = 5_000;

/** A function, because the quick program hands over to the sources here (scripts/build-quick.ts). */
export const openContracts = (): Contracts => contracts;

const contracts: Contracts = {
  async diff(request) {
    return await withRepository(request, async (repository) => {
      const before = await sourceOf(request.before, request, repository);
      const after = await sourceOf(request.after, request, repository);
      return await inBudgetOf(request.after, request.before, async () => {
        const format = (await formatOrRoutes(after)) ?? (await formatOrRoutes(before));
        if (format === undefined) {
          const facts = { before: request.before, after: request.after };
          const message = `${request.after} is not a specification that constel knows`;
          throw new Refusal("contract.unknown-format", message, facts);
        }
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(deadlineMs)]);
        return reportOf(format, await format.compare(before, after, signal, request.today));
      });
    });
  },

  async list(request) {
    return await withRepository(request, async (repository) => {
      const observer = await repository();
      const { found } = await observer.worktrees();
      const here = found.find(({ path }) => within(realpathSync(request.cwd), path));
      const source = await sourceInRevision(observer, here?.head ?? "HEAD", "");
      const paths = ((await source.list?.("")) ?? []).filter((path) => mayBeContract(path));
      const listed: ListedContract[] = [];
      let unread = paths.length > mostOpened ? 1 : 0;
      for (const path of paths.slice(0, mostOpened)) {
        request.signal.throwIfAborted();
        const format = await unlessOver(inBudgetOf(path, "", () => formatOf({ ...source, entry: path })));
        if (format === "over") unread += 1;
        else if (format !== undefined) listed.push({ path, format: format.name });
      }
      if (!listed.some(({ format }) => format === "openapi")) {
        const routes = inBudgetOf(".", "", () => inferredFrom({ ...source, entry: "." }, request.signal));
        const inferred = await unlessOver(routes);
        if (inferred === "over") unread += 1;
        else if (inferred.operations.length > 0) listed.push({ path: ".", format: "inferred" });
      }
      return { contracts: listed, complete: unread === 0 };
    });
  },

  async history(request) {
    return await withRepository(request, async (repository) => {
      const observer = await repository();
      const commits = await commitsOf(request, request.path, request.limit);
      if (commits.length === 0) {
        throw new Refusal("contract.missing", `no commit has ${request.path}`, { path: request.path });
      }
      const versions: ContractVersion[] = [];
      for (const { commit, parent, at_ms, subject } of commits) {
        request.signal.throwIfAborted();
        // We compare a commit with its own parent: the commit before it in the list may be another branch's.
        const judged =
          parent === undefined || !(await hasPath(observer, parent, request.path))
            ? { verdict: null, breaking: 0, problem: null }
            : await judge(observer, parent, commit, request.path, request);
        versions.push({ commit, at_ms, subject, ...judged });
      }
      return versions;
    });
  },

  async services({ cwd }) {
    const top = topOf(cwd);
    const source = sourceOnDisk(top, top);
    const files = ((await source.list?.("")) ?? []).filter(declaresServices).sort();
    const read = await Promise.all(files.map(async (path) => ({ path, text: await source.read(path) })));
    const { services, problems, apis } = readDeclarations(read);
    const contractOf = new Map(apis.map(({ name, contract }) => [name, contract ?? name]));
    return {
      files,
      services: services.map(({ name, path, line, provides, providesApis, consumes }) => ({
        name,
        path,
        line,
        provides: [...provides, ...providesApis.map((api) => contractOf.get(api) ?? api)],
        consumes: consumes.map(({ service, contract, api }) => service ?? contract ?? api ?? ""),
      })),
      problems,
    };
  },
};

/** One command asks about the same words only once, so they stand for the content. */
async function inBudgetOf<T>(path: string, before: string, work: () => Promise<T>): Promise<T> {
  try {
    return await inTurn({ kind: "contract", name: path, key: `${before} ${path}` }, work);
  } catch (cause) {
    if (!(cause instanceof OverBudget)) throw cause;
    throw new Unfinished("contract.unreadable", `${path} was not compared: ${cause.message}`, { path }, ifMeant);
  }
}

const ifMeant =
  "If the file is meant to be so: `constel config set sense.hold_seconds …` or `sense.memory_mb …` gives it more.";

/** It takes too long to be compared. */
class Unfinished extends Refusal {}

async function unlessOver<T>(work: Promise<T>): Promise<T | "over"> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof Unfinished) return "over";
    throw cause;
  }
}

type Repository = () => Promise<RepositoryObserver>;

/** The repository one stands in, opened when it is asked for, from a private directory that is gone afterwards. */
async function withRepository<T>(request: ContractRequest, work: (repository: Repository) => Promise<T>): Promise<T> {
  const { environment, signal } = request;
  return await withTemporaryDirectory("contract", async (directory) => {
    let opened: Promise<RepositoryObserver> | undefined;
    const git = { processes: systemProcesses, environment, signal };
    try {
      return await work(() => (opened ??= observe(request.cwd, { ...git, clock: systemClock, directory })));
    } finally {
      await (await opened?.catch(() => undefined))?.close();
    }
  });
}

async function sourceOf(word: string, { cwd }: ContractRequest, repository: Repository): Promise<ContractSource> {
  const path = resolve(cwd, word);
  if (existsSync(path)) {
    const onDisk = sourceOnDisk(path, topOf(path));
    return statSync(path).isDirectory() ? onDisk : await readable(word, onDisk);
  }
  const [, revision, inside] = /^([^:]+):(.+)$/.exec(word) ?? [];
  if (revision === undefined || inside === undefined) {
    throw new Refusal("contract.missing", `there is no file or directory ${word}`, { path: word });
  }
  const observer = await repository();
  const { found } = await observer.worktrees();
  const top = found.find((one) => within(realpathSync(cwd), one.path))?.path ?? cwd;
  // As git has it: from the top of the repository, and with a dot in front from here.
  const from = inside.startsWith("./") || inside.startsWith("../") ? realpathSync(cwd).slice(top.length + 1) : "";
  const source = await sourceInRevision(observer, revision, posix.join(from, inside));
  if ((await source.list?.(""))?.includes(source.entry) === true) return await readable(word, source);
  if (((await source.list?.(source.entry)) ?? []).length === 0)
    throw new Refusal("contract.missing", `${revision} has no ${source.entry}`, { revision, path: source.entry });
  return source;
}

/** A file that gives no text is not "no specification": nobody knows what it is. */
async function readable(word: string, source: ContractSource): Promise<ContractSource> {
  if ((await source.read(source.entry)) !== undefined) return source;
  const message = `${word} cannot be read: it is not text in UTF-8 or UTF-16, or is larger than 32 MB`;
  throw new Refusal("contract.unreadable", message, { path: word });
}

function reportOf(format: ContractFormat, comparison: ContractComparison): DiffReport {
  if (comparison.kind === "unreadable") {
    const [first] = comparison.problems;
    const where = first?.line == null ? first?.path : `${first.path}:${first.line}`;
    throw new Refusal("contract.unreadable", `${where} (${first?.side}): ${first?.message}`, {
      problems: comparison.problems.map((problem) => ({ ...problem })),
    });
  }
  const { changes, complete, notes } = comparison;
  return {
    format: format.name,
    verdict: verdictOf(changes),
    changes: changes.map(({ names: _names, ...change }) => change),
    complete,
    notes,
  };
}

async function hasPath(observer: RepositoryObserver, revision: string, path: string): Promise<boolean> {
  const source = await sourceInRevision(observer, revision, path);
  const all = (await source.list?.("")) ?? [];
  return all.some((one) => one === source.entry || one.startsWith(`${source.entry}/`));
}

async function judge(
  observer: RepositoryObserver,
  before: string,
  after: string,
  path: string,
  { signal, today }: { readonly signal: AbortSignal; readonly today: string },
): Promise<Pick<ContractVersion, "verdict" | "breaking" | "problem">> {
  const sources = [
    await sourceInRevision(observer, before, path),
    await sourceInRevision(observer, after, path),
  ] as const;
  try {
    return await inBudgetOf(`${after}:${path}`, before, async () => {
      const format = (await formatOrRoutes(sources[1])) ?? (await formatOrRoutes(sources[0]));
      if (format === undefined)
        return { verdict: null, breaking: 0, problem: "it is not a specification that constel knows" };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      const { verdict, changes } = reportOf(format, await format.compare(...sources, limit, today));
      return { verdict, breaking: changes.filter((one) => one.verdict === "breaking").length, problem: null };
    });
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return { verdict: null, breaking: 0, problem: cause.message };
  }
}

interface FoundCommit {
  readonly commit: string;
  /** Of a merge the first. */
  readonly parent: string | undefined;
  readonly at_ms: number;
  readonly subject: string;
}

async function commitsOf({ cwd, environment }: ContractRequest, path: string, most: number): Promise<FoundCommit[]> {
  const format = "--format=%H%x00%P%x00%ct%x00%s%x00";
  const listed = await new Git({ processes: systemProcesses, environment }).bytes({
    cwd,
    // From the top, as everywhere else in this command.
    args: ["log", `-n${most}`, "--no-show-signature", format, "HEAD", "--", `:/${path}`],
    withPatterns: true,
  });
  const fields = Buffer.from(listed).toString("utf8").split("\0");
  const commits: FoundCommit[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    commits.push({
      commit: (fields[at] ?? "").trim(),
      parent: fields[at + 1]?.split(" ")[0] || undefined,
      at_ms: Number(fields[at + 2]) * 1_000,
      subject: fields[at + 3] ?? "",
    });
  }
  return commits;
}

const within = (path: string, top: string): boolean => path === top || path.startsWith(`${top}/`);
