// The refusals met with other constellations.

import type { CatalogueEntry } from "./entry.ts";

export const meshRefusals = {
  "mesh.off": {
    exit: "refused",
    means: "This constellation keeps no lines to others.",
    hint: "Set `mesh.enabled = true` in config.toml, and `mesh.listen` if others are to dial this machine.",
  },
  "mesh.no-address": {
    exit: "refused",
    means: "Nothing says where another machine reaches this one.",
    hint: "Set `mesh.listen`, and `mesh.address` if that is no address of this machine's alone; or join from here with the other's code.",
  },
  "mesh.too-many-codes": {
    exit: "refused",
    means: "More codes are open than anybody needs.",
    hint: "Wait until some are used or over: each lasts five minutes.",
  },
  "mesh.bad-code": {
    exit: "usage",
    means: "The code is none of `constel mesh invite`, or was cut or mistyped.",
    hint: "Copy it whole, or ask for a new one: constel mesh invite",
  },
  "mesh.unreachable": {
    exit: "refused",
    means: "The other constellation could not be reached, or did not take the code. The message says at which step.",
    hint: "A code is good once, for five minutes, and ends with the daemon that made it. Ask for a new one there.",
  },
  "mesh.itself": {
    exit: "refused",
    means: "The key is this constellation's own.",
    hint: "Run it on the other machine.",
  },
  "mesh.known-key": {
    exit: "refused",
    means: "The key is on the list already.",
    hint: "`constel mesh peers` shows under which name. Evict that entry first to begin anew.",
  },
  "mesh.name-taken": {
    exit: "refused",
    means: "The name belongs to this constellation or to another peer.",
    hint: "Choose another with --name.",
  },
  "mesh.two-roots": {
    exit: "refused",
    means: "A mesh has one root, and this constellation knows another.",
    hint: "Evict that one first: constel mesh evict NAME",
  },
  "mesh.unknown-peer": {
    exit: "refused",
    means: "There is no such peer.",
    hint: "`constel mesh peers` lists them.",
  },
  "mesh.another-fingerprint": {
    exit: "refused",
    means: "The fingerprint is another than the one this peer joined with.",
    hint: "If the other side shows other digits, somebody else joined with the code: constel mesh evict NAME",
  },
} as const satisfies Record<string, CatalogueEntry>;
