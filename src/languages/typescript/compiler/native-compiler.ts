// The native TypeScript compiler, which runs in a process of its own and asks us for every file. One tree at a time stands before it. Going from one
// tree to the next tells it what differs, so that 25 worktrees on one base cost the base once and then their edits.
//
// The package calls this way of asking unstable. Its version is pinned, only this file and those that read its answers (compiler-compare.ts,
// blame.ts) know it, and two things that it keeps to itself are used: its process, whose pid is what we bound and end, and the connection, on
// which files are read as promises.

import { API, type Project } from "typescript/unstable/async";
import { type CompilerTree, top } from "./compiler-tree.ts";
import { settingsOver } from "./compiler-options.ts";
import { installedProgram, type NativeProgram } from "./native-libraries.ts";

/** Programs that stay with the compiler between questions: a repository asks under a few settings again and again. */
const mostOpen = 4;
/** With more differences than this, two trees have little in common. */
const mostChanges = 2_000;

interface Kept {
  readonly process: { readonly pid?: number; once(event: "exit", then: () => void): void };
  readonly connection: {
    onRequest(method: string, answer: (name: string) => unknown): void;
    onClose(then: () => void): void;
  };
  connect(): Promise<void>;
}

/** Files of one tree under one group of settings, as the compiler has them. */
export interface Shown {
  readonly tree: CompilerTree;
  readonly project: Project;
  /** Lets go of it. */
  dispose(): Promise<void>;
}

export interface NativeEvents {
  /** Its process, whenever there is another one. */
  readonly started: (pid: number) => void;
  /** Its process is gone, and nobody here ended it. */
  readonly ended: () => void;
}

export class NativeCompiler {
  readonly #events: NativeEvents;
  readonly #open: () => Promise<NativeProgram>;
  #api: API | undefined;
  #program: NativeProgram | undefined;
  #tree: CompilerTree | undefined;
  /** The settings that stand on those of the tree, by name; the one asked for last comes last. */
  readonly #settings = new Map<string, string>();

  constructor(events: NativeEvents, open: () => Promise<NativeProgram> = installedProgram) {
    this.#events = events;
    this.#open = open;
  }

  /** `roots` are of one group: that of the settings `file`. */
  async show(tree: CompilerTree, file: string | undefined, roots: readonly string[]): Promise<Shown> {
    const changes = this.#become(tree);
    if (changes === undefined) await this.#close();
    const api = this.#api ?? (await this.#start());
    const read = async (name: string) => (await api.parseConfigFile(name)).options;
    const { name, text } = await settingsOver(file, roots, tree, read);
    const before = this.#settings.get(name);
    if (before !== undefined && before !== text) changes?.changed.push(name);
    this.#settings.delete(name);
    this.#settings.set(name, text);
    const [oldest = name] = this.#settings.size > mostOpen ? this.#settings.keys() : [];
    // What its client keeps of files is not always of the tree that stands there.
    api.clearSourceFileCache();
    const snapshot = await api.updateSnapshot({
      // It counts how often a program was opened.
      ...(before === undefined ? { openProjects: [name] } : {}),
      ...(oldest === name ? {} : { closeProjects: [oldest] }),
      ...(changes === undefined ? {} : { fileChanges: changes }),
    });
    this.#program?.answered();
    if (oldest !== name) this.#settings.delete(oldest);
    const project = snapshot.getProject(name);
    if (project === undefined) throw new Error(`no program for ${name}`);
    return { tree, project, dispose: () => snapshot.dispose() };
  }

  async #start(): Promise<API> {
    const program = await this.#open();
    this.#program = program;
    const api = new API({
      cwd: top.slice(0, -1),
      tsserverPath: program.path,
      fs: {
        readFile: () => null,
        fileExists: (name) => this.#settings.has(name) || (this.#tree?.fileExists(name) ?? false),
        directoryExists: (name) => this.#tree?.directoryExists(name) ?? false,
        getAccessibleEntries: (name) => this.#tree?.entries(name) ?? { files: [], directories: [] },
        realpath: (name) => this.#tree?.realpath(name) ?? name,
      },
    });
    const kept = api["client"] as unknown as Kept;
    await kept.connect();
    kept.connection.onRequest("readFile", (name) => this.#readFile(name));
    const { pid } = kept.process;
    // A killed process closes its end of the connection before its exit is known. Whichever comes first says so.
    const ended = (): void => {
      if (this.#api === api) this.#events.ended();
    };
    kept.process.once("exit", ended);
    kept.connection.onClose(ended);
    if (pid === undefined) throw new Error("the compiler did not start");
    this.#api = api;
    this.#events.started(pid);
    return api;
  }

  async #close(): Promise<void> {
    const api = this.#api;
    this.#api = undefined;
    this.#settings.clear();
    await api?.close();
  }

  /**
   * Puts another tree in the place of the one that stands there, and answers what differs. Undefined where nearly everything does, or what
   * names lead to: told so, the compiler does not always look again, and a new one costs a tenth of a second.
   */
  #become(tree: CompilerTree): Changes | undefined {
    const before = this.#tree;
    this.#tree = tree;
    const changes: Changes = { changed: [], created: [], deleted: [] };
    if (before === undefined || before === tree) return changes;
    if (before.packagesFrom !== tree.packagesFrom || before.linked !== tree.linked) return undefined;
    for (const [path, blob] of tree.blobs) {
      const was = before.blobs.get(path);
      if (was !== blob) changes[was === undefined ? "created" : "changed"].push(top + path);
    }
    for (const path of before.blobs.keys()) if (!tree.blobs.has(path)) changes.deleted.push(top + path);
    const count = changes.changed.length + changes.created.length + changes.deleted.length;
    return count > mostChanges ? undefined : changes;
  }

  /** Null sends the compiler to the disk, which is for its own libraries alone. */
  async #readFile(name: string): Promise<{ readonly content: string | null } | null> {
    if (!name.startsWith(top)) {
      const library = this.#program !== undefined && name.startsWith(this.#program.directory);
      const content = library ? (this.#program?.library(name) ?? null) : null;
      return library && content === null ? null : { content };
    }
    return { content: this.#settings.get(name) ?? (await this.#tree?.readFile(name)) ?? null };
  }
}

interface Changes {
  readonly changed: string[];
  readonly created: string[];
  readonly deleted: string[];
}
