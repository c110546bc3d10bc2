// Refusals about repositories and findings.

import type { CatalogueEntry } from "./entry.ts";

export const observedRefusals = {
  "git.not-a-repository": {
    exit: "refused",
    means: "The path is not in a git repository that can be read.",
    hint: "Give a path inside a worktree of a git repository.",
  },
  "check.unknown-side": {
    exit: "usage",
    means: "A side to compare is neither a revision of the repository nor a worktree that can be looked at.",
    hint: "Give a branch, tag or commit, or the path of a worktree (`./path` when a branch has the same name).",
  },
  "check.no-counterpart": {
    exit: "usage",
    means: "The worktree has no upstream, and the repository no default branch to compare with.",
    hint: "Name what to compare with: `constel check <revision or worktree>`.",
  },
  "check.not-comparable": {
    exit: "refused",
    means: "git cannot merge the two at all: they share no commit, or objects are missing.",
    hint: "Fetch what is missing, or compare two lines of work of one repository.",
  },
  "repository.unknown": {
    exit: "usage",
    means: "No watched repository has this name, identity or path, or more than one has.",
    hint: "`constel repo ls` lists those that are watched; `constel repo add <path>` adds one.",
  },
  "finding.nobody": {
    exit: "refused",
    means: "No agent is known to work on either side of the finding, so there is nobody to tell.",
    hint: "Say it where the work is done, or dismiss the finding: `constel conflicts dismiss`.",
  },
  "finding.unknown": {
    exit: "usage",
    means: "There is no finding with this id, or its end fits more than one.",
    hint: "`constel conflicts --all` lists them with their ids.",
  },
  "check.no-gate": {
    exit: "usage",
    means: "The gate was asked for, and the repository does not say how to run it.",
    hint: 'Put `[gate] command = "…"` into the repository\'s constel.toml, or give --gate-command.',
  },
  "claim.pattern": {
    exit: "usage",
    means: "An exclusive claim was asked for on a pattern; only files and directories can be denied.",
    hint: "Name the directory, or claim the pattern without --exclusive: an edit there is then a finding.",
  },
  "claim.outside": {
    exit: "usage",
    means: "A path of the claim is outside the worktree it was made in.",
    hint: "Stand in the repository and name paths below its top.",
  },
  "contract.missing": {
    exit: "refused",
    means: "There is no such file, revision or path in the revision.",
    hint: "Give a path, or `<revision>:<path>` from the top of the repository; `constel contract ls` lists specifications.",
  },
  "contract.unknown-format": {
    exit: "refused",
    means: "The file is no OpenAPI, AsyncAPI, GraphQL, protobuf or JSON Schema specification.",
    hint: "`constel contract ls` lists the specifications of a repository.",
  },
  "contract.unreadable": {
    exit: "refused",
    means: "A specification cannot be read, so nothing can be said about the change.",
    hint: "Correct the file named above, at the line where one is named.",
  },
  "claim.unknown": {
    exit: "usage",
    means: "No current claim has this id, or its end fits more than one.",
    hint: "`constel claim ls` lists them with their ids.",
  },
  "notice.unknown": {
    exit: "usage",
    means: "There is no notice with this id, or its end fits more than one.",
    hint: "`constel notices --all` lists them with their ids.",
  },
  "notice.not-yours": {
    exit: "refused",
    means: "An agent handles its own notices, and subscribes for itself only.",
    hint: "Ask the agent it is addressed to, the root or the owner.",
  },
  "claim.not-yours": {
    exit: "refused",
    means: "An agent makes and drops claims for itself only.",
    hint: "Ask the holder, the root or the owner.",
  },
} as const satisfies Record<string, CatalogueEntry>;
