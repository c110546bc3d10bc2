// Refusals about keys, signatures, tokens, secrets and the audit.

import type { CatalogueEntry } from "./entry.ts";

export const trustRefusals = {
  "bus.impostor": {
    exit: "refused",
    means: "A message carries a name or a kind that only constel or the owner may use, and is not signed so.",
    hint: "Nobody was shown it. `constel channel poison ls` lists it; drop it, and look who wrote it.",
  },
  "bus.reserved-kind": {
    exit: "refused",
    means: "The kind of the message is one that only constel and the owner use.",
    hint: "Choose another kind, or none.",
  },
  "keys.unknown": {
    exit: "usage",
    means: "Nobody of this name holds a key here, and no key has this id.",
    hint: "`constel keys ls` lists them.",
  },
  "keys.revoked": {
    exit: "refused",
    means: "The key is revoked already.",
    hint: "`constel keys ls` shows when and why.",
  },
  "keys.ring-missing": {
    exit: "refused",
    means:
      "keys/ring.jsonl is gone or damaged, so nobody can tell whether a signature is true. What was signed waits, and is taken when the ring is back. No new ring is begun by itself.",
    hint: "Put keys/ring.jsonl, or all of keys/, back from a backup of the home; `constel doctor` says what is wrong. Without a backup: move keys/ and state/ring-began away, and constel begins a new ring, which the audit will show.",
  },
  "keys.ring-broken": {
    exit: "refused",
    means: "The ring of public keys holds a line that constel did not write, so no key can be added.",
    hint: "Look at keys/ring.jsonl from the line named. If somebody appended to it, remove those lines; `constel audit verify` tells up to where it is sound.",
  },
  "keys.constellation-lost": {
    exit: "outage",
    means: "The private key of the constellation is gone, so nothing new can be vouched for.",
    hint: "Restore keys/ from a backup. Without one: move keys/ and state/ring-began away, and constel begins a new ring, which the audit will show.",
  },
  "keys.no-owner": {
    exit: "refused",
    means: "The verb needs the owner's key, and there is none.",
    hint: "Make one with `constel owner init`.",
  },
  "keys.owner-exists": {
    exit: "refused",
    means: "The owner has a key already.",
    hint: "Use `constel keys rotate owner`; if its passphrase is lost, `constel owner init --replace`.",
  },
  "keys.no-agent": {
    exit: "refused",
    means:
      "The owner's key is to be used through ssh-agent, and there is none, or it does not have the key or does not sign with it.",
    hint: "Start one, and add the key with `ssh-add` (with `ssh-add -c` it asks you at each signature); SSH_AUTH_SOCK must name its socket.",
  },
  "keys.no-keychain": {
    exit: "refused",
    means:
      "The owner's key is to be used through the keychain of the operating system, which cannot be used or does not have it.",
    hint: "On Linux install `secret-tool` (libsecret) and unlock the keyring; on macOS unlock the keychain. Otherwise use `--passphrase`.",
  },
  "keys.kept-elsewhere": {
    exit: "refused",
    means: "The owner's key is kept by another program, so constel cannot make its successor there.",
    hint: "`constel owner init --replace` with `--ssh-agent`, `--keychain` or `--passphrase` begins a new one.",
  },
  "audit.no-bundle": {
    exit: "usage",
    means: "The file is not one that `constel audit export` wrote.",
    hint: "Make one with `constel audit export > FILE`.",
  },
  "directive.not-owners": {
    exit: "refused",
    means: "A directive is not signed with the owner's key.",
    hint: "Write it with `constel owner direct`, which signs it.",
  },
  "token.unknown": {
    exit: "usage",
    means: "There is no token with this id or name.",
    hint: "`constel token ls` lists them.",
  },
  "authority.scope": {
    exit: "refused",
    means: "The token does not cover this operation.",
    hint: "Use another token, or make one with a wider scope: `constel token create`.",
  },
  "authority.human": {
    exit: "refused",
    means: "A person who is not the owner may not do what destroys, nor what is the owner's alone.",
    hint: "Ask the owner.",
  },
  "authority.observer": {
    exit: "refused",
    means: "An observer only looks.",
    hint: "Ask the owner for a token with another role.",
  },
  "authority.outside": {
    exit: "refused",
    means: "Agents from outside ask over A2A and for nothing else; nobody else asks as one.",
    hint: "Its token is for `/a2a/` alone. `constel token create NAME --role outside` makes one.",
  },
  "authority.capability": {
    exit: "refused",
    means: "The owner lets only agents with a certain capability do this, and the agent was not given it.",
    hint: "Ask an agent that has it, or the owner: the setting `authority.capabilities`.",
  },
  "secret.found": {
    exit: "refused",
    means: "The text holds what looks like a secret. Nothing was sent or written.",
    hint: "Take it out. Only the owner may let it pass, with --allow-secret, and that is recorded.",
  },
  "keys.wrong-passphrase": {
    exit: "refused",
    means: "The passphrase does not open the owner's key.",
    hint: "Try again. If it is lost, `constel owner init --replace` makes a new key.",
  },
} as const satisfies Record<string, CatalogueEntry>;
