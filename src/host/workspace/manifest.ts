// Describes the workspace that a rescue was made of: every file, link and directory with what is needed to put it back. It is read from a
// repository or a bundle that agents can write to, so nothing in it is taken on trust: a path that leads out, an object name that is none,
// or a shape that we did not write is refused before anything is made.

import { Outage, Refusal } from "../../protocol/errors.ts";
import type { LeftOut } from "../../ports/workspace.ts";
import type { WorkGit } from "./work-git.ts";

export interface Manifest {
  readonly format: 1;
  readonly name: string;
  readonly savedMs: number;
  readonly files: readonly ManifestFile[];
  readonly directories: readonly { readonly path: string; readonly mode: number }[];
  readonly skipped: readonly string[];
  /** Annotated tags as their content in base64. */
  readonly tags: readonly string[];
  /** Absent in older rescues. */
  readonly leftOut?: readonly LeftOut[];
  /** git could make nothing of the repository, so its objects are among the files. */
  readonly isRaw?: boolean;
}

export interface ManifestFile {
  readonly path: string;
  readonly mode: number;
  readonly mtimeNs: string;
  readonly size: number;
  /** One of the two. */
  readonly blob?: string;
  readonly link?: string;
}

const mostBytes = 256 * 1024 * 1024;

export async function readManifest(git: WorkGit, keeper: string, commit: string): Promise<Manifest> {
  const bytes = await git.bytes({
    args: ["cat-file", "blob", `${commit}:manifest.json`],
    variables: { GIT_DIR: keeper },
  });
  if (bytes.length > mostBytes) throw bad(commit, "it is larger than any of ours");
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw bad(commit, "it is no JSON");
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === "number" && format > 1)
    throw new Outage("read the rescue at", commit, "a newer constel wrote it");
  return checked(value as Manifest, commit);
}

function checked(manifest: Manifest, commit: string): Manifest {
  const must = (holds: boolean, what: string): void => {
    if (!holds) throw bad(commit, what);
  };
  must(manifest?.format === 1, "it has another format");
  for (const list of [manifest.files, manifest.directories, manifest.skipped, manifest.tags])
    must(Array.isArray(list), "a list is missing");
  const seen = new Set<string>();
  const path = (value: unknown): void => {
    must(
      typeof value === "string" && isInside(value),
      `${JSON.stringify(value)?.slice(0, 200)} is not a path inside the workspace`,
    );
    must(!seen.has(value as string), `${JSON.stringify(value)} is in it twice`);
    seen.add(value as string);
  };
  const mode = (value: unknown): void =>
    must(Number.isInteger(value) && (value as number) >>> 12 === 0, "a mode is none");
  for (const directory of manifest.directories) {
    path(directory?.path);
    mode(directory.mode);
  }
  for (const file of manifest.files) {
    path(file?.path);
    mode(file.mode);
    must(typeof file.mtimeNs === "string" && /^-?\d{1,24}$/.test(file.mtimeNs), "a time is none");
    must(Number.isSafeInteger(file.size) && file.size >= 0, "a size is none");
    must((file.blob === undefined) !== (file.link === undefined), "a file is neither file nor link");
    must(file.blob === undefined || isObject(file.blob), "an object's name is none");
    must(
      file.link === undefined || (typeof file.link === "string" && /^([0-9a-f]{2})+$/.test(file.link)),
      "a link is none",
    );
  }
  must(
    manifest.tags.every((tag) => typeof tag === "string"),
    "a tag is none",
  );
  return { ...manifest, leftOut: readLeftOut(manifest.leftOut) };
}

const isInside = (path: string): boolean =>
  !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

export const isObject = (id: unknown): id is string =>
  typeof id === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id);

/** Only shown to people. */
function readLeftOut(value: unknown): LeftOut[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: Partial<LeftOut> | null) =>
    typeof one?.path === "string"
      ? [{ path: one.path, why: one.why === "large" ? "large" : "cache", bytes: Number(one.bytes) || 0 } as const]
      : [],
  );
}

const bad = (commit: string, why: string): Refusal =>
  new Refusal("workspace.bad-rescue", `the rescue ${commit} cannot be trusted: ${why}`, { commit, why });
