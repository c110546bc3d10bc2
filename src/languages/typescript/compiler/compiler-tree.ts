// One tree of blobs as the compiler sees it: a file system that exists only in memory below /tree. Packages of the tree stand under
// their names, as installing would link them; those of others are read from a checkout, where there is one.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TreeTexts } from "./tree-texts.ts";

export const top = "/tree/";
const maxAmbient = 300;

export interface Entries {
  readonly files: string[];
  readonly directories: string[];
}

export class CompilerTree {
  readonly blobs: ReadonlyMap<string, string>;
  readonly packagesFrom: string | undefined;
  readonly #texts: TreeTexts;
  readonly #directories = new Set<string>();
  #links: readonly (readonly [from: string, to: string])[] = [];

  constructor(blobs: ReadonlyMap<string, string>, texts: TreeTexts, packagesFrom: string | undefined) {
    this.blobs = blobs;
    this.#texts = texts;
    this.packagesFrom = packagesFrom === undefined ? undefined : real(packagesFrom);
    for (const path of blobs.keys()) this.#addDirectories(path);
  }

  /** Returns the places where packages of the tree stand under their names, as text that is equal when the places are. */
  get linked(): string {
    return JSON.stringify(this.#links);
  }

  /** Reads the manifests, which say under which names packages of the tree stand. Comes before everything else. */
  async open(): Promise<void> {
    const manifests = [...this.blobs].filter(([path]) => isManifest(path));
    const texts = await Promise.all(manifests.map(([, blob]) => this.#texts.read(blob)));
    const byName = new Map<string, string | undefined>();
    manifests.forEach(([path], at) => {
      const name = dirname(path) === "." ? undefined : packageName(texts[at]);
      // A name claimed twice is nobody's.
      if (name !== undefined) byName.set(name, byName.has(name) ? undefined : dirname(path));
    });
    this.#links = [...byName].flatMap(([name, directory]) =>
      directory === undefined ? [] : [[`node_modules/${name}`, directory] as const],
    );
    for (const [from] of this.#links) this.#addDirectories(`${from}/package.json`);
  }

  /** A text of the tree that was read before. */
  text(path: string): string | undefined {
    return this.#texts.known(this.blobs.get(path) ?? "");
  }

  /** Undefined where the tree does not have the file. */
  async read(path: string): Promise<string | undefined> {
    const blob = this.blobs.get(path);
    return blob === undefined ? undefined : await this.#texts.read(blob);
  }

  /** Declarations that hold for all files, whoever imports them. */
  ambient(): string[] {
    return [...this.blobs.keys()]
      .filter((path) => /\.d\.[cm]?ts$/.test(path) && !path.includes("node_modules/"))
      .slice(0, maxAmbient);
  }

  /** Returns the packages that the manifests of the tree say they need, except packages of the tree itself. */
  dependencies(): Set<string> {
    const names = new Set<string>();
    for (const path of this.blobs.keys()) {
      if (isManifest(path)) for (const name of dependenciesIn(this.text(path))) names.add(name);
    }
    for (const [from] of this.#links) names.delete(from.slice("node_modules/".length));
    return names;
  }

  async readFile(name: string): Promise<string | undefined> {
    const inside = await this.read(this.#inTree(name) ?? "");
    if (inside !== undefined) return inside;
    const outside = this.#outside(name);
    return outside === undefined ? undefined : textOf(outside);
  }

  fileExists(name: string): boolean {
    if (this.blobs.has(this.#inTree(name) ?? "")) return true;
    const outside = this.#outside(name);
    return outside !== undefined && statOf(outside)?.isFile() === true;
  }

  directoryExists(name: string): boolean {
    const inside = this.#inTree(name.endsWith("/") ? name : `${name}/`)?.slice(0, -1);
    if (inside !== undefined && this.#directories.has(inside === "" ? "." : inside)) return true;
    const outside = this.#outside(`${name}/`);
    return outside !== undefined && statOf(outside)?.isDirectory() === true;
  }

  /** Only of installed packages: files of the tree are named one by one. */
  entries(name: string): Entries {
    const outside = this.#outside(`${name}/`);
    const found: Entries = { files: [], directories: [] };
    for (const one of outside === undefined ? [] : namesIn(outside)) {
      const stat = statOf(join(outside ?? "", one));
      if (stat?.isFile() === true) found.files.push(one);
      if (stat?.isDirectory() === true) found.directories.push(one);
    }
    return found;
  }

  /** A package's own packages lie beside where it really is; a link into the checkout leads into the tree. */
  realpath(name: string): string {
    const inside = this.#inTree(name);
    if (inside === undefined || !name.includes("/node_modules/")) return name;
    if (!inside.includes("node_modules/")) return top + inside;
    const outside = this.#outside(name);
    if (outside === undefined || this.packagesFrom === undefined) return name;
    const found = real(outside);
    return found.startsWith(`${this.packagesFrom}/`) ? top + found.slice(this.packagesFrom.length + 1) : name;
  }

  #addDirectories(path: string): void {
    for (let at = dirname(path); !this.#directories.has(at); at = dirname(at)) this.#directories.add(at);
  }

  /** Returns the real path of a name inside the tree: a linked package is one of the tree's own directories. */
  #inTree(name: string): string | undefined {
    if (!name.startsWith(top)) return undefined;
    const path = name.slice(top.length);
    if (!path.startsWith("node_modules/")) return path;
    const link = this.#links.find(([from]) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : link[1] + path.slice(link[0].length);
  }

  /** The file outside the tree that a name stands for. */
  #outside(name: string): string | undefined {
    if (this.packagesFrom === undefined || !name.startsWith(top) || !name.includes("/node_modules/")) return undefined;
    return join(this.packagesFrom, name.slice(top.length));
  }
}

const isManifest = (path: string): boolean => /(^|\/)package\.json$/.test(path) && !path.includes("node_modules/");

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not there, or no file
  }
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or a link that leads in circles
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // not there, or not a directory
  }
}

function dependenciesIn(text: string | undefined): string[] {
  try {
    const manifest = JSON.parse(text ?? "{}") as Record<string, unknown>;
    return ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap((key) => {
      const listed = manifest[key];
      return typeof listed === "object" && listed !== null ? Object.keys(listed) : [];
    });
  } catch {
    return []; // not JSON: then nothing is known of what it needs
  }
}

function packageName(text: string | undefined): string | undefined {
  try {
    const { name } = JSON.parse(text ?? "{}") as { name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}
