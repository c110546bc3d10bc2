// Decides what a rescue leaves out, and says so: files that git ignores and that can be made again, or that are too large. Everything else
// that git ignores is somebody's: notes, keys, and above all other repositories and linked worktrees inside the workspace, where agent
// programs put the work of their helpers. Those are saved whole, each by its own rules about what is ignored in it.

import { lstatSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { LeftOut } from "../../ports/workspace.ts";
import { readSmall } from "../git/repository/locate.ts";
import { fieldsOf, pathFromBytes } from "../git/objects/path-text.ts";
import type { NotGathered } from "./gather.ts";
import type { WorkGit } from "./work-git.ts";

/** Made again by a tool whenever they are missing. A directory with a CACHEDIR.TAG says so of itself. */
const caches = new Set(
  `node_modules bower_components .pnpm-store .yarn .npm .venv venv __pycache__ .tox .nox .pytest_cache .mypy_cache .ruff_cache
  .hypothesis .eggs target .gradle .m2 .cache .parcel-cache .turbo .next .nuxt .svelte-kit .angular .vite dist build out
  coverage .nyc_output .terraform .dart_tool .build DerivedData Pods elm-stuff .stack-work _build zig-cache .zig-cache
  .sass-cache`.split(/\s+/),
);

const largestFileBytes = 64 * 1024 * 1024;
const largestIgnoredBytes = 256 * 1024 * 1024;
const atOnce = 2_000;
const askMs = 60_000;

export interface Selection extends NotGathered {
  readonly named: readonly LeftOut[];
}

/** `original` is where the workspace stood: files in it name places by that. */
export async function chooseLeftOut(git: WorkGit, top: TrustedDirectory, original: string): Promise<Selection> {
  const repositories = await findRepositories(top);
  const ignored = new Set<string>();
  for (const repository of ["", ...repositories]) {
    for (const path of await ignoredIn(git, top.path, repository, original)) {
      // One that is itself a repository is kept whole.
      if (!repositories.includes(path)) ignored.add(path);
    }
  }
  const named: LeftOut[] = [];
  for (const path of ignored) named.push(...(await judge(top, path, repositories)));
  return { leftOut: new Set(named.map((one) => one.path)), kept: repositories, named };
}

/** Directories below the top that are repositories or linked worktrees of their own, outermost first. */
async function findRepositories(top: TrustedDirectory): Promise<string[]> {
  const found: string[] = [];
  await eachDirectory(top, "", (path, names) => {
    const isBare = names.has("HEAD") && names.has("objects") && names.has("refs");
    if (path !== "" && (names.has(".git") || isBare)) found.push(path);
    return true;
  });
  return found;
}

/** Returns the paths that git would not track there. Nothing when git cannot say, so that everything is saved. */
async function ignoredIn(git: WorkGit, top: string, repository: string, original: string): Promise<string[]> {
  const worktree = join(top, repository);
  const gitDirectory = gitDirectoryIn(worktree, top, original);
  if (gitDirectory === undefined) return [];
  const outcome = await git.try({
    args: ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"],
    variables: { GIT_DIR: gitDirectory, GIT_WORK_TREE: worktree },
    cwd: worktree,
    deadlineMs: askMs,
  });
  if (outcome.code !== 0 || outcome.truncated) return [];
  return fieldsOf(outcome.stdout).map((field) => join(repository, pathFromBytes(field).replace(/\/$/, "")));
}

function gitDirectoryIn(worktree: string, top: string, original: string): string | undefined {
  const entry = join(worktree, ".git");
  if (lstatSync(entry, { throwIfNoEntry: false })?.isDirectory() === true) return entry;
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(readSmall(entry) ?? "")?.[1];
  if (target === undefined) return undefined;
  const path = isAbsolute(target) ? target : resolve(worktree, target);
  return path.startsWith(`${original}/`) ? join(top, path.slice(original.length + 1)) : path;
}

/** The parts of one ignored path that are left out, each with its size. */
async function judge(top: TrustedDirectory, path: string, repositories: readonly string[]): Promise<LeftOut[]> {
  const parent = absentAsUndefined(() => top.descend(join(path, "..")));
  if (parent === undefined) return [];
  try {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stat = parent.stat(name);
    if (stat === undefined) return [];
    if (!stat.isDirectory()) return stat.size > largestFileBytes ? [{ path, why: "large", bytes: stat.size }] : [];
    if (caches.has(name)) return [{ path, why: "cache", bytes: await sizeOf(top, path) }];
    const found: LeftOut[] = [];
    let bytes = 0;
    const inner: string[] = [];
    using directory = parent.child(name);
    await eachDirectory(directory, path, (at, names, sizes) => {
      if (repositories.some((one) => at === one)) return false; // by its own rules
      const isCache = at !== path && (caches.has(at.slice(at.lastIndexOf("/") + 1)) || names.has("CACHEDIR.TAG"));
      if (isCache || (at === path && names.has("CACHEDIR.TAG"))) {
        inner.push(at);
        return false;
      }
      for (const [file, size] of sizes()) {
        if (size > largestFileBytes) found.push({ path: join(at, file), why: "large", bytes: size });
        else bytes += size;
      }
      return true;
    });
    for (const at of inner) found.push({ path: at, why: "cache", bytes: await sizeOf(top, at) });
    return bytes > largestIgnoredBytes ? [{ path, why: "large", bytes }] : found;
  } finally {
    parent.close();
  }
}

async function sizeOf(top: TrustedDirectory, path: string): Promise<number> {
  let bytes = 0;
  using directory = top.descend(path);
  await eachDirectory(directory, path, (_, __, sizes) => {
    for (const [, size] of sizes()) bytes += size;
    return true;
  });
  return bytes;
}

type Look = (path: string, names: ReadonlySet<string>, sizes: () => [string, number][]) => boolean;

/** Visits directories, not those of git; `look` answers whether what is below is visited too. */
async function eachDirectory(top: TrustedDirectory, start: string, look: Look): Promise<void> {
  let since = 0;
  const visit = async (directory: TrustedDirectory, path: string): Promise<void> => {
    const names = directory.listBytes();
    const texts = new Map(names.map((name) => [pathFromBytes(name), name]));
    const sizes = (): [string, number][] =>
      [...texts].flatMap(([text, name]) => {
        const stat = directory.stat(name);
        return stat?.isFile() === true ? [[text, stat.size] as [string, number]] : [];
      });
    if (!look(path, new Set(texts.keys()), sizes)) return;
    for (const [text, name] of texts) {
      if (++since % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
      if (text === ".git" || directory.stat(name)?.isDirectory() !== true) continue;
      const inner = absentAsUndefined(() => directory.child(name));
      if (inner === undefined) continue;
      try {
        await visit(inner, path === "" ? text : `${path}/${text}`);
      } finally {
        inner.close();
      }
    }
  };
  await visit(top, start);
}
