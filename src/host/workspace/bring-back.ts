// Puts a saved workspace back into an empty directory: the objects as one pack, then every directory, file and link with
// its bytes, mode and time.

import { chmodSync, lutimesSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { Step } from "../../ports/workspace.ts";
import { fileName } from "../git/path-text.ts";
import type { Manifest, ManifestFile } from "./save.ts";
import type { WorkGit } from "./work-git.ts";

/** So much is held in memory at once; a larger file goes from git to the disk by itself. */
const batchBytes = 32 * 1024 * 1024;

export async function bringBack(
  git: WorkGit,
  wish: { keeper: string; commit: string; directory: string; step: Step },
): Promise<Manifest> {
  const { keeper, commit, directory } = wish;
  const variables = { GIT_DIR: keeper };
  const manifest = JSON.parse(
    Buffer.from(await git.bytes({ args: ["cat-file", "blob", `${commit}:manifest.json`], variables })).toString("utf8"),
  ) as Manifest;
  if (manifest.format !== 1) throw new Outage("read the rescue at", commit, "a newer constel wrote it");
  mkdirSync(directory, { recursive: true });
  for (const { path } of manifest.directories) mkdirSync(fileName(directory, path), { recursive: true });
  mkdirSync(join(directory, ".git", "objects", "pack"), { recursive: true });
  mkdirSync(join(directory, ".git", "objects", "info"), { recursive: true });
  const packs = join(directory, ".git", "objects", "pack", "pack");
  await git.bytes({ args: ["pack-objects", "--revs", "-q", packs], variables, stdin: `${commit}\n` });
  wish.step("restore.objects");
  for (const batch of batches(manifest.files)) await writeBatch(git, keeper, directory, batch);
  for (const { path, link, mtimeNs } of manifest.files) {
    if (link === undefined) continue;
    symlinkSync(Buffer.from(link, "hex"), fileName(directory, path));
    const seconds = Number(mtimeNs) / 1e9;
    if (path.isWellFormed()) lutimesSync(fileName(directory, path), seconds, seconds);
  }
  wish.step("restore.files");
  // Modes last and deepest first: a directory that may not be written to must be filled before.
  for (const { path, mode } of [...manifest.directories].reverse()) chmodSync(fileName(directory, path), mode);
  await writeTags(git, directory, manifest);
  return manifest;
}

async function writeTags(git: WorkGit, directory: string, manifest: Manifest): Promise<void> {
  for (const text of manifest.tags) {
    await git.bytes({
      args: ["hash-object", "-w", "-t", "tag", "--literally", "--stdin"],
      variables: { GIT_DIR: join(directory, ".git") },
      stdin: Buffer.from(text, "base64"),
    });
  }
}

function* batches(files: readonly ManifestFile[]): Generator<ManifestFile[]> {
  let batch: ManifestFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.blob === undefined) continue;
    if (batch.length > 0 && bytes + file.size > batchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) yield batch;
}

async function writeBatch(
  git: WorkGit,
  keeper: string,
  directory: string,
  batch: readonly ManifestFile[],
): Promise<void> {
  const variables = { GIT_DIR: keeper };
  const [only] = batch;
  if (batch.length === 1 && only?.blob !== undefined && only.size > batchBytes && only.path.isWellFormed()) {
    await git.toFile({ args: ["cat-file", "blob", only.blob], variables }, join(directory, only.path));
    finish(directory, only);
    return;
  }
  const ids = batch.map(({ blob }) => `${blob}\n`).join("");
  const output = Buffer.from(await git.bytes({ args: ["cat-file", "--batch=%(objectsize)"], variables, stdin: ids }));
  let at = 0;
  for (const file of batch) {
    const end = output.indexOf(0x0a, at);
    const size = Number(output.subarray(at, end).toString("latin1"));
    if (!Number.isInteger(size)) throw new Outage("restore", file.path, `object ${file.blob} is missing`);
    writeFileSync(fileName(directory, file.path), output.subarray(end + 1, end + 1 + size), { flag: "wx" });
    finish(directory, file);
    at = end + 1 + size + 1;
  }
}

function finish(directory: string, file: ManifestFile): void {
  const name = fileName(directory, file.path);
  const seconds = Number(file.mtimeNs) / 1e9;
  utimesSync(name, seconds, seconds);
  chmodSync(name, file.mode);
}
