// The refusals met with forges and pull requests.

import type { CatalogueEntry } from "./entry.ts";

export const forgesRefusals = {
  "forge.not-known": {
    exit: "refused",
    means: "No forge is known for the place where the work lands.",
    hint: 'Name it in config.toml, for example:\n[[forge.hosts]]\nhost = "git.example.org"\nkind = "gitea"\ndocs/guides/pull-requests.md says more.',
  },
  "forge.no-token": {
    exit: "refused",
    means: "The forge's own client has no token for it, and the settings name none.",
    hint: "Log the client in (`gh auth login`, `glab auth login`, `tea login add`), or set `token_file` or `token_command` of the host in config.toml.",
  },
  "forge.denied": {
    exit: "refused",
    means: "The forge does not let us do this: the token is not valid, or may do less.",
    hint: "Log the forge's client in again, or give its token the right to read and write pull requests.",
  },
  "forge.unknown": {
    exit: "refused",
    means: "The forge has no such repository or pull request, or does not show it to us.",
    hint: "Check the origin's address, and that the token may read the repository.",
  },
  "forge.refused": {
    exit: "refused",
    means: "The forge refuses what it was asked.",
    hint: "Its own words say why.",
  },
  "check.no-pull": {
    exit: "refused",
    means: "The forge has no open pull request of this number.",
    hint: "`--pr` takes the number of one that is open.",
  },
  "check.no-origin": {
    exit: "refused",
    means: "The directory is in no clone with an origin, so no forge can be asked.",
    hint: "Run it in a clone of the repository, or add its origin with git remote add.",
  },
  "issue.no-filter": {
    exit: "refused",
    means: "A label is wanted before issues are followed: who may set it decides what becomes work for agents.",
    hint: "Name one: constel task import --filter LABEL --follow.",
  },
  "issue.unknown-follow": {
    exit: "refused",
    means: "Nothing is followed under this id.",
    hint: "`constel issue list` shows what is.",
  },
  "forge.exists": {
    exit: "refused",
    means: "The branch has an open pull request already.",
    hint: "It is found and used; there is nothing to do.",
  },
} as const satisfies Record<string, CatalogueEntry>;
