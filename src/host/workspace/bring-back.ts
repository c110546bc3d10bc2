// Puts a saved workspace back into an empty directory: the objects as one pack, then every directory, file and link with
// its bytes, mode and time. All is written by descriptors below that directory, whatever the paths in the rescue say.

import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { TreeWriter } from "../../files/trusted-tree.ts";
import type { Step } from "../../ports/workspace.ts";
import { partsOf } from "../git/objects/path-text.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import { alternate } from "./save.ts";
import type { WorkGit } from "./work-git.ts";

/** So much is held in memory at once; a larger file goes from git to the disk by itself. */
const batchBytes = 32 * 1024 * 1024;

export interface BringBackWish {
  readonly keeper: string;
  readonly commit: string;
  readonly manifest: Manifest;
  readonly top: TrustedDirectory;
  readonly step: Step;
}

export async function bringBack(git: WorkGit, wish: BringBackWish): Promise<void> {
  const { keeper, commit, manifest, top } = wish;
  using writer = new TreeWriter(top);
  for (const { path } of manifest.directories) writer.makeDirectory(partsOf(path));
  if (manifest.isRaw !== true) {
    for (const inner of ["pack", "info"]) writer.makeDirectory([".git", "objects", inner]);
    const objects = join(top.path, ".git", "objects");
    // git writes a pack into its own object directory and renames it: that must be on the file system the pack goes to.
    const variables = {
      GIT_DIR: keeper,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate(join(keeper, "objects")),
    };
    const args = ["pack-objects", "--revs", "-q", join(objects, "pack", "pack")];
    await git.bytes({ args, variables, stdin: `${commit}\n` });
  }
  wish.step("restore.objects");
  for (const batch of batches(manifest.files)) await writeBatch(git, keeper, writer, batch);
  for (const { path, link, mtimeNs } of manifest.files) {
    if (link !== undefined) writer.makeLink(partsOf(path), Buffer.from(link, "hex"), Number(mtimeNs) / 1e9);
  }
  wish.step("restore.files");
  await writeTags(git, top.path, manifest);
  // Modes last and deepest first: a directory that may not be written to must be filled before.
  for (const { path, mode } of [...manifest.directories].reverse()) writer.setDirectoryMode(partsOf(path), mode);
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
  writer: TreeWriter,
  batch: readonly ManifestFile[],
): Promise<void> {
  const variables = { GIT_DIR: keeper };
  const [only] = batch;
  if (batch.length === 1 && only?.blob !== undefined && only.size > batchBytes) {
    const name = writer.inDirectoryOf(partsOf(only.path), (directory, last) => {
      directory.writeNew(last, "", { sync: false });
      return directory.nameForOthers(last);
    });
    if (name !== undefined) {
      await git.toFile({ args: ["cat-file", "blob", only.blob], variables }, name);
      return finish(writer, only);
    }
  }
  const ids = batch.map(({ blob }) => `${blob}\n`).join("");
  const output = Buffer.from(await git.bytes({ args: ["cat-file", "--batch=%(objectsize)"], variables, stdin: ids }));
  let at = 0;
  for (const file of batch) {
    const end = output.indexOf(0x0a, at);
    const size = Number(output.subarray(at, end).toString("latin1"));
    if (!Number.isInteger(size)) throw new Outage("restore", file.path, `object ${file.blob} is missing`);
    const content = output.subarray(end + 1, end + 1 + size);
    writer.writeFile(partsOf(file.path), { content, mode: file.mode, seconds: Number(file.mtimeNs) / 1e9 });
    at = end + 1 + size + 1;
  }
}

function finish(writer: TreeWriter, file: ManifestFile): void {
  writer.finish(partsOf(file.path), { mode: file.mode, seconds: Number(file.mtimeNs) / 1e9 });
}
