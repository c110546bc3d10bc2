// Files that must not, or cannot, go into a snapshot as git would read them: huge ones, and those behind a filter program.
// A huge file is stood for by a marker of its size and time. A file in LFS is stood for by the pointer that LFS itself
// would store, worked out here, so that an unchanged file stays unchanged. Other filters are not run: their files go in
// as they are on disk, and the snapshot says so.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import type { Git } from "../git.ts";
import { fieldsOf, fileName, joinPaths, pathFromBytes } from "../objects/path-text.ts";

/** Past this a file is not read. Agents' sources are far below; models, videos and dumps above. */
export const maxFileBytes = 8 * 1024 * 1024;

export type FileOnDisk =
  | { readonly kind: "plain"; readonly executable: boolean }
  | { readonly kind: "huge"; readonly marker: string; readonly executable: boolean }
  | { readonly kind: "link" }
  | { readonly kind: "directory" }
  | { readonly kind: "gone" }
  | { readonly kind: "other" };

export function fileOnDisk(worktree: string, path: string): FileOnDisk {
  const stat = lstatOr(worktree, path);
  if (stat === undefined) return { kind: "gone" };
  if (stat.isSymbolicLink()) return { kind: "link" };
  if (stat.isDirectory()) return { kind: "directory" };
  if (!stat.isFile()) return { kind: "other" };
  const executable = (stat.mode & 0o100n) !== 0n;
  if (stat.size <= BigInt(maxFileBytes)) return { kind: "plain", executable };
  const marker = `constel: a file of ${stat.size} bytes, last written at ${stat.mtimeNs} ns, was not read\n`;
  return { kind: "huge", marker, executable };
}

/** Returns the pointer that would be stored for a file in LFS. Undefined when it holds a pointer already or cannot be read. */
export function lfsPointer(worktree: string, path: string): string | undefined {
  const content = readPlain(worktree, path);
  if (content === undefined || content.subarray(0, 42).toString("latin1").startsWith("version https://git-lfs"))
    return undefined;
  if (content.length === 0) return "";
  const oid = createHash("sha256").update(content).digest("hex");
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
}

/** The filter of each path that has one. */
export async function filtersOf(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const filters = new Map<string, string>();
  if (paths.length === 0) return filters;
  const args = ["check-attr", "-z", "--stdin", "filter"];
  const fields = fieldsOf(await git.bytes({ args, variables, cwd: worktree, stdin: joinPaths(paths) }));
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const value = Buffer.from(fields[index + 2] ?? []).toString("utf8");
    if (value !== "unspecified" && value !== "unset" && value !== "set") {
      filters.set(pathFromBytes(fields[index] ?? new Uint8Array()), value);
    }
  }
  return filters;
}

function readPlain(worktree: string, path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(fileName(worktree, path) as string, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > maxFileBytes) return undefined;
    const content = Buffer.alloc(stat.size);
    let filled = 0;
    while (filled < content.length) {
      const count = readSync(fd, content, filled, content.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return content.subarray(0, filled);
  } finally {
    closeSync(fd);
  }
}

function lstatOr(worktree: string, path: string): ReturnType<typeof lstatBig> | undefined {
  try {
    return lstatBig(worktree, path);
  } catch {
    return undefined; // a parent is no directory any more, or may not be looked into
  }
}

function lstatBig(worktree: string, path: string) {
  return lstatSync(fileName(worktree, path) as string, { bigint: true });
}
