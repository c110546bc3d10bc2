// One tree of a Python project: which file a module name means, and the summaries read so far. A lookup is synchronous; a
// summary that is not here yet is noted as wanted, and whoever asked asks again once it is loaded.

import type { PythonSummary } from "../facts.ts";
import type { TreeView } from "../../../ports/semantic.ts";
import { stdlibModules } from "./stdlib-modules.ts";

export interface PythonModule {
  /** The file, a package's `__init__` included; undefined for a namespace package. */
  readonly path: string | undefined;
  /** The directories where submodules are looked for. Empty for a plain module. */
  readonly dirs: readonly string[];
}

/** Directories below which some tree has Python files, shared by trees that differ little. */
export interface Directories {
  has(dir: string): boolean;
}

export class ProjectTree {
  readonly view: TreeView;
  readonly wanted = new Set<string>();
  private readonly roots: readonly string[];
  private readonly directories: Directories;
  private readonly summaries = new Map<string, PythonSummary | undefined>();
  private readonly rootsOfDir = new Map<string, readonly string[]>();
  private readonly modules = new Map<string, PythonModule | undefined>();

  constructor(view: TreeView, roots: readonly string[], directories: Directories) {
    this.view = view;
    this.roots = roots;
    this.directories = directories;
  }

  /** `"wanted"` when it has to be loaded first; undefined when the file is not there or cannot be read. */
  summary(path: string): PythonSummary | "wanted" | undefined {
    if (this.summaries.has(path)) return this.summaries.get(path);
    if (!this.view.blobs.has(path)) return undefined;
    this.wanted.add(path);
    return "wanted";
  }

  put(path: string, summary: PythonSummary | undefined): void {
    this.summaries.set(path, summary);
    this.wanted.delete(path);
  }

  /** The module that an import in `from` means; undefined when this project does not hold it. */
  module(from: string, level: number, dotted: string): PythonModule | undefined {
    const key = `${parent(from)} ${level} ${dotted}`;
    if (this.modules.has(key)) return this.modules.get(key);
    const found = this.find(from, level, dotted);
    this.modules.set(key, found);
    return found;
  }

  submodule(of: PythonModule, name: string): PythonModule | undefined {
    for (const dir of of.dirs) {
      const found = this.regular(dir, name);
      if (found !== undefined) return found;
    }
    return this.namespace(of.dirs, name);
  }

  private find(from: string, level: number, dotted: string): PythonModule | undefined {
    const parts = dotted === "" ? [] : dotted.split(".");
    let at: PythonModule | undefined;
    if (level > 0) {
      let dir: string | undefined = parent(from);
      for (let up = 1; up < level && dir !== undefined; up += 1) dir = dir === "" ? undefined : parent(dir);
      at = dir === undefined ? undefined : this.package(dir);
    } else {
      const top = parts.shift() ?? "";
      if (stdlibModules.has(top)) return undefined;
      const roots = this.rootsFor(from);
      for (const root of roots) {
        at = this.regular(root, top);
        if (at !== undefined) break;
      }
      at ??= this.namespace(roots, top);
    }
    for (const part of parts) {
      if (at === undefined) return undefined;
      at = this.submodule(at, part);
    }
    return at;
  }

  private package(dir: string): PythonModule {
    const init = ["__init__.py", "__init__.pyi"]
      .map((file) => join(dir, file))
      .find((path) => this.view.blobs.has(path));
    return { path: init, dirs: [dir] };
  }

  /** A package, else a module, of this name in this directory. */
  private regular(dir: string, name: string): PythonModule | undefined {
    const { blobs } = this.view;
    const base = join(dir, name);
    if (blobs.has(`${base}/__init__.py`)) return { path: `${base}/__init__.py`, dirs: [base] };
    if (blobs.has(`${base}.py`)) return { path: `${base}.py`, dirs: [] };
    if (blobs.has(`${base}/__init__.pyi`)) return { path: `${base}/__init__.pyi`, dirs: [base] };
    if (blobs.has(`${base}.pyi`)) return { path: `${base}.pyi`, dirs: [] };
    return undefined;
  }

  private namespace(dirs: readonly string[], name: string): PythonModule | undefined {
    const found = dirs.map((dir) => join(dir, name)).filter((dir) => this.directories.has(dir));
    return found.length === 0 ? undefined : { path: undefined, dirs: found };
  }

  /**
   * Returns the directories where absolute imports of a file are looked for: the directory that its outermost package is in (a script or a
   * test runner puts it first), those above it, `src` beside each, and the project's declared roots.
   */
  private rootsFor(from: string): readonly string[] {
    let dir = parent(from);
    const known = this.rootsOfDir.get(dir);
    if (known !== undefined) return known;
    const start = dir;
    while (dir !== "" && this.view.blobs.has(join(dir, "__init__.py"))) dir = parent(dir);
    const all = new Set<string>();
    for (;;) {
      all.add(dir).add(join(dir, "src"));
      if (dir === "") break;
      dir = parent(dir);
    }
    for (const root of this.roots) all.add(root);
    const roots = [...all];
    this.rootsOfDir.set(start, roots);
    return roots;
  }
}

export function parent(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

export function join(dir: string, name: string): string {
  return dir === "" ? name : `${dir}/${name}`;
}

export function isPython(path: string): boolean {
  return path.endsWith(".py") || path.endsWith(".pyi");
}
