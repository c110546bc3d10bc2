import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asPlace, placeBelow } from "../../../files/trusted-place.ts";
import type { Snapshot } from "../../../ports/git.ts";
import { systemProcesses } from "../../process/run.ts";
import { Blobs } from "../objects/blobs.ts";
import { Git } from "../git.ts";
import { makeContext } from "./merge-context.ts";
import type { MergeReport } from "./merge-report.ts";
import { PrivateStore } from "../objects/private-store.ts";
import { Scratch } from "../scratch.suite.ts";
import { TreeMerges } from "./tree-merges.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

/** A git that notes each start of merge-tree, and does `instead` where that is given. */
function notingGit(instead = 'exec "$real" "$@"'): { environment: Record<string, string>; starts: () => number } {
  const real = Bun.which("git") ?? "git";
  const notes = scratch.path("starts");
  writeFileSync(notes, "");
  scratch.write(scratch.root, {
    "bin/git": `#!/bin/sh\nreal='${real}'\ncase "$*" in *merge-tree*) echo x >>'${notes}'; ${instead};; esac\nexec "$real" "$@"\n`,
  });
  chmodSync(scratch.path("bin/git"), 0o755);
  const environment = { ...scratch.environment, PATH: `${scratch.path("bin")}:${scratch.environment["PATH"]}` };
  return { environment, starts: () => readFileSync(notes, "utf8").length / 2 };
}

/** A repository with a line each for base, ours (which has the base in it), theirs and other, and a place to merge them in. */
async function scene(environment: Record<string, string>, options: { answersWithinMs?: number } = {}) {
  const top = scratch.repository("r", { "a.txt": "one\n", "b.txt": "one\n" });
  const side = (name: string, file: string): Snapshot => {
    scratch.git(top, "checkout", "-q", "-b", name, "main");
    scratch.write(top, { [file]: `${name}\n` });
    scratch.git(top, "commit", "-qam", name);
    return snapshot(name);
  };
  const snapshot = (name: string): Snapshot => {
    const [commit = "", tree = ""] = scratch.git(top, "rev-parse", name, `${name}^{tree}`).trim().split("\n");
    return { commit, tree, parents: [commit], flags: [], context };
  };
  const git = new Git({ processes: systemProcesses, environment });
  const store = new PrivateStore(placeBelow(asPlace(scratch.path("observe")), "x"), "sha1");
  store.borrow(join(top, ".git", "objects"));
  const plain = store.gitDirectory("merge", "plain");
  const blobs = new Blobs(git, store.variables(plain), () => store.places);
  const parts = { files: [], cloneAttributes: "", settings: new Map(), shallow: "" };
  const context = await makeContext(store, blobs, parts);
  const merges = new TreeMerges(git, store, options);
  const sides = {
    base: snapshot("main"),
    ours: side("ours", "a.txt"),
    theirs: side("theirs", "a.txt"),
    other: side("other", "b.txt"),
  };
  const close = async (): Promise<void> => {
    await Promise.all([merges.close(), blobs.close()]);
    store.close();
  };
  return { context, merges, sides, close };
}

describe("merges", () => {
  test("are answered by one process, question after question, also where a merge comes to what our side has", async () => {
    const { environment, starts } = notingGit();
    const { context, merges, sides, close } = await scene(environment);
    const { base, ours, theirs, other } = sides;
    const unchanged = await merges.of(context, [
      { ours, theirs: base },
      { ours, theirs: base },
      { ours, theirs },
    ]);
    expect(unchanged.reports.map(({ isClean, tree }) => [isClean, tree === ours.tree])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    for (let round = 0; round < 3; round++) {
      const { reports } = await merges.of(context, [
        { ours: theirs, theirs: ours },
        { ours, theirs: other },
      ]);
      expect(reports.map(({ isClean, stages }) => [isClean, stages.length])).toEqual([
        [false, 3],
        [true, 0],
      ]);
    }
    expect(starts()).toBe(1);
    // After what may have brought new objects another takes its place.
    await merges.restart();
    expect((await merges.of(context, [{ ours, theirs: other }])).reports).toHaveLength(1);
    expect(starts()).toBe(2);
    await close();
  });

  test("of a few are told one by one while git goes on, each once and as the answer has it", async () => {
    const { context, merges, sides, close } = await scene(scratch.environment);
    const { base, ours, theirs, other } = sides;
    const pairs = [theirs, base, other, theirs].map((one) => ({ ours, theirs: one }));
    const heard: MergeReport[] = [];
    let isAnswered = false;
    const asked = merges.of(context, pairs, (report, at) => {
      expect([at, isAnswered]).toEqual([heard.length, false]);
      heard.push(report);
    });
    const { reports } = await asked.finally(() => (isAnswered = true));
    expect(heard).toEqual([...reports]);
    expect(heard.map(({ isClean }) => isClean)).toEqual([false, true, true, false]);
    // Many are told with the answer.
    const many = Array.from({ length: 20 }, () => ({ ours, theirs: other }));
    expect((await merges.of(context, many, () => heard.pop())).reports).toHaveLength(20);
    expect(heard).toHaveLength(4);
    await close();
  });

  test("asked for at the same time do not wait for each other", async () => {
    const { environment, starts } = notingGit();
    const { context, merges, sides, close } = await scene(environment);
    const { ours, theirs, other } = sides;
    const said = await Promise.all([
      merges.of(context, [{ ours, theirs }]),
      merges.of(context, [{ ours, theirs: other }]),
    ]);
    expect(said.map(({ reports }) => reports.map(({ isClean }) => isClean))).toEqual([[false], [true]]);
    expect(starts()).toBe(2);
    await close();
  });

  test("stop at a pair that git cannot merge, with its reason, and the next question is answered", async () => {
    const { context, merges, sides, close } = await scene(scratch.environment);
    const { ours, theirs, other } = sides;
    const nowhere = { ...theirs, commit: "0123456789012345678901234567890123456789" };
    const { reports, detail } = await merges.of(context, [
      { ours, theirs: other },
      { ours, theirs: nowhere },
      { ours, theirs },
    ]);
    expect(reports.map(({ isClean }) => isClean)).toEqual([true]);
    expect(detail).toContain(nowhere.commit);
    expect((await merges.of(context, [{ ours, theirs }])).reports).toHaveLength(1);
    await close();
  });

  test("of a git that keeps its answers back until its input ends are answered too, and then by a process each", async () => {
    const { environment, starts } = notingGit('input=$(cat; echo x); printf %s "${input%x}" | "$real" "$@"; exit');
    const { context, merges, sides, close } = await scene(environment, { answersWithinMs: 100 });
    const { ours, theirs, other } = sides;
    for (let round = 1; round <= 5; round++) {
      const { reports } = await merges.of(context, [
        { ours, theirs },
        { ours, theirs: other },
      ]);
      expect(reports.map(({ isClean }) => isClean)).toEqual([false, true]);
      expect(starts()).toBe(round);
    }
    await close();
  });
});
