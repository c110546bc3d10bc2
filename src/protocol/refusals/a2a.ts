// The refusals met over A2A: by outside agents that ask us, and by us where we ask them.

import type { CatalogueEntry } from "./entry.ts";

export const a2aRefusals = {
  "a2a.off": {
    exit: "refused",
    means: "Outside agents are not served here.",
    hint: "Set `a2a.enabled = true` in config.toml, and `http.enabled` or `serve.listen` for a way in.",
  },
  "a2a.unknown": {
    exit: "refused",
    means: "The asking agent has no such request. Others' requests are not told from ones that never were.",
    hint: "Use the id that the answer to your message named.",
  },
  "a2a.over": {
    exit: "refused",
    means: "The request has ended, and nothing changes it any more.",
    hint: "Send a new message without a task's id.",
  },
  "a2a.landing": {
    exit: "refused",
    means: "The request's work is being landed at this moment, which is not broken off.",
    hint: "Ask again in a minute: it has then landed, or can be stopped.",
  },
  "a2a.context-differs": {
    exit: "refused",
    means: "The message names a task and a context that do not belong together.",
    hint: "Leave the context out: the task knows its own.",
  },
  "a2a.content": {
    exit: "usage",
    means: "The message holds something that is not taken: a file, an address, too much text, an unknown skill.",
    hint: "Send text or data; what is at an address is not fetched. The card lists the skills.",
  },
  "a2a.message": {
    exit: "usage",
    means: "The A2A request is not as the specification has it.",
    hint: "Its message says what is wrong.",
  },
  "a2a.version": {
    exit: "usage",
    means: "The request is of another version of A2A than is spoken here. One that names none is of 0.3.",
    hint: "Send the header `A2A-Version: 1.0`.",
  },
  "a2a.message-differs": {
    exit: "refused",
    means: "A message with this id came before, with other words.",
    hint: "Give each message an id of its own.",
  },
  "a2a.too-many": {
    exit: "refused",
    means: "The asking agent has as many open requests, messages or addresses as it may have.",
    hint: "Wait until some are over, or stop them.",
  },
  "a2a.push-address": {
    exit: "refused",
    means: "Nothing is sent to this address: it is not https, or not a public one.",
    hint: "Name a public https address, or ask the owner to allow its host in `a2a.push_allow`.",
  },
  "a2a.page": { exit: "usage", means: "The page's mark is not one of ours.", hint: "Begin again without one." },
  "a2a.request-unknown": {
    exit: "refused",
    means: "There is no such request of an outside agent.",
    hint: "`constel a2a ls` lists them.",
  },
  "a2a.decided": {
    exit: "refused",
    means: "Nothing of the request waits for the owner.",
    hint: "`constel a2a ls --all` shows what became of it.",
  },
  "a2a.not-yours": {
    exit: "refused",
    means: "An agent answers only for the task that is its own.",
    hint: 'Tell the root agent instead: constel channel send agent0 "...".',
  },
  "a2a.address": {
    exit: "usage",
    means: "This address of somebody else's is not asked: it is none, or not one that their card may lead to.",
    hint: "Name the https address of the agent yourself, or its name in `a2a.remotes`. A card leads only to its own address, or to public https ones.",
  },
  "a2a.forged": {
    exit: "refused",
    means: "The agent's card is signed by none of the keys that were pinned for it.",
    hint: "Somebody else may answer at its address: ask its owner. If they changed keys, pin what `constel a2a card` prints there now.",
  },
  "a2a.they-refuse": {
    exit: "refused",
    means: "The agent of somebody else's was asked, and refused.",
    hint: "Its message says why. Where it wants a token, its owner makes one for you (`token_file` of `a2a.remotes`, or --token-file).",
  },
  "a2a.remote-unknown": {
    exit: "usage",
    means: "No agent of somebody else's has this name in the setting `a2a.remotes`.",
    hint: "Add a table with its name and url to config.toml (docs/guides/a2a.md), or give its address.",
  },
  "a2a.token": {
    exit: "refused",
    means: "The file holds no token that could be used, or others may read it.",
    hint: "Put the token that the other owner made for you into a file of your own, and run chmod 600 on it.",
  },
  "a2a.key": {
    exit: "usage",
    means: "What was given as a public key is none.",
    hint: "Give a word that `constel a2a card` printed there (`EdDSA:…`, `ES256:…`), or a file with a JWK, a set of them, or PEM.",
  },
  "a2a.their-answer": {
    exit: "refused",
    means: "The agent of somebody else's does not answer as A2A 1.0 has it.",
    hint: "Ask whoever runs it; `constel a2a card --verify URL` shows what it says of itself.",
  },
} as const satisfies Record<string, CatalogueEntry>;
