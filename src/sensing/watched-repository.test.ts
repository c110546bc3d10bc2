// Tests which worktrees are looked at when, with an observer that only counts.

import { beforeEach, describe, expect, test } from "bun:test";
import type { RepositoryObserver, SnapshotOutcome, WorktreeFacts } from "../ports/git.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { plainFacts } from "./facts.suite.ts";
import { usualPace } from "./pace.ts";
import { WatchedRepository } from "./watched-repository.ts";

const paths = ["/w/a", "/w/b", "/w/c", "/w/d", "/w/e"];

describe("worktrees that are polled", () => {
  let clock: FakeClock;
  let looked: string[];
  let commits: Map<string, string>;
  let changed: string[];
  let lookMs: number;
  let repository: WatchedRepository;

  const factsOf = (path: string): WorktreeFacts => plainFacts(path, { branch: path.slice(-1), head: "1" });

  const snapshot = async (path: string): Promise<SnapshotOutcome> => {
    looked.push(path);
    clock.advance(lookMs);
    const commit = commits.get(path) ?? "base";
    const taken = { commit, tree: commit, parents: [], flags: [], context: "" };
    return { kind: "taken", snapshot: taken, facts: factsOf(path), isNew: false, polledMs: 7 };
  };

  const worktrees = async () => ({ found: paths.map(factsOf), skipped: [] });

  beforeEach(async () => {
    clock = new FakeClock();
    [looked, changed, lookMs] = [[], [], 0];
    commits = new Map();
    repository = new WatchedRepository({
      observer: { worktrees, snapshot } as unknown as RepositoryObserver,
      clock,
      pace: usualPace,
      log: () => undefined,
      changed: (path) => void changed.push(path),
      lost: () => undefined,
      landingMoved: () => undefined,
      origin: { landing: async () => undefined, hint: () => undefined },
      wake: () => undefined,
      progressed: () => undefined,
    });
    await repository.look();
    expect(looked).toEqual(paths);
    clock.advance(usualPace.restingMs);
    [looked, changed] = [[], []];
  });

  test("one that has changed is told of before the others are asked, which stay due", async () => {
    commits.set("/w/b", "edited");
    await repository.look();
    expect({ looked, changed }).toEqual({ looked: ["/w/a", "/w/b"], changed: ["/w/b"] });
    await repository.look();
    expect(looked).toEqual(paths);
  });

  test("pairs that wait are not held up by all of them", async () => {
    lookMs = 30;
    await repository.look();
    expect(looked).toEqual(["/w/a", "/w/b"]);
    await repository.look();
    expect(looked).toEqual(["/w/a", "/w/b", "/w/c", "/w/d"]);
  });

  test("one that was touched does not wait for its turn, nor for what the others take", async () => {
    lookMs = 30;
    repository.touch("/w/e", ["/w/e/x.txt"]);
    await repository.look();
    expect(looked).toEqual(["/w/e", "/w/a", "/w/b"]);
  });
});

describe("worktrees that are to be watched", () => {
  test("are not read again before they are, but for one that somebody touched; and are watched while there is time", async () => {
    const clock = new FakeClock();
    const looked: string[] = [];
    const watched: string[] = [];
    let watchMs = 20;
    const factsOf = (path: string): WorktreeFacts => plainFacts(path, { branch: path.slice(-1), head: "1" });
    const observer = {
      worktrees: async () => ({ found: paths.map(factsOf), skipped: [] }),
      snapshot: async (path: string): Promise<SnapshotOutcome> => {
        looked.push(path);
        const taken = { commit: "base", tree: "base", parents: [], flags: [], context: "" };
        return { kind: "taken", snapshot: taken, facts: factsOf(path), isNew: false, polledMs: undefined };
      },
      watch: async (path: string) => {
        watched.push(path);
        clock.advance(watchMs);
        return { kind: "watching" };
      },
    };
    const repository = new WatchedRepository({
      observer: observer as unknown as RepositoryObserver,
      clock,
      pace: usualPace,
      log: () => undefined,
      changed: () => undefined,
      lost: () => undefined,
      landingMoved: () => undefined,
      origin: { landing: async () => undefined, hint: () => undefined },
      wake: () => undefined,
      progressed: () => undefined,
    });
    await repository.look();
    clock.advance(usualPace.slowestMs);
    looked.length = 0;
    await repository.look();
    expect(looked).toEqual([]);
    repository.touch("/w/d", ["/w/d/x.txt"]);
    await repository.look();
    expect(looked).toEqual(["/w/d"]);
    await repository.watchSome();
    expect(watched).toEqual(["/w/a", "/w/b", "/w/c"]);
    // Whoever is watched is asked at once what happened before, and then has its turns.
    await repository.look();
    expect(looked).toEqual(["/w/d", "/w/a", "/w/b", "/w/c"]);
    watchMs = 60;
    await repository.watchSome();
    expect(watched).toEqual(["/w/a", "/w/b", "/w/c", "/w/d"]);
  });
});
