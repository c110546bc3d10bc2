// The fake of the disk: notes what was made to last, in order, by its name without temporary parts.

import { basename } from "node:path";
import type { Disk } from "./disk.ts";

export class RecordingDisk implements Disk {
  readonly done: string[] = [];

  syncFile(_: number, path: string): void {
    this.done.push(`sync file ${plain(path)}`);
  }

  syncDirectory(_: number, path: string): void {
    this.done.push(`sync directory ${basename(path)}`);
  }

  renamed(from: string, to: string): void {
    this.done.push(`rename ${plain(from)} to ${basename(to)}`);
  }
}

const plain = (path: string): string => basename(path).replace(/^\.(.+)\.\d+\.\d+\.tmp$/, "temporary of $1");
