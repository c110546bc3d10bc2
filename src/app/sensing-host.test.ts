// Repositories opened from several sides at once, over real git.

import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { systemClock } from "../host/clock/system-clock.ts";
import { Scratch } from "../host/git/scratch.suite.ts";
import { openLanguages } from "../languages/open-languages.ts";
import { systemProcesses } from "../host/process/run.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import { SensingHost } from "./sensing-host.ts";

function sensing(scratch: Scratch): { readonly senses: SensingHost; readonly reports: readonly RepositoryReport[] } {
  const reports: RepositoryReport[] = [];
  const senses = new SensingHost({
    git: { processes: systemProcesses, environment: scratch.environment },
    directory: scratch.path("private"),
    gates: scratch.path("gates"),
    clock: systemClock,
    report: async (report) => void reports.push(report),
    gateRuns: { get: async () => undefined, set: async () => undefined },
    log: () => undefined,
  });
  return { senses, reports };
}

test("a repository that is opened from two sides at once is looked at by one", async () => {
  const scratch = new Scratch();
  const top = scratch.repository("app");
  const other = scratch.worktree(top, "other");
  const { senses, reports } = sensing(scratch);
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

test("a repository that cannot be opened ends nothing while it is there, and has no sides when it is gone", async () => {
  const scratch = new Scratch();
  const top = scratch.repository("app");
  const { senses, reports } = sensing(scratch);
  try {
    const { repository } = await senses.locate(top);
    renameSync(`${top}/.git`, `${top}/git`);
    await senses.open(repository, [top]);
    rmSync(top, { recursive: true });
    await senses.open(repository, [top]);
    expect(reports).toMatchObject([{ isUnlooked: true, problem: expect.any(String) }, { sides: [] }]);
    expect(reports[1]?.isUnlooked).toBeUndefined();
  } finally {
    await senses.close();
    scratch.close();
  }
});

test("what only types tell is found soon after, and nothing is closed before the compiler has spoken", async () => {
  const scratch = new Scratch();
  const item = "export interface Item {\n  label: string;\n}\nexport const all = new Map<string, Item>();\n";
  const top = scratch.repository("shop", {
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "lib": ["es2022"], "types": [] } }',
    "item.ts": item,
  });
  const other = scratch.worktree(top, "other");
  scratch.write(top, { "item.ts": item.replace("label", "title") });
  scratch.write(other, {
    "labels.ts": 'import { all } from "./item";\nexport const labels = [...all.values()].map((one) => one.label);\n',
  });
  const seen: { readonly symbols: readonly string[]; readonly isDoubtful: boolean }[] = [];
  let settled = (): void => undefined;
  const done = new Promise<void>((resolve) => (settled = resolve));
  const senses = new SensingHost({
    git: { processes: systemProcesses, environment: scratch.environment },
    directory: scratch.path("private"),
    gates: scratch.path("gates"),
    clock: systemClock,
    languages: openLanguages(),
    report: async ({ pairs }) => {
      for (const { ours, theirs, findings, open } of pairs) {
        if (ours.worktree === null || theirs.worktree === null) continue;
        const symbols = findings.filter(({ kind }) => kind === "semantic").flatMap((one) => one.symbols);
        seen.push({ symbols, isDoubtful: open.some(({ what, isComing }) => what === "types" && isComing === true) });
        if (symbols.length > 0) settled();
      }
    },
    gateRuns: { get: async () => undefined, set: async () => undefined },
    log: () => undefined,
  });
  try {
    const { repository } = await senses.locate(top);
    await senses.open(repository, [top, other]);
    await done;
    expect(seen.slice(0, -1).every(({ symbols, isDoubtful }) => symbols.length === 0 && isDoubtful)).toBe(true);
    expect(seen.at(-1)).toEqual({ symbols: ["Item.label"], isDoubtful: false });
    expect(seen.length).toBeGreaterThan(1);
  } finally {
    await senses.close();
    scratch.close();
  }
}, 120_000);
