// A file system of its own, so small that a test can really fill it. Only root may mount one.

import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class SmallDisk {
  readonly path = mkdtempSync(join(tmpdir(), "constel-disk-"));
  readonly #filler = join(this.path, "filler");

  constructor(megabytes: number) {
    this.#run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,nr_inodes=200k`, "tmpfs", this.path);
  }

  /** Leaves not a block. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.path);
    for (let blocks = bavail; blocks > 0; blocks = statfsSync(this.path).bavail) {
      try {
        writeFileSync(this.#filler, Buffer.alloc(blocks * bsize), { flag: "a" });
      } catch {
        // as much as there was room for
      }
    }
  }

  makeRoom(): void {
    rmSync(this.#filler, { force: true });
  }

  [Symbol.dispose](): void {
    this.#run("umount", "-l", this.path);
    rmSync(this.path, { recursive: true, force: true });
  }

  #run(...words: string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(words);
    if (exitCode !== 0) throw new Error(`${words[0]}: ${stderr.toString().trim()}`);
  }
}

export const withoutSmallDisk: string | undefined =
  process.getuid?.() !== 0 || process.platform !== "linux" ? "only root on Linux can mount a small disk" : canMount();

function canMount(): string | undefined {
  try {
    new SmallDisk(1)[Symbol.dispose]();
    return undefined;
  } catch (cause) {
    return `no small disk can be mounted here: ${String(cause)}`;
  }
}
