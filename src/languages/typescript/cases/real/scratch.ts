// A scratch clone of a real project: one commit of what the checkout has, and two branches made anew for every round.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Edits } from "./project.ts";
import { writeJudgeSettings } from "./judge.ts";

export class RealScratch {
  readonly directory: string;
  readonly settings: string;
  readonly tracked: ReadonlySet<string>;

  /** `only`: folders to take, with the settings beside and above them; everything when there are none. */
  constructor(repository: string, config: string | undefined, only: readonly string[]) {
    this.directory = mkdtempSync(join(tmpdir(), "constel-eval-typescript-"));
    const listed = Bun.spawnSync(["git", "-C", repository, "ls-files", "-z"]).stdout.toString();
    for (const path of listed.split("\0").filter(Boolean)) {
      const from = join(repository, path);
      const isWanted =
        only.length === 0 ||
        only.some((folder) => path.startsWith(`${folder}/`)) ||
        /(^|\/)(package\.json|tsconfig[^/]*\.json)$/.test(path);
      if (isWanted && existsSync(from))
        cpSync(from, join(this.directory, path), { recursive: true, verbatimSymlinks: true });
    }
    const packages = join(resolve(repository), "node_modules");
    if (existsSync(packages)) symlinkSync(packages, join(this.directory, "node_modules"));
    this.settings = writeJudgeSettings(this.directory, config);
    this.git("init", "-q", "-b", "main");
    writeFileSync(join(this.directory, ".git/info/exclude"), "constel-judge.*\nnode_modules\n");
    this.git("add", "-A");
    this.git("commit", "-qm", "base");
    this.tracked = new Set(this.git("ls-files", "-z").split("\0"));
  }

  /** Leaves the branch checked out. */
  branch(name: string, edits: Edits): string {
    this.git("checkout", "-q", "-f", "-B", name, "main");
    for (const [path, text] of edits) {
      const place = join(this.directory, path);
      if (text === null) rmSync(place, { force: true });
      else {
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, text);
      }
    }
    this.git("add", "-A");
    this.git("commit", "-qm", name);
    return name;
  }

  /** False when git cannot merge the two. Leaves the merge checked out. */
  merge(ours: string, theirs: string): boolean {
    this.git("checkout", "-q", "-f", "-B", "merged", ours);
    const run = this.run("merge", "-q", "--no-edit", theirs);
    if (run.exitCode === 0) return true;
    this.run("merge", "--abort");
    return false;
  }

  checkout(name: string): void {
    this.git("checkout", "-q", "-f", name);
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private git(...args: readonly string[]): string {
    const run = this.run(...args);
    if (run.exitCode !== 0) throw new Error(`git ${args[0]}: ${run.stderr?.toString()}`);
    return run.stdout?.toString() ?? "";
  }

  private run(...args: readonly string[]): Bun.SyncSubprocess {
    const who = ["-c", "user.name=eval", "-c", "user.email=eval@localhost", "-c", "core.hooksPath=/dev/null"];
    return Bun.spawnSync(["git", ...who, ...args], {
      cwd: this.directory,
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  }
}
