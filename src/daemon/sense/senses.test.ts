// Repositories opened from several sides at once, over real git.

import { expect, test } from "bun:test";
import { systemClock } from "../../host/clock/system-clock.ts";
import { Scratch } from "../../host/git/scratch.suite.ts";
import { systemProcesses } from "../../host/process/run.ts";
import type { RepositoryReport } from "../../protocol/sensing.ts";
import { Senses } from "./senses.ts";

test("a repository that is opened from two sides at once is looked at by one", async () => {
  const scratch = new Scratch();
  const top = scratch.repository("app");
  const other = scratch.worktree(top, "other");
  const reports: RepositoryReport[] = [];
  const senses = new Senses({
    git: { processes: systemProcesses, environment: scratch.environment },
    directory: scratch.path("private"),
    gates: scratch.path("gates"),
    clock: systemClock,
    report: async (report) => void reports.push(report),
    gateRuns: { get: async () => undefined, set: async () => undefined },
    log: () => undefined,
  });
  try {
    const { repository } = await senses.locate(top);
    await Promise.all([
      senses.open(repository, [top]),
      senses.open(repository, [other]),
      senses.open(repository, [top]),
    ]);
    await senses.touch(repository, top, []);
    // Whoever looks tells of every worktree once, at its beginning.
    expect(reports.filter(({ worktrees }) => worktrees.length === 2).length).toBe(1);
    // Asked for while it is dropped, it is there; and at the end nobody is left who looks.
    await Promise.all([senses.drop(repository), senses.open(repository, [top])]);
    await senses.touch(repository, top, []);
    expect(await senses.tests(repository, top)).toBeDefined();
    await Promise.all([senses.open(repository, [other]), senses.close()]);
    expect(await senses.tests(repository, top)).toBeUndefined();
  } finally {
    await senses.close();
    scratch.close();
  }
});
