// Walks a workspace and notes every file, link and directory by its bytes-exact name, with what is needed to put it back
// and to notice that it changed meanwhile. git's object directory is left out: its objects are saved as objects.

import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { Outage, systemCode } from "../../protocol/errors.ts";
import { pathFromBytes } from "../git/path-text.ts";

export interface GatheredFile {
  /** Below the workspace, `/` between the parts; odd bytes as in host/git/path-text.ts. */
  readonly path: string;
  readonly mode: number;
  readonly mtimeNs: string;
  readonly size: number;
  /** Where a symbolic link points, as its bytes in hex. */
  readonly link: string | undefined;
  /** Changes whenever the content may have. */
  readonly stamp: string;
}

export interface Gathered {
  readonly files: readonly GatheredFile[];
  readonly directories: readonly { readonly path: string; readonly mode: number }[];
  readonly skipped: readonly string[];
}

/** `leftOut` are paths, of files or whole directories, that are not looked at. */
export function gather(top: string, leftOut: ReadonlySet<string>): Gathered {
  const files: GatheredFile[] = [];
  const directories: { path: string; mode: number }[] = [];
  const skipped: string[] = [];
  const visit = (directory: Buffer, prefix: string): void => {
    for (const name of readDirectory(directory)) {
      const path = prefix + pathFromBytes(name);
      if (leftOut.has(path)) continue;
      const full = Buffer.concat([directory, slash, name]);
      const stat = statOf(full);
      if (stat === undefined) continue;
      const mode = Number(stat.mode) & 0o7777;
      if (stat.isDirectory()) {
        directories.push({ path, mode });
        visit(full, `${path}/`);
      } else if (stat.isFile() || stat.isSymbolicLink()) {
        const link = stat.isSymbolicLink() ? readlinkSync(full, { encoding: "buffer" }).toString("hex") : undefined;
        // An object's name says its content, and git touches those it shares with other clones.
        const isObject = /(^|\/)objects\/([0-9a-f]{2}|pack)\//.test(path) && /(^|\/)\.git\//.test(path);
        const stamp = isObject ? `${stat.size}` : `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
        files.push({ path, mode, mtimeNs: String(stat.mtimeNs), size: Number(stat.size), link, stamp });
      } else skipped.push(path);
    }
  };
  visit(Buffer.from(top), "");
  return { files, directories, skipped };
}

/** Whether two walks saw the same. */
export function sameGathering(a: Gathered, b: Gathered): boolean {
  const print = (one: Gathered): string =>
    JSON.stringify([one.files.map(({ path, mode, stamp }) => [path, mode, stamp]), one.directories, one.skipped]);
  return print(a) === print(b);
}

const slash = Buffer.from("/");

function readDirectory(directory: Buffer): Buffer[] {
  try {
    const names = readdirSync(directory, { encoding: "buffer" }) as unknown as Buffer[];
    return names.sort((a, b) => a.compare(b));
  } catch (cause) {
    throw new Outage("list", directory.toString("utf8"), cause);
  }
}

function statOf(path: Buffer) {
  try {
    return lstatSync(path, { bigint: true });
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined; // it went away; the second walk tells
    throw new Outage("look at", path.toString("utf8"), cause);
  }
}
