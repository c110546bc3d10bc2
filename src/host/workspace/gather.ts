// Walks a workspace and notes every file, link and directory by its bytes-exact name, with what is needed to put it back
// and to notice that it changed meanwhile. git's object directory is left out: its objects are saved as objects. The walk goes by
// descriptors and follows no link, and lets others have their turn: a workspace may hold a hundred thousand files.

import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { absentAsUndefined } from "../../files/problems.ts";
import { Outage } from "../../protocol/errors.ts";
import { pathFromBytes } from "../git/objects/path-text.ts";

export interface GatheredFile {
  /** Below the workspace, `/` between the parts; odd bytes as in host/git/objects/path-text.ts. */
  readonly path: string;
  readonly mode: number;
  readonly mtimeNs: string;
  readonly size: number;
  /** The target of a symbolic link, as its bytes in hex. */
  readonly link: string | undefined;
  /** Changes whenever the content may have. */
  readonly stamp: string;
}

export interface Gathered {
  readonly files: readonly GatheredFile[];
  readonly directories: readonly { readonly path: string; readonly mode: number }[];
  readonly skipped: readonly string[];
}

/** The files or whole directories that are not looked at. A path in `kept` is looked at, wherever it is. */
export interface NotGathered {
  readonly leftOut: ReadonlySet<string>;
  readonly kept: readonly string[];
}

const objectFile = /(^|\/)objects\/([0-9a-f]{2}\/[0-9a-f]{38}([0-9a-f]{24})?|pack\/pack-[0-9a-f]+\.[a-z]+)$/;

/** So many entries between two turns of others. */
const atOnce = 2_000;

export async function gather(top: TrustedDirectory, not: NotGathered): Promise<Gathered> {
  const files: GatheredFile[] = [];
  const directories: { path: string; mode: number }[] = [];
  const skipped: string[] = [];
  let since = 0;
  /** `isPassing`: only on the way to something that is kept. */
  const visit = async (directory: TrustedDirectory, prefix: string, isPassing: boolean): Promise<void> => {
    for (const name of listed(directory)) {
      const path = prefix + pathFromBytes(name);
      const isKept = not.kept.includes(path);
      const leads = not.kept.some((kept) => kept.startsWith(`${path}/`));
      const isOut = !isKept && (isPassing || not.leftOut.has(path));
      if (isOut && !leads) continue;
      if (++since % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
      const stat = directory.exactStat(name);
      if (stat === undefined) continue; // it went away; the second walk tells
      const mode = Number(stat.mode) & 0o7777;
      if (stat.isDirectory()) {
        directories.push({ path, mode });
        const inner = absentAsUndefined(() => directory.child(name));
        if (inner === undefined) continue;
        try {
          await visit(inner, `${path}/`, isOut);
        } finally {
          inner.close();
        }
      } else if (isOut) continue;
      else if (stat.isFile() || stat.isSymbolicLink()) {
        const link = stat.isSymbolicLink() ? directory.symbolicLink(name).toString("hex") : undefined;
        // An object's name says its content, and git touches those it shares with other clones.
        const isObject = objectFile.test(path);
        const stamp = isObject ? `${stat.size}` : `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
        files.push({ path, mode, mtimeNs: String(stat.mtimeNs), size: Number(stat.size), link, stamp });
      } else skipped.push(path);
    }
  };
  await visit(top, "", false);
  return { files, directories, skipped };
}

/** True when two walks saw the same. */
export function sameGathering(a: Gathered, b: Gathered): boolean {
  const print = (one: Gathered): string =>
    JSON.stringify([one.files.map(({ path, mode, stamp }) => [path, mode, stamp]), one.directories, one.skipped]);
  return print(a) === print(b);
}

function listed(directory: TrustedDirectory): Buffer[] {
  try {
    return directory.listBytes();
  } catch (cause) {
    throw new Outage("list", directory.path, cause);
  }
}
