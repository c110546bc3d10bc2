import { expect, test } from "bun:test";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import { claimScene } from "./claim-scene.ts";
import type { MergedPair } from "./merged-pair.ts";
import type { RepositoryMemory } from "./repository-memory.ts";

const edited = { path: "src/a.ts", change: "modified" };
const changes = { files: [edited], paths: new Set(["src/a.ts"]), added: [] };
const machine = {
  observer: {} as RepositoryObserver,
  memory: { trees: { changes: async () => changes } } as unknown as Pick<RepositoryMemory, "trees">,
};

function pairOf(ours: string, theirs: string | null): MergedPair {
  const side = (worktree: string | null) => ({ side: { worktree }, snapshot: {} as Snapshot });
  return { ours: side(ours), theirs: side(theirs), merge: { kind: "clean", bases: ["base"] } } as unknown as MergedPair;
}

/** The claim that agent1 holds, from /w/one; /w/two is another worktree of its own. */
const claim = { id: "c", holder: "agent1", worktree: "/w/one", own: ["/w/one", "/w/two"] } as unknown as HeldClaim;
const parts = { held: () => [claim], landing: () => undefined };

test("a claim stands against the worktree of somebody else", async () => {
  const scene = await claimScene(machine, parts, pairOf("/w/one", "/w/other"));
  expect(scene?.claims).toEqual({ ours: [claim], theirs: [] });
  expect(scene?.edits.theirs.files.map(({ path }) => path)).toEqual(["src/a.ts"]);
  // Whichever side is named first.
  expect((await claimScene(machine, parts, pairOf("/w/other", "/w/one")))?.claims).toEqual({
    ours: [],
    theirs: [claim],
  });
});

test("a holder may edit what it claimed in its own second worktree", async () => {
  expect(await claimScene(machine, parts, pairOf("/w/one", "/w/two"))).toBeUndefined();
});

test("a branch that nobody works on trespasses nowhere", async () => {
  expect(await claimScene(machine, parts, pairOf("/w/one", null))).toBeUndefined();
});
