// Repositories that are observed, and their worktrees.

import { z } from "zod";
import { agentField, pathField, repositoryField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { silence } from "./open-part.ts";

const registered = z.object({
  repository: z.string(),
  name: z.string(),
  path: z.string(),
  added: z.boolean(),
  observed: z.boolean(),
});

export const addRepository = defineOperation({
  name: "repository.add",
  summary: "Watch the repository that a path is in: all its worktrees, present and future.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ path: pathField.describe("A path in it (default: here)") }),
  output: registered,
  refusals: ["git.not-a-repository", "confined.out-of-sight", "store.not-written"],
});

export const listRepositories = defineOperation({
  name: "repository.list",
  summary: "List watched repositories and their worktrees.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({}),
  output: z.object({
    repositories: z.array(
      z.object({
        repository: z.string(),
        name: z.string(),
        added_ms: z.number().int(),
        default_branch: z.string().nullable(),
        problem: z.string().nullable(),
        open_findings: z.number().int(),
        ...silence,
        worktrees: z.array(
          z.object({
            path: z.string(),
            branch: z.string().nullable(),
            head: z.string().nullable(),
            operation: z.string().nullable(),
            skipped: z.string().nullable(),
            detail: z.string().nullable(),
            ahead: z.number().int().nullable(),
            behind: z.number().int().nullable(),
            uncommitted: z.boolean(),
            agent: z.string().nullable(),
            last_observed_ms: z.number().int(),
          }),
        ),
      }),
    ),
  }),
  refusals: [],
});

export const forgetRepository = defineOperation({
  name: "repository.forget",
  summary: "Stop watching a repository and close its findings.",
  may: "operators",
  effect: "destroys",
  needsDaemon: true,
  input: z.object({ repository: repositoryField.describe("Name, identity or a path in it") }),
  output: z.object({
    repository: z.string(),
    name: z.string(),
    worktrees: z.number().int(),
    closed: z.number().int(),
  }),
  refusals: ["repository.unknown", "store.not-written"],
});

export const shareRepository = defineOperation({
  name: "repository.share",
  summary:
    "Share the work in a repository: the daemons of the team's other constellations, and of the peers of the mesh, compare theirs with it, uncommitted work included.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ repository: repositoryField.describe("Name, identity or a path in it") }),
  output: z.object({
    repository: z.string(),
    name: z.string(),
    /** False when it was shared already. */
    changed: z.boolean(),
    /** Nobody, while this home keeps its records in a file of its own and has lines to no peer. */
    reaches: z.enum(["team", "mesh", "nobody"]),
  }),
  refusals: ["repository.unknown", "store.not-written"],
});

export const unshareRepository = defineOperation({
  name: "repository.unshare",
  summary: "Share a repository no longer: what was sent of it is taken away, at the origin too.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ repository: repositoryField.describe("Name, identity or a path in it") }),
  output: z.object({ repository: z.string(), name: z.string(), changed: z.boolean() }),
  refusals: ["repository.unknown", "store.not-written"],
});

export const sharedRepositories = defineOperation({
  name: "repository.shared",
  summary:
    "List what is shared with other constellations, what is sent of it, and what they share of the same repositories.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({}),
  output: z.object({
    repositories: z.array(
      z.object({
        repository: z.string(),
        name: z.string(),
        /** withdrawn: it is still being taken away. */
        state: z.enum(["shared", "withdrawn"]),
        shared_by: z.string(),
        shared_ms: z.number().int(),
        /** Why something of it could not be sent or compared. */
        problem: z.string().nullable(),
        sides: z.array(
          z.object({
            branch: z.string().nullable(),
            agent: z.string().nullable(),
            task: z.string().nullable(),
            /** By the origin, in a bundle through the database, or nowhere: `detail` says why. */
            route: z.string(),
            detail: z.string().nullable(),
            at_ms: z.number().int(),
          }),
        ),
        others: z.array(
          z.object({
            label: z.string(),
            constellation: z.string(),
            machine: z.string(),
            branch: z.string().nullable(),
            agent: z.string().nullable(),
            task: z.string().nullable(),
            at_ms: z.number().int(),
            /** When its daemon was last at work on it, by its own clock. */
            heard_ms: z.number().int(),
          }),
        ),
      }),
    ),
  }),
  refusals: [],
});

export const observeWorktree = defineOperation({
  name: "worktree.observe",
  summary: "An agent works in this worktree. Its repository is watched from now on, unless the owner had it forgotten.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ path: pathField, agent: agentField.optional() }),
  output: registered,
  refusals: ["git.not-a-repository", "confined.out-of-sight", "identity.another", "store.not-written"],
});

export const touchWorktree = defineOperation({
  name: "worktree.touch",
  summary: "Files were edited here: the pairs that this concerns are looked at now.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    /** The worktree, or any path in it. */
    path: pathField,
    /** Absolute, or below the worktree; none is any. */
    files: z.array(z.string().min(1).max(4_096)).max(1_000).default([]),
    /** Answer only when what follows is known. */
    wait: z.boolean().default(false),
  }),
  output: z.object({ observed: z.boolean() }),
  refusals: [],
});

export const affectedTests = defineOperation({
  name: "worktree.tests",
  summary: "The tests that the work in a worktree likely affects, by who imports what (TypeScript and Python).",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ path: pathField.describe("A path in it (default: here)") }),
  output: z.object({
    /** The files that it changed since it left the default branch. */
    changed: z.array(z.string()),
    tests: z.array(z.string()),
    complete: z.boolean(),
  }),
  refusals: ["repository.unknown"],
});
