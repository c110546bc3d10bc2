import { expect, test } from "bun:test";
import { buildIndex } from "./address.ts";
import type { Scene, SceneClaim } from "./scene.ts";
import { wantedFor } from "./want.ts";

const workers = new Map([
  ["/w/app", [{ agent: "agent1", because: "its session runs there" }]],
  ["/w/app-two", [{ agent: "agent2", because: "its session runs there" }]],
  ["/w/other", [{ agent: "agent3", because: "its session runs there" }]],
]);

const claim: SceneClaim = {
  id: "clm_1",
  holder: "agent1",
  repository: "app",
  patterns: ["/src"],
  severity: "high",
  reason: "",
  isExclusive: true,
  madeMs: 0,
  endsMs: 10,
  worktree: "/w/app",
};

const scene = (claims: readonly SceneClaim[]): Scene =>
  ({
    worktrees: new Map(
      [...workers.keys()].map((path) => [path, { path, repository: path === "/w/other" ? "other" : "app" }]),
    ),
    workers,
    claims,
    index: buildIndex({ agents: ["agent1", "agent2", "agent3"], workers, tasks: [], claims: [], subscriptions: [] }),
  }) as unknown as Scene;

test("an exclusive claim keeps out those who work in its repository, and nobody elsewhere or its holder", () => {
  expect(
    wantedFor(scene([claim]), [], new Map()).map(({ agent, part: { files, denies } }) => [agent, files, denies]),
  ).toEqual([["agent2", ["/w/app-two/src"], true]]);
  expect(wantedFor(scene([{ ...claim, isExclusive: false }]), [], new Map())).toEqual([]);
});
