import { describe, expect, test } from "bun:test";
import { type WorkFacts, workersOf } from "./workers.ts";

const nothing: WorkFacts = {
  worktrees: [],
  workspaces: [],
  sessions: [],
  edits: [],
  isGone: () => false,
  root: "/work",
};
const at = (...paths: string[]) => paths.map((path) => ({ path, agent: null }));
const named = (facts: Partial<WorkFacts>): Record<string, string[]> =>
  Object.fromEntries(
    [...workersOf({ ...nothing, ...facts })].map(([path, some]) => [path, some.map(({ agent }) => agent)]),
  );

describe("who works in a worktree", () => {
  test("the agent of its task, and not who had the task before", () => {
    const worktrees = [{ path: "/w/12/repo", agent: "agent1" }];
    const workspaces = [{ path: "/w/12/repo", agent: "agent2", task: 12 }];
    expect(named({ worktrees, workspaces })).toEqual({ "/w/12/repo": ["agent2"] });
  });
  test("everybody who edits there or whose session runs there, in the innermost worktree", () => {
    const sessions = [
      { agent: "agentg1", cwd: "/app/.trees/a/src" },
      { agent: "agentg2", cwd: "/app" },
    ];
    const edits = [{ agent: "agent3", worktree: "/app/.trees/a" }];
    expect(named({ worktrees: at("/app", "/app/.trees/a", "/appendix"), sessions, edits })).toEqual({
      "/app": ["agentg2"],
      "/app/.trees/a": ["agent3", "agentg1"],
    });
  });
  test("standing in the root directory says nothing; editing there does", () => {
    const worktrees = [{ path: "/work", agent: "agent1" }];
    const sessions = [{ agent: "agent1", cwd: "/work" }];
    expect(named({ worktrees, sessions })).toEqual({});
    expect(named({ worktrees, sessions, edits: [{ agent: "agent1", worktree: "/work" }] })).toEqual({
      "/work": ["agent1"],
    });
  });
  test("nobody who is not there", () => {
    const worktrees = [{ path: "/a", agent: "agent1" }];
    expect(named({ worktrees, isGone: (agent) => agent === "agent1" })).toEqual({});
  });
});
