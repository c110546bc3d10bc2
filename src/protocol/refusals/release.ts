// Refusals about releases: upgrade and downgrade; and about the documentation that comes with one.

import type { CatalogueEntry } from "./entry.ts";

export const releaseRefusals = {
  "docs.unknown": {
    exit: "usage",
    means: "No page of the documentation has this name, and none has all of these words in one section.",
    hint: "`constel docs` lists the pages.",
  },
  "release.not-released": {
    exit: "refused",
    means: "This program was not made by a release, so it does not know where releases lie or who signs them.",
    hint: "Update a clone with `git pull` and `scripts/install.sh`; replace a file that was built by hand with a released one.",
  },
  "release.unknown-version": {
    exit: "refused",
    means: "There is no such release where releases lie, or none for this machine.",
    hint: "`constel upgrade --check` names the newest; `--from` names another place.",
  },
  "release.not-signed": {
    exit: "refused",
    means: "What was fetched is not signed by the key that this program was released with. Nothing was changed.",
    hint: "Fetch it from where constel is released. Do not install it by hand.",
  },
  "release.damaged": {
    exit: "refused",
    means: "An archive is not what the signed release says, byte for byte. Nothing was changed.",
    hint: "Try again; if it stays so, whoever serves it has changed it.",
  },
  "release.not-newer": {
    exit: "refused",
    means: "The version that was named is older than this one.",
    hint: "`constel downgrade --to VERSION` goes back.",
  },
  "release.newer-schema": {
    exit: "refused",
    means: "The database has a schema that the older version does not know: it could not write to this home.",
    hint: "`constel db backups` names the backups with their schema. Go back with `constel db undo` or `constel db restore BACKUP`, then ask again.",
  },
  "release.nothing-kept": {
    exit: "refused",
    means: "The earlier program was not kept here.",
    hint: "Name a version, and where it lies if that is another place: `constel downgrade --to VERSION --from PLACE`.",
  },
  "release.busy": {
    exit: "refused",
    means: "Another upgrade or downgrade of this program is under way.",
    hint: "Wait until it has ended, then look with `constel version`.",
  },
  "release.not-here": {
    exit: "outage",
    means: "The program is no longer where it was started from.",
    hint: "Install constel again.",
  },
  "release.did-not-start": {
    exit: "outage",
    means: "The other version's program or daemon did not start here. The version of before is in place.",
    hint: "`constel daemon logs` says what it met. This version goes on as before.",
  },
  "release.other-way": {
    exit: "refused",
    means: "Another program installed this constel and has to replace it, or could not.",
    hint: "Run the command that is named.",
  },
} as const satisfies Record<string, CatalogueEntry>;
