// Makes a write last through a power cut: puts the file's content on the disk, then the directory that names it. A port, so that a test can
// see that both happen, and in which order; without it a forgotten sync would be noticed after a power cut only.

import { fsyncSync } from "node:fs";

export interface Disk {
  syncFile(fd: number, path: string): void;
  syncDirectory(fd: number, path: string): void;
  /** Told after a file got its name. Nothing has to be done for it. */
  renamed?(from: string, to: string): void;
}

export const systemDisk: Disk = {
  syncFile: (fd) => fsyncSync(fd),
  syncDirectory: (fd) => fsyncSync(fd),
};
