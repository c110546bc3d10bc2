// The files of JSON lines in logs/ that a loop takes in, and how they are kept from growing for ever. Writers are other
// processes that open a file by its name, append and are gone; they know nothing of this. A file that is too large or too old is
// first set aside: one rename, so that a line written at that moment lands in the file under its new name and is still taken
// in. What is set aside is removed when it is old, was taken in whole, did not change from one look to the next, and nobody has
// it open any more.
//
// Dying at any point loses nothing: how far a file was read is known by its inode, and taking lines in twice changes nothing.

import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { systemProcesses } from "../../host/process/run.ts";
import { liveInside } from "../../host/workspace/live-inside.ts";
import { killPoint } from "../../settings/kill-at.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { listTrusted } from "../../files/trusted-files.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import { forgetPosition, movePosition } from "./take-in-file.ts";

export interface RecordFile {
  readonly name: string;
  readonly inode: number;
  readonly size: number;
}

export const tidySteps = ["logs.set-aside", "logs.forgotten"] as const;

const step = (name: (typeof tidySteps)[number]): void => killPoint(name);

const tidyEveryMs = 60_000;
const dayMs = 86_400_000;

export class RecordFiles {
  readonly #parts: Pick<LoopParts, "settings" | "store" | "clock">;
  readonly #rule: RegExp;
  /** The files that were taken in to their last whole line, by name: an unchanged file costs one stat. */
  readonly #taken = new Map<string, string>();
  #lastTidy = new Map<string, string>();
  #tidiedMs = -Infinity;

  constructor(parts: Pick<LoopParts, "settings" | "store" | "clock">, kinds: readonly string[]) {
    this.#parts = parts;
    this.#rule = new RegExp(`^((?:${kinds.join("|")})-(\\d{4}-\\d{2}-\\d{2}))(?:\\.(\\d{1,6}))?\\.jsonl$`);
  }

  /** Lists the files that grew since they were taken in; those set aside before the ones they were. */
  grown(): RecordFile[] {
    return this.#list().filter((file) => this.#taken.get(file.name) !== stampOf(file));
  }

  /** Everything up to the size that was seen is durable elsewhere. */
  takenIn(file: RecordFile): void {
    this.#taken.set(file.name, stampOf(file));
  }

  /** Now and then. To be called when nobody reads these files. */
  async tidy(): Promise<void> {
    const { clock, settings } = this.#parts;
    const monotonicMs = clock.monotonicMs();
    if (monotonicMs - this.#tidiedMs < tidyEveryMs) return;
    this.#tidiedMs = monotonicMs;
    const oldBeforeMs = clock.settledMs() - (settings.config["logs.keep_days"] + 1) * dayMs;
    const files = this.#list();
    const earlier = this.#lastTidy;
    this.#lastTidy = new Map(files.map((file) => [file.name, stampOf(file)]));
    for (const file of files) {
      const [, base = "", date = "", aside] = this.#rule.exec(file.name) ?? [];
      const isOld = Date.parse(date) < oldBeforeMs;
      if (aside === undefined) {
        if (isOld || file.size > settings.config["logs.max_bytes"]) await this.#setAside(file, base, files);
      } else if (isOld && this.#isDone(file) && earlier.get(file.name) === stampOf(file)) await this.#remove(file);
    }
  }

  #list(): RecordFile[] {
    const { home } = this.#parts.settings;
    return listTrusted(home, inHome.logs)
      .filter((name) => this.#rule.test(name))
      .flatMap((name) => {
        const stat = lstatSync(join(home, inHome.logs, name), { throwIfNoEntry: false });
        return stat === undefined ? [] : [{ name, inode: stat.ino, size: stat.size }];
      });
  }

  #isDone(file: RecordFile): boolean {
    return this.#taken.get(file.name) === stampOf(file);
  }

  async #setAside(file: RecordFile, base: string, files: readonly RecordFile[]): Promise<void> {
    const numbers = files.flatMap(({ name }) => {
      const [, otherBase, , number] = this.#rule.exec(name) ?? [];
      return otherBase === base && number !== undefined ? [Number(number)] : [];
    });
    const name = `${base}.${Math.max(0, ...numbers) + 1}.jsonl`;
    using logs = TrustedDirectory.open(this.#parts.settings.home, inHome.logs);
    logs.moveTo(file.name, logs, name);
    step("logs.set-aside");
    if (this.#isDone(file)) this.#taken.set(name, stampOf(file));
    this.#taken.delete(file.name);
    await movePosition(this.#parts.store, file.name, name, file.inode);
  }

  async #remove(file: RecordFile): Promise<void> {
    const { home } = this.#parts.settings;
    // By its new name nobody opens it, so whoever does not have it open now never writes to it again.
    const holders = await liveInside(realpathSync(join(home, inHome.logs, file.name)), systemProcesses);
    if (holders.length > 0 || lstatSync(join(home, inHome.logs, file.name)).size !== file.size) return;
    // First, because the next file may be given the same inode.
    await forgetPosition(this.#parts.store, file.name, file.inode);
    step("logs.forgotten");
    using logs = TrustedDirectory.open(home, inHome.logs);
    logs.remove(file.name);
    this.#taken.delete(file.name);
  }
}

const stampOf = ({ inode, size }: RecordFile): string => `${inode}:${size}`;
